/* Numbers of the command line, read strictly: a whole word, "." as the decimal point whatever the locale, no
 * sign tricks, no hexadecimal, no infinity. */
#ifndef CLI_OPTION_VALUE_H
#define CLI_OPTION_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* A number above 0 and at most `most`. */
bool value_real(const char *text, double most, double *value);
/* A whole number from `least` to `most`. */
bool value_count(const char *text, uint32_t least, uint32_t most, uint32_t *value);
/* A whole number from 1 to `most`. */
bool value_limit(const char *text, uint64_t most, uint64_t *value);

#endif
