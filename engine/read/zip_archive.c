#include "read/zip_archive.h"
#include "base/error.h"

#include <libdeflate.h>
#include <string.h>

enum {
  LOCAL_HEADER = 0x04034b50,
  DIRECTORY_HEADER = 0x02014b50,
  END_OF_DIRECTORY = 0x06054b50,
  END_OF_DIRECTORY_64 = 0x06064b50,
  END_LOCATOR_64 = 0x07064b50,
  LOCAL_BYTES = 30,
  DIRECTORY_BYTES = 46,
  END_BYTES = 22,
  END_64_BYTES = 56,
  LOCATOR_BYTES = 20,
  COMMENT_MOST = 65535,
  EXTRA_64 = 0x0001,
  STORED = 0,
  DEFLATED = 8,
  MOST_DEFLATED = 1032 /* no more bytes come from one, by the format */
};

typedef struct zip_reading {
  const unsigned char *bytes;
  uint64_t byte_count;
  sinew_error *error;
} zip_reading;

/* Little endian. */
static uint64_t number(const unsigned char *p, int byte_count) {
  uint64_t value = 0;
  for (int i = byte_count; i-- > 0;) value = value << 8 | p[i];
  return value;
}

static sinew_result broken(const zip_reading *r, const char *what) {
  return error_set(r->error, SINEW_ERROR_SYNTAX, "%s", what);
}

bool is_zip(const read_source *source) {
  return source->byte_count >= 4 &&
         (memcmp(source->bytes, "PK\3\4", 4) == 0 || memcmp(source->bytes, "PK\5\6", 4) == 0);
}

/* ---- the end ------------------------------------------------------------------------------------------ */

typedef struct zip_directory {
  uint64_t offset, byte_count, member_count;
} zip_directory;

/* The record whose comment reaches to the end of the file; NULL: there is none. */
static const unsigned char *find_end(const zip_reading *r) {
  for (uint64_t back = END_BYTES; back <= r->byte_count && back <= END_BYTES + COMMENT_MOST; back++) {
    const unsigned char *p = r->bytes + (r->byte_count - back);
    if (number(p, 4) == END_OF_DIRECTORY && number(p + 20, 2) == back - END_BYTES) return p;
  }
  return NULL;
}

static sinew_result read_end_64(const zip_reading *r, const unsigned char *end, zip_directory *directory) {
  const uint64_t at = (uint64_t)(end - r->bytes);
  if (at < LOCATOR_BYTES || number(end - LOCATOR_BYTES, 4) != END_LOCATOR_64) return SINEW_OK;
  const uint64_t offset = number(end - LOCATOR_BYTES + 8, 8);
  if (offset > r->byte_count || r->byte_count - offset < END_64_BYTES ||
      number(r->bytes + offset, 4) != END_OF_DIRECTORY_64)
    return broken(r, "a ZIP archive whose directory's end (ZIP64) is not where it should be");
  const unsigned char *p = r->bytes + offset;
  *directory = (zip_directory){number(p + 48, 8), number(p + 40, 8), number(p + 32, 8)};
  return SINEW_OK;
}

static sinew_result read_end(const zip_reading *r, zip_directory *directory) {
  const unsigned char *end = find_end(r);
  if (!end)
    return error_set_at(r->error, SINEW_ERROR_SYNTAX, r->byte_count, 0, 0,
                        "a ZIP archive that is cut: its directory, which stands at its end, is missing");
  if (number(end + 4, 2) != number(end + 6, 2) || number(end + 8, 2) != number(end + 10, 2))
    return error_set(r->error, SINEW_ERROR_UNSUPPORTED, "a part of a ZIP archive of several");
  *directory = (zip_directory){number(end + 16, 4), number(end + 12, 4), number(end + 10, 2)};
  SINEW_TRY(read_end_64(r, end, directory));
  if (directory->offset > r->byte_count || directory->byte_count > r->byte_count - directory->offset ||
      directory->member_count > directory->byte_count / DIRECTORY_BYTES)
    return broken(r, "a ZIP archive whose directory reaches past its end");
  return SINEW_OK;
}

/* ---- the directory ------------------------------------------------------------------------------------ */

/* What did not fit into 32 bits stands in an extra field, in this order. */
static bool take_wide(const unsigned char **p, const unsigned char *end, uint64_t *value) {
  if (*value != UINT32_MAX) return true;
  if (end - *p < 8) return false;
  *value = number(*p, 8);
  *p += 8;
  return true;
}

static bool read_extra(const unsigned char *p, const unsigned char *end, zip_member *member) {
  while (end - p >= 4) {
    const uint64_t id = number(p, 2), length = number(p + 2, 2);
    p += 4;
    if (length > (uint64_t)(end - p)) return false;
    const unsigned char *at = p, *field_end = p + length;
    if (id == EXTRA_64)
      return take_wide(&at, field_end, &member->byte_count) &&
             take_wide(&at, field_end, &member->packed_byte_count) &&
             take_wide(&at, field_end, &member->offset);
    p = field_end;
  }
  return true;
}

/* Returns the bytes that the record takes, 0 where there is none. */
static uint64_t read_record(const unsigned char *p, uint64_t left, zip_member *member) {
  if (left < DIRECTORY_BYTES || number(p, 4) != DIRECTORY_HEADER) return 0;
  const uint64_t name = number(p + 28, 2), extra = number(p + 30, 2), comment = number(p + 32, 2);
  const uint64_t whole = DIRECTORY_BYTES + name + extra + comment;
  if (whole > left) return 0;
  *member = (zip_member){.name = (const char *)p + DIRECTORY_BYTES,
                         .name_length = name,
                         .offset = number(p + 42, 4),
                         .packed_byte_count = number(p + 20, 4),
                         .byte_count = number(p + 24, 4),
                         .crc = (uint32_t)number(p + 16, 4),
                         .method = (uint16_t)number(p + 10, 2),
                         .encrypted = number(p + 8, 2) & 1};
  const unsigned char *extra_at = p + DIRECTORY_BYTES + name;
  return read_extra(extra_at, extra_at + extra, member) ? whole : 0;
}

