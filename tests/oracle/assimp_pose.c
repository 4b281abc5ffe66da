#include "oracle/assimp_pose.h"

#include <assimp/cimport.h>
#include <stdlib.h>
#include <string.h>

static void count_nodes(const struct aiNode *node, uint32_t *count) {
  ++*count;
  for (unsigned i = 0; i < node->mNumChildren; i++) count_nodes(node->mChildren[i], count);
}

static void list_nodes(assimp_pose *pose, const struct aiNode *node, int32_t parent) {
  const int32_t index = (int32_t)pose->node_count++;
  pose->nodes[index] = node;
  pose->parent[index] = parent;
  for (unsigned i = 0; i < node->mNumChildren; i++) list_nodes(pose, node->mChildren[i], index);
}

bool assimp_pose_open(const char *path, assimp_pose *pose) {
  *pose = (assimp_pose){.scene = aiImportFile(path, 0)};
  if (!pose->scene) return false;
  uint32_t count = 0;
  count_nodes(pose->scene->mRootNode, &count);
  pose->nodes = calloc(count, sizeof *pose->nodes);
  pose->parent = calloc(count, sizeof *pose->parent);
  pose->moves = calloc(count, sizeof *pose->moves);
  list_nodes(pose, pose->scene->mRootNode, -1);
  return true;
}

void assimp_pose_close(assimp_pose *pose) {
  aiReleaseImport(pose->scene);
  free(pose->nodes);
  free(pose->parent);
  free(pose->moves);
}

bool assimp_pose_in_order(assimp_pose *pose, const bool *rests) {
  if (pose->scene->mNumAnimations != 1) return false;
  const struct aiAnimation *animation = pose->scene->mAnimations[0];
  unsigned channel = 0;
  for (uint32_t i = 0; i < pose->node_count; i++) {
    if (rests[i]) continue;
    if (channel == animation->mNumChannels) return false;
    pose->moves[i] = animation->mChannels[channel++];
    if (strcmp(pose->moves[i]->mNodeName.data, pose->nodes[i]->mName.data) != 0) return false;
  }
  return channel == animation->mNumChannels;
}

typedef struct place {
  double m[3][4];
} place;

static place of_matrix(const struct aiMatrix4x4 *a) {
  return (place){{{(double)a->a1, (double)a->a2, (double)a->a3, (double)a->a4},
                  {(double)a->b1, (double)a->b2, (double)a->b3, (double)a->b4},
                  {(double)a->c1, (double)a->c2, (double)a->c3, (double)a->c4}}};
}

/* A channel without keys of a kind has none to give. */
static place of_keys(const struct aiNodeAnim *channel, uint32_t key) {
  const struct aiVector3D *t = &channel->mPositionKeys[channel->mNumPositionKeys > 1 ? key : 0].mValue;
  const struct aiQuaternion *q = &channel->mRotationKeys[channel->mNumRotationKeys > 1 ? key : 0].mValue;
  const struct aiVector3D *s = &channel->mScalingKeys[channel->mNumScalingKeys > 1 ? key : 0].mValue;
  const double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
  const double n = 2 / (x * x + y * y + z * z + w * w), scale[3] = {(double)s->x, (double)s->y, (double)s->z};
  place p = {{{1 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w), (double)t->x},
              {n * (x * y + z * w), 1 - n * (x * x + z * z), n * (y * z - x * w), (double)t->y},
              {n * (x * z - y * w), n * (y * z + x * w), 1 - n * (x * x + y * y), (double)t->z}}};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) p.m[r][c] *= scale[c];
  return p;
}

static place below(const place *parent, const place *local) {
  place p;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      p.m[r][c] = c == 3 ? parent->m[r][3] : 0;
      for (int k = 0; k < 3; k++) p.m[r][c] += parent->m[r][k] * local->m[k][c];
    }
  return p;
}

void assimp_places(const assimp_pose *pose, uint32_t key, double (*places)[3]) {
  place *global = calloc(pose->node_count, sizeof *global);
  for (uint32_t i = 0; i < pose->node_count; i++) {
    const place local =
        pose->moves[i] ? of_keys(pose->moves[i], key) : of_matrix(&pose->nodes[i]->mTransformation);
    global[i] = pose->parent[i] < 0 ? local : below(&global[pose->parent[i]], &local);
    for (int r = 0; r < 3; r++) places[i][r] = global[i].m[r][3];
  }
  free(global);
}
