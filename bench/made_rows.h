/* Muscles in memory, a row a frame, that move all the time. */
#ifndef BENCH_MADE_ROWS_H
#define BENCH_MADE_ROWS_H

#include "sinew.h"

#include <stdbool.h>

typedef struct made_rows {
  float *values;
  sinew_clip_file *file; /* of one clip: the root and the muscles */
} made_rows;

/* False: a line on stderr says why. */
bool made_rows_open(made_rows *rows, uint32_t frames);
void made_rows_close(made_rows *rows);

#endif
