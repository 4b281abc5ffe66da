#include "write/npy_header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PREFIX_BYTES = 10, ALIGNMENT = 64 };

static int print_shape(const npy_shape *shape, char *text, size_t room) {
  int length = 0;
  for (uint32_t i = 0; i < shape->dimensions; i++)
    length += snprintf(text + length, room - (size_t)length, "%s%" PRIu64, i ? ", " : "", shape->of[i]);
  if (shape->dimensions == 1) length += snprintf(text + length, room - (size_t)length, ",");
  return length;
}

/* Three dimensions of 20 digits and an item size of 10 leave room. */
size_t npy_header_print(const npy_shape *shape, unsigned char header[NPY_HEADER_ROOM]) {
  char dimensions[96] = "", literal[NPY_HEADER_ROOM];
  print_shape(shape, dimensions, sizeof dimensions);
  const size_t used =
      (size_t)snprintf(literal, sizeof literal, "{'descr': '<%c%u', 'fortran_order': False, 'shape': (%s), }",
                       shape->type, shape->item_size, dimensions);
  const size_t whole = (PREFIX_BYTES + used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  const size_t text = whole - PREFIX_BYTES;
  memcpy(header, "\x93NUMPY\1", 8); /* and the minor version's 0 */
  header[8] = (unsigned char)text;
  header[9] = (unsigned char)(text >> 8);
  memcpy(header + PREFIX_BYTES, literal, used);
  memset(header + PREFIX_BYTES + used, ' ', text - used);
  header[whole - 1] = '\n';
  return whole;
}
