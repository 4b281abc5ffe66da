/* Which columns of a motion's rows never change. */
#ifndef SINEW_MOTION_STILL_COLUMNS_H
#define SINEW_MOTION_STILL_COLUMNS_H

#include "base/arena.h"

/* Sets still[c] where column c has one value in every row (0 and -0 are one). Reads the rows as far as it
 * must: a group of 16 neighbouring columns is left alone once all of them are seen to change. rows:
 * [row_count] [column_count], finite, at least one row. False: out of memory. */
bool still_columns_find(const float *rows, uint64_t row_count, uint32_t column_count, arena *memory,
                        bool *still);

#endif
