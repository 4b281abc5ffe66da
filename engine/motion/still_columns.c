#include "motion/still_columns.h"

#include <string.h>

/* Four columns: what every machine compares at once. */
typedef float lanes __attribute__((vector_size(16)));
typedef int32_t lane_bits __attribute__((vector_size(16)));
enum { LANES = 4, GROUP = 4, GROUP_COLUMNS = GROUP * LANES, ROWS_AT_ONCE = 64 };

typedef struct column_group {
  uint32_t column, count;
  int32_t changed[GROUP_COLUMNS]; /* not 0 where a row differs from the first */
} column_group;

/* What the next rows read: the steps between rows are too long for the hardware to see. The address is only a
 * hint and may lie behind the rows. */
static void fetch_ahead(const float *at, size_t stride) {
  __builtin_prefetch((const void *)((uintptr_t)at + ROWS_AT_ONCE * stride * sizeof *at), 0, 2);
}

static void compare_whole(column_group *group, const float *first_row, const float *at, size_t stride,
                          uint64_t row_count) {
  lanes first[GROUP];
  lane_bits changed[GROUP];
  memcpy(first, first_row, sizeof first);
  memcpy(changed, group->changed, sizeof changed);
  for (uint64_t r = 0; r < row_count; r++, at += stride) {
    fetch_ahead(at, stride);
    for (int i = 0; i < GROUP; i++) {
      lanes value;
      memcpy(&value, at + (ptrdiff_t)i * LANES, sizeof value);
      changed[i] |= value != first[i];
    }
  }
  memcpy(group->changed, changed, sizeof changed);
}

/* Fewer columns: behind them there may be nothing to read. */
static void compare_narrow(column_group *group, const float *first_row, const float *at, size_t stride,
                           uint64_t row_count) {
  for (uint64_t r = 0; r < row_count; r++, at += stride) {
    fetch_ahead(at, stride);
    for (uint32_t c = 0; c < group->count; c++) group->changed[c] |= at[c] != first_row[c];
  }
}

static bool all_change(const column_group *group) {
  for (uint32_t c = 0; c < group->count; c++)
    if (!group->changed[c]) return false;
  return true;
}

/* One block of rows; returns how many groups are left, those in front. */
static uint32_t compare_rows(column_group *groups, uint32_t count, const float *rows, uint64_t row,
                             uint64_t row_count, size_t stride) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    column_group *group = &groups[i];
    const float *first_row = rows + group->column, *at = first_row + row * stride;
    if (group->count == GROUP_COLUMNS)
      compare_whole(group, first_row, at, stride, row_count);
    else
      compare_narrow(group, first_row, at, stride, row_count);
    if (!all_change(group)) groups[left++] = *group;
  }
  return left;
}

bool still_columns_find(const float *rows, uint64_t row_count, uint32_t column_count, arena *memory,
                        bool *still) {
  uint32_t count = column_count / GROUP_COLUMNS + (column_count % GROUP_COLUMNS != 0);
  column_group *groups = arena_alloc(memory, count, sizeof *groups);
  if (!groups) return false;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t column = i * GROUP_COLUMNS, left = column_count - column;
    groups[i] = (column_group){.column = column, .count = left < GROUP_COLUMNS ? left : GROUP_COLUMNS};
  }
  memset(still, 0, column_count * sizeof *still);
  for (uint64_t row = 0; row < row_count && count; row += ROWS_AT_ONCE) {
    const uint64_t ahead = row_count - row;
    count = compare_rows(groups, count, rows, row, ahead < ROWS_AT_ONCE ? ahead : ROWS_AT_ONCE, column_count);
  }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t c = 0; c < groups[i].count; c++) still[groups[i].column + c] = !groups[i].changed[c];
  return true;
}
