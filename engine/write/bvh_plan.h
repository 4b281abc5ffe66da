/* A baked clip as BVH text: pure functions from nodes, and from planes of a block, to bytes that are put one
 * behind the other:
 *
 *   bvh_head
 *   for every block of up to 64 frames, in order: bvh_planes, bvh_lines
 *
 * A joint of a BVH rests without rotation. So its axes are the model's, as they lie in the pose the file
 * rests in (the reference): with A the rotation of a node in the model there, a local rotation q becomes A of
 * the parent * q * conj(A), an offset A of the parent * the translation, every scale above folded in.
 *
 * Frame: right-handed, Y up, facing +Z: glTF's. Every node is a JOINT in the order of its branch, but that a
 * still one without a name, alone below its parent, is its End Site, as which readers have those. One ROOT:
 * where the nodes have several, a joint "Root" at the origin stands above them, because many readers
 * take one alone. The root has 6 channels, and so has every node that moves in its parent; its position then
 * stands in place of its OFFSET, as readers have it. All else has 3. Scales that change over time have no
 * place in the format: they are left out. */
#ifndef SINEW_WRITE_BVH_PLAN_H
#define SINEW_WRITE_BVH_PLAN_H

#include "base/arena.h"
#include "kernels.h"
#include "rig/rig.h"
#include "write/text_out.h"

typedef struct bvh_source {
  const rig_node *nodes; /* in Unity's frame, metres, parents first */
  uint32_t node_count;
  const double (
      *reference_q)[4]; /* [node_count] local rotations of the pose the file rests in; NULL: the nodes' own */
  const double *align_q; /* turns the nodes' frame to the file's: Y up, facing +Z; NULL: nothing to turn */
  const int32_t *slot_of_node; /* [node_count] the track that turns it; -1: it keeps its rest */
  const int32_t
      *place_of_node; /* [node_count] the place that moves it in its parent; -1: it keeps its rest */
  const double (
      *tip)[3]; /* [node_count] where the bone of a node without children ends, in the node's frame, metres; 0
                   or NULL: not known, half as far again as the node stands from its parent */
  uint32_t hips; /* a node that has positions though it keeps its rest: readers put hips without any on the
                    ground; 0: none but the root */
  double rate_hz;
  uint64_t frame_count;
} bvh_source;

typedef struct bvh_options {
  const char *order; /* the rotations' channels: "ZXY" or another permutation, in any case; NULL: ZXY, which
                        most write */
  bool metres;       /* instead of centimetres */
} bvh_options;

typedef struct bvh_joint {
  uint32_t node;  /* UINT32_MAX: the root that was added */
  int32_t parent; /* joint; -1: the root */
  uint32_t depth;
  const char *name;
  double offset[3]; /* in the file's frame and unit */
  double end[3];    /* of the End Site */
  bool has_end;
  bool has_position;
  uint32_t channel; /* the first: its positions, where it has any, then its rotations */
} bvh_joint;

typedef struct bvh_place {
  uint32_t place;
  uint32_t channel;
  double m[3][3]; /* from the place in the parent node to the channels */
} bvh_place;

typedef struct bvh_plan {
  arena memory;
  uint8_t order[3]; /* axes */
  int decimals;     /* of lengths: a hundredth of a micrometre */
  double rate_hz;
  uint64_t frame_count;
  uint32_t joint_count;
  bvh_joint *joints; /* as they stand in the file */
  uint32_t channel_count;
  float *fixed; /* [channel_count] the value of what does not change */
  uint32_t angle_count;
  sinew_angle_joint *angles;
  uint32_t place_count;
  bvh_place *places;
} bvh_plan;

/* The source is not looked at later. Errors: ARGUMENT (an order that is none, no nodes, no frames, a rate),
 * LIMIT (tracks, places that readers do not take), MEMORY. After an error the plan holds nothing. */
sinew_result bvh_plan_build(const sinew_kernels *kernels, const bvh_source *source,
                            const bvh_options *options, bvh_plan *plan, sinew_error *error);
void bvh_plan_release(bvh_plan *plan);

/* HIERARCHY, and MOTION up to the first row. The Frame Time is the double nearest to 1 / rate: a whole rate
 * is read back as it is, any other to its last bit or two. */
void bvh_head(const bvh_plan *plan, text_out *out);

/* planes [channel_count][64], aligned to 64 bytes: what does not change, once, and what a block's rotations
 * local [slot][4][64] and places [place][3][64] in the parent nodes, metres, come to: degrees and the file's
 * unit. */
void bvh_planes_begin(const bvh_plan *plan, float *planes);
void bvh_planes(const bvh_plan *plan, const sinew_kernels *kernels, const float *local, const float *places,
                float *planes);
/* The rows of the first `frames` lanes, 1 to 64: degrees with 6 decimals. */
void bvh_lines(const bvh_plan *plan, const float *planes, uint32_t frames, text_out *out);
/* At most so many bytes a row has. */
size_t bvh_line_bytes(const bvh_plan *plan);

/* Names that a BVH can hold, each another: blanks, controls and braces become "_", what is malformed too, an
 * empty name "joint", and the second of a name gets "_2". names[count] in, names in `memory` out. Errors:
 * MEMORY. */
sinew_result bvh_make_names(const char **names, uint32_t count, arena *memory, sinew_error *error);

/* Of a rig: its T-pose as a reference, and where its bones end; both [rig->node_count]. */
void bvh_rig_tpose(const sinew_rig *rig, double (*reference_q)[4]);
void bvh_rig_tips(const sinew_rig *rig, double (*tip)[3]);

#endif
