/* What the figures have to be: the one place where goals stand. */
#include "figures.h"

#include <string.h>

static const goal goals[] = {
#define AT_LEAST false
#define AT_MOST true
    {"muscle_over_sleef", "avx512", AT_LEAST, 2},
    {"muscle_over_sleef", "avx2", AT_LEAST, 2},
    {"muscle_over_sleef", "sse4", AT_LEAST, 2},
    {"muscle_over_naive", "avx512", AT_LEAST, 45},
    {"muscle_over_naive", "avx2", AT_LEAST, 22},
    {"muscle_over_naive", "sse4", AT_LEAST, 8},
    {"inverse_over_naive", "avx512", AT_LEAST, 8},
    {"inverse_over_naive", "avx2", AT_LEAST, 5},
    {"muscle_floor_share", "avx512", AT_LEAST, 0.60},
    {"muscle_floor_share", "avx2", AT_LEAST, 0.60},
    {"muscle_memory_share", "avx512", AT_LEAST, 0.58},
    {"muscle_memory_share", "avx2", AT_LEAST, 0.30},
    {"xyzw_over_planar", "avx512", AT_MOST, 1.35},
    {"xyzw_over_planar", "avx2", AT_MOST, 1.27},
    {"xyzw_over_planar", "sse4", AT_MOST, 1.15},
    {"bones_22_over_55", "avx512", AT_MOST, 0.6},
    {"bones_22_over_55", "avx2", AT_MOST, 0.6},
    {"fk_over_muscle", "avx512", AT_MOST, 0.7},
    {"fk_over_muscle", "avx2", AT_MOST, 0.5},
    {"pipeline_over_parts", "avx512", AT_MOST, 1.1},
    {"pipeline_over_parts", "avx2", AT_MOST, 1.1},
    {"two_threads_over_one", "avx512", AT_LEAST, 1.85},
    {"two_threads_over_one", "avx2", AT_LEAST, 1.85},
    {"sample_over_muscle", "avx512", AT_MOST, 4},
    {"sample_over_muscle", "avx2", AT_MOST, 4},
    {"text_over_yaml_made", "", AT_LEAST, 6},
    {"text_over_yaml_sample", "", AT_LEAST, 6},
    {"text_over_yaml_real", "", AT_LEAST, 6},
    {"text_bvh", "", AT_LEAST, 300},
    {"text_bvh_real", "", AT_LEAST, 300},
    {"glb_shm_over_write", "", AT_LEAST, 0.75},
    {"glb_shm_verified_over_write", "", AT_LEAST, 0.45},
    {"glb_disk_over_write", "", AT_LEAST, 0.75},
    {"glb_disk_verified_over_write", "", AT_LEAST, 0.45},
    {"dense_shm_over_scan", "", AT_LEAST, 0.80},
    {"dense_disk_over_scan", "", AT_LEAST, 0.80},
    {"dense_shm_verified_over_scan", "", AT_LEAST, 0.80},
    {"dense_disk_verified_over_scan", "", AT_LEAST, 0.80},
    {"clips_shm_over_scan", "", AT_LEAST, 0.80},
    {"clips_disk_over_scan", "", AT_LEAST, 0.80},
    {"long_shm_threads_over_one", "", AT_LEAST, 1.8},
    {"long_disk_threads_over_one", "", AT_LEAST, 1.8},
    {"glb_shm_threads_over_one", "", AT_LEAST, 1.8},
    {"bvh_over_assimp", "", AT_LEAST, 10},
    {"bvh_real_over_assimp", "", AT_LEAST, 10},
    {"start_ms", "", AT_MOST, 5},
};

const goal *goal_of(const char *name, const char *isa) {
  for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
    if (strcmp(goals[i].figure, name) == 0 && strcmp(goals[i].isa, isa) == 0) return &goals[i];
  return NULL;
}
