/* Files that are no Unity text, each called by its name. */
#include "base/error.h"
#include "read/unity_scan.h"

#include <string.h>

enum { HEAD_BYTES = 4096 };

static bool begins(const char *bytes, size_t byte_count, const char *with) {
  size_t length = strlen(with);
  return byte_count >= length && memcmp(bytes, with, length) == 0;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* The editor's version ("2019.4.1f1") that a binary asset carries in its header; length 0 when there is none.
 */
static size_t find_version(const char *bytes, size_t byte_count, const char **version) {
  for (size_t i = 0; i + 4 < byte_count; i++) {
    if (!is_digit(bytes[i]) || (i > 0 && bytes[i - 1] != 0)) continue;
    size_t at = i, dots = 0;
    while (at < byte_count && (is_digit(bytes[at]) || bytes[at] == '.')) dots += bytes[at++] == '.';
    if (dots != 2 || at == byte_count || !strchr("abfpx", bytes[at]) || bytes[at] == 0) continue;
    for (at++; at < byte_count && is_digit(bytes[at]); at++) {
    }
    *version = bytes + i;
    return at - i;
  }
  return 0;
}

static sinew_result binary(const char *bytes, size_t head, const char *zero, sinew_error *error) {
  const char *version;
  size_t length = find_version(bytes, head, &version);
  if (length)
    return error_set_at(error, SINEW_ERROR_UNSUPPORTED, (uint64_t)(zero - bytes), 0, 0,
                        "a binary-serialised asset of editor %s; expected text: set the project's asset "
                        "serialisation to 'Force Text' and save the asset again",
                        scan_show(version, length).text);
  return error_set_at(error, SINEW_ERROR_UNSUPPORTED, (uint64_t)(zero - bytes), 0, 0,
                      "a binary file (a zero byte at %zu), expected Unity's text serialisation",
                      (size_t)(zero - bytes));
}

sinew_result unity_check_text(const char *bytes, size_t byte_count, sinew_error *error) {
  size_t head = byte_count < HEAD_BYTES ? byte_count : HEAD_BYTES;
  size_t first = begins(bytes, byte_count, "\xef\xbb\xbf") ? 3 : 0;
  while (first < head && bytes[first] && strchr(" \t\r\n", bytes[first])) first++;
  if (first == byte_count)
    return error_set_at(error, SINEW_ERROR_SYNTAX, 0, 1, 1, "the file is empty, expected a Unity text file");
  if (begins(bytes, byte_count, "version https://git-lfs"))
    return error_set_at(error, SINEW_ERROR_UNSUPPORTED, 0, 1, 1,
                        "a Git LFS pointer, not the file itself: fetch it with 'git lfs pull'");
  if (begins(bytes, byte_count, "UnityFS") || begins(bytes, byte_count, "UnityWeb") ||
      begins(bytes, byte_count, "UnityRaw"))
    return error_set_at(error, SINEW_ERROR_UNSUPPORTED, 0, 1, 1,
                        "an asset bundle, expected a Unity text file");
  if (begins(bytes, byte_count, "\xff\xfe") || begins(bytes, byte_count, "\xfe\xff"))
    return error_set_at(error, SINEW_ERROR_UNSUPPORTED, 0, 1, 1, "text in UTF-16, expected UTF-8");
  const char *zero = memchr(bytes, 0, head);
  return zero ? binary(bytes, head, zero, error) : SINEW_OK;
}
