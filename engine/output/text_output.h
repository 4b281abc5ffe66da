/* Text whose pieces stand one behind the other: where each goes is known once those before it are made. */
#ifndef SINEW_OUTPUT_TEXT_OUTPUT_H
#define SINEW_OUTPUT_TEXT_OUTPUT_H

#include "output/output.h"

/* Writes text at the end of the file; the text is empty then. Errors: MEMORY (the text failed), IO. */
sinew_result text_output_append(output *out, text_out *text, sinew_error *error);
/* Of formats whose piece is worker->text: gives it its place; writes it; reads it back. */
void text_output_join(output *out, piece_worker *worker);
sinew_result text_output_write(const output *out, const piece_worker *worker, sinew_error *error);
sinew_result text_output_check(const output *out, const piece_worker *worker, sinew_error *error);

#endif
