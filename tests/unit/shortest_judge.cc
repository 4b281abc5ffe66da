#include "shortest_judge.h"

#include <charconv>

static size_t end(char *buffer, std::to_chars_result result) {
  *result.ptr = 0;
  return (size_t)(result.ptr - buffer);
}

size_t judge_float(char *buffer, float value) {
  return end(buffer, std::to_chars(buffer, buffer + JUDGE_BYTES - 1, value, std::chars_format::scientific));
}
size_t judge_double(char *buffer, double value) {
  return end(buffer, std::to_chars(buffer, buffer + JUDGE_BYTES - 1, value, std::chars_format::scientific));
}
size_t judge_fixed(char *buffer, double value, int decimals) {
  return end(buffer,
             std::to_chars(buffer, buffer + JUDGE_BYTES - 1, value, std::chars_format::fixed, decimals));
}
