/* Prints as JSON where the nodes of a file are, in its own frame and unit:
 *   motion_places FILE.bvh               in every frame; End Sites are left out
 *   motion_places FILE ANIMATION TIME... of tracks: at times in seconds; ANIMATION -1: at rest
 * {"kind", "unit_m", "rate_hz", "start_s", "stop_s", "tracks": [[node, path, keys]],
 *  "animations": [names], "names": [...], "parents": [...], "sources": [the file's index],
 *  "binds": [null or 12 numbers], "warnings": [...], "frames": [[[x, y, z] of each], ...]} */
#include "oracle/bvh_pose.h"
#include "oracle/track_pose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_text(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text);
  }
  putchar('"');
}

static bool is_printed(const skeleton *s, uint32_t node) {
  return strcmp(s->kind, "bvh") != 0 || s->nodes[node].is_joint;
}

static void print_nodes(const skeleton *s) {
  uint32_t shown = 0;
  for (uint32_t i = 0; i < s->node_count; i++) {
    if (!is_printed(s, i)) continue;
    if (shown++) putchar(',');
    print_text(s->nodes[i].name);
  }
  printf("],\n\"parents\": [");
  for (uint32_t i = 0; i < s->node_count; i++) printf("%s%d", i ? "," : "", s->nodes[i].parent);
  printf("],\n\"sources\": [");
  for (uint32_t i = 0; i < s->node_count; i++) printf("%s%u", i ? "," : "", s->nodes[i].source_index);
  printf("],\n\"binds\": [");
  for (uint32_t i = 0; i < s->node_count; i++) {
    printf(i ? "," : "");
    if (!s->nodes[i].has_bind) printf("null");
    for (int k = 0; k < 12 && s->nodes[i].has_bind; k++)
      printf("%s%.17g%s", k ? "," : "[", s->nodes[i].bind[k / 4][k % 4], k == 11 ? "]" : "");
  }
  printf("],\n\"warnings\": [");
  for (uint32_t i = 0; i < s->warning_count; i++) {
    printf(i ? "," : "");
    print_text(s->warnings[i]);
  }
}

static void print_places(const skeleton *s, double (*places)[3], bool first) {
  uint32_t shown = 0;
  printf(first ? "\n[" : ",\n[");
  for (uint32_t i = 0; i < s->node_count; i++)
    if (is_printed(s, i))
      printf("%s[%.17g,%.17g,%.17g]", shown++ ? "," : "", places[i][0], places[i][1], places[i][2]);
  printf("]");
}

static void print_file(const motion_file *file, const motion *moves, int time_count, char **times) {
  const skeleton *s = file->skeleton;
  double(*places)[3] = calloc(s->node_count, sizeof *places);
  printf("{\"kind\": \"%s\", \"unit_m\": %.17g, ", s->kind, s->unit_m);
  if (moves)
    printf("\"rate_hz\": %.17g, \"start_s\": %.17g, \"stop_s\": %.17g,\n", moves->rate_hz, moves->start_s,
           moves->stop_s);
  printf("\"tracks\": [");
  for (uint32_t i = 0; moves && i < moves->track_count; i++)
    printf("%s[%u,%d,%u]", i ? "," : "", moves->tracks[i].node, (int)moves->tracks[i].path,
           moves->tracks[i].key_count);
  printf("],\n\"animations\": [");
  for (uint32_t i = 0; i < file->motion_count; i++) {
    printf(i ? "," : "");
    print_text(file->motions[i].name);
  }
  printf("],\n\"names\": [");
  print_nodes(s);
  printf("],\n\"frames\": [");
  if (moves && moves->rows)
    for (uint64_t f = 0; f < moves->frame_count; f++) {
      bvh_places(file, f, places);
      print_places(s, places, f == 0);
    }
  else
    for (int i = 0; i < time_count; i++) {
      track_places(s, moves, strtod(times[i], NULL), places);
      print_places(s, places, i == 0);
    }
  printf("]}\n");
  free(places);
}

int main(int argc, char **argv) {
  motion_file *file;
  sinew_error error;
  if (argc < 2) return 2;
  if (read_motion_file(argv[1], NULL, &file, &error) != SINEW_OK) {
    fprintf(stderr, "%s: %s\n", argv[1], error.message);
    return 1;
  }
  const long animation = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
  const bool there = animation < (long)file->motion_count;
  if (there) print_file(file, animation < 0 ? NULL : &file->motions[animation], argc - 3, argv + 3);
  motion_file_close(file);
  return there ? 0 : 1;
}
