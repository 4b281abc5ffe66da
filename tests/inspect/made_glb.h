/* A small GLB of every part that is inspected, and its variants: the JSON with a piece replaced, in which '
 * stands for ", and the BIN chunk with bytes replaced. */
#ifndef TESTS_INSPECT_MADE_GLB_H
#define TESTS_INSPECT_MADE_GLB_H

#include "sinew.h"

typedef struct made_glb {
  unsigned char *bytes; /* until the test ends */
  size_t byte_count;
} made_glb;

/* Two nodes and one beside them, a skin of one joint, a mesh of one triangle with a morph target, an
 * animation of a rotation (3 keys that move), a translation (1 key) and weights (3 keys, all alike). */
extern const char made_json[];

enum { MADE_BIN_BYTES = 228, MADE_TIMES = 0, MADE_ROTATIONS = 12, MADE_WEIGHTS = 72 };
/* The BIN chunk of made_json. */
void made_bin(unsigned char bin[MADE_BIN_BYTES]);

/* made_json with the first `from` replaced by `to`; NULL: as it is. The test fails where `from` is not in it.
 */
char *made_json_but(const char *from, const char *to);
/* A GLB of a JSON text, padded with blanks, and a BIN chunk, which bin_bytes 0 leaves out. */
made_glb made_from(const char *json, const void *bin, size_t bin_bytes);
/* made_json_but with its own BIN chunk. */
made_glb made_but(const char *from, const char *to);

/* Opens it; the test fails unless it opens. The caller closes it. */
sinew_glb *made_open(made_glb glb);
sinew_result made_try(made_glb glb, sinew_error *error);

#endif
