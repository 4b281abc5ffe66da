/* Bytes as an .npz: a refusal says why; a skeleton stands in order, its rows hold numbers and unit
 * quaternions; what moves is posed. Sums (CRC-32) are made right before the bytes are read: no fuzzer finds
 * them. */
#include "pose_oracle.h"
#include "read/motion_reader.h"
#include "read/zip_archive.h"

#include <libdeflate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const sinew_read_options options = {.memory_bytes = 64 << 20};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count);

static uint32_t number(const uint8_t *p, int count) {
  uint32_t value = 0;
  for (int i = count; i-- > 0;) value = value << 8 | p[i];
  return value;
}

/* Of the stored members, as their records in the directory have them. */
static void mend_sums(uint8_t *bytes, size_t count) {
  for (size_t at = 0; at + 46 <= count; at++) {
    uint8_t *record = bytes + at;
    if (memcmp(record, "PK\1\2", 4) != 0 || number(record + 10, 2) != 0) continue;
    const uint64_t size = number(record + 20, 4), local = number(record + 42, 4);
    if (local + 30 > count) continue;
    const uint64_t data = local + 30 + number(bytes + local + 26, 2) + number(bytes + local + 28, 2);
    if (data > count || size > count - data) continue;
    const uint32_t crc = libdeflate_crc32(0, bytes + data, size);
    memcpy(record + 16, &crc, sizeof crc);
  }
}

static void check_rows(const motion_file *file) {
  const motion *m = file->motions;
  oracle_expect(file->motion_count == 1 && m->frame_count >= 1 && m->rate_hz > 0 && isfinite(m->stop_s),
                "frames have a rate");
  for (uint64_t f = 0; f < m->frame_count; f++) {
    double square = 0;
    for (uint32_t c = 0; c < m->channel_count; c++) {
      const double value = (double)m->rows[f * m->channel_count + c];
      oracle_expect(isfinite(value) && m->channels[c].node < file->skeleton->node_count, "values are finite");
      if (m->channels[c].kind == MOTION_X_TURN) square = 0;
      if (m->channels[c].kind >= MOTION_X_TURN) square += value * value;
      if (m->channels[c].kind == MOTION_W_TURN) oracle_expect(fabs(square - 1) < 1e-4, "turns are unit");
    }
  }
}

static void check_nodes(const skeleton *s) {
  for (uint32_t i = 0; i < s->node_count; i++) {
    oracle_expect(s->nodes[i].parent >= -1 && s->nodes[i].parent < (int32_t)i,
                  "parents stand before children");
    for (int k = 0; k < 3; k++) oracle_expect(fabs(s->nodes[i].t[k]) <= 1e9, "offsets are near");
  }
}

static void read_bytes(const uint8_t *bytes, size_t byte_count) {
  motion_file *file;
  sinew_error error = {0};
  const read_source source = {(const char *)bytes, byte_count, read_limits_complete(&options)};
  if (!is_npz(&source)) return;
  const sinew_result result = read_motion_memory(bytes, byte_count, "fuzz.npz", &options, &file, &error);
  if (result != SINEW_OK) {
    oracle_refusal(result, &error, byte_count);
    return;
  }
  check_nodes(file->skeleton);
  check_rows(file);
  oracle_map(file);
  motion_file_close(file);
  oracle_bones(bytes, byte_count, "fuzz.npz");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t byte_count) {
  uint8_t *mended = malloc(byte_count ? byte_count : 1);
  if (!mended) return 0;
  memcpy(mended, bytes, byte_count);
  mend_sums(mended, byte_count);
  read_bytes(mended, byte_count);
  free(mended);
  return 0;
}
