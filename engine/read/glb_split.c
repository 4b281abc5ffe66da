#include "read/glb_split.h"
#include "base/error.h"

enum {
  MAGIC = 0x46546c67,
  TYPE_JSON = 0x4e4f534a,
  TYPE_BIN = 0x004e4942,
  HEADER_BYTES = 12,
  CHUNK_HEAD_BYTES = 8
};

static uint32_t word_at(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* The chunks must fill the stated length exactly; kinds other than JSON and BIN are passed over, as the
 * format says. */
static sinew_result walk_chunks(const unsigned char *bytes, uint64_t byte_count, glb_parts *parts,
                                sinew_error *error) {
  uint64_t at = HEADER_BYTES;
  for (uint32_t i = 0; at < byte_count; i++) {
    SINEW_CHECK(byte_count - at >= CHUNK_HEAD_BYTES, error, SINEW_ERROR_SYNTAX, "chunk %u is cut short", i);
    const uint32_t length = word_at(bytes + at), type = word_at(bytes + at + 4);
    at += CHUNK_HEAD_BYTES;
    SINEW_CHECK(length <= byte_count - at, error, SINEW_ERROR_SYNTAX,
                "chunk %u has %u bytes, only %llu are left", i, length,
                (unsigned long long)(byte_count - at));
    SINEW_CHECK(length % 4 == 0, error, SINEW_ERROR_SYNTAX, "chunk %u has %u bytes, no multiple of 4", i,
                length);
    SINEW_CHECK((i == 0) == (type == TYPE_JSON), error, SINEW_ERROR_SYNTAX, "chunk %u is %s JSON", i,
                i ? "another" : "not");
    SINEW_CHECK(i == 1 || type != TYPE_BIN, error, SINEW_ERROR_SYNTAX,
                "the BIN chunk is number %u, expected 1", i);
    if (i == 0) parts->json = (const char *)bytes + at, parts->json_bytes = length;
    if (type == TYPE_BIN) parts->bin = bytes + at, parts->bin_bytes = length;
    at += length;
  }
  SINEW_CHECK(parts->json_bytes, error, SINEW_ERROR_SYNTAX, "there is no JSON");
  return SINEW_OK;
}

sinew_result glb_split(const void *bytes, size_t byte_count, glb_parts *parts, sinew_error *error) {
  const unsigned char *p = bytes;
  *parts = (glb_parts){0};
  SINEW_CHECK(byte_count >= 4 && word_at(p) == MAGIC, error, SINEW_ERROR_UNSUPPORTED,
              "is no GLB: it does not begin with 'glTF'");
  SINEW_CHECK(byte_count >= HEADER_BYTES, error, SINEW_ERROR_SYNTAX,
              "the header is cut short: %zu bytes of %d", byte_count, HEADER_BYTES);
  SINEW_CHECK(word_at(p + 4) == 2, error, SINEW_ERROR_UNSUPPORTED, "is a GLB of version %u, expected 2",
              word_at(p + 4));
  SINEW_CHECK(word_at(p + 8) == byte_count, error, SINEW_ERROR_SYNTAX,
              "the header says %u bytes, the file has %zu", word_at(p + 8), byte_count);
  return walk_chunks(p, byte_count, parts, error);
}
