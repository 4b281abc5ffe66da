/* Some nodes of a file as the kernel that places them takes them, and what each channel is for. */
#ifndef SINEW_VERIFY_JOINT_NODES_H
#define SINEW_VERIFY_JOINT_NODES_H

#include "verify/glb_document.h"

typedef struct channel_use {
  bool is_constant;
  double constant[4];
  int32_t row;     /* of a run's keys; -1: it does not follow the clock, or is constant */
  uint32_t planes; /* where its values go; 0: nobody reads them */
  bool by_kernel;  /* the kernel reads the keys, and checks them */
} channel_use;

struct verify_joints {
  const verify_file *file;
  const sinew_kernels *kernels;
  arena memory;
  channel_use *channels;
  uint32_t row_count, planes_count;
  uint32_t run_frames;
  size_t row_bytes;
  sinew_node *nodes; /* but for what changes from block to block */
  uint32_t *source;  /* per node: the file's */
  int32_t *matrices; /* per node: where its matrices go, -1: it has none of its own */
  uint32_t node_count, matrices_count;
  uint32_t *shown; /* the nodes asked for, in their order */
  uint32_t shown_count;
};

/* What a player makes of translation, rotation and scale: rows of T * R * S. */
void joint_matrix(const double t[3], const double q[4], const double s[3], double m[3][4]);
/* The value of a part that does not vary. */
const double *joint_constant(const verify_joints *joints, const document_node *node, keys_path path);
static inline bool joint_varies(const verify_joints *joints, int32_t channel) {
  return channel >= 0 && !joints->channels[channel].is_constant;
}

#endif
