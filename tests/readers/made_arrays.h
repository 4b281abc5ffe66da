/* Small .npz files that the tests change: arrays by name, stored or deflated, and archives of them. */
#ifndef TESTS_READERS_MADE_ARRAYS_H
#define TESTS_READERS_MADE_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MADE_ARRAYS_MOST = 16, MADE_ARRAY_BYTES = 2048 };

typedef struct made_array {
  char name[64];
  char header[256]; /* the dictionary as text */
  unsigned char version;
  unsigned char values[MADE_ARRAY_BYTES];
  size_t value_bytes;
} made_array;

typedef struct made_arrays {
  made_array arrays[MADE_ARRAYS_MOST];
  uint32_t count;
  bool deflated;
} made_arrays;

/* 3 joints (hips, a chest, a head with letters of three lengths), 2 frames at 30 a second, turns of unit
 * length. */
void made_arrays_open(made_arrays *made);
made_array *made_arrays_find(made_arrays *made, const char *name);
/* An array of another type or shape, of zeros but for text. */
void made_array_set(made_array *array, const char *descr, const char *shape, const void *values,
                    size_t bytes);
void made_arrays_drop(made_arrays *made, const char *name);
void made_arrays_add(made_arrays *made, const char *name, const char *descr, const char *shape,
                     const void *values, size_t bytes);
/* The archive, in heap memory: free() it. */
char *made_arrays_zip(const made_arrays *made, size_t *byte_count);

/* Where the first record of this kind with this name begins: 1 local, 2 in the directory; its fields follow
 * the format. */
char *made_zip_record(char *bytes, size_t byte_count, int kind, const char *name);

#endif
