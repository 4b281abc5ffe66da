/* Which columns hold one value throughout: one pass over the rows, in blocks, one group of columns after the
 * other. A group that is seen to vary in all its columns is left out from the next block on, so that most
 * clips are read in part. */
#include "clip/rows.h"

#include <string.h>

/* Four columns: what every machine compares at once. */
typedef uint32_t lanes __attribute__((vector_size(16)));
enum { LANES = 4, GROUP = 4, GROUP_COLUMNS = GROUP * LANES, ROWS_AT_ONCE = 64 };

typedef struct row_group {
  const float *first_row; /* at the group's first column */
  uint32_t column;        /* among the used ones */
  uint32_t count;
  uint32_t changed[GROUP_COLUMNS]; /* the bits in which any row differs from the first */
} row_group;

static uint32_t list_groups(const clip_rows *rows, row_group groups[SINEW_PLANE_COUNT]) {
  uint32_t count = 0;
  for (const row_run *run = rows->runs; run < rows->runs + rows->run_count; run++)
    for (uint32_t at = 0; at < run->count; at += GROUP_COLUMNS) {
      const uint32_t left = run->count - at;
      groups[count++] = (row_group){.first_row = rows->values + run->column + at,
                                    .column = run->first + at,
                                    .count = left < GROUP_COLUMNS ? left : GROUP_COLUMNS};
    }
  return count;
}

/* What the next block reads: the steps between rows are too long for the hardware to see. The address is only
 * a hint and may lie behind the rows. */
static void fetch_ahead(const float *at, size_t stride) {
  __builtin_prefetch((const void *)((uintptr_t)at + ROWS_AT_ONCE * stride * sizeof *at), 0, 2);
}

static void compare_group(row_group *group, size_t row, size_t stride, uint32_t frames) {
  lanes first[GROUP], changed[GROUP];
  memcpy(first, group->first_row, sizeof first);
  memcpy(changed, group->changed, sizeof changed);
  const float *at = group->first_row + row * stride;
  for (uint32_t f = 0; f < frames; f++, at += stride) {
    fetch_ahead(at, stride);
    for (int i = 0; i < GROUP; i++) {
      lanes value;
      memcpy(&value, at + (ptrdiff_t)i * LANES, sizeof value);
      changed[i] |= value ^ first[i];
    }
  }
  memcpy(group->changed, changed, sizeof changed);
}

/* Fewer columns than a whole group: behind them there may be nothing to read. */
static void compare_narrow_group(row_group *group, size_t row, size_t stride, uint32_t frames) {
  const float *at = group->first_row + row * stride;
  for (uint32_t f = 0; f < frames; f++, at += stride) {
    fetch_ahead(at, stride);
    for (uint32_t c = 0; c < group->count; c++) {
      uint32_t first, value;
      memcpy(&first, group->first_row + c, sizeof first);
      memcpy(&value, at + c, sizeof value);
      group->changed[c] |= value ^ first;
    }
  }
}

static bool all_vary(const row_group *group) {
  for (uint32_t c = 0; c < group->count; c++)
    if (!group->changed[c]) return false;
  return true;
}

static void find_constant(const clip_rows *rows, bool constant[SINEW_PLANE_COUNT]) {
  row_group groups[SINEW_PLANE_COUNT];
  uint32_t left = list_groups(rows, groups);
  for (uint64_t row = 0; row < rows->frame_count && left; row += ROWS_AT_ONCE) {
    const uint64_t ahead = rows->frame_count - row;
    const uint32_t frames = ahead < ROWS_AT_ONCE ? (uint32_t)ahead : ROWS_AT_ONCE;
    for (uint32_t i = 0; i < left; i++) {
      if (groups[i].count == GROUP_COLUMNS)
        compare_group(&groups[i], row, rows->stride, frames);
      else
        compare_narrow_group(&groups[i], row, rows->stride, frames);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < left; i++)
      if (!all_vary(&groups[i])) groups[kept++] = groups[i];
    left = kept;
  }
  for (uint32_t i = 0; i < left; i++)
    for (uint32_t c = 0; c < groups[i].count; c++)
      constant[rows->plane[groups[i].column + c]] = !groups[i].changed[c];
}

/* Whoever comes first keeps its answer for all; who comes meanwhile uses its own, the same. */
void clip_rows_constant(clip_rows *rows, bool constant[SINEW_PLANE_COUNT]) {
  memset(constant, 0, SINEW_PLANE_COUNT * sizeof *constant);
  if (atomic_load_explicit(&rows->searched, memory_order_acquire) == ROWS_SEARCH_DONE) {
    memcpy(constant, rows->constant, sizeof rows->constant);
    return;
  }
  find_constant(rows, constant);
  int none = ROWS_SEARCH_NONE;
  if (!atomic_compare_exchange_strong(&rows->searched, &none, ROWS_SEARCH_TAKEN)) return;
  memcpy(rows->constant, constant, sizeof rows->constant);
  atomic_store_explicit(&rows->searched, ROWS_SEARCH_DONE, memory_order_release);
}
