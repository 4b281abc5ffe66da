/* Where verification finds the nodes of models that were written by kept_samples: kept_places COUNT FILES...
 * Prints JSON, for each file the times of COUNT frames spread over it and every node's matrix at each: 12
 * numbers, row by row. glTF's frame, metres. */
#include "verify/pose_block.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void fail(const char *path, const sinew_error *error) {
  fprintf(stderr, "%s: %s\n", path, error->message);
  exit(1);
}

static void print_frame(const verify_file *file, const char *path, uint64_t frame) {
  sinew_error error = {0};
  const uint32_t count = verify_node_count(file);
  uint32_t *nodes = calloc(count, sizeof *nodes);
  double(*matrices)[3][4] = calloc(count, sizeof *matrices);
  if (!nodes || !matrices) fail(path, &error);
  for (uint32_t i = 0; i < count; i++) nodes[i] = i;
  if (pose_matrices(file, nodes, count, frame, matrices, &error) != SINEW_OK) fail(path, &error);
  for (uint32_t i = 0; i < count; i++)
    for (int k = 0; k < 12; k++)
      printf("%s%.17g%s", k ? "," : i ? ",[" : "[", matrices[i][k / 4][k % 4], k == 11 ? "]" : "");
  free(nodes);
  free(matrices);
}

static void print_file(const char *path, uint64_t count) {
  sinew_error error = {0};
  verify_file *file;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || verify_open_model(fd, &file, &error) != SINEW_OK) fail(path, &error);
  const uint64_t last = verify_frame_count(file) - 1;
  printf("{\"timesS\":[");
  for (uint64_t i = 0; i < count; i++) {
    double time_s;
    if (verify_frame_time(file, last * i / (count - 1), &time_s, &error) != SINEW_OK) fail(path, &error);
    printf("%s%.17g", i ? "," : "", time_s);
  }
  printf("],\"matrices\":[");
  for (uint64_t i = 0; i < count; i++) {
    printf(i ? ",[" : "[");
    print_frame(file, path, last * i / (count - 1));
    printf("]");
  }
  printf("]}");
  verify_close(file);
  close(fd);
}

int main(int argument_count, char **arguments) {
  const uint64_t frames = argument_count > 2 ? strtoull(arguments[1], NULL, 10) : 0;
  if (frames < 2) {
    fprintf(stderr, "usage: %s COUNT FILES...\n", arguments[0]);
    return 2;
  }
  printf("[");
  for (int i = 2; i < argument_count; i++) {
    if (i > 2) printf(",");
    print_file(arguments[i], frames);
  }
  printf("]\n");
  return 0;
}
