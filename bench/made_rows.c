#include "made_rows.h"
#include "base/heap.h"
#include "kernels.h"
#include "measure/made_clip.h"

#include <stdio.h>

void made_rows_close(made_rows *rows) {
  sinew_clip_file_close(rows->file);
  heap_free(rows->values);
}

bool made_rows_open(made_rows *rows, uint32_t frames) {
  enum { COLUMNS = SINEW_PLANE_GOAL }; /* the root, then the muscles */
  const double rate_hz = 64;           /* every frame time is a float32 exactly */
  *rows = (made_rows){.values = heap_alloc_unset((size_t)frames * COLUMNS * sizeof(float))};
  for (uint32_t f = 0; rows->values && f < frames; f++)
    for (int plane = 0; plane < COLUMNS; plane++)
      rows->values[(size_t)f * COLUMNS + (size_t)plane] = (float)made_clip_value(plane, f / rate_hz);
  const sinew_row_clip given = {.name = "rows",
                                .rate_hz = rate_hz,
                                .frame_count = frames,
                                .values = rows->values,
                                .column_count = COLUMNS};
  sinew_error error = {.message = "out of memory"};
  if (rows->values && sinew_clip_from_rows(&given, NULL, &rows->file, &error) == SINEW_OK) return true;
  fprintf(stderr, "%s\n", error.message);
  made_rows_close(rows);
  return false;
}
