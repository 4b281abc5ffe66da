/* Joints of a file as assimp reads it. */
#ifndef TESTS_ORACLE_ASSIMP_POSE_H
#define TESTS_ORACLE_ASSIMP_POSE_H

#include <assimp/scene.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct assimp_pose {
  const struct aiScene *scene;
  uint32_t node_count;
  const struct aiNode **nodes;     /* parents first, a node's whole branch before its next sibling's */
  int32_t *parent;                 /* -1: the root */
  const struct aiNodeAnim **moves; /* of the first animation, NULL: the node rests */
} assimp_pose;

/* False where assimp refuses the file: aiGetErrorString tells why. */
bool assimp_pose_open(const char *path, assimp_pose *pose);
void assimp_pose_close(assimp_pose *pose);
/* The n-th channel moves the n-th node but for those that `rests` names: for files whose names repeat, and
 * that keep this order. False where a channel names another node, or they are not as many. */
bool assimp_pose_in_order(assimp_pose *pose, const bool *rests);
/* World places of all nodes when each channel stands at its key of that number, or at its only one. */
void assimp_places(const assimp_pose *pose, uint32_t key, double (*places)[3]);

#endif
