#include "inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* BENCH_SOURCE: the source tree, given by the build. */
static const char *existing(char *path, size_t size, const char *variable, const char *folder,
                            const char *file) {
  const char *given = getenv(variable);
  snprintf(path, size, "%s%s/%s", given ? "" : BENCH_SOURCE "/", given ? given : folder, file);
  return access(path, R_OK) == 0 ? path : NULL;
}

const char *input_sample_clip(void) {
  static char path[4096];
  return existing(path, sizeof path, "SINEW_SAMPLE", "scripts/sample", "walk.anim");
}
const char *input_sample_rig(void) {
  static char path[4096];
  return existing(path, sizeof path, "SINEW_SAMPLE", "scripts/sample", "walker.fbx.meta");
}
const char *input_real_clip(void) {
  static char path[4096];
  return existing(path, sizeof path, "SINEW_TEST_DATA", "../shared/data",
                  "humanoid/clips/BlackStartx_[EMOTE_4]_Drum.anim");
}
const char *input_real_bvh(void) {
  static char path[4096];
  return existing(path, sizeof path, "SINEW_TEST_DATA", "../shared/data", "bvh/assimp_Boxing_Toes.bvh");
}
