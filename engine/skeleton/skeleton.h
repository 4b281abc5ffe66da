/* A skeleton as a file describes it, before any judgement: which node is which bone, what the stance is and
 * how large a unit is are decided by others. The readers make it (read/motion_reader.h). */
#ifndef SINEW_SKELETON_SKELETON_H
#define SINEW_SKELETON_SKELETON_H

#include "base/arena.h"
#include "rig/human.h"

typedef struct skeleton_node {
  const char *name; /* UTF-8, "" where the file has none; names may repeat: nodes are told apart by index */
  int32_t parent;   /* -1: a root; parents stand before children */
  double t[3];      /* rest, local, in the file's own frame and unit */
  double q[4];      /* x, y, z, w */
  double s[3];
  bool is_joint;         /* animated, or joint of a skin; a BVH End Site is not */
  bool has_bind;         /* skins: */
  double bind[3][4];     /* the global bind pose, inverse of the inverse bind matrix, as rows */
  uint32_t source_index; /* the file's own index of the node */
} skeleton_node;

enum { SKELETON_WARNING_LIMIT = 32 };

typedef struct skeleton {
  arena memory;
  const char *name; /* "" where the file states none */
  const char *kind; /* "bvh", "gltf", "vrm0", "vrm1", "vrma", "npz" */
  skeleton_node *nodes;
  uint32_t node_count;
  double unit_m; /* metres per unit where the format says so (glTF, npz: 1), 0: unknown (BVH) */
  bool regrouped; /* nodes hang from others than in the file */
  int32_t node_of_bone[HUMAN_BONE_COUNT];       /* what the file itself says (VRM, VRMA), -1: nothing */
  const char *warnings[SKELETON_WARNING_LIMIT]; /* sentences: what is sound but odd, in the movement too */
  uint32_t warning_count;
} skeleton;

/* An empty one whose arena keeps to byte_limit: no nodes, every bone -1. NULL when out of memory. */
skeleton *skeleton_new(uint64_t byte_limit);
void skeleton_close(skeleton *s);

/* Keeps a sentence, formatted, in the skeleton's memory. Past SKELETON_WARNING_LIMIT it is dropped: readers
 * gather what can happen often into one. False when out of memory. */
bool skeleton_warn(skeleton *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
