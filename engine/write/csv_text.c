#include "write/csv_text.h"
#include "base/number.h"
#include "clip/frame_times.h"

#include <string.h>

static void put_name(text_out *out, const char *name) {
  if (!name[strcspn(name, ",\"\r\n")]) {
    text_out_text(out, name);
    return;
  }
  text_out_bytes(out, "\"", 1);
  for (const char *quote; (quote = strchr(name, '"')); name = quote + 1) {
    text_out_bytes(out, name, (size_t)(quote - name));
    text_out_bytes(out, "\"\"", 2);
  }
  text_out_text(out, name);
  text_out_bytes(out, "\"", 1);
}

void csv_text_head(text_out *out, const char *const *names, uint32_t count) {
  text_out_text(out, "frame,time");
  for (uint32_t i = 0; i < count; i++) {
    text_out_bytes(out, ",", 1);
    put_name(out, names[i]);
  }
  text_out_bytes(out, "\n", 1);
}

void csv_text_rows(text_out *out, const csv_facts *facts, uint64_t first_frame, uint32_t frames,
                   const float *const *columns, uint32_t column_count) {
  const size_t most = ((size_t)column_count + 2) * (NUMBER_PRINT_BYTES + 1); /* of a row */
  for (uint32_t f = 0; f < frames; f++) {
    const uint64_t frame = first_frame + f;
    text_out_uint(out, frame);
    char *at = text_out_room(out, most);
    if (!at) return;
    *at++ = ',';
    at += number_print_double(at,
                              frame_times_at(0, facts->length_s, facts->rate_hz, frame, facts->frame_count));
    for (uint32_t c = 0; c < column_count; c++) {
      *at++ = ',';
      at += number_print_float(at, columns[c][f]);
    }
    *at++ = '\n';
    text_out_end(out, at);
  }
}
