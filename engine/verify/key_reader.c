#include "verify/key_reader.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* ---- keys --------------------------------------------------------------------------------------------- */

static void place_value(const key_planes *planes, uint32_t frame, const double value[4]) {
  for (uint32_t i = 0; i < 4; i++) planes->values[i * planes->stride + frame] = value[i];
}

/* The format's rule for a normalised int16. */
static double from_short(int16_t value) {
  return fmax(value / 32767.0, -1);
}

/* `bytes` are a key as it lies in the file. */
static sinew_result decode_value(const document_channel *channel, uint64_t key, const void *bytes,
                                 double out[4], sinew_error *error) {
  float floats[4];
  int16_t shorts[4];
  memcpy(channel->values.shorts ? (void *)shorts : floats, bytes, channel->values.key_bytes);
  out[3] = 0;
  for (uint32_t i = 0; i < channel->values.component_count; i++) {
    out[i] = channel->values.shorts ? from_short(shorts[i]) : (double)floats[i];
    SINEW_CHECK(isfinite(out[i]), error, SINEW_ERROR_VERIFY,
                "accessor %u: key %llu holds a number that is not finite", channel->values.accessor,
                (unsigned long long)key);
  }
  SINEW_CHECK(channel->path != KEYS_ROTATION || rotation_is_unit(out), error, SINEW_ERROR_VERIFY,
              "accessor %u: key %llu is a rotation that is not of unit length", channel->values.accessor,
              (unsigned long long)key);
  return SINEW_OK;
}

sinew_result key_read(const verify_file *file, const document_channel *channel, uint64_t key, double out[4],
                      sinew_error *error) {
  unsigned char bytes[4 * sizeof(float)];
  const document_keys *values = &channel->values;
  SINEW_TRY(
      document_read_bytes(file, bytes, values->key_bytes, values->offset + key * values->key_bytes, error));
  return decode_value(channel, key, bytes, out, error);
}

static sinew_result read_time(const verify_file *file, const document_keys *times, uint64_t key,
                              double *time_s, sinew_error *error) {
  float stored;
  *time_s = 0;
  SINEW_TRY(document_read_bytes(file, &stored, sizeof stored, times->offset + key * sizeof stored, error));
  SINEW_CHECK(isfinite(stored), error, SINEW_ERROR_VERIFY, "accessor %u: time %llu is not finite",
              times->accessor, (unsigned long long)key);
  *time_s = (double)stored;
  return SINEW_OK;
}

static sinew_result not_ascending(const document_keys *times, uint64_t key, sinew_error *error) {
  return error_set(error, SINEW_ERROR_VERIFY, "accessor %u: time %llu does not come after the one before",
                   times->accessor, (unsigned long long)key);
}

sinew_result keys_read_clock(const verify_file *file, uint64_t first, uint32_t count, float *times,
                             sinew_error *error) {
  const document_keys *clock = &file->clock;
  double before = -1;
  if (first) SINEW_TRY(read_time(file, clock, first - 1, &before, error));
  SINEW_TRY(
      document_read_bytes(file, times, count * sizeof *times, clock->offset + first * sizeof *times, error));
  for (uint32_t i = 0; i < count; i++) {
    if (!(isfinite(times[i]) && (double)times[i] > before)) return not_ascending(clock, first + i, error);
    before = (double)times[i];
  }
  return SINEW_OK;
}

/* ---- sampling ----------------------------------------------------------------------------------------- */

static void interpolate_line(const double a[4], const double b[4], double share, double out[4]) {
  for (int i = 0; i < 4; i++) out[i] = a[i] + (b[i] - a[i]) * share;
}

static void interpolate_rotation(const double a[4], const double b[4], double share, double out[4]) {
  double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  double sign = dot < 0 ? -1 : 1;
  double angle = acos(fmin(dot * sign, 1)), sine = sin(angle);
  double from = sine > 1e-9 ? sin((1 - share) * angle) / sine : 1 - share;
  double to = sine > 1e-9 ? sin(share * angle) / sine : share;
  for (int i = 0; i < 4; i++) out[i] = a[i] * from + b[i] * to * sign;
}

/* The last key at or before time_s, which lies after the first key's time and before the last's. */
static sinew_result find_key(const verify_file *file, const document_keys *times, double time_s,
                             uint64_t *key, sinew_error *error) {
  uint64_t low = 0, high = times->count - 1;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    double middle_s;
    SINEW_TRY(read_time(file, times, middle, &middle_s, error));
    if (middle_s <= time_s)
      low = middle;
    else
      high = middle;
  }
  *key = low;
  return SINEW_OK;
}

/* A channel with times of its own, one frame at a time. */
static sinew_result sample_between(const verify_file *file, const document_channel *channel, double time_s,
                                   double out[4], sinew_error *error) {
  const document_keys *times = &channel->times;
  double first_s, last_s, from_s, to_s, from[4], to[4];
  SINEW_TRY(read_time(file, times, 0, &first_s, error));
  SINEW_TRY(read_time(file, times, times->count - 1, &last_s, error));
  if (time_s <= first_s) return key_read(file, channel, 0, out, error);
  if (time_s >= last_s) return key_read(file, channel, times->count - 1, out, error);
  uint64_t key;
  SINEW_TRY(find_key(file, times, time_s, &key, error));
  SINEW_TRY(read_time(file, times, key, &from_s, error));
  SINEW_TRY(read_time(file, times, key + 1, &to_s, error));
  if (!(from_s < to_s)) return not_ascending(times, key + 1, error);
  SINEW_TRY(key_read(file, channel, key, from, error));
  SINEW_TRY(key_read(file, channel, key + 1, to, error));
  double share = channel->step ? 0 : (time_s - from_s) / (to_s - from_s);
  if (channel->path == KEYS_ROTATION)
    interpolate_rotation(from, to, share, out);
  else
    interpolate_line(from, to, share, out);
  return SINEW_OK;
}

bool keys_follow_clock(const verify_file *file, const document_channel *channel) {
  return channel->times.offset == file->clock.offset && channel->times.count == file->clock.count;
}

sinew_result keys_decode(const document_channel *channel, uint64_t first, uint32_t count,
                         const unsigned char *bytes, const key_planes *planes, sinew_error *error) {
  for (uint32_t i = 0; i < count; i++) {
    double value[4];
    SINEW_TRY(decode_value(channel, first + i, bytes + (size_t)i * channel->values.key_bytes, value, error));
    place_value(planes, i, value);
  }
  return SINEW_OK;
}

sinew_result keys_read_bytes(const verify_file *file, const document_channel *channel, uint64_t first,
                             uint32_t count, unsigned char *bytes, sinew_error *error) {
  size_t key_bytes = channel->values.key_bytes;
  return document_read_bytes(file, bytes, count * key_bytes, channel->values.offset + first * key_bytes,
                             error);
}

sinew_result keys_sample(const verify_file *file, const document_channel *channel, const float *times,
                         uint32_t count, const key_planes *planes, sinew_error *error) {
  double value[4];
  if (channel->times.count == 1) {
    SINEW_TRY(key_read(file, channel, 0, value, error));
    for (uint32_t i = 0; i < count; i++) place_value(planes, i, value);
    return SINEW_OK;
  }
  for (uint32_t i = 0; i < count; i++) {
    SINEW_TRY(sample_between(file, channel, (double)times[i], value, error));
    place_value(planes, i, value);
  }
  return SINEW_OK;
}
