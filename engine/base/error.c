#include "base/error.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(sinew_error *error, sinew_result code, const char *format, va_list arguments) {
  memset(error, 0, sizeof *error);
  error->code = code;
  vsnprintf(error->message, sizeof error->message, format, arguments);
}

sinew_result error_set(sinew_error *error, sinew_result code, const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, format, arguments);
    va_end(arguments);
  }
  return code;
}

sinew_result error_set_at(sinew_error *error, sinew_result code, uint64_t byte, uint32_t line,
                          uint32_t column, const char *format, ...) {
  if (error) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, code, format, arguments);
    va_end(arguments);
    error->byte = byte;
    error->line = line;
    error->column = column;
    error->has_place = true;
  }
  return code;
}

sinew_result error_in_file(sinew_error *error, sinew_result code, const char *path) {
  if (error && error->path[0] == 0 && path) {
    size_t length = strlen(path);
    size_t room = sizeof error->path - 1;
    /* the end of a long path says more than its start */
    if (length > room)
      snprintf(error->path, sizeof error->path, "...%s", path + (length - (room - 3)));
    else
      memcpy(error->path, path, length + 1);
  }
  return code;
}

const char *error_printable(const char *text, size_t length, char *buffer, size_t size) {
  size_t out = 0;
  const unsigned char *p = (const unsigned char *)text;
  for (size_t i = 0; i < length;) {
    size_t n = utf8_sequence(p + i, length - i);
    bool plain = n > 1 || (n == 1 && p[i] >= 0x20 && p[i] != 0x7f);
    /* U+0080..U+009f are control characters too */
    if (n == 2 && p[i] == 0xc2 && p[i + 1] < 0xa0) plain = false;
    size_t step = n ? n : 1;
    size_t need = plain ? step : 1;
    if (out + need + 1 > size) break;
    if (plain) {
      memcpy(buffer + out, p + i, step);
    } else {
      buffer[out] = '?';
    }
    out += need;
    i += step;
  }
  if (size) buffer[out] = 0;
  return buffer;
}

const char *sinew_error_text(const sinew_error *error, char *buffer, size_t size) {
  if (!buffer || size == 0) return "";
  buffer[0] = 0;
  if (!error) return buffer;
  char path[sizeof error->path];
  error_printable(error->path, strlen(error->path), path, sizeof path);
  char place[48] = "";
  if (error->has_place && error->line && error->column)
    snprintf(place, sizeof place, ":%u:%u", error->line, error->column);
  else if (error->has_place && error->line)
    snprintf(place, sizeof place, ":%u", error->line);
  else if (error->has_place)
    snprintf(place, sizeof place, ": byte %llu", (unsigned long long)error->byte);
  snprintf(buffer, size, "%s%s%s%s", path, place, path[0] || place[0] ? ": " : "", error->message);
  return buffer;
}
