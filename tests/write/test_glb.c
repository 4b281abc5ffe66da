/* The layout: what the head says, that every size is checked, and that the text is JSON whatever the names
 * hold. */
#include "base/arena.h"
#include "write/synthetic.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

static uint32_t word_at(const glb_layout *layout, size_t offset) {
  uint32_t word;
  memcpy(&word, layout->head + offset, sizeof word);
  return word;
}

/* Builds and parses; the caller drops the JSON and releases the layout. */
static json_t *build(const glb_plan *plan, glb_layout *layout) {
  sinew_error error = {0};
  cr_assert(glb_layout_build(plan, layout, &error) == SINEW_OK, "%s", error.message);
  json_error_t reason;
  json_t *root = json_loadb(layout->head + 20, word_at(layout, 12), JSON_REJECT_DUPLICATES, &reason);
  cr_assert(root, "%s at byte %d", reason.text, reason.position);
  return root;
}

static json_int_t number_of(const json_t *object, const char *key) {
  const json_t *member = json_object_get(object, key);
  cr_assert(json_is_integer(member), "%s is no integer", key);
  return json_integer_value(member);
}

static void expect_error(const glb_plan *plan, sinew_result code, const char *part) {
  glb_layout layout;
  sinew_error error = {0};
  cr_expect(glb_layout_build(plan, &layout, &error) == code, "expected \"%s\"", part);
  cr_expect(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
  cr_expect(layout.head == NULL);
  glb_layout_release(&layout);
}

Test(glb, head_states_the_sizes_that_the_data_will_have) {
  synthetic_clip clip;
  glb_layout layout;
  synthetic_open(&clip, 100);
  json_t *root = build(&clip.plan, &layout);
  size_t json_bytes = word_at(&layout, 12);
  cr_expect(memcmp(layout.head, "glTF", 4) == 0);
  cr_expect(word_at(&layout, 4) == 2);
  cr_expect(word_at(&layout, 8) == (uint32_t)layout.file_byte_count);
  cr_expect(memcmp(layout.head + 16, "JSON", 4) == 0);
  cr_expect(json_bytes % 4 == 0);
  cr_expect(memcmp(layout.head + 20 + json_bytes + 4, "BIN", 4) == 0);
  cr_expect(layout.head_byte_count == 28 + json_bytes);
  /* times; key time; hips and head translations; eight sampled rotations and one constant */
  uint64_t bin_bytes = 100 * 4 + 4 + 100 * 12 + 12 + 8 * 100 * 16 + 16;
  cr_expect(word_at(&layout, 20 + json_bytes) == bin_bytes);
  cr_expect(layout.file_byte_count == layout.head_byte_count + bin_bytes);
  cr_expect((uint64_t)number_of(json_array_get(json_object_get(root, "buffers"), 0), "byteLength") ==
            bin_bytes);
  cr_expect(layout.times_offset == layout.head_byte_count);
  cr_expect(layout.key_time_offset == layout.times_offset + 400);
  cr_expect(layout.track_offset[0] == layout.key_time_offset + 4);
  cr_expect(layout.track_offset[1] == layout.track_offset[0] + 1200);
  json_decref(root);
  glb_layout_release(&layout);
}

Test(glb, nodes_keep_names_order_and_mirrored_rest) {
  synthetic_clip clip;
  glb_layout layout;
  synthetic_open(&clip, 3);
  clip.nodes[5].t[0] = 0; /* -0 in glTF's frame */
  json_t *root = build(&clip.plan, &layout), *nodes = json_object_get(root, "nodes");
  cr_assert(json_array_size(nodes) == SYNTHETIC_NODES);
  for (int i = 0; i < SYNTHETIC_NODES; i++) {
    const json_t *node = json_array_get(nodes, (size_t)i);
    cr_expect_str_eq(json_string_value(json_object_get(node, "name")), clip.nodes[i].name);
    cr_expect(!json_object_get(node, "matrix"));
    const json_t *t = json_object_get(node, "translation"), *q = json_object_get(node, "rotation");
    for (size_t k = 0; k < 3; k++) {
      double expected = k == 0 ? 0 - clip.nodes[i].t[k] : clip.nodes[i].t[k];
      cr_expect(json_number_value(json_array_get(t, k)) == expected, "node %d", i);
      cr_expect(!signbit(json_number_value(json_array_get(t, k))) || expected < 0);
    }
    static const double sign[4] = {1, -1, -1, 1};
    bool turned = clip.nodes[i].q[3] != 1;
    cr_expect((q != NULL) == turned);
    for (size_t k = 0; q && k < 4; k++)
      cr_expect(json_number_value(json_array_get(q, k)) == sign[k] * clip.nodes[i].q[k], "node %d", i);
    cr_expect((json_object_get(node, "scale") != NULL) == (clip.nodes[i].s[0] != 1));
  }
  char *children = json_dumps(json_object_get(json_array_get(nodes, 4), "children"), JSON_COMPACT);
  cr_expect_str_eq(children, "[5,7,10]");
  free(children);
  json_decref(root);
  glb_layout_release(&layout);
}

Test(glb, samplers_share_the_times_and_constants_have_one_key) {
  synthetic_clip clip;
  glb_layout layout;
  synthetic_open(&clip, 40);
  json_t *root = build(&clip.plan, &layout);
  const json_t *animation = json_array_get(json_object_get(root, "animations"), 0);
  const json_t *accessors = json_object_get(root, "accessors");
  cr_expect_str_eq(json_string_value(json_object_get(animation, "name")), "made up");
  cr_assert(json_array_size(accessors) == 2 + SYNTHETIC_TRACKS);
  cr_assert(json_array_size(json_object_get(animation, "channels")) == SYNTHETIC_TRACKS);
  for (uint32_t i = 0; i < SYNTHETIC_TRACKS; i++) {
    const json_t *sampler = json_array_get(json_object_get(animation, "samplers"), i);
    const json_t *output = json_array_get(accessors, (size_t)number_of(sampler, "output"));
    const json_t *channel = json_array_get(json_object_get(animation, "channels"), i);
    cr_expect(number_of(sampler, "input") == (clip.tracks[i].constant ? 1 : 0));
    cr_expect(number_of(output, "count") == (clip.tracks[i].constant ? 1 : 40));
    cr_expect((uint64_t)number_of(output, "byteOffset") + layout.head_byte_count == layout.track_offset[i]);
    cr_expect(number_of(json_object_get(channel, "target"), "node") == clip.tracks[i].node);
  }
  double most = json_number_value(json_array_get(json_object_get(json_array_get(accessors, 0), "max"), 0));
  cr_expect(most == (double)glb_frame_time(&clip.plan, 39));
  json_decref(root);
  glb_layout_release(&layout);
}

Test(glb, without_tracks_there_is_neither_animation_nor_buffer) {
  synthetic_clip clip;
  glb_layout layout;
  synthetic_open(&clip, 5);
  clip.plan.track_count = 0;
  json_t *root = build(&clip.plan, &layout);
  static const char *const absent[] = {"animations", "accessors", "bufferViews", "buffers"};
  for (size_t i = 0; i < 4; i++) cr_expect(!json_object_get(root, absent[i]), "%s", absent[i]);
  cr_expect(layout.file_byte_count == layout.head_byte_count);
  json_decref(root);
  glb_layout_release(&layout);
}

Test(glb, names_are_escaped_and_repaired) {
  static const struct {
    const char *name, *expected;
  } names[] = {
      {"say \"hi\"\\", "say \"hi\"\\"},
      {"tab\tnew\nline\x01\x7f", "tab\tnew\nline\x01\x7f"},
      {"\xe8\x85\x95.\xf0\x9f\xa6\xb4", "\xe8\x85\x95.\xf0\x9f\xa6\xb4"},
      {"bad\xff\xc0\xafz", "bad\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz"},
      {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* a surrogate */
      {"cut\xf0\x9f\xa6", "cut\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"", ""},
      {NULL, ""},
  };
  enum { COUNT = sizeof names / sizeof *names };
  synthetic_clip clip;
  glb_layout layout;
  synthetic_open(&clip, 2);
  for (int i = 0; i < COUNT; i++) clip.nodes[i].name = names[i].name;
  clip.plan.clip_name = names[1].name;
  clip.plan.source_name = names[3].name;
  json_t *root = build(&clip.plan, &layout), *nodes = json_object_get(root, "nodes");
  for (size_t i = 0; i < COUNT; i++) {
    const char *found = json_string_value(json_object_get(json_array_get(nodes, i), "name"));
    cr_expect_str_eq(found ? found : "", names[i].expected);
  }
  const json_t *extras = json_object_get(json_object_get(root, "asset"), "extras");
  cr_expect_str_eq(json_string_value(json_object_get(extras, "source")), names[3].expected);
  cr_expect_str_eq(json_string_value(json_object_get(extras, "sinew")), SINEW_VERSION);
  cr_expect_str_eq(json_string_value(json_object_get(extras, "profile")), "fma");
  cr_expect(json_number_value(json_object_get(extras, "rate")) == 30);
  json_decref(root);
  glb_layout_release(&layout);
}

Test(glb, the_same_plan_gives_the_same_bytes) {
  synthetic_clip clip;
  glb_layout one, two;
  synthetic_open(&clip, 77);
  json_decref(build(&clip.plan, &one));
  json_decref(build(&clip.plan, &two));
  cr_expect(one.head_byte_count == two.head_byte_count);
  cr_expect(memcmp(one.head, two.head, one.head_byte_count) == 0);
  glb_layout_release(&one);
  glb_layout_release(&two);
}

/* ---- times -------------------------------------------------------------------------------------------- */

Test(glb, times_start_at_zero_and_end_at_the_stop) {
  synthetic_clip clip;
  synthetic_open(&clip, 11);
  clip.plan.stop_s = clip.plan.start_s + 0.31; /* the last step is shorter than the others */
  cr_expect(glb_frame_time(&clip.plan, 0) == 0);
  cr_expect(glb_frame_time(&clip.plan, 7) == (float)(7 / 30.0));
  cr_expect(glb_frame_time(&clip.plan, 10) == (float)(clip.plan.stop_s - clip.plan.start_s));
  clip.plan.frame_count = 1;
  cr_expect(glb_frame_time(&clip.plan, 0) == 0);
}

Test(glb, times_that_float32_cannot_tell_apart_are_refused) {
  synthetic_clip clip;
  synthetic_open(&clip, 2);
  clip.plan.track_count = 1;
  clip.plan.start_s = 0;
  clip.plan.rate_hz = 1000;
  clip.plan.frame_count = 20000000; /* 20,000 s: floats lie 2 ms apart from 16,384 s on */
  clip.plan.stop_s = 19999.999;
  expect_error(&clip.plan, SINEW_ERROR_LIMIT, "would not ascend in time");
  clip.plan.stop_s = 20001; /* the last frame alone stands well apart */
  expect_error(&clip.plan, SINEW_ERROR_LIMIT, "would not ascend in time");
  /* at 16,384 s and below they lie 1 ms apart */
  glb_layout layout;
  sinew_error error = {0};
  clip.plan.frame_count = 8000001;
  clip.plan.stop_s = 8000;
  cr_expect(glb_layout_build(&clip.plan, &layout, &error) == SINEW_OK, "%s", error.message);
  glb_layout_release(&layout);
  /* exactly one float per frame up to 2^24, then no more */
  clip.plan.rate_hz = 1;
  clip.plan.frame_count = (1 << 24) + 1;
  clip.plan.stop_s = 1 << 24;
  cr_expect(glb_layout_build(&clip.plan, &layout, &error) == SINEW_OK, "%s", error.message);
  glb_layout_release(&layout);
  clip.plan.frame_count++;
  clip.plan.stop_s++;
  expect_error(&clip.plan, SINEW_ERROR_LIMIT, "frames 16777216 and 16777217");
  /* a last frame at or before the one before it */
  clip.plan.rate_hz = 30;
  clip.plan.frame_count = 31;
  clip.plan.stop_s = 29.0 / 30;
  expect_error(&clip.plan, SINEW_ERROR_LIMIT, "frames 29 and 30");
}

/* ---- limits ------------------------------------------------------------------------------------------- */

Test(glb, files_past_4_gib_are_refused_with_the_number) {
  synthetic_clip clip;
  glb_layout layout;
  sinew_error error = {0};
  synthetic_open(&clip, 2);
  clip.plan.start_s = 0;
  clip.plan.track_count = 2; /* 4 + 12 + 16 bytes per frame */
  clip.plan.rate_hz = 1024;
  clip.plan.frame_count = (uint64_t)1 << 27; /* 4 GiB of data exactly */
  clip.plan.stop_s = (double)(clip.plan.frame_count - 1) / clip.plan.rate_hz;
  expect_error(&clip.plan, SINEW_ERROR_LIMIT,
               "the file would have 4294967296 bytes, a GLB holds at most 4294967295");
  clip.plan.frame_count = UINT64_MAX / 4;
  expect_error(&clip.plan, SINEW_ERROR_LIMIT, "more than 18446744073709551615 bytes");
  /* the largest that fits: enough constant tracks' worth of room is left for the head alone */
  clip.plan.rate_hz = 1;
  clip.plan.frame_count = (1 << 24) + 1;
  clip.plan.stop_s = 1 << 24;
  cr_expect(glb_layout_build(&clip.plan, &layout, &error) == SINEW_OK, "%s", error.message);
  cr_expect(layout.file_byte_count == layout.head_byte_count + 32 * (uint64_t)clip.plan.frame_count);
  glb_layout_release(&layout);
}

Test(glb, the_head_counts_towards_the_limit) {
  enum { NODES = 4096, TRACKS = 17 };
  static rig_node nodes[NODES];
  static glb_track tracks[TRACKS];
  for (int i = 0; i < NODES; i++) nodes[i] = (rig_node){"n", -1, {0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
  for (uint32_t i = 0; i < TRACKS; i++) tracks[i] = (glb_track){i, GLB_ROTATION, false};
  glb_plan plan = {
      .nodes = nodes, .node_count = NODES, .rate_hz = 0.25, .tracks = tracks, .track_count = TRACKS};
  const uint64_t frame_bytes = 4 + 16 * TRACKS; /* 276: 15,561,475 frames are 4,294,967,100 bytes */
  plan.frame_count = UINT32_MAX / frame_bytes;
  plan.stop_s = (double)(plan.frame_count - 1) * 4;
  glb_layout layout;
  sinew_error error = {0};
  cr_assert(glb_layout_build(&plan, &layout, &error) == SINEW_ERROR_LIMIT);
  cr_expect(strstr(error.message, "the file would have 4295"), "%s", error.message);
}

Test(glb, plans_that_make_no_sense_are_refused) {
  synthetic_clip clip;
  synthetic_open(&clip, 4);
  glb_plan plan = clip.plan;
  plan.frame_count = 0;
  expect_error(&plan, SINEW_ERROR_ARGUMENT, "no frames");
  plan = clip.plan;
  plan.rate_hz = 0;
  expect_error(&plan, SINEW_ERROR_ARGUMENT, "rate is 0");
  plan.rate_hz = NAN;
  expect_error(&plan, SINEW_ERROR_ARGUMENT, "rate is");
  plan = clip.plan;
  plan.stop_s = plan.start_s - 1;
  expect_error(&plan, SINEW_ERROR_ARGUMENT, "runs from");
  plan.stop_s = 1e39;
  expect_error(&plan, SINEW_ERROR_LIMIT, "past float32");
  plan = clip.plan;
  plan.node_count = 0;
  expect_error(&plan, SINEW_ERROR_ARGUMENT, "no nodes");
  plan.node_count = SYNTHETIC_NODES;
  clip.tracks[3].node = SYNTHETIC_NODES;
  expect_error(&plan, SINEW_ERROR_ARGUMENT, "the rig has 16");
  clip.tracks[3] = clip.tracks[2];
  expect_error(&plan, SINEW_ERROR_ARGUMENT, "a second time");
  clip.tracks[3].path = (glb_path)7;
  expect_error(&plan, SINEW_ERROR_ARGUMENT, "unknown path 7");
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static int allocations_left;
static int permit(size_t byte_count) {
  (void)byte_count;
  return allocations_left-- > 0;
}

Test(glb, running_out_of_memory_is_an_error_at_every_step) {
  synthetic_clip clip;
  synthetic_open(&clip, 4);
  glb_layout layout;
  heap_permit = permit;
  int steps = 0;
  sinew_result result = SINEW_ERROR_MEMORY;
  for (; result != SINEW_OK; steps++) {
    sinew_error error = {0};
    allocations_left = steps;
    result = glb_layout_build(&clip.plan, &layout, &error);
    cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%s", error.message);
    cr_assert(steps < 100);
  }
  heap_permit = NULL;
  cr_expect(steps > 3);
  glb_layout_release(&layout);
}
