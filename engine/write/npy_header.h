/* The header of a NumPy array file (.npy, version 1.0): magic, version, length and a Python literal, filled
 * with blanks so that the array begins on a multiple of 64 bytes. All arrays are little endian, in C order.
 */
#ifndef SINEW_WRITE_NPY_HEADER_H
#define SINEW_WRITE_NPY_HEADER_H

#include <stddef.h>
#include <stdint.h>

enum { NPY_HEADER_ROOM = 192, NPY_MOST_DIMENSIONS = 3 };

typedef struct npy_shape {
  char type;           /* 'f', 'i', 'U' */
  uint32_t item_size;  /* bytes; of 'U' code points, 4 bytes each */
  uint32_t dimensions; /* 0: a scalar */
  uint64_t of[NPY_MOST_DIMENSIONS];
} npy_shape;

/* The length, a multiple of 64, at most NPY_HEADER_ROOM. */
size_t npy_header_print(const npy_shape *shape, unsigned char header[NPY_HEADER_ROOM]);

#endif
