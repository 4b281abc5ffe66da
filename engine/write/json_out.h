/* JSON text that grows as it is written (text_out.h). The caller writes the punctuation; names and numbers
 * come out valid whatever they hold. */
#ifndef SINEW_WRITE_JSON_OUT_H
#define SINEW_WRITE_JSON_OUT_H

#include "write/text_out.h"

typedef text_out json_out;

/* As it stands: punctuation and keys. */
void json_literal(json_out *out, const char *text);
void json_bytes(json_out *out, const char *bytes, size_t count);
/* Quoted and escaped; each byte that is no well-formed UTF-8 becomes U+FFFD. */
void json_out_string(json_out *out, const char *text);
void json_uint(json_out *out, uint64_t value);
/* The shortest text that reads back as the same double; -0 is written as 0. The value is finite. */
void json_number(json_out *out, double value);
/* "[a,b,c]" */
void json_numbers(json_out *out, const double *values, size_t count);
void json_release(json_out *out);

#endif
