/* Arrays of muscles for tests: what a clip of curves holds at its frames, what a formula says. */
#ifndef TESTS_ROWS_MADE_ROWS_H
#define TESTS_ROWS_MADE_ROWS_H

#include "sinew.h"

enum { ROW_ROOT = 0, ROW_MUSCLES = 7, ROW_GOALS = 102, ROW_COLUMNS = 130 };

/* [frame_count][130], root, muscles, goals; the caller frees it. */
float *rows_of_clip(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                    double rate_hz, uint64_t frame_count);
/* Poses that people could take and that nothing repeats; `seed` makes another. */
float *rows_of_formula(uint64_t frame_count, uint32_t seed);
/* A number in -1..1 from two. */
double row_noise(uint64_t a, uint64_t b);

/* The name of column 0..129. */
const char *row_column_name(uint32_t column);

/* Fails the running test on an error. */
sinew_clip_file *rows_open(const sinew_row_clip *rows);

/* A copy of such rows with its columns elsewhere, gaps between them and floats behind them that must not be
 * read: what a table of someone else's looks like. Names and values live until rows_shuffled_free. */
typedef struct rows_shuffled {
  sinew_row_clip clip;
  float *values;
  const char **names;
} rows_shuffled;
rows_shuffled rows_shuffle(const float *values, uint64_t frame_count, double rate_hz, uint32_t seed);
void rows_shuffled_free(rows_shuffled *s);

/* The hash of the GLB of a clip; the report may be NULL. Fails the running test on an error. */
uint64_t rows_bake(const sinew_context *context, const sinew_clip *clip, const sinew_rig *rig,
                   sinew_bake_options options, sinew_bake_report *report);

#endif
