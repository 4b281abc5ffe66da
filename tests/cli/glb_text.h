/* A GLB taken apart for a test that looks at it or changes its JSON. */
#ifndef TESTS_CLI_GLB_TEXT_H
#define TESTS_CLI_GLB_TEXT_H

#include <jansson.h>

typedef struct glb_text {
  json_t *json; /* until glb_text_free */
  unsigned char *bin;
  size_t bin_bytes;
} glb_text;

/* The test fails unless it is one. */
glb_text glb_text_read(const char *path);
void glb_text_write(const glb_text *glb, const char *path);
void glb_text_free(glb_text *glb);

/* The first node of this name, its index in *index. */
json_t *glb_text_node(const glb_text *glb, const char *name, size_t *index);
/* The floats of the first animation's channel of a node, and how many; NULL when there is none. */
const float *glb_text_track(const glb_text *glb, size_t node, const char *path, size_t *count);

#endif