sinew_result zip_archive_open(const read_source *source, arena *memory, zip_archive *archive,
                              sinew_error *error) {
  const zip_reading r = {(const unsigned char *)source->bytes, source->byte_count, error};
  zip_directory directory = {0};
  *archive = (zip_archive){.bytes = r.bytes, .byte_count = r.byte_count};
  SINEW_TRY(read_end(&r, &directory));
  SINEW_CHECK(directory.member_count <= UINT16_MAX, error, SINEW_ERROR_LIMIT,
              "a ZIP archive of %llu files, the limit is %d", (unsigned long long)directory.member_count,
              UINT16_MAX);
  archive->members = arena_alloc(memory, directory.member_count, sizeof *archive->members);
  SINEW_CHECK(archive->members, error, SINEW_ERROR_MEMORY, "out of memory for the directory of %llu files",
              (unsigned long long)directory.member_count);
  uint64_t at = directory.offset, left = directory.byte_count;
  for (uint64_t i = 0; i < directory.member_count; i++) {
    const uint64_t taken = read_record(r.bytes + at, left, &archive->members[i]);
    if (!taken) return broken(&r, "a ZIP archive whose directory is broken");
    at += taken, left -= taken;
  }
  archive->member_count = (uint32_t)directory.member_count;
  return SINEW_OK;
}

/* ---- a member ----------------------------------------------------------------------------------------- */

typedef struct shown_name {
  char text[64];
} shown_name;

static shown_name show(const zip_member *member) {
  shown_name shown;
  error_printable(member->name, member->name_length < 60 ? member->name_length : 60, shown.text,
                  sizeof shown.text);
  return shown;
}

static sinew_result find_packed(const zip_archive *archive, const zip_member *member,
                                const unsigned char **packed, sinew_error *error) {
  const uint64_t all = archive->byte_count;
  const unsigned char *p = archive->bytes + (member->offset < all ? member->offset : 0);
  SINEW_CHECK(member->offset < all && all - member->offset >= LOCAL_BYTES && number(p, 4) == LOCAL_HEADER,
              error, SINEW_ERROR_SYNTAX, "%s: is not where the archive's directory says", show(member).text);
  const uint64_t data = member->offset + LOCAL_BYTES + number(p + 26, 2) + number(p + 28, 2);
  SINEW_CHECK(data <= all && member->packed_byte_count <= all - data, error, SINEW_ERROR_SYNTAX,
              "%s: reaches past the end of the archive", show(member).text);
  *packed = archive->bytes + data;
  return SINEW_OK;
}

static sinew_result inflate_member(const zip_member *member, const unsigned char *packed, arena *memory,
                                   const unsigned char **bytes, sinew_error *error) {
  SINEW_CHECK(member->byte_count / MOST_DEFLATED <= member->packed_byte_count, error, SINEW_ERROR_SYNTAX,
              "%s: states %llu bytes, which %llu deflated ones cannot hold", show(member).text,
              (unsigned long long)member->byte_count, (unsigned long long)member->packed_byte_count);
  unsigned char *out = arena_alloc(memory, member->byte_count, 1);
  struct libdeflate_decompressor *inflater = out ? libdeflate_alloc_decompressor() : NULL;
  SINEW_CHECK(inflater, error, SINEW_ERROR_MEMORY, "%s: out of memory, or past the limit, for its %llu bytes",
              show(member).text, (unsigned long long)member->byte_count);
  size_t used, made;
  const enum libdeflate_result result = libdeflate_deflate_decompress_ex(
      inflater, packed, member->packed_byte_count, out, member->byte_count, &used, &made);
  libdeflate_free_decompressor(inflater);
  SINEW_CHECK(result == LIBDEFLATE_SUCCESS && made == member->byte_count && used == member->packed_byte_count,
              error, SINEW_ERROR_SYNTAX, "%s: its deflated bytes are broken", show(member).text);
  *bytes = out;
  return SINEW_OK;
}

sinew_result zip_member_read(const zip_archive *archive, const zip_member *member, arena *memory,
                             const unsigned char **bytes, sinew_error *error) {
  const unsigned char *packed = NULL;
  SINEW_CHECK(!member->encrypted, error, SINEW_ERROR_UNSUPPORTED, "%s: is encrypted", show(member).text);
  SINEW_CHECK(member->method == STORED || member->method == DEFLATED, error, SINEW_ERROR_UNSUPPORTED,
              "%s: is compressed by method %u, expected 0 (stored) or 8 (deflated)", show(member).text,
              member->method);
  SINEW_TRY(find_packed(archive, member, &packed, error));
  if (member->method == DEFLATED) {
    SINEW_TRY(inflate_member(member, packed, memory, bytes, error));
  } else {
    SINEW_CHECK(member->byte_count == member->packed_byte_count, error, SINEW_ERROR_SYNTAX,
                "%s: is stored, but of %llu and of %llu bytes", show(member).text,
                (unsigned long long)member->byte_count, (unsigned long long)member->packed_byte_count);
    *bytes = packed;
  }
  SINEW_CHECK(libdeflate_crc32(0, *bytes, member->byte_count) == member->crc, error, SINEW_ERROR_SYNTAX,
              "%s: is damaged, its sum (CRC-32) is another", show(member).text);
  return SINEW_OK;
}
