/* Filling a sinew_error, and the two macros that make a check one line. */
#ifndef SINEW_BASE_ERROR_H
#define SINEW_BASE_ERROR_H

#include "sinew.h"

/* Fills `error` (may be NULL) and returns `code`, so that `return error_set(...)` reads well. */
sinew_result error_set(sinew_error *error, sinew_result code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with a place; line and column count from 1, 0 when unknown. */
sinew_result error_set_at(sinew_error *error, sinew_result code, uint64_t byte, uint32_t line,
                          uint32_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Records the file a failure belongs to, unless one is recorded already. Returns error's code. */
sinew_result error_in_file(sinew_error *error, sinew_result code, const char *path);
/* Copies text for a message: control bytes and broken UTF-8 become '?', at most `size` bytes with the zero.
 * Names from files pass through here before they reach a terminal. Returns buffer. */
const char *error_printable(const char *text, size_t length, char *buffer, size_t size);

#define SINEW_CHECK(condition, error, code, ...)                                                             \
  do {                                                                                                       \
    if (!(condition)) return error_set((error), (code), __VA_ARGS__);                                        \
  } while (0)

#define SINEW_TRY(call)                                                                                      \
  do {                                                                                                       \
    sinew_result try_result_ = (call);                                                                       \
    if (try_result_ != SINEW_OK) return try_result_;                                                         \
  } while (0)

#endif
