/* What stands in an .npz around the rows of frames, and the sums of its members. */
#ifndef SINEW_WRITE_NPZ_FILE_H
#define SINEW_WRITE_NPZ_FILE_H

#include "write/npz_layout.h"
#include "write/outfile.h"

/* CRC-32 of each member as far as its bytes are known. */
typedef struct npz_sums {
  uint32_t crc[NPZ_NAMES];
  uint64_t byte_count[NPZ_NAMES]; /* summed up so far, the array's header counted */
} npz_sums;

/* Of the members' beginnings, and of all of those without frames. */
void npz_sums_open(const npz_layout *layout, npz_sums *sums);
/* Of rows by themselves: by any thread, at any time. */
uint32_t npz_sum(const void *bytes, size_t count);
/* Appends rows' sum to their member's: in the order of the frames. */
void npz_sums_join(npz_sums *sums, npz_name name, uint32_t crc, uint64_t byte_count);

/* Writes all but the rows of frames, which are at npz_row_offset; before or after them, but with sums of all
 * of them. Errors: ARGUMENT (the sums are not of all rows), IO, MEMORY. */
sinew_result npz_write_rest(const npz_layout *layout, const npz_sums *sums, outfile *file,
                            sinew_error *error);

#endif
