/* Prints as JSON where the joints of a BVH are in every frame, in the file's frame and unit:
 *   bvh_places FILE.bvh
 * {"rate_hz": 30, "names": ["Hips", ...], "frames": [[[x, y, z] of each joint], ...]}: End Sites are left
 * out. */
#include "oracle/bvh_pose.h"

#include <stdio.h>
#include <stdlib.h>

static void print_name(const char *name) {
  putchar('"');
  for (; *name; name++) {
    if (*name == '"' || *name == '\\') putchar('\\');
    putchar(*name);
  }
  putchar('"');
}

static void print_file(const motion_file *file) {
  const skeleton *s = file->skeleton;
  double(*places)[3] = calloc(s->node_count, sizeof *places);
  printf("{\"rate_hz\": %.17g,\n\"names\": [", file->motions->rate_hz);
  for (uint32_t i = 0, joints = 0; i < s->node_count; i++)
    if (s->nodes[i].is_joint) {
      if (joints++) putchar(',');
      print_name(s->nodes[i].name);
    }
  printf("],\n\"frames\": [");
  for (uint64_t f = 0; f < file->motions->frame_count; f++) {
    bvh_places(file, f, places);
    printf(f ? ",\n[" : "\n[");
    for (uint32_t i = 0, joints = 0; i < s->node_count; i++)
      if (s->nodes[i].is_joint)
        printf("%s[%.17g,%.17g,%.17g]", joints++ ? "," : "", places[i][0], places[i][1], places[i][2]);
    printf("]");
  }
  printf("]}\n");
  free(places);
}

int main(int argc, char **argv) {
  motion_file *file;
  sinew_error error;
  if (argc != 2) return 2;
  if (read_motion_file(argv[1], NULL, &file, &error) != SINEW_OK) {
    fprintf(stderr, "%s: %s\n", argv[1], error.message);
    return 1;
  }
  if (file->motion_count) print_file(file);
  const int status = file->motion_count ? 0 : 1;
  motion_file_close(file);
  return status;
}
