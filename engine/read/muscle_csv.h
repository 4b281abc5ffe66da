/* CSV of muscles, as write/csv_text.h writes it and as others may: RFC 4180 with a head of names, LF or CRLF,
 * a byte order mark or none, blank lines at the end.
 *
 * Columns, in any order: root, muscle and goal channels by the names that clips use, at least one; `time` in
 * seconds; `frame`, whole numbers that count up. Others are refused, and so is a name that stands twice, a
 * row with more or fewer fields, a field that is no finite number.
 *
 * The first row is the clip's beginning whatever its time. Rows come at one rate: the roundest that gives the
 * times as doubles exactly, else a common one or the roundest that gives them as their decimals or as float32
 * hold them; the last row may stand nearer behind the one before it. Without times, which a warning tells, or
 * with a single row 30 rows a second are taken. */
#ifndef SINEW_READ_MUSCLE_CSV_H
#define SINEW_READ_MUSCLE_CSV_H

#include "read/reader.h"

/* Whether the first line holds the name of a channel among its fields, or begins with one of the columns
 * `frame` and `time`. */
bool is_muscle_csv(const char *bytes, size_t byte_count);

/* Into an empty file with its memory's limit set. `label` names the clip. Errors: SYNTAX, LIMIT, MEMORY. */
sinew_result read_muscle_csv(const read_source *source, const char *label, sinew_clip_file *file,
                             sinew_error *error);

#endif
