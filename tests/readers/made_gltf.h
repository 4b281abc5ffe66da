/* A small model with every part that is read of a glTF, and its variants: the JSON with a piece replaced, in
 * which ' stands for ". */
#ifndef TESTS_READERS_MADE_GLTF_H
#define TESTS_READERS_MADE_GLTF_H

#include "inspect/made_glb.h"
#include "read/motion_reader.h"

/* Nodes: 0 'tail' below 1 'Hips', 2 'arm' below 1, 3 'table' with a matrix. A skin of 1 and 0. Animations:
 * 'walk' turns and moves 1 and scales 0 by a cubic spline; 'wave' turns 0 by int16, 2 by int8, and moves 2 by
 * a sparse list. */
extern const char gltf_json[];

enum {
  GLTF_BIN_BYTES = 360,
  GLTF_TIMES = 0,
  GLTF_ROTATIONS = 12,
  GLTF_MOVES = 60,
  GLTF_SPLINE = 96,
  GLTF_BINDS = 168,
  GLTF_SHORTS = 296,
  GLTF_BYTES = 320,
  GLTF_SPARSE_INDICES = 332,
  GLTF_SPARSE_VALUES = 336
};
void gltf_bin(unsigned char bin[GLTF_BIN_BYTES]);

/* gltf_json with the first `from` replaced by `to`; NULL: as it is. */
char *gltf_json_but(const char *from, const char *to);
/* A GLB of it. */
made_glb gltf_but(const char *from, const char *to);
/* A GLB with the BIN chunk's bytes from `at` on replaced. */
made_glb gltf_bytes_but(size_t at, const void *bytes, size_t count);
/* JSON with " instead of ', for a .gltf. */
char *gltf_quoted(const char *json);

/* Reads bytes whose end is the end of their memory; *file NULL after an error. The caller closes it. */
sinew_result gltf_read(const void *bytes, size_t byte_count, const char *path,
                       const sinew_read_options *options, motion_file **file, sinew_error *error);
/* The test fails unless it opens. */
motion_file *gltf_open(made_glb glb);
motion_file *gltf_open_json(const char *json);
/* Whether a warning holds the words. */
bool gltf_warned(const motion_file *file, const char *words);
/* Looks at everything that was read; the test fails where something is not as promised. */
void gltf_walk(const motion_file *file);

#endif
