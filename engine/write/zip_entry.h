/* The records of a ZIP archive whose members are stored as they are (APPNOTE 6.3.9, sections 4.3 to 4.5):
 * ZIP64 fields only where a number passes 32 bits. The time of every member is 1980-01-01, so that the same
 * content is the same bytes. */
#ifndef SINEW_WRITE_ZIP_ENTRY_H
#define SINEW_WRITE_ZIP_ENTRY_H

#include <stddef.h>
#include <stdint.h>

enum {
  ZIP_ALIGNMENT = 64, /* of a member's bytes in the archive */
  ZIP_NAME_LIMIT = 64,
  ZIP_HEAD_ROOM = 256, /* of a local header, or one in the directory */
  ZIP_END_ROOM = 128   /* of the records behind the directory */
};

typedef struct zip_entry {
  const char *name; /* ASCII, up to ZIP_NAME_LIMIT bytes */
  uint64_t offset;  /* of its local header */
  uint64_t byte_count;
  uint32_t crc;
} zip_entry;

/* Each returns the length. A local header is filled up (extra field 0xD935, as zipalign does it) so that what
 * follows it is aligned; its length does not depend on the sum. */
size_t zip_local_header(const zip_entry *entry, unsigned char bytes[ZIP_HEAD_ROOM]);
size_t zip_directory_header(const zip_entry *entry, unsigned char bytes[ZIP_HEAD_ROOM]);
size_t zip_end(uint64_t entry_count, uint64_t directory_offset, uint64_t directory_byte_count,
               unsigned char bytes[ZIP_END_ROOM]);

#endif
