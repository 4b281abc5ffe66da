/* Writes .npz files of every kind into a folder, for npz.py: npz_samples FOLDER */
#include "write/made_npz.h"

#include <stdio.h>
#include <stdlib.h>

static void check(const char *name, sinew_result result, const sinew_error *error) {
  char line[1200];
  if (result == SINEW_OK) return;
  fprintf(stderr, "%s: %s\n", name, sinew_error_text(error, line, sizeof line));
  exit(1);
}

static void write_sample(const char *folder, const char *name, const made_npz *made) {
  char path[1024];
  sinew_error error = {0};
  snprintf(path, sizeof path, "%s/%s.npz", folder, name);
  check(name, made_npz_write(made, path, 2, true, &error), &error);
}

/* Over 4 GiB, most of it holes: rows of zeros. */
static sinew_result write_zeros(const made_npz *made, const char *path, sinew_error *error) {
  enum { AT_ONCE = 1 << 20 };
  static const char zeros[AT_ONCE];
  npz_layout layout;
  npz_sums sums;
  outfile file;
  sinew_result result = npz_layout_build(&made->plan, &layout, error);
  if (result != SINEW_OK) return result;
  npz_sums_open(&layout, &sums);
  for (int i = NPZ_LOCAL_ROTATIONS; i < NPZ_NAMES; i++)
    for (uint64_t left = layout.members[i].data_byte_count; left;) {
      const size_t count = left < AT_ONCE ? (size_t)left : AT_ONCE;
      npz_sums_join(&sums, (npz_name)i, npz_sum(zeros, count), count);
      left -= count;
    }
  result = outfile_open(path, &file, error);
  if (result == SINEW_OK) result = outfile_extend(&file, layout.file_byte_count, error);
  if (result == SINEW_OK) result = npz_write_rest(&layout, &sums, &file, error);
  if (result == SINEW_OK) result = outfile_publish(&file, error);
  outfile_discard(&file);
  npz_layout_release(&layout);
  return result;
}

int main(int argc, char **argv) {
  made_npz made;
  char path[1024];
  sinew_error error = {0};
  if (argc != 2) return 2;
  made_npz_open(&made, 1000);
  write_sample(argv[1], "plain", &made);
  made.plan.has_positions = made.plan.has_local_positions = made.plan.has_muscles = true;
  made.plan.root_joint = 1;
  made.nodes[2].s[0] = 0.5;
  write_sample(argv[1], "all", &made);
  made.plan.three_components = true;
  write_sample(argv[1], "three", &made);
  made_npz_open(&made, 1);
  write_sample(argv[1], "one-frame", &made);
  made_npz_open(&made, UINT64_C(40) << 20);
  made.plan.has_positions = true;
  snprintf(path, sizeof path, "%s/huge.npz", argv[1]);
  check("huge", write_zeros(&made, path, &error), &error);
  return 0;
}
