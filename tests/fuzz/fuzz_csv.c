/* Bytes as a CSV of muscles: a refusal says why; rows are finite and come at a rate; what is written of them is read back
 * as the same bytes, and poses the sample's rig. */
#include "pose_oracle.h"
#include "write/csv_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const sinew_read_options limits = {.memory_bytes = 64 << 20};
static sinew_rig *rig;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  size_t byte_count;
  char *bytes = oracle_source_file("scripts/sample/walker.fbx.meta", &byte_count);
  oracle_expect(sinew_rig_open_memory(bytes, byte_count, NULL, NULL, &rig, NULL) == SINEW_OK, "the sample's rig opens");
  free(bytes);
  return 0;
}

static void check_rows(const sinew_clip *clip) {
  const clip_rows *rows = clip->rows;
  oracle_expect(rows && rows->frame_count > 0 && clip->rate_hz >= 1e-6 && clip->rate_hz <= 1e6, "rows come at a rate");
  oracle_expect(clip->stop_s >= 0 && rows->last_s == clip->stop_s, "the clip ends with its last row");
  oracle_expect(rows->frame_count == 1 || clip->stop_s > (double)(rows->frame_count - 2) / clip->rate_hz,
                "the last row stands behind the one before it");
  for (uint64_t i = 0; i < rows->frame_count * rows->stride; i++)
    oracle_expect(isfinite(rows->values[i]), "values are finite");
}

static text_out write_rows(const sinew_clip *clip) {
  const clip_rows *rows = clip->rows;
  const char *names[SINEW_PLANE_COUNT];
  const float *columns[SINEW_PLANE_COUNT];
  for (uint32_t c = 0; c < clip->curve_count; c++) names[c] = clip->curves[c].attribute;
  text_out out = {0};
  csv_text_head(&out, names, clip->curve_count);
  for (uint64_t f = 0; f < rows->frame_count; f++) {
    for (uint32_t c = 0; c < clip->curve_count; c++) columns[c] = rows->values + f * rows->stride + c;
    csv_text_rows(&out, &(csv_facts){clip->rate_hz, clip->stop_s, rows->frame_count}, f, 1, columns, clip->curve_count);
  }
  return out;
}

static void check_again(const sinew_clip *clip) {
  text_out out = write_rows(clip);
  if (out.failed) return;
  sinew_clip_file *file;
  const sinew_result result = sinew_clip_file_open_memory(out.bytes, out.byte_count, "again.csv", NULL, &file, NULL);
  oracle_expect(result == SINEW_OK, "what is written is read");
  const sinew_clip *again = sinew_clip_file_clip(file, 0);
  const size_t value_bytes = clip->rows->frame_count * clip->rows->stride * sizeof(float);
  oracle_expect(again->rows->frame_count == clip->rows->frame_count && again->curve_count == clip->curve_count,
                "all rows and columns are there");
  oracle_expect(memcmp(again->rows->values, clip->rows->values, value_bytes) == 0, "values keep their bits");
  sinew_clip_file_close(file);
  text_out_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count) {
  sinew_clip_file *file;
  sinew_error error = {0};
  const sinew_result result = sinew_clip_file_open_memory(bytes, byte_count, "fuzz.csv", &limits, &file, &error);
  if (result != SINEW_OK) {
    oracle_refusal(result, &error, byte_count);
    return 0;
  }
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  if (!clip->body) {
    check_rows(clip);
    check_again(clip);
    oracle_poses(clip, rig, 0);
    oracle_files(clip, rig, byte_count);
  }
  sinew_clip_file_close(file);
  return 0;
}
