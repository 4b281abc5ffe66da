/* Keys of an animation, each checked as it is read: finite numbers, rotations of unit length, times that
 * ascend. Where one is not so: VERIFY, with the accessor and the key. */
#ifndef SINEW_VERIFY_KEY_READER_H
#define SINEW_VERIFY_KEY_READER_H

#include "verify/glb_document.h"

/* Four components, each over consecutive frames; what a path does not have is 0. */
typedef struct key_planes {
  double *values; /* component c of frame f at [c * stride + f] */
  size_t stride;
} key_planes;

/* Whether a key of the channel stands at each time of the clock, and no other. */
bool keys_follow_clock(const verify_file *file, const document_channel *channel);

/* The clock's times first..first+count-1, each above the one before, that of first - 1 included. Errors:
 * VERIFY, IO. */
sinew_result keys_read_clock(const verify_file *file, uint64_t first, uint32_t count, float *times,
                             sinew_error *error);
/* Keys as they lie in the file, unchecked. Errors: VERIFY (it ends before), IO. */
sinew_result keys_read_bytes(const verify_file *file, const document_channel *channel, uint64_t first,
                             uint32_t count, unsigned char *bytes, sinew_error *error);
/* The bytes of keys first..first+count-1 to planes. Errors: VERIFY. */
sinew_result keys_decode(const document_channel *channel, uint64_t first, uint32_t count,
                         const unsigned char *bytes, const key_planes *planes, sinew_error *error);
/* A single key. Errors: VERIFY, IO. */
sinew_result key_read(const verify_file *file, const document_channel *channel, uint64_t key, double out[4],
                      sinew_error *error);
/* A channel that does not follow the clock, at times of it. Errors: VERIFY, IO. */
sinew_result keys_sample(const verify_file *file, const document_channel *channel, const float *times,
                         uint32_t count, const key_planes *planes, sinew_error *error);

#endif
