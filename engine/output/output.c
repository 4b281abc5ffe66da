#include "output/output.h"
#include "base/error.h"
#include "base/os.h"
#include "output/formats.h"

#include <errno.h>
#include <string.h>

static const output_format *const formats[] = {
    [SINEW_FORMAT_GLB] = &output_glb, [SINEW_FORMAT_VRMA] = &output_vrma, [SINEW_FORMAT_BVH] = &output_bvh,
    [SINEW_FORMAT_NPZ] = &output_npz, [SINEW_FORMAT_ANIM] = &output_anim, [SINEW_FORMAT_CSV] = &output_csv};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

const output_format *output_format_find(sinew_format format) {
  return (uint32_t)format < FORMAT_COUNT ? formats[format] : NULL;
}

const char *sinew_format_name(uint32_t format) {
  return format < FORMAT_COUNT ? formats[format]->name : NULL;
}

sinew_result output_worker_open(output_worker *worker, sinew_error *error) {
  memset(worker, 0, sizeof *worker);
  SINEW_TRY(piece_worker_open(&worker->piece, error));
  const sinew_result result = check_worker_open(&worker->check, error);
  if (result != SINEW_OK) piece_worker_close(&worker->piece);
  return result;
}

void output_worker_close(output_worker *worker) {
  check_worker_close(&worker->check);
  piece_worker_close(&worker->piece);
}

sinew_result output_begin(const output_format *format, const sinew_bake_options *options,
                          const bake_plan *plan, outfile *file, uint64_t number, output *out,
                          sinew_error *error) {
  *out = (output){.format = format,
                  .options = options,
                  .plan = plan,
                  .file = file,
                  .source = {.plan = plan, .number = number}};
  const size_t chains = piece_chain_count(plan);
  out->source.signs = arena_alloc(&out->memory, chains, sizeof *out->source.signs);
  SINEW_CHECK(out->source.signs, error, SINEW_ERROR_MEMORY, "out of memory for the signs of %u rotations",
              plan->output.slot_count);
  return format->begin(out, error);
}

uint64_t output_clip_piece_count(const output *out) {
  return piece_count(out->plan);
}

static uint64_t late_piece_count(const output *out) {
  return out->format->late_piece_count ? out->format->late_piece_count(out) : 0;
}

uint64_t output_piece_count(const output *out) {
  return output_clip_piece_count(out) + late_piece_count(out);
}

uint64_t output_piece_frames(const output *out, uint64_t piece) {
  if (piece >= output_clip_piece_count(out)) return 0;
  return piece_end_frame(out->plan, piece) - piece_first_frame(out->plan, piece);
}

void output_join(output *out, uint64_t piece, piece_worker *worker) {
  if (piece < output_clip_piece_count(out)) piece_join(&out->source, worker);
  if (out->format->join) out->format->join(out, piece, worker);
}

void output_release(output *out) {
  if (out->format && out->format->release) out->format->release(out);
  arena_release(&out->memory);
  *out = (output){0};
}

sinew_result output_read_back(const output *out, const void *bytes, size_t byte_count, uint64_t offset,
                              sinew_error *error) {
  enum { AT_ONCE = 1 << 14 };
  unsigned char found[AT_ONCE];
  for (size_t done = 0; done < byte_count; done += AT_ONCE) {
    const size_t count = byte_count - done < AT_ONCE ? byte_count - done : AT_ONCE;
    const bool read = os_read_all(out->file->fd, found, count, offset + done);
    SINEW_CHECK(read || errno == 0, error, SINEW_ERROR_IO, "cannot read back: %s", strerror(errno));
    SINEW_CHECK(read && memcmp(found, (const char *)bytes + done, count) == 0, error, SINEW_ERROR_VERIFY,
                "verification failed: other bytes than were written are read back from byte %llu on: not "
                "published",
                (unsigned long long)(offset + done));
  }
  return SINEW_OK;
}
