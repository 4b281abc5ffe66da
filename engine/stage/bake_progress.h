/* What the caller of a bake hears of its progress, and how it stops one. */
#ifndef SINEW_STAGE_BAKE_PROGRESS_H
#define SINEW_STAGE_BAKE_PROGRESS_H

#include "base/error.h"

/* frames: how many of the current pass are done. Where a file is verified, computing and verifying are half
 * of the work each. CANCELLED where the caller wants no more. */
static inline sinew_result bake_progress(const sinew_bake_options *options, bool verifying, uint64_t frames,
                                         uint64_t frame_count, sinew_error *error) {
  if (!options || !options->progress) return SINEW_OK;
  uint64_t done = options->no_verify ? frames
                  : verifying        ? frame_count - (frame_count - frames) / 2
                                     : frames / 2;
  if (options->progress(options->user, done, frame_count)) return SINEW_OK;
  return error_set(error, SINEW_ERROR_CANCELLED, "stopped after %llu of %llu frames",
                   (unsigned long long)done, (unsigned long long)frame_count);
}

#endif
