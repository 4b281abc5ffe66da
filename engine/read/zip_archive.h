/* A ZIP archive's directory and its members, stored or deflated (APPNOTE 6.3.9). No libzip: what is needed
 * are two methods over bytes that are in memory already, and it brings five libraries of ciphers and
 * compressors with it. */
#ifndef SINEW_READ_ZIP_ARCHIVE_H
#define SINEW_READ_ZIP_ARCHIVE_H

#include "read/reader.h"

typedef struct zip_member {
  const char *name; /* in the archive's bytes, no zero behind it */
  size_t name_length;
  uint64_t offset; /* of its local header */
  uint64_t packed_byte_count, byte_count;
  uint32_t crc;
  uint16_t method;
  bool encrypted;
} zip_member;

typedef struct zip_archive {
  const unsigned char *bytes;
  uint64_t byte_count;
  zip_member *members;
  uint32_t member_count;
} zip_archive;

/* Whether the bytes begin as an archive does. */
bool is_zip(const read_source *source);

/* The directory, in `memory`. Errors: SYNTAX, UNSUPPORTED (parts on other disks), LIMIT, MEMORY. */
sinew_result zip_archive_open(const read_source *source, arena *memory, zip_archive *archive,
                              sinew_error *error);

/* Its bytes, checked against its sum: a stored member's in the archive, a deflated one's in `memory`, which
 * limits them before they are inflated (the inflater's own 11 KB are the C library's: its allocator is the
 * process's). Errors: SYNTAX, UNSUPPORTED (another method, encrypted), LIMIT, MEMORY; messages name the
 * member. */
sinew_result zip_member_read(const zip_archive *archive, const zip_member *member, arena *memory,
                             const unsigned char **bytes, sinew_error *error);

#endif
