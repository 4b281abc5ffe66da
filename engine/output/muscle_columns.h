/* Muscles, root, goals and, where the plan has them, offsets of a clip put aside as columns: what a clip's
 * pieces come to where text is made of them afterwards. */
#ifndef SINEW_OUTPUT_MUSCLE_COLUMNS_H
#define SINEW_OUTPUT_MUSCLE_COLUMNS_H

#include "output/output.h"
#include "output/plane_store.h"

/* Columns number the planes, and from SINEW_PLANE_COUNT on those of offsets_block. */
enum { MUSCLE_COLUMNS = SINEW_PLANE_COUNT + 3 * OFFSETS_BONES };

typedef struct muscle_columns {
  uint32_t count;
  uint16_t plane[MUSCLE_COLUMNS];
  const char *name[MUSCLE_COLUMNS];                               /* as clips call it */
  uint32_t least_bits[MUSCLE_COLUMNS], most_bits[MUSCLE_COLUMNS]; /* of the values, to know what is still */
  float largest[MUSCLE_COLUMNS];                                  /* absolute value */
  plane_store store;
} muscle_columns;

/* The planes that the plan writes, in the order of a clip's channels. Errors: ARGUMENT (none at all). */
sinew_result muscle_columns_list(const bake_plan *plan, muscle_columns *columns, sinew_error *error);
/* Errors: IO, MEMORY. */
sinew_result muscle_columns_open(const output *out, muscle_columns *columns, sinew_error *error);
void muscle_columns_close(muscle_columns *columns);

/* The steps of a clip's piece (output.h). */
sinew_result muscle_columns_compute(output *out, const muscle_columns *columns, uint64_t piece,
                                    piece_worker *worker, sinew_error *error);
sinew_result muscle_columns_write(output *out, muscle_columns *columns, uint64_t piece, piece_worker *worker,
                                  sinew_error *error);
/* Once all pieces are written: whether a column has one value, bit for bit. */
bool muscle_columns_is_still(const muscle_columns *columns, uint32_t column);
/* Offsets that are too small to be written. */
bool muscle_columns_is_left_out(const muscle_columns *columns, uint32_t column);

#endif
