/* Writes a made-up clip into each model given, for judges from outside: kept_samples FOLDER FILES... */
#include "write/kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_sample(const char *folder, const char *source) {
  static kept_clip clip;
  glb_layout layout;
  sinew_error error = {0};
  char path[1024];
  const char *slash = strrchr(source, '/');
  snprintf(path, sizeof path, "%s/%s", folder, slash ? slash + 1 : source);
  const bool written = kept_open(source, &clip, &error) && kept_write(&clip, 0.3, path, &layout, &error);
  if (written) {
    const glb_model *model = clip.model;
    printf("%s: %zu bytes; cut: %u animations, %u accessors, %u views, %llu bytes\n",
           slash ? slash + 1 : source, clip.source_bytes, model->cut_animations, model->cut_accessors,
           model->cut_views, (unsigned long long)model->cut_bytes);
    glb_layout_release(&layout);
  } else {
    fprintf(stderr, "%s: %s\n", source, error.message);
  }
  kept_close(&clip);
  return written;
}

int main(int argument_count, char **arguments) {
  if (argument_count < 2) {
    fprintf(stderr, "usage: %s FOLDER FILES...\n", arguments[0]);
    return 2;
  }
  bool all = true;
  for (int i = 2; i < argument_count; i++) all = write_sample(arguments[1], arguments[i]) && all;
  return all ? 0 : 1;
}
