/* Text from files and command lines made safe: for a terminal, for JSON, for a file name. */
#ifndef CLI_PRINTABLE_H
#define CLI_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the well-formed UTF-8 sequence at the start of a terminated string; 0 when there is none. */
size_t utf8_sequence(const char *text);

/* C0 and C1 control characters and DEL, as encoded in UTF-8. */
bool utf8_is_control(const char *sequence, size_t length);

/* A copy with control characters and malformed UTF-8 as '?'. The caller frees. */
char *printable(const char *text);

/* The same, but C0 control characters stay, since JSON escapes them. */
char *json_safe(const char *text);

/* "33,184" in buffer, which holds 32 bytes or more; returns it. */
char *grouped_digits(unsigned long long value, char *buffer);

#endif
