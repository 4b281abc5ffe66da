#include "write/zip_entry.h"

#include <stdbool.h>
#include <string.h>

enum {
  LOCAL_HEADER = 0x04034b50,
  DIRECTORY_HEADER = 0x02014b50,
  END_OF_DIRECTORY = 0x06054b50,
  END_OF_DIRECTORY_64 = 0x06064b50,
  END_LOCATOR_64 = 0x07064b50,
  VERSION = 20,
  VERSION_64 = 45,
  MADE_ON_UNIX = 3 << 8,
  FIRST_DAY = 1 << 5 | 1, /* 1980-01-01 */
  EXTRA_64 = 0x0001,
  EXTRA_ALIGNMENT = 0xd935,
  REGULAR_FILE = 0100644
};

typedef struct record {
  unsigned char *bytes;
  size_t length;
} record;

static void put(record *r, uint64_t value, int byte_count) {
  for (int i = 0; i < byte_count; i++) r->bytes[r->length++] = (unsigned char)(value >> (8 * i));
}

static bool is_wide(uint64_t value) {
  return value >= UINT32_MAX;
}

static uint64_t narrow(uint64_t value) {
  return is_wide(value) ? UINT32_MAX : value;
}

/* From the version to the sizes: the same in both headers. */
static void put_common(record *r, const zip_entry *entry, bool wide) {
  put(r, wide ? VERSION_64 : VERSION, 2);
  put(r, 0, 2); /* flags */
  put(r, 0, 2); /* stored */
  put(r, 0, 2); /* time */
  put(r, FIRST_DAY, 2);
  put(r, entry->crc, 4);
  put(r, narrow(entry->byte_count), 4);
  put(r, narrow(entry->byte_count), 4);
  put(r, strlen(entry->name), 2);
}

static void put_name(record *r, const char *name) {
  memcpy(r->bytes + r->length, name, strlen(name));
  r->length += strlen(name);
}

static void put_alignment(record *r, uint32_t fill) {
  put(r, EXTRA_ALIGNMENT, 2);
  put(r, 2 + fill, 2);
  put(r, ZIP_ALIGNMENT, 2);
  memset(r->bytes + r->length, 0, fill);
  r->length += fill;
}

size_t zip_local_header(const zip_entry *entry, unsigned char bytes[ZIP_HEAD_ROOM]) {
  enum { FIXED = 30, WIDE = 20, ALIGNED = 6 };
  const bool wide = is_wide(entry->byte_count);
  const uint64_t least = FIXED + strlen(entry->name) + (wide ? WIDE : 0) + ALIGNED;
  const uint32_t fill = (uint32_t)(-(entry->offset + least) % ZIP_ALIGNMENT);
  record r = {bytes, 0};
  put(&r, LOCAL_HEADER, 4);
  put_common(&r, entry, wide);
  put(&r, (wide ? WIDE : 0) + ALIGNED + fill, 2);
  put_name(&r, entry->name);
  if (wide) {
    put(&r, EXTRA_64, 2);
    put(&r, 16, 2);
    put(&r, entry->byte_count, 8);
    put(&r, entry->byte_count, 8);
  }
  put_alignment(&r, fill);
  return r.length;
}

size_t zip_directory_header(const zip_entry *entry, unsigned char bytes[ZIP_HEAD_ROOM]) {
  const bool wide_size = is_wide(entry->byte_count), wide_offset = is_wide(entry->offset);
  const uint32_t extra = (wide_size ? 16 : 0) + (wide_offset ? 8 : 0);
  record r = {bytes, 0};
  put(&r, DIRECTORY_HEADER, 4);
  put(&r, MADE_ON_UNIX | (extra ? VERSION_64 : VERSION), 2);
  put_common(&r, entry, extra > 0);
  put(&r, extra ? 4 + extra : 0, 2);
  put(&r, 0, 2); /* comment */
  put(&r, 0, 2); /* disk */
  put(&r, 0, 2); /* internal attributes */
  put(&r, (uint64_t)REGULAR_FILE << 16, 4);
  put(&r, narrow(entry->offset), 4);
  put_name(&r, entry->name);
  if (!extra) return r.length;
  put(&r, EXTRA_64, 2);
  put(&r, extra, 2);
  if (wide_size) put(&r, entry->byte_count, 8), put(&r, entry->byte_count, 8);
  if (wide_offset) put(&r, entry->offset, 8);
  return r.length;
}

static void put_end_64(record *r, uint64_t entry_count, uint64_t offset, uint64_t byte_count) {
  put(r, END_OF_DIRECTORY_64, 4);
  put(r, 44, 8); /* bytes of this record that follow */
  put(r, MADE_ON_UNIX | VERSION_64, 2);
  put(r, VERSION_64, 2);
  put(r, 0, 8); /* disks */
  put(r, entry_count, 8);
  put(r, entry_count, 8);
  put(r, byte_count, 8);
  put(r, offset, 8);
  put(r, END_LOCATOR_64, 4);
  put(r, 0, 4);
  put(r, offset + byte_count, 8);
  put(r, 1, 4);
}

size_t zip_end(uint64_t entry_count, uint64_t directory_offset, uint64_t directory_byte_count,
               unsigned char bytes[ZIP_END_ROOM]) {
  record r = {bytes, 0};
  if (is_wide(directory_offset)) put_end_64(&r, entry_count, directory_offset, directory_byte_count);
  put(&r, END_OF_DIRECTORY, 4);
  put(&r, 0, 4); /* disks */
  put(&r, entry_count, 2);
  put(&r, entry_count, 2);
  put(&r, directory_byte_count, 4);
  put(&r, narrow(directory_offset), 4);
  put(&r, 0, 2); /* comment */
  return r.length;
}
