/* Rows of frames to planes: what a caller holds as an array of structures.
 *
 * Four columns at a time, so that a transpose stays within groups of four lanes: lane 4g + i of what is
 * loaded for frame i is frame 4g + i's, and the loads, not shuffles, bring the groups together. */
#include "isa.h"
#include "simd.h"

#if SINEW_WIDTH == 1
static void columns_of_rows(const float *const *row, uint32_t columns, float *planes) {
  for (uint32_t c = 0; c < columns; c++) planes[c * SINEW_BLOCK] = row[0][c];
}
#else
SINEW_INLINE void four_columns(const float *const *row, uint32_t c, float *planes) {
  vf v[4];
  for (int i = 0; i < 4; i++) v[i] = v_load_quads(row + i, c);
  v_transpose4(v);
  for (uint32_t i = 0; i < 4; i++) v_store(planes + (c + i) * SINEW_BLOCK, v[i]);
}

/* Where the count is no multiple of four the last group overlaps the one before. */
static void columns_of_rows(const float *const *row, uint32_t columns, float *planes) {
  for (uint32_t c = 0; c + 4 <= columns; c += 4) four_columns(row, c, planes);
  if (columns >= 4) {
    if (columns % 4 != 0) four_columns(row, columns - 4, planes);
    return;
  }
  for (uint32_t c = 0; c < columns; c++)
    for (int f = 0; f < SINEW_WIDTH; f++) planes[c * SINEW_BLOCK + (uint32_t)f] = row[f][c];
}
#endif

void SINEW_KERNEL(rows)(const float *rows, size_t stride, uint32_t frames, uint32_t columns, float *planes) {
  const float *row[SINEW_BLOCK];
  for (uint32_t f = 0; f < SINEW_BLOCK; f++) row[f] = rows + (f < frames ? f : frames - 1) * stride;
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) columns_of_rows(row + f, columns, planes + f);
}
