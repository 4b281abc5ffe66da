/* A clip of rows put into a file that a reader fills. */
#ifndef SINEW_READ_ROW_CLIP_H
#define SINEW_READ_ROW_CLIP_H

#include "read/reader.h"

/* As sinew_clip_from_rows, whose errors are its own, but that sizes and name are the caller's to check; the
 * file is an empty one, with its memory's limit set. */
sinew_result row_clip_fill(const sinew_row_clip *rows, const sinew_read_options *limits,
                           sinew_clip_file *file, sinew_error *error);

#endif
