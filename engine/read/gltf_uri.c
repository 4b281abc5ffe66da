/* Where a buffer's bytes stand: in the uri itself, or in a file beneath the glTF's folder. */
#include "base/beneath.h"
#include "base/error.h"
#include "read/gltf_document.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Length of a scheme with its colon, as RFC 3986 has it; 0: none. */
static size_t scheme_length(const char *uri) {
  if (!is_letter(*uri)) return 0;
  const char *p = uri;
  while (is_letter(*p) || is_digit(*p) || *p == '+' || *p == '-' || *p == '.') p++;
  return *p == ':' ? (size_t)(p - uri) + 1 : 0;
}

bool doc_uri_is_data(const char *uri) {
  return strncasecmp(uri, "data:", 5) == 0;
}

/* ---- data --------------------------------------------------------------------------------------------- */

static int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (is_digit(c)) return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* `count` characters without padding; count % 4 is not 1. Returns the position of one that is none of the
 * alphabet, or count. */
static size_t base64_decode(const char *text, size_t count, unsigned char *bytes) {
  uint32_t bits = 0;
  for (size_t i = 0; i < count; i++) {
    const int value = base64_value(text[i]);
    if (value < 0) return i;
    bits = bits << 6 | (uint32_t)value;
    const size_t in_group = i % 4;
    if (in_group > 0) *bytes++ = (unsigned char)(bits >> (6 - 2 * in_group));
  }
  return count;
}

sinew_result doc_uri_data(gltf_document *d, const doc_place *place, const char *uri,
                          const unsigned char **bytes, uint64_t *byte_count) {
  static const char mark[] = ";base64";
  const size_t mark_length = sizeof mark - 1;
  const char *comma = strchr(uri, ',');
  if (!comma || (size_t)(comma - uri) < mark_length + 5 ||
      strncasecmp(comma - mark_length, mark, mark_length) != 0)
    return doc_fail(d, SINEW_ERROR_SYNTAX, place, "holds data that are not base64");
  const char *text = comma + 1;
  size_t count = strlen(text), padding = 0;
  while (padding < 2 && padding < count && text[count - padding - 1] == '=') padding++;
  if (padding && count % 4 != 0)
    return doc_fail(d, SINEW_ERROR_SYNTAX, place, "its base64 is padded to %zu characters, no multiple of 4",
                    count);
  count -= padding;
  if (count % 4 == 1) return doc_fail(d, SINEW_ERROR_SYNTAX, place, "its base64 is cut short");
  unsigned char *decoded;
  *byte_count = count / 4 * 3 + (count % 4 ? count % 4 - 1 : 0);
  SINEW_TRY(doc_items(d, &d->scratch, (size_t)*byte_count, 1, &decoded));
  const size_t good = base64_decode(text, count, decoded);
  if (good < count)
    return doc_fail(d, SINEW_ERROR_SYNTAX, place, "character %zu of its base64 is '%s'", good,
                    doc_show((char[]){text[good], 0}).text);
  *bytes = decoded;
  return SINEW_OK;
}

/* ---- files -------------------------------------------------------------------------------------------- */

static int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Decoded once: "%252e" is "%2e" and no dot. path holds PATH_MAX bytes. */
static sinew_result percent_decode(const gltf_document *d, const doc_place *place, const char *uri,
                                   char *path) {
  size_t length = 0;
  for (const char *p = uri; *p; p++) {
    char c = *p;
    if (c == '%') {
      const int high = hex_value(p[1]), low = high < 0 ? -1 : hex_value(p[2]);
      if (low < 0) return doc_fail(d, SINEW_ERROR_SYNTAX, place, "has a '%%' without two hexadecimal digits");
      c = (char)(high << 4 | low);
      p += 2;
    }
    if (c == 0) return doc_fail(d, SINEW_ERROR_SYNTAX, place, "holds a zero byte");
    if (length + 1 == PATH_MAX)
      return doc_fail(d, SINEW_ERROR_LIMIT, place, "is longer than %d bytes", PATH_MAX - 1);
    path[length++] = c;
  }
  path[length] = 0;
  return SINEW_OK;
}

static bool has_part(const char *path, const char *part) {
  const size_t length = strlen(part);
  for (const char *p = path; p; p = strchr(p, '/')) {
    if (*p == '/') p++;
    if (strncmp(p, part, length) == 0 && (p[length] == '/' || p[length] == 0)) return true;
  }
  return false;
}

sinew_result doc_uri_file(gltf_document *d, const doc_place *place, const char *uri, uint64_t byte_limit,
                          os_file *file) {
  char path[PATH_MAX];
  const size_t scheme = scheme_length(uri);
  const doc_label shown = doc_show(uri);
  if (scheme)
    return doc_fail(d, SINEW_ERROR_UNSUPPORTED, place,
                    "'%s' has a scheme, expected data or a file beneath the glTF's folder", shown.text);
  SINEW_TRY(percent_decode(d, place, uri, path));
  if (*path == '/' || has_part(path, ".."))
    return doc_fail(d, SINEW_ERROR_UNSUPPORTED, place,
                    "'%s' leads elsewhere, expected a file beneath the glTF's folder", shown.text);
  if (!d->folder)
    return doc_fail(d, SINEW_ERROR_UNSUPPORTED, place, "'%s' is another file, but these bytes have no folder",
                    shown.text);
  sinew_error reason = {0};
  const sinew_result result = os_file_open_beneath(d->folder, path, byte_limit, file, &reason);
  if (result == SINEW_OK) return SINEW_OK;
  return doc_fail(d, result, place, "'%s' %s", shown.text, reason.message);
}
