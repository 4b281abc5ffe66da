/* Writes GLBs of every shape the layout can take into a folder, for an outside validator: glb_samples FOLDER
 */
#include "write/synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_sample(const synthetic_clip *clip, const glb_plan *plan, const char *folder,
                         const char *name) {
  char path[1024];
  glb_layout layout;
  sinew_error error = {0};
  snprintf(path, sizeof path, "%s/%s.glb", folder, name);
  if (!synthetic_write(clip, plan, path, &layout, &error)) {
    char line[1200];
    fprintf(stderr, "%s: %s\n", name, sinew_error_text(&error, line, sizeof line));
    exit(1);
  }
  glb_layout_release(&layout);
}

static void write_frames(const char *folder, const char *name, uint64_t frame_count) {
  synthetic_clip clip;
  synthetic_open(&clip, frame_count);
  write_sample(&clip, &clip.plan, folder, name);
}

static void write_constant(const char *folder) {
  synthetic_clip clip;
  synthetic_open(&clip, 100);
  for (int i = 0; i < SYNTHETIC_TRACKS; i++) clip.tracks[i].constant = true;
  write_sample(&clip, &clip.plan, folder, "constant-only");
}

static void write_quantized(const char *folder) {
  synthetic_clip clip;
  synthetic_open(&clip, 100);
  clip.plan.quantized = true;
  write_sample(&clip, &clip.plan, folder, "quantized");
  for (int i = 0; i < SYNTHETIC_TRACKS; i++) clip.tracks[i].constant = true;
  write_sample(&clip, &clip.plan, folder, "quantized-constant-only");
}

static void write_still(const char *folder) {
  synthetic_clip clip;
  synthetic_open(&clip, 100);
  clip.plan.track_count = 0;
  write_sample(&clip, &clip.plan, folder, "no-tracks");
}

/* 1,000,000 / 29.97 s do not print briefly; the last frame's step is short. */
static void write_odd_times(const char *folder) {
  synthetic_clip clip;
  synthetic_open(&clip, 3000);
  clip.plan.rate_hz = 29.97;
  clip.plan.stop_s = clip.plan.start_s + 2998.3 / 29.97;
  write_sample(&clip, &clip.plan, folder, "odd-times");
}

static void write_names(const char *folder) {
  synthetic_clip clip;
  synthetic_open(&clip, 10);
  static const char *const names[] = {"say \"hi\"",
                                      "back\\slash",
                                      "tab\tnew\nline\r\x01\x1f\x7f",
                                      "\xe8\x85\x95.\xf0\x9f\xa6\xb4",
                                      "bad\xff\xc0\xaf\xed\xa0\x80",
                                      "",
                                      "</script>",
                                      "cut\xf0\x9f\xa6",
                                      NULL,
                                      "same",
                                      "same"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) clip.nodes[i].name = names[i];
  clip.plan.clip_name = names[2];
  clip.plan.source_name = names[4];
  write_sample(&clip, &clip.plan, folder, "names");
  clip.plan.clip_name = NULL;
  write_sample(&clip, &clip.plan, folder, "no-clip-name");
}

/* A chain of `count` nodes, every third with an identity rest, and a second root. */
static void write_chain(const char *folder, const char *name, uint32_t count) {
  static synthetic_clip clip;
  synthetic_open(&clip, 20);
  rig_node *nodes = calloc(count + 1, sizeof *nodes);
  for (uint32_t i = 0; i < count; i++) {
    nodes[i] = (rig_node){"link", (int32_t)i - 1, {0, 0.01, 0}, {0, 0, 0.6, 0.8}, {1, 1, 1}};
    if (i % 3 == 0) nodes[i] = (rig_node){"still", (int32_t)i - 1, {0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  }
  nodes[count] = (rig_node){"second root", -1, {0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  glb_plan plan = clip.plan;
  plan.nodes = nodes;
  plan.node_count = count + 1;
  write_sample(&clip, &plan, folder, name);
  free(nodes);
}

int main(int argument_count, char **arguments) {
  if (argument_count != 2) {
    fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
    return 2;
  }
  const char *folder = arguments[1];
  write_frames(folder, "1-frame", 1);
  write_frames(folder, "2-frames", 2);
  write_frames(folder, "100-frames", 100);
  write_constant(folder);
  write_quantized(folder);
  write_still(folder);
  write_odd_times(folder);
  write_names(folder);
  write_chain(folder, "chain-250", 250);
  write_chain(folder, "chain-4000", 4000);
  return 0;
}
