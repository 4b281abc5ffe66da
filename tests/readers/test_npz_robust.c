/* Each length and each byte of a small .npz, against a page that must not be touched: an error, or a skeleton
 * and rows that keep every promise. And each allocation fails. */
#include "read/motion_reader.h"
#include "readers/made_arrays.h"
#include "readers/text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void check_file(const motion_file *file) {
  const skeleton *s = file->skeleton;
  cr_assert(s->node_count >= 1 && file->motion_count == 1);
  for (uint32_t i = 0; i < s->node_count; i++) {
    double square = 0;
    for (int k = 0; k < 4; k++) square += s->nodes[i].q[k] * s->nodes[i].q[k];
    cr_assert(s->nodes[i].parent >= -1 && s->nodes[i].parent < (int32_t)i && fabs(square - 1) < 1e-9);
    for (int k = 0; k < 3; k++) cr_assert(fabs(s->nodes[i].t[k]) <= 1e9);
  }
  const motion *m = file->motions;
  cr_assert(m->frame_count >= 1 && m->rate_hz > 0 && isfinite(m->stop_s));
  for (uint64_t f = 0; f < m->frame_count; f++) {
    double square = 0;
    for (uint32_t c = 0; c < m->channel_count; c++) {
      const double value = (double)m->rows[f * m->channel_count + c];
      cr_assert(isfinite(value) && m->channels[c].node < s->node_count);
      if (m->channels[c].kind == MOTION_X_TURN) square = 0;
      if (m->channels[c].kind >= MOTION_X_TURN) square += value * value;
      if (m->channels[c].kind == MOTION_W_TURN) cr_assert(fabs(square - 1) < 1e-4);
    }
  }
}

static bool read_sound(const char *bytes, size_t length) {
  motion_file *file;
  sinew_error error = {0};
  const sinew_read_options limits = {.memory_bytes = 1 << 20};
  const sinew_result result = read_motion_memory(bytes, length, NULL, &limits, &file, &error);
  if (result == SINEW_OK) {
    check_file(file);
    motion_file_close(file);
    return true;
  }
  cr_assert_null(file);
  cr_assert(result == SINEW_ERROR_SYNTAX || result == SINEW_ERROR_UNSUPPORTED ||
                result == SINEW_ERROR_LIMIT || result == SINEW_ERROR_MEMORY,
            "code %d: %s", (int)result, error.message);
  cr_assert(error.code == result && error.message[0]);
  return false;
}

/* All arrays that there can be. */
static char *made_zip(bool deflated, size_t *count) {
  static made_arrays made;
  static const float places[2][3][3] = {{{1, 2, 3}}}, scales[3][3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  static const int32_t root = 1;
  made_arrays_open(&made);
  made_arrays_add(&made, "root_joint", "<i4", "()", &root, sizeof root);
  made_arrays_add(&made, "rest_scales", "<f4", "(3, 3)", scales, sizeof scales);
  if (deflated) made_arrays_add(&made, "local_positions", "<f4", "(2, 3, 3)", places, sizeof places);
  made.deflated = deflated;
  return made_arrays_zip(&made, count);
}

Test(npz_robust, cut) {
  for (int deflated = 0; deflated < 2; deflated++) {
    size_t length;
    char *bytes = made_zip(deflated, &length);
    guarded g = guard_bytes(bytes, length);
    cr_assert(read_sound(g.bytes, length));
    for (size_t cut = 0; cut < length; cut++) {
      guard_refill(&g, bytes, cut);
      cr_assert(!read_sound(g.bytes, cut), "cut at %zu", cut);
    }
    guard_free(&g);
    free(bytes);
  }
}

Test(npz_robust, patched) {
  static const char patches[] = {0, 1, 4, '(', '9', 0x7f, (char)0x80, (char)0xff};
  for (int deflated = 0; deflated < 2; deflated++) {
    size_t length;
    uint32_t sound = 0;
    char *bytes = made_zip(deflated, &length);
    guarded g = guard_bytes(bytes, length);
    for (size_t at = 0; at < length; at++)
      for (size_t i = 0; i < sizeof patches; i++) {
        g.bytes[at] = patches[i];
        sound += read_sound(g.bytes, length);
        g.bytes[at] = bytes[at];
      }
    cr_expect_gt(sound, 100);
    guard_free(&g);
    free(bytes);
  }
}

/* With the right sums, so that what lies behind them is reached. */
Test(npz_robust, patched_arrays) {
  static const unsigned char patches[] = {0, 1, 4, '(', '9', 0x7f, 0x80, 0xff};
  static made_arrays made;
  uint32_t sound = 0;
  made_arrays_open(&made);
  for (uint32_t a = 0; a < made.count; a++) {
    made_array *array = &made.arrays[a];
    for (size_t at = 0; at < strlen(array->header) + array->value_bytes; at++)
      for (size_t i = 1; i < sizeof patches; i++) {
        const size_t header = strlen(array->header);
        unsigned char *byte = at < header ? (unsigned char *)array->header + at : array->values + at - header;
        const unsigned char before = *byte;
        size_t length;
        *byte = patches[i];
        char *bytes = made_arrays_zip(&made, &length);
        *byte = before;
        guarded g = guard_bytes(bytes, length);
        sound += read_sound(g.bytes, length);
        guard_free(&g);
        free(bytes);
      }
  }
  cr_expect_gt(sound, 500);
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static int allocations_left;

static int permit(size_t byte_count) {
  (void)byte_count;
  return allocations_left-- > 0;
}

Test(npz_robust, each_allocation) {
  for (int deflated = 0; deflated < 2; deflated++) {
    size_t length;
    char *bytes = made_zip(deflated, &length);
    int n = 0;
    for (sinew_result result = SINEW_ERROR_MEMORY; result != SINEW_OK; n++) {
      motion_file *file;
      sinew_error error = {0};
      allocations_left = n;
      heap_permit = permit;
      result = read_motion_memory(bytes, length, NULL, NULL, &file, &error);
      heap_permit = NULL;
      cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "allocation %d: %s", n, error.message);
      cr_assert_eq(file != NULL, result == SINEW_OK);
      motion_file_close(file);
    }
    cr_expect_geq(n, 5);
    free(bytes);
  }
}
