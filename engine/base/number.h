/* Numbers as text: locale-free, correctly rounded. */
#ifndef SINEW_BASE_NUMBER_H
#define SINEW_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses a decimal number at text[0..length): [+-] digits with an optional point (".5", "5." too), an
 * optional exponent; Infinity, -Infinity, NaN, .inf, .nan as Unity and YAML spell them. The nearest float32
 * to the decimal value (one rounding), overflow gives infinity. Returns the number of bytes used, 0 when no
 * number stands there. */
size_t number_parse_float(const char *text, size_t length, float *value);
/* The nearest double; the same grammar. */
size_t number_parse_double(const char *text, size_t length, double *value);
/* A signed decimal integer within int64; 0 when none stands there or it does not fit. */
size_t number_parse_int(const char *text, size_t length, int64_t *value);

/* The shortest decimal that reads back as the same float32 / double, of several the nearest to it; "C"
 * locale, no trailing zeros; exponent below 1e-9 and from 1e21 on; -0, Infinity, -Infinity and NaN by these
 * words. Returns the length; buffer holds at least NUMBER_PRINT_BYTES, all of which may be written, and ends
 * with a zero. */
enum { NUMBER_PRINT_BYTES = 40 };
size_t number_print_float(char *buffer, float value);
size_t number_print_double(char *buffer, double value);

/* Exactly `decimals` digits behind the point, 0 (and no point) to 17: the nearest of these decimals to the
 * exact binary value, of two equally near ones the even; a value that becomes 0 has no sign. From 2^63 on,
 * where a double has no fraction, and for what is not finite: as number_print_double. */
enum { NUMBER_MOST_DECIMALS = 17 };
size_t number_print_fixed(char *buffer, double value, int decimals);

#endif
