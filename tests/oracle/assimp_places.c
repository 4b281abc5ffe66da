/* Prints as JSON where assimp has the nodes of a file in its first animation:
 *   assimp_places FILE            a key after the other; all tracks have the same keys, or one
 * {"ticks_hz": 1000, "ticks": [...], "names": [...], "frames": [[[x, y, z] of each], ...]} */
#include "oracle/assimp_pose.h"

#include <assimp/cimport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bind_by_name(assimp_pose *pose) {
  const struct aiAnimation *animation = pose->scene->mAnimations[0];
  for (unsigned c = 0; c < animation->mNumChannels; c++)
    for (uint32_t i = 0; i < pose->node_count; i++)
      if (!pose->moves[i] &&
          strcmp(pose->nodes[i]->mName.data, animation->mChannels[c]->mNodeName.data) == 0) {
        pose->moves[i] = animation->mChannels[c];
        break;
      }
}

typedef struct clock {
  unsigned count;
  const double *ticks; /* a step apart */
  size_t step;
} clock;

static double tick_of(const clock *keys, unsigned key) {
  return *(const double *)(const void *)((const char *)keys->ticks + key * keys->step);
}

/* The track with the most keys says when they are. */
static clock find_clock(const assimp_pose *pose) {
  clock found = {0};
  for (uint32_t i = 0; i < pose->node_count; i++) {
    const struct aiNodeAnim *m = pose->moves[i];
    if (m && m->mNumRotationKeys > found.count)
      found = (clock){m->mNumRotationKeys, &m->mRotationKeys->mTime, sizeof *m->mRotationKeys};
    if (m && m->mNumPositionKeys > found.count)
      found = (clock){m->mNumPositionKeys, &m->mPositionKeys->mTime, sizeof *m->mPositionKeys};
  }
  return found;
}

static bool shares_keys(const assimp_pose *pose, unsigned count) {
  for (uint32_t i = 0; i < pose->node_count; i++) {
    const struct aiNodeAnim *m = pose->moves[i];
    const unsigned counts[3] = {m ? m->mNumRotationKeys : 1, m ? m->mNumPositionKeys : 1,
                                m ? m->mNumScalingKeys : 1};
    for (int k = 0; k < 3; k++)
      if (counts[k] != 1 && counts[k] != count) return false;
  }
  return true;
}

static void print_pose(const assimp_pose *pose, const clock *keys) {
  double(*places)[3] = calloc(pose->node_count, sizeof *places);
  printf("{\"ticks_hz\": %.17g,\n\"ticks\": [", pose->scene->mAnimations[0]->mTicksPerSecond);
  for (unsigned k = 0; k < keys->count; k++) printf("%s%.17g", k ? "," : "", tick_of(keys, k));
  printf("],\n\"names\": [");
  for (uint32_t i = 0; i < pose->node_count; i++)
    printf("%s\"%s\"", i ? "," : "", pose->nodes[i]->mName.data);
  printf("],\n\"frames\": [");
  for (unsigned k = 0; k < keys->count; k++) {
    assimp_places(pose, k, places);
    printf(k ? ",\n[" : "\n[");
    for (uint32_t i = 0; i < pose->node_count; i++)
      printf("%s[%.9g,%.9g,%.9g]", i ? "," : "", places[i][0], places[i][1], places[i][2]);
    printf("]");
  }
  printf("]}\n");
  free(places);
}

int main(int argc, char **argv) {
  assimp_pose pose;
  if (argc != 2) return 2;
  if (!assimp_pose_open(argv[1], &pose)) {
    fprintf(stderr, "%s: %s\n", argv[1], aiGetErrorString());
    return 1;
  }
  int status = 1;
  if (pose.scene->mNumAnimations) {
    bind_by_name(&pose);
    const clock keys = find_clock(&pose);
    if (keys.count && shares_keys(&pose, keys.count)) {
      print_pose(&pose, &keys);
      status = 0;
    } else {
      fprintf(stderr, "%s: its tracks have other keys than each other\n", argv[1]);
    }
  }
  assimp_pose_close(&pose);
  return status;
}
