/* Everything a bake knows before its first frame: what moves the body, the output's nodes and tracks, and
 * which of these are constant. Read-only once built: workers share it. */
#ifndef SINEW_STAGE_BAKE_PLAN_H
#define SINEW_STAGE_BAKE_PLAN_H

#include "clip/segments.h"
#include "retarget/muscle_rig.h"
#include "stage/bone_plan.h"
#include "stage/muscle_source.h"
#include "write/box_mesh.h"
#include "write/glb.h"
#include "write/glb_model.h"

/* What an output holds, whatever moves it: nodes, of which some turn (slots) and some change place (places).
 * Both are numbered by themselves; a place belongs to a node that may turn as well. */
typedef struct bake_output {
  const rig_node *nodes; /* parents first, in Unity's frame, metres */
  uint32_t node_count;
  uint32_t slot_count;
  uint32_t place_count;
  const uint32_t *file_node; /* [node_count] their numbers in the file; NULL: the same */
  int32_t *slot_of_node;     /* [node_count]; -1: it keeps its rest */
  int32_t *place_of_node;
  int32_t *scale_of_node; /* the place that holds its scale, x negated */
  glb_track *tracks;
  uint32_t *planes; /* [track_count]: the slot of a rotation, the place of a translation or a scale */
  uint32_t track_count;
  uint32_t constant_count;
  /* the joints that are verified at every frame: joint 0 stands for the body's place, and the others are seen
   * from it */
  sinew_fk_rig fk;
  uint32_t *joint_node; /* [fk.joint_count] */
  double unevenness; /* how far scales above joints differ along their axes: turns alone are off by as much */
  double height_m;   /* of the body: what lengths are compared with */
  bool is_turned;    /* joints are computed in a root space that is not the file's: file = to_file * root */
  float to_file_q[4];
  double root_reach_m; /* how far from the origin the node stands that joint 0 hangs from, along an axis */
} bake_output;

typedef enum bake_way {
  BAKE_MUSCLE, /* muscles on a rig */
  BAKE_DELTA,  /* a clip of bones on a rig */
  BAKE_OWN,    /* a clip of bones on its own skeleton: there is no rig */
  BAKE_NONE    /* no pose is wanted, muscles alone */
} bake_way;

/* Where the planes of muscles, root and goals come from. */
typedef enum bake_planes {
  PLANES_NONE,
  PLANES_OF_CLIP,  /* a clip of muscles */
  PLANES_OF_BONES, /* a clip of bones, on its own skeleton's avatar */
  PLANES_OF_POSE   /* what delta gives on the rig */
} bake_planes;

typedef struct bake_plan {
  arena memory;
  bake_way way;
  const sinew_clip *clip;
  const sinew_rig *rig;
  const sinew_kernels *kernels;
  double rate_hz;
  uint64_t frame_count;
  uint64_t block_count;
  bake_output output;
  bake_planes planes_from;
  bool wants_planes;               /* they are written: pose_scratch.planes holds them */
  bool present[SINEW_PLANE_COUNT]; /* what of them is written */
  bool mirror, clamp;              /* of muscles */
  muscle_source muscles;           /* of a clip of bones */
  sinew_rig *made_rig; /* the rig, where it is the clip's own figure's; NULL: it is the caller's */
  /* muscles */
  muscle_rig constants;
  clip_segments segments;         /* none where the clip has rows */
  float fill[SINEW_PLANE_COUNT];  /* what a plane without a curve holds */
  bool curved[SINEW_PLANE_COUNT]; /* planes that have one */
  bool wanted[SINEW_PLANE_COUNT]; /* what is sampled: the rig's pose depends on it, or it is written */
  bool moves[SINEW_PLANE_COUNT];  /* of these, what changes in the clip */
  bone_plan bones;                /* of the other two ways */
  bool quantized;                 /* rotations are stored as int16; the caller sets it */
  const glb_model *model; /* the file whose body is kept; NULL: nodes are written. The caller sets it */
  box_mesh mesh;          /* box_count 0: none is written; the caller may build it */
} bake_plan;

/* What may be chosen of a bake. Zeroed: the defaults. */
typedef struct bake_choice {
  double rate_hz; /* 0: the clip's own */
  sinew_via via;
  bool in_place; /* the hips keep their place over the ground: of clips of bones on a rig */
  bool no_pose;  /* of joints */
  bool planes;   /* muscles, root and goals are written */
  bool planes_if_any;
  const sinew_rig *clip_rig; /* the avatar of the clip's skeleton; NULL: found */
  const sinew_rig
      *asked_rig; /* the rig that was asked for, where `rig` is made of it; NULL: they are the same */
  inverse_limbs limbs;
  bool mirror, clamp;
  bool tdof; /* a clip's translations below the hips are written too */
} bake_choice;

/* rig may be NULL for a clip of bones, and where no pose is wanted. Errors: ARGUMENT (rate, no rig, a choice
 * that the clip has not), LIMIT (frames), RIG (the clip's skeleton is no human body's), POSE, MEMORY. */
sinew_result bake_plan_build(const sinew_kernels *kernels, const sinew_clip *clip, const sinew_rig *rig,
                             const bake_choice *choice, bake_plan *plan, sinew_error *error);
void bake_plan_release(bake_plan *plan);

/* Room for the output's tracks and maps, once its nodes and the numbers of slots and places are set. Errors:
 * MEMORY. */
sinew_result bake_output_open(bake_output *output, arena *memory, sinew_error *error);
/* Appends a track: the rotation of a slot, or what a place holds. */
void bake_output_turn(bake_output *output, uint32_t node, uint32_t slot, bool constant);
void bake_output_move(bake_output *output, uint32_t node, uint32_t place, bool constant);
void bake_output_scale(bake_output *output, uint32_t node, uint32_t place, bool constant);

static inline uint32_t bake_file_node(const bake_plan *plan, uint32_t node) {
  return plan->model && plan->output.file_node ? plan->output.file_node[node] : node;
}

/* How far a file's joints may lie from the computed ones. */
typedef struct bake_bounds {
  double of_height; /* as a share of the body's height */
  double
      far_slack; /* metres forgiven per metre that a joint lies farther from the hips than the body is tall */
} bake_bounds;
bake_bounds bake_plan_bounds(const bake_plan *plan);

/* The planes of a clip of muscles that the rig's pose depends on: the root and the muscles its bones have. */
void bake_plan_list_wanted(const muscle_rig *constants, bool wanted[SINEW_PLANE_COUNT]);

#endif
