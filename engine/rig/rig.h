/* A rig: a hierarchy of nodes with their rest pose, the human bones found in it, and what the avatar compiler
 * makes of them. Lengths are metres (the file's unit is applied when the rig is built), all in Unity's frame,
 * double. */
#ifndef SINEW_RIG_RIG_H
#define SINEW_RIG_RIG_H

#include "base/arena.h"
#include "rig/human.h"
#include "sinew.h"

enum { RIG_WARNING_LIMIT = 64 };

/* ---- what a reader delivers ------------------------------------------------------------------------- */

typedef struct rig_limit {
  bool modified; /* use these limits instead of the defaults */
  double min_deg[3];
  double max_deg[3];
} rig_limit;

typedef struct rig_node {
  const char *name;
  int32_t parent; /* lower than the node's own index; -1: a root */
  double t[3];    /* local rest transform */
  double q[4];    /* unit */
  double s[3];
} rig_node;

typedef struct rig_axes { /* a bone's muscle referential, avatar.md */
  double pre[4], post[4];
  double sgn[3];
  double min_rad[3], max_rad[3]; /* 0 where the axis has no muscle */
  double length;                 /* metres; a foot's is its height and may be negative */
} rig_axes;

/* A node of an Avatar's human skeleton. */
typedef struct rig_human_node {
  uint32_t node; /* of the description's */
  double t[3];   /* local, with every scale folded in, but the first node's: in root space */
  double q[4];   /* unit */
} rig_human_node;

/* What an Avatar holds compiled: taken as it is instead of what the T-pose gives. In the file's unit. */
typedef struct rig_compiled {
  rig_human_node
      *human; /* T-pose: the hips' parent, the human bones and what stands between, parents first */
  uint32_t human_count;
  rig_axes axes[HUMAN_BONE_COUNT];
  double mass[HUMAN_BONE_COUNT]; /* finite, none negative, some above 0 */
  double human_scale;
  double root_t[3], root_q[4];
} rig_compiled;

/* A rig as its file states it, in the file's unit; the nodes' local transforms are what the output rests
 * with, and the T-pose too where none is given apart. Readers deliver it checked: every number finite,
 * parents before children, depth within the limit, unit quaternions, no zero scale. */
typedef struct rig_description {
  const char *name;
  rig_node *nodes;
  uint32_t node_count;
  int32_t node_of_bone[HUMAN_BONE_COUNT]; /* -1: absent */
  rig_limit limit[HUMAN_BONE_COUNT];
  double arm_twist, fore_arm_twist, upper_leg_twist, leg_twist; /* shares, 0..1 */
  double arm_stretch, leg_stretch, feet_spacing;
  bool has_translation_dof;
  const char *warnings[RIG_WARNING_LIMIT]; /* what the reader repaired or ignored */
  uint32_t warning_count;
  const char *kind; /* of file, a literal; NULL: none to tell */
  const rig_compiled
      *compiled; /* NULL: the compiler's work; else the nodes' transforms are the output's rest */
  const double (
      *tpose_q)[4]; /* per node, local: where the human bones' nodes turn to in T-pose; NULL: they rest so.
                       Nodes that are no human bones keep their rest, which nothing turns */
  const double *tpose_hips_t; /* the hips' local translation there; NULL: its own */
  double align_q[4]; /* root space (Y up, facing +Z) = align * the file's frame; all 0: the identity */
  const uint32_t *source_node; /* per node its index in the file; NULL: none to tell */
} rig_description;

/* ---- the compiled rig --------------------------------------------------------------------------------- */

enum { RIG_HASH_DIGITS = 32 };

struct glb_model;

