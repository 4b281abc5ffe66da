/* Each length and each byte of a small BVH, against a page that must not be touched: an error that says
 * where, or a skeleton and rows that keep every promise. And each allocation fails. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "read/motion_reader.h"
#include "readers/made_bvh.h"
#include "readers/text.h"

static void check_nodes(const motion_file *file) {
  const skeleton *s = file->skeleton;
  cr_assert(s->node_count >= 1 && s->nodes[0].parent == -1);
  for (uint32_t i = 0; i < s->node_count; i++) {
    const skeleton_node *node = &s->nodes[i];
    cr_assert(node->parent >= -1 && node->parent < (int32_t)i);
    for (int axis = 0; axis < 3; axis++) cr_assert(fabs(node->t[axis]) <= 1e9);
    for (size_t at = 0, length = strlen(node->name); at < length;) {
      const size_t step = utf8_sequence((const unsigned char *)node->name + at, length - at);
      cr_assert(step > 0);
      at += step;
    }
  }
  for (uint32_t c = 0; c < file->channel_count; c++)
    cr_assert(file->channels[c].node < s->node_count && file->channels[c].kind <= MOTION_Z_ROTATION);
  for (uint32_t i = 0; i < s->warning_count; i++) cr_assert(s->warnings[i][0]);
}

static void check_motion(const motion *m) {
  cr_assert(isfinite(m->rate_hz) && m->rate_hz >= 1e-6 && m->rate_hz <= 1e6 + 1);
  cr_assert(m->start_s == 0 && isfinite(m->stop_s) && m->stop_s >= 0 && m->track_count == 0);
  for (uint64_t i = 0; i < m->frame_count * m->channel_count; i++) cr_assert(isfinite(m->rows[i]));
}

/* Frames read, -1 when refused. */
static long read_frames(const char *bytes, size_t length) {
  motion_file *file;
  sinew_error error = {0};
  const sinew_result result = read_motion_memory(bytes, length, NULL, NULL, &file, &error);
  if (result != SINEW_OK) {
    cr_assert_null(file);
    cr_assert(result == SINEW_ERROR_SYNTAX || result == SINEW_ERROR_UNSUPPORTED ||
                  result == SINEW_ERROR_LIMIT,
              "code %d: %s", result, error.message);
    cr_assert(error.code == result && error.message[0] && error.has_place && error.byte <= length);
    cr_assert(error.line >= 1 && error.column >= 1);
    return -1;
  }
  check_nodes(file);
  long frames = 0;
  if (file->motion_count) {
    check_motion(file->motions);
    frames = (long)file->motions->frame_count;
  }
  /* a row that is missing is spoken of */
  if (file->motion_count && frames != 3) cr_assert_gt(file->skeleton->warning_count, 0u);
  motion_file_close(file);
  return frames;
}

static void cut_everywhere(const char *bytes, size_t length) {
  guarded g = guard_bytes(bytes, length);
  cr_assert_eq(read_frames(g.bytes, length), 3);
  long sound = 0;
  for (size_t cut = 0; cut < length; cut++) {
    guard_refill(&g, bytes, cut);
    sound += read_frames(g.bytes, cut) >= 0;
  }
  cr_expect_gt(sound, 0);
  guard_free(&g);
}

Test(bvh_robust, cut) {
  cut_everywhere(made_bvh_base, sizeof made_bvh_base - 1);
  text t = text_crlf(made_bvh_base);
  cut_everywhere(t.bytes, t.length);
  text_free(&t);
}

Test(bvh_robust, patched) {
  static const char patches[] = {0,   1,   0x20, '\n', '\r', '{',        '}',        '-',       '.',
                                 'e', '9', ':',  'x',  0x7f, (char)0x80, (char)0xc3, (char)0xff};
  const size_t length = sizeof made_bvh_base - 1;
  guarded g = guard_bytes(made_bvh_base, length);
  long sound = 0;
  for (size_t at = 0; at < length; at++)
    for (size_t i = 0; i < sizeof patches; i++) {
      g.bytes[at] = patches[i];
      sound += read_frames(g.bytes, length) >= 0;
      g.bytes[at] = made_bvh_base[at];
    }
  cr_expect_gt(sound, 300);
  guard_free(&g);
}

