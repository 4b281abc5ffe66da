/* A clip of muscles as CSV (RFC 4180, lines end with LF): a head of column names, `frame,time` and then the
 * channels', and a row a frame. Values are the shortest decimals that read back as the same float32. A row's
 * time is the shortest decimal of the double index / rate, the last one's that of the clip's length, so that
 * read/muscle_csv.h finds rate and length again. Pure functions; rows are put one behind the other. */
#ifndef SINEW_WRITE_CSV_TEXT_H
#define SINEW_WRITE_CSV_TEXT_H

#include "write/text_out.h"

typedef struct csv_facts {
  double rate_hz;       /* > 0 */
  double length_s;      /* the last frame's time; the first is at 0 */
  uint64_t frame_count; /* of the whole clip, at least 1 */
} csv_facts;

/* Names of channels; quoted where they hold what CSV means something by. */
void csv_text_head(text_out *out, const char *const *names, uint32_t count);
/* Rows of the frames first_frame .. first_frame + frames - 1: columns[c][f] is channel c at the f-th of them,
 * finite. */
void csv_text_rows(text_out *out, const csv_facts *facts, uint64_t first_frame, uint32_t frames,
                   const float *const *columns, uint32_t column_count);

#endif
