/* A NumPy array (.npy, versions 1.0 to 3.0): its header, strictly, and its values. */
#ifndef SINEW_READ_NPY_ARRAY_H
#define SINEW_READ_NPY_ARRAY_H

#include "sinew.h"

enum { NPY_DIMENSIONS_MOST = 4 };

typedef enum npy_type { NPY_FLOAT32, NPY_FLOAT64, NPY_INT32, NPY_INT64, NPY_TEXT } npy_type;

typedef struct npy_array {
  npy_type type;
  size_t item_bytes; /* of text 4 a code point, any number of them */
  uint32_t dimensions;
  uint64_t shape[NPY_DIMENSIONS_MOST];
  uint64_t count;              /* the product of the shape: 1 of a scalar */
  const unsigned char *values; /* little endian, in C order, of no alignment; count * item_bytes of them */
} npy_array;

/* Errors: SYNTAX, UNSUPPORTED (big endian, Fortran order, Python objects, other types, more dimensions);
 * messages begin with `name`. */
sinew_result npy_array_open(const char *name, const unsigned char *bytes, size_t byte_count, npy_array *array,
                            sinew_error *error);

/* Numbers as doubles. */
double npy_number(const npy_array *array, uint64_t index);
/* "(120, 24, 4)" */
const char *npy_shape_text(const npy_array *array, char *text, size_t size);

#endif