/* Every byte left out, and every one twice. */
Test(bvh_robust, bytes_gone_and_doubled) {
  const size_t length = sizeof made_bvh_base - 1;
  char *changed = malloc(length + 1);
  guarded g = guard_bytes(made_bvh_base, length + 1);
  for (size_t at = 0; at < length; at++) {
    memcpy(changed, made_bvh_base, at);
    memcpy(changed + at, made_bvh_base + at + 1, length - at - 1);
    guard_refill(&g, changed, length - 1);
    read_frames(g.bytes, length - 1);
    memcpy(changed + at + 1, made_bvh_base + at, length - at);
    changed[at] = made_bvh_base[at];
    guard_refill(&g, changed, length + 1);
    read_frames(g.bytes, length + 1);
  }
  guard_free(&g);
  free(changed);
}

/* ---- depth and size ----------------------------------------------------------------------------------- */

Test(bvh_robust, depth_takes_no_stack) {
  text t = {0};
  text_add(&t, "HIERARCHY\nROOT j {");
  for (int i = 0; i < 200000; i++) text_add(&t, "JOINT j{");
  for (int i = 0; i < 200001; i++) text_add(&t, "}");
  const sinew_read_options limits = {.depth = 1 << 30, .nodes = 1 << 30};
  motion_file *file;
  sinew_error error = {0};
  cr_assert_eq(read_motion_memory(t.bytes, t.length, NULL, &limits, &file, &error), SINEW_OK, "%s",
               error.message);
  cr_expect_eq(file->skeleton->node_count, 200001u);
  motion_file_close(file);
  cr_expect_eq(read_motion_memory(t.bytes, t.length, NULL, NULL, &file, &error), SINEW_ERROR_LIMIT);
  cr_expect(strstr(error.message, "256 joints deep"), "%s", error.message);
  text_free(&t);
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static int allocations_left;
static bool fails_on;

static int permit(size_t byte_count) {
  (void)byte_count;
  if (allocations_left > 0) {
    allocations_left--;
    return 1;
  }
  if (!fails_on) allocations_left = 1 << 30;
  return 0;
}

static sinew_result read_once(const text *t, sinew_error *error) {
  motion_file *file;
  const sinew_result result = read_motion_memory(t->bytes, t->length, NULL, NULL, &file, error);
  cr_assert_eq(file != NULL, result == SINEW_OK);
  motion_file_close(file);
  return result;
}

static sinew_result inspect_once(const text *t, sinew_error *error) {
  sinew_bvh *bvh;
  const sinew_result result = sinew_bvh_open_memory(t->bytes, t->length, NULL, NULL, &bvh, error);
  cr_assert_eq(bvh != NULL, result == SINEW_OK);
  sinew_bvh_close(bvh);
  return result;
}

static int fail_each(const text *t, sinew_result (*read)(const text *, sinew_error *)) {
  for (int n = 0;; n++) {
    cr_assert_lt(n, 1000);
    sinew_error error = {0};
    allocations_left = n;
    heap_permit = permit;
    const sinew_result result = read(t, &error);
    heap_permit = NULL;
    if (result == SINEW_OK) return n;
    cr_assert_eq(result, SINEW_ERROR_MEMORY, "allocation %d: %s", n, error.message);
    cr_assert(error.code == result && error.message[0]);
    cr_assert_eq(read(t, &error), SINEW_OK);
  }
}

Test(bvh_robust, each_allocation) {
  text t = {0};
  text_add(&t, "HIERARCHY\nROOT j {");
  for (int i = 0; i < 1500; i++) text_add(&t, "JOINT j\xff%d{CHANNELS 2 Xrotation Zposition }", i);
  text_add(&t, "}\nMOTION\nFrames: 9\n");
  for (int f = 0; f < 20; f++) {
    for (int i = 0; i < 3000; i++) text_add(&t, "%d ", i % 10);
    text_add(&t, "\n");
  }
  for (int on = 0; on < 2; on++) {
    fails_on = on;
    cr_expect_geq(fail_each(&t, read_once), 6);
    cr_expect_geq(fail_each(&t, inspect_once), 8);
  }
  text_free(&t);
}
