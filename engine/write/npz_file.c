#include "write/npz_file.h"
#include "base/error.h"
#include "write/zip_entry.h"

#include <libdeflate.h>
#include <string.h>
#include <zlib.h>

/* ---- sums --------------------------------------------------------------------------------------------- */

uint32_t npz_sum(const void *bytes, size_t count) {
  return libdeflate_crc32(0, bytes, count);
}

void npz_sums_join(npz_sums *sums, npz_name name, uint32_t crc, uint64_t byte_count) {
  sums->crc[name] = (uint32_t)crc32_combine(sums->crc[name], crc, (z_off_t)byte_count);
  sums->byte_count[name] += byte_count;
}

void npz_sums_open(const npz_layout *layout, npz_sums *sums) {
  memset(sums, 0, sizeof *sums);
  for (int i = 0; i < NPZ_NAMES; i++) {
    const npz_member *member = &layout->members[i];
    if (!member->file_name) continue;
    sums->crc[i] = libdeflate_crc32(0, member->header, member->header_byte_count);
    sums->byte_count[i] = member->header_byte_count;
    if (!member->data) continue;
    sums->crc[i] = libdeflate_crc32(sums->crc[i], member->data, member->data_byte_count);
    sums->byte_count[i] += member->data_byte_count;
  }
}

/* ---- the file ----------------------------------------------------------------------------------------- */

static zip_entry entry_of(const npz_member *member, uint32_t crc) {
  return (zip_entry){member->file_name, member->head_offset,
                     member->header_byte_count + member->data_byte_count, crc};
}

static sinew_result write_member(const npz_member *member, uint32_t crc, outfile *file, sinew_error *error) {
  unsigned char bytes[ZIP_HEAD_ROOM];
  const zip_entry entry = entry_of(member, crc);
  const size_t count = zip_local_header(&entry, bytes);
  SINEW_TRY(outfile_write(file, bytes, count, member->head_offset, error));
  SINEW_TRY(
      outfile_write(file, member->header, member->header_byte_count, member->head_offset + count, error));
  return member->data ? outfile_write(file, member->data, member->data_byte_count, member->data_offset, error)
                      : SINEW_OK;
}

static sinew_result write_directory(const npz_layout *layout, const npz_sums *sums, outfile *file,
                                    sinew_error *error) {
  unsigned char bytes[NPZ_NAMES * ZIP_HEAD_ROOM + ZIP_END_ROOM];
  size_t count = 0;
  for (int i = 0; i < NPZ_NAMES; i++) {
    if (!layout->members[i].file_name) continue;
    const zip_entry entry = entry_of(&layout->members[i], sums->crc[i]);
    count += zip_directory_header(&entry, bytes + count);
  }
  count += zip_end(layout->member_count, layout->directory_offset, count, bytes + count);
  return outfile_write(file, bytes, count, layout->directory_offset, error);
}

sinew_result npz_write_rest(const npz_layout *layout, const npz_sums *sums, outfile *file,
                            sinew_error *error) {
  for (int i = 0; i < NPZ_NAMES; i++) {
    const npz_member *member = &layout->members[i];
    if (!member->file_name) continue;
    SINEW_CHECK(sums->byte_count[i] == member->header_byte_count + member->data_byte_count, error,
                SINEW_ERROR_ARGUMENT, "%s: %llu of %llu bytes are summed up", member->file_name,
                (unsigned long long)sums->byte_count[i],
                (unsigned long long)(member->header_byte_count + member->data_byte_count));
    SINEW_TRY(write_member(member, sums->crc[i], file, error));
  }
  return write_directory(layout, sums, file, error);
}
