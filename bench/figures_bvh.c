/* The figures of a BVH to a GLB by the program, from its start to its end, beside `assimp export` of the same
 * file. */
#include "bake_setting.h"
#include "base/heap.h"
#include "inputs.h"
#include "made_bvh.h"

#include <stdio.h>
#include <sys/stat.h>

static const double none = (double)NAN;

enum { ASSIMP, VERIFIED, PLAIN, ONE, STEP_COUNT };

typedef struct bvh_names {
  const char *assimp, *verified, *plain, *one;
} bvh_names;

typedef struct bvh_subject {
  const files_folder *folder;
  const char *path;
} bvh_subject;

static double step(void *subject, int index) {
  const bvh_subject *b = subject;
  if (index == ASSIMP) return files_assimp_s(b->folder, b->path);
  return files_bvh_s(b->folder, b->path, index == ONE ? 1 : 0, index != PLAIN);
}

static bool put_file(figure_list *list, const files_folder *folder, const char *path, const bvh_names *names,
                     int rounds) {
  static step_times times;
  struct stat status;
  bvh_subject b = {folder, path};
  if (stat(path, &status) != 0 || !steps_run(step, &b, STEP_COUNT, rounds, &times)) {
    fprintf(stderr, "%s cannot be converted\n", path);
    return false;
  }
  const double megabytes = (double)status.st_size * 1e-6, *s = times.median_s;
  figures_put(list, names->assimp, "", megabytes / s[ASSIMP], "MB/s", none);
  figures_put(list, names->verified, "", megabytes / s[VERIFIED], "MB/s", s[ASSIMP] / s[VERIFIED]);
  figures_put(list, names->plain, "", megabytes / s[PLAIN], "MB/s", s[ASSIMP] / s[PLAIN]);
  figures_put(list, names->one, "", megabytes / s[ONE], "MB/s", s[ASSIMP] / s[ONE]);
  return true;
}

static bool put_made(figure_list *list, const files_folder *folder, int rounds) {
  static const bvh_names names = {"assimp_bvh", "bvh_over_assimp", "bvh_plain_over_assimp",
                                  "bvh_one_over_assimp"};
  char path[300];
  size_t byte_count;
  char *text = made_bvh_text(4000, &byte_count);
  snprintf(path, sizeof path, "%s/made.bvh", folder->path);
  FILE *file = text ? fopen(path, "wb") : NULL;
  bool ok = file && fwrite(text, 1, byte_count, file) == byte_count;
  if (file) ok = fclose(file) == 0 && ok;
  heap_free(text);
  return ok && put_file(list, folder, path, &names, rounds);
}

bool figures_of_bvh(figure_list *list, bool quick) {
  static const bvh_names real_names = {"assimp_bvh_real", "bvh_real_over_assimp",
                                       "bvh_real_plain_over_assimp", "bvh_real_one_over_assimp"};
  const int rounds = quick ? 3 : 9;
  files_folder folder;
  if (!files_have_assimp()) {
    fputs("assimp is not installed: no figures of a BVH beside it\n", stderr);
    return true;
  }
  if (!place_open(0, &folder)) return true;
  bool ok = put_made(list, &folder, rounds);
  if (ok && input_real_bvh()) ok = put_file(list, &folder, input_real_bvh(), &real_names, rounds);
  files_folder_remove(&folder);
  return ok;
}
