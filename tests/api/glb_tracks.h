/* The tracks of a baked GLB by the index of their node, read with nothing of the engine's. */
#ifndef TESTS_API_GLB_TRACKS_H
#define TESTS_API_GLB_TRACKS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

typedef struct glb_tracks {
  char *bytes;
  const char *bin;
  json_t *document;
} glb_tracks;

typedef struct glb_values {
  const float *values;
  size_t key_count;
} glb_values;

glb_tracks glb_tracks_open(const char *path);
/* path: "rotation" or "translation". Fails the running test when there is no such float32 track. */
glb_values glb_tracks_find(const glb_tracks *g, uint32_t node, const char *path);
void glb_tracks_close(glb_tracks *g);

#endif
