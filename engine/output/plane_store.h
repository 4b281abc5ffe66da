/* Columns of a whole clip on their way to text, which is written column by column or row by row once all of
 * it is there: in memory where they are few, else in a file without a name to stay, beside the output. */
#ifndef SINEW_OUTPUT_PLANE_STORE_H
#define SINEW_OUTPUT_PLANE_STORE_H

#include "write/outfile.h"

/* A clip of more bytes than this is put aside in a file: many clips may be open at once. Tests set it. */
extern uint64_t plane_store_memory_bytes;

typedef struct plane_store {
  uint32_t column_count;
  uint64_t frame_count;
  float *values; /* [column][frame]; NULL: they are in `spool` */
  outfile spool;
} plane_store;

/* path: the output's. Errors: IO, MEMORY; the store is closed then. */
sinew_result plane_store_open(const char *path, uint32_t column_count, uint64_t frame_count,
                              plane_store *store, sinew_error *error);
void plane_store_close(plane_store *store);

/* Values of frames first..first+count-1. Thread-safe where ranges differ. Errors: IO. */
sinew_result plane_store_write(plane_store *store, uint32_t column, uint64_t first, const float *values,
                               uint64_t count, sinew_error *error);
sinew_result plane_store_read(const plane_store *store, uint32_t column, uint64_t first, float *values,
                              uint64_t count, sinew_error *error);

#endif