struct sinew_rig {
  arena memory;
  const char *name;
  const char *kind;               /* of the file it came from, a literal */
  char hash[RIG_HASH_DIGITS + 1]; /* of what a bake depends on (rig_set_hash) */
  /* the output's hierarchy: metres; a non-uniform scale above a human bone is folded into what hangs below it
   */
  rig_node *nodes;
  uint32_t node_count;
  struct glb_model
      *model; /* the file, where its body can be kept in what is written; NULL: none. Closed with the rig */
  double unevenness;     /* how far the scales above bones differ along the axes, as the file has them; folded
                            here */
  uint32_t *source_node; /* per node its index in the file, NULL: none to tell */
  int32_t node_of_bone[HUMAN_BONE_COUNT];
  /* The nodes stand in the file's frame, all that follows in root space: root = align * file. Local rotations
   * and translations, those below the hips' parent included, are the same in both. */
  double align_q[4];
  double unit_scale; /* metres per unit of the file */
  bool unit_inferred;
  double height_m;

  /* human skeleton; entries of absent bones are unused */
  int8_t parent_bone[HUMAN_BONE_COUNT]; /* nearest present human bone above, -1 for the hips */
  uint16_t between_count[HUMAN_BONE_COUNT];
  double between[HUMAN_BONE_COUNT]
                [4]; /* rotation of the nodes in between, identity when none (hips: above_q) */
  double offset[HUMAN_BONE_COUNT][3]; /* position in the human parent's frame, scales folded, metres (hips:
                                         where their node rests, in root space) */
  double rest_q[HUMAN_BONE_COUNT][4]; /* local rotation of the node in T-pose */
  rig_axes axes[HUMAN_BONE_COUNT];
  bool custom_limits[HUMAN_BONE_COUNT];
  double share[HUMAN_BONE_COUNT]; /* of the own twist kept: 1 but for the eight limb bones */
  double mass[HUMAN_BONE_COUNT];  /* of present bones, with those of missing ones passed up; sum 1 */

  /* The hips' parent node in root space, align_q included (the hips a root: align_q alone, nothing else):
   * hips in root space = above_t + above_scale * (above_q * local t), above_q * local q. So a local value, as
   * a GLB's tracks hold it, is conj(above_q) * what stands in root space, whichever way the file's body
   * faces. */
  double above_t[3], above_q[4], above_scale;

  double human_scale_m;  /* height of the centre of mass in T-pose */
  double root_t[3];      /* centre of mass in T-pose, metres */
  double root_q[4];      /* R0, the body frame in T-pose */
  double hips_rest_q[4]; /* H, global */

  double arm_twist, fore_arm_twist, upper_leg_twist, leg_twist, arm_stretch, leg_stretch, feet_spacing;
  bool has_translation_dof;
  /* of a model's rig, for what is told */
  const char *reason[HUMAN_BONE_COUNT];     /* a sentence why the node is this bone; NULL: none */
  double stance_turn_deg[HUMAN_BONE_COUNT]; /* from the rest to the T-pose */
  const char *warnings[RIG_WARNING_LIMIT];
  uint32_t warning_count;
};

/* Weight of each present bone's origin in the centre of mass (a linear combination of origins, humanoid.md 6,
 * with the left lower arm's quirk); weights sum to 1. Used by the T-pose values here and by the kernels'
 * constants. */
void rig_com_weights(const sinew_rig *rig, double weight[HUMAN_BONE_COUNT]);

/* Compiles a description. unit_scale 0: inferred (avatar.md, Settled). On success *rig owns everything it
 * points to. Errors: RIG with the bone's name (missing required bone, broken hierarchy, degenerate T-pose),
 * LIMIT (more nodes than joints can number), MEMORY. */
sinew_result rig_compile(const rig_description *description, double unit_scale, sinew_rig **rig,
                         sinew_error *error);

/* Completes a rig of which a file holds the compiled form: all fields are set but those that follow from the
 * nodes (parent_bone to offset, share, above_*, hash), which are derived here as rig_compile derives them.
 * Checks what rig_compile would, so that nothing wrong comes in by this door. */
sinew_result rig_restore(sinew_rig *rig, sinew_error *error);

/* Whether the file's frame is another than root space. */
static inline bool rig_is_aligned(const sinew_rig *rig) {
  return rig->align_q[0] != 0 || rig->align_q[1] != 0 || rig->align_q[2] != 0;
}

void rig_warn(sinew_rig *rig, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
