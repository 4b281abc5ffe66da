/* A humanoid clip as Unity's text: what is written is read back, by the engine's reader and by libyaml, and
 * is laid out as an editor's file. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/clip.h"
#include "clip/frame_times.h"
#include "clip/segments.h"
#include "rig/yaml_tree.h"
#include "support/data.h"
#include "write/anim_text.h"

enum { MOST_FRAMES = 400 };

static const sinew_clip_settings settings = {.orientation_offset_y_deg = -12.5,
                                             .level = 0.25,
                                             .cycle_offset = 0.125,
                                             .loop_time = true,
                                             .loop_blend_orientation = true,
                                             .keep_original_position_y = true,
                                             .height_from_feet = true};

static anim_facts facts_of(uint64_t frame_count, double rate_hz) {
  return (anim_facts){.name = "Walk",
                      .rate_hz = rate_hz,
                      .length_s = (double)(frame_count - 1) / rate_hz,
                      .frame_count = frame_count,
                      .settings = settings};
}

static float value_at(int channel, double time_s) {
  return (float)(0.7 * sin(time_s * 3 + channel) + 0.01 * channel);
}

static double frame_time(const anim_facts *facts, uint64_t frame) {
  return frame_times_at(0, facts->length_s, facts->rate_hz, frame, facts->frame_count);
}

/* Keys in pieces of `piece` frames. */
static void put_curve(text_out *out, const anim_facts *facts, const float *values, uint64_t piece,
                      const char *attribute) {
  anim_times times;
  anim_text_curve_begin(out);
  for (uint64_t first = 0; first < facts->frame_count; first += piece) {
    const uint64_t left = facts->frame_count - first, count = left < piece ? left : piece;
    cr_assert(anim_times_make(&times, facts, first, count));
    anim_text_keys(out, &times, first, count, values + first, first > 0, count < left);
    anim_times_release(&times);
  }
  anim_text_curve_end(out, attribute);
}

static text_out write_clip(const anim_facts *facts, uint64_t piece) {
  static float values[MOST_FRAMES];
  text_out out = {0};
  cr_assert_eq(anim_facts_check(facts, NULL), SINEW_OK);
  anim_text_head(&out, facts);
  for (int channel = CLIP_CHANNEL_ROOT; channel < CLIP_CHANNEL_TDOF; channel++) {
    for (uint64_t f = 0; f < facts->frame_count; f++) values[f] = value_at(channel, frame_time(facts, f));
    put_curve(&out, facts, values, piece, clip_channel_name(channel));
  }
  anim_text_tail(&out, facts);
  cr_assert(!out.failed);
  return out;
}

static sinew_clip_file *read_back(const text_out *out) {
  sinew_clip_file *file;
  sinew_error error = {0};
  cr_assert_eq(sinew_clip_file_open_memory(out->bytes, out->byte_count, "a", NULL, &file, &error), SINEW_OK,
               "line %u: %s", error.line, error.message);
  return file;
}

/* ---- what is read back -------------------------------------------------------------------------------- */

static void check_curve(const sinew_clip *clip, const clip_curve *curve, const anim_facts *facts) {
  cr_assert_eq(curve->key_count, facts->frame_count);
  for (uint64_t k = 0; k < curve->key_count; k++) {
    const uint64_t at = curve->first_key + k;
    const float time = anim_key_time(facts, k);
    cr_assert_eq(clip->time_s[at], time);
    cr_assert_eq(clip->value[at], value_at(curve->channel, frame_time(facts, k)));
    cr_assert_eq(clip->in_slope[at], clip->out_slope[at]);
    cr_assert_eq(clip->weighted_mode[at], 0);
    if (k == 0 || k + 1 == curve->key_count) continue;
    const double slope = 3 * 0.7 * cos((double)time * 3 + curve->channel);
    cr_assert_float_eq((double)clip->out_slope[at], slope, 0.7 * 27 / (facts->rate_hz * facts->rate_hz));
  }
}

static void check_clip(const anim_facts *facts) {
  text_out out = write_clip(facts, 64);
  sinew_clip_file *file = read_back(&out);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  cr_assert_eq(clip->curve_count, 130);
  cr_assert_str_eq(clip->name, facts->name);
  cr_assert_eq((float)clip->rate_hz, (float)facts->rate_hz);
  cr_assert_eq(clip->start_s, 0);
  cr_assert_eq((float)clip->stop_s, anim_key_time(facts, facts->frame_count - 1));
  sinew_clip_settings expected = facts->settings;
  expected.stop_time_s = clip->stop_s;
  cr_assert_eq(clip->settings.level, expected.level);
  cr_assert_eq(clip->settings.cycle_offset, expected.cycle_offset);
  cr_assert_eq(clip->settings.orientation_offset_y_deg, expected.orientation_offset_y_deg);
  cr_assert_eq(memcmp(&clip->settings.loop_time, &expected.loop_time,
                      sizeof expected - offsetof(sinew_clip_settings, loop_time)),
               0);
  for (uint32_t i = 0; i < clip->curve_count; i++) {
    cr_assert_eq(clip->curves[i].channel, CLIP_CHANNEL_ROOT + (int)i);
    check_curve(clip, &clip->curves[i], facts);
  }
  sinew_clip_file_close(file);
  text_out_release(&out);
}

Test(anim_text, is_read_back) {
  static const double rates[] = {24, 29.97, 30, 60, 120};
  static const uint64_t counts[] = {1, 2, 3, 64, 65, 130, 400};
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      const anim_facts facts = facts_of(counts[c], rates[r]);
      check_clip(&facts);
    }
}

/* The last frame stands where the clip ends, not on the grid. */
Test(anim_text, short_last_step) {
  for (int tenth = 1; tenth < 10; tenth++) {
    anim_facts facts = facts_of(100, 30);
    facts.length_s = 98 / 30.0 + tenth / 300.0;
    check_clip(&facts);
  }
}

/* Minutes into a clip the curve still has the frames' values at the frames' own times, bit for bit. */
static void check_frames(double rate_hz) {
  enum { LONG = 36000 };
  const anim_facts facts = facts_of(LONG, rate_hz);
  float *values = malloc(LONG * sizeof *values);
  for (uint64_t f = 0; f < LONG; f++) values[f] = value_at(3, frame_time(&facts, f));
  text_out out = {0};
  anim_text_head(&out, &facts);
  put_curve(&out, &facts, values, 1000, "Jaw Close");
  anim_text_tail(&out, &facts);
  sinew_clip_file *file = read_back(&out);
  bool wanted[SINEW_PLANE_COUNT];
  memset(wanted, true, sizeof wanted);
  clip_segments segments;
  cr_assert_eq(clip_segments_build(sinew_clip_file_clip(file, 0), wanted, &segments, NULL), SINEW_OK);
  static _Alignas(64) float planes[SINEW_PLANE_COUNT * SINEW_BLOCK];
  const float *jaw = planes + SINEW_BLOCK * clip_plane_of_channel(clip_channel_find("Jaw Close", 9));
  uint64_t changed = 0;
  for (uint64_t first = 0; first + SINEW_BLOCK <= LONG; first += SINEW_BLOCK) {
    double time_s[SINEW_BLOCK];
    for (uint64_t f = 0; f < SINEW_BLOCK; f++) time_s[f] = frame_time(&facts, first + f);
    sinew_kernels_select(NULL)->sample(segments.curves, segments.curve_count, time_s, planes);
    for (uint64_t f = 0; f < SINEW_BLOCK; f++) changed += jaw[f] != values[first + f];
  }
  cr_assert_eq(changed, 0u, "%llu frames", (unsigned long long)changed);
  clip_segments_release(&segments);
  sinew_clip_file_close(file);
  text_out_release(&out);
  free(values);
}

Test(anim_text, frames_of_a_long_clip) {
  static const double rates[] = {24, 25, 29.97, 30, 50, 59.94, 60, 120, 1000 / 3.0};
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) check_frames(rates[r]);
}

Test(anim_text, pieces_make_the_whole) {
  const anim_facts facts = facts_of(200, 60);
  text_out whole = write_clip(&facts, 200);
  for (uint64_t piece = 1; piece < 70; piece += 7) {
    text_out out = write_clip(&facts, piece);
    cr_assert_eq(out.byte_count, whole.byte_count);
    cr_assert_eq(memcmp(out.bytes, whole.bytes, whole.byte_count), 0);
    text_out_release(&out);
  }
  text_out_release(&whole);
}

/* A parabola's slopes are exact wherever its keys are. */
Test(anim_text, slopes_of_a_parabola) {
  anim_facts facts = facts_of(20, 10);
  facts.length_s = 1.8125;
  float values[20];
  for (uint64_t f = 0; f < 20; f++) {
    const double time = frame_time(&facts, f);
    values[f] = (float)(time * time - time);
  }
  text_out out = {0};
  anim_text_head(&out, &facts);
  put_curve(&out, &facts, values, 20, "RootT.x");
  anim_text_tail(&out, &facts);
  sinew_clip_file *file = read_back(&out);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  for (uint64_t f = 1; f + 1 < 20; f++)
    cr_assert_float_eq((double)clip->out_slope[f], 2 * (double)clip->time_s[f] - 1, 2e-5);
  cr_assert_float_eq((double)clip->out_slope[0], ((double)values[1] - (double)values[0]) * 10, 1e-6);
  sinew_clip_file_close(file);
  text_out_release(&out);
}

Test(anim_text, slopes_stay_finite) {
  const anim_facts facts = facts_of(3, 1000);
  const float values[] = {-FLT_MAX, FLT_MAX, -FLT_MAX};
  text_out out = {0};
  anim_text_head(&out, &facts);
  put_curve(&out, &facts, values, 3, "RootT.x");
  anim_text_tail(&out, &facts);
  sinew_clip_file *file = read_back(&out);
  sinew_curve_info info;
  cr_assert(sinew_clip_get_curve(sinew_clip_file_clip(file, 0), 0, &info));
  cr_assert_eq(info.stepped_keys, 0);
  sinew_clip_file_close(file);
  text_out_release(&out);
}

Test(anim_text, still_curve) {
  for (uint64_t count = 1; count < 4; count++) {
    const anim_facts facts = facts_of(count, 30);
    text_out out = {0};
    anim_text_head(&out, &facts);
    anim_text_curve_begin(&out);
    anim_text_still(&out, &facts, 0.1F);
    anim_text_curve_end(&out, "Jaw Close");
    anim_text_tail(&out, &facts);
    sinew_clip_file *file = read_back(&out);
    const sinew_clip *clip = sinew_clip_file_clip(file, 0);
    cr_assert_eq(clip->curves[0].key_count, count > 1 ? 2 : 1);
    cr_assert(clip->curves[0].constant);
    cr_assert_eq(clip->value[0], 0.1F);
    cr_assert_eq((float)clip->stop_s, anim_key_time(&facts, count - 1));
    sinew_clip_file_close(file);
    text_out_release(&out);
  }
}

/* ---- names -------------------------------------------------------------------------------------------- */

static void check_name(const char *name) {
  anim_facts facts = facts_of(1, 30);
  facts.name = name;
  text_out out = write_clip(&facts, 1);
  sinew_clip_file *file = read_back(&out);
  cr_assert_str_eq(sinew_clip_file_clip(file, 0)->name, name);
  sinew_clip_file_close(file);
  yaml_tree *tree = yaml_tree_parse(out.bytes, out.byte_count);
  cr_assert_str_eq(yaml_at(tree, "AnimationClip/m_Name")->text, name, "%s", name);
  text_out_release(&out);
}

Test(anim_text, names) {
  static const char *const names[] = {"Walk",
                                      "walk cycle 01",
                                      "[EMOTE] Clap",
                                      "a: b",
                                      "a:b",
                                      "a #b",
                                      "#a",
                                      "'",
                                      "''",
                                      "it's",
                                      "\"q\"",
                                      " lead",
                                      "trail ",
                                      " ",
                                      "- a",
                                      "-",
                                      "---",
                                      "...",
                                      "? a",
                                      "!tag",
                                      "&a",
                                      "*a",
                                      "{a}",
                                      "a, b",
                                      "%a",
                                      "@a",
                                      "`a",
                                      "| a",
                                      "> a",
                                      "null",
                                      "~",
                                      "true",
                                      "123",
                                      "1e5",
                                      "0x1f",
                                      "a\tb",
                                      "\t",
                                      "a\nb",
                                      "a\r\nb",
                                      "\x01\x7f\x1f",
                                      "back\\slash",
                                      "\\x41",
                                      "it's a \"\\\x01",
                                      "\xc3\xa9t\xc3\xa9",
                                      "\xe6\xad\xa9\xe3\x81\x8f",
                                      "\xf0\x9f\x95\xba",
                                      "\xc2\x85 \xc2\xa0",
                                      "\xe2\x80\xa8",
                                      "\xef\xbb\xbf\xef\xbf\xbe",
                                      "\xf0\x9f\xbf\xbf",
                                      "a  b",
                                      "a - b",
                                      "Mixamo.com|Layer0"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) check_name(names[i]);
  char text[3] = "xx";
  for (int c = 1; c < 128; c++) {
    text[0] = (char)c;
    check_name(text);
    text[0] = 'x', text[1] = (char)c;
    check_name(text);
    text[1] = 'x';
  }
}

Test(anim_text, no_name_and_a_long_one) {
  anim_facts facts = facts_of(1, 30);
  facts.name = "";
  text_out out = write_clip(&facts, 1);
  sinew_clip_file *file = read_back(&out);
  sinew_clip_file_close(file);
  text_out_release(&out);
  char name[4001];
  memset(name, 'a', sizeof name);
  for (size_t i = 7; i < sizeof name; i += 9) name[i] = ' ';
  name[4000] = 0;
  check_name(name);
}

/* ---- an editor's layout ------------------------------------------------------------------------------- */

/* The keys of a text's lines, without what follows the colon, of the lines that begin with `indent`. */
static size_t keys_of(const char *bytes, size_t length, const char *from, const char *to, char *keys,
                      size_t room) {
  const char *p = memmem(bytes, length, from, strlen(from)), *end = bytes + length;
  cr_assert(p, "%s", from);
  const char *stop = memmem(p, (size_t)(end - p), to, strlen(to));
  cr_assert(stop, "%s", to);
  size_t count = 0;
  for (const char *feed; p <= stop; p = feed + 1) {
    feed = memchr(p, '\n', (size_t)(end - p));
    cr_assert(feed);
    const char *colon = memchr(p, ':', (size_t)(feed - p)), *line_end = colon ? colon + 1 : feed;
    cr_assert(count + (size_t)(line_end - p) + 2 < room);
    memcpy(keys + count, p, (size_t)(line_end - p));
    count += (size_t)(line_end - p);
    keys[count++] = '\n';
  }
  keys[count] = 0;
  return count;
}

/* A part of an editor's file of the same version and the same part of ours have the same lines. */
static void same_keys(const char *file, size_t file_length, const text_out *out, const char *from,
                      const char *to) {
  enum { ROOM = 4096 };
  char theirs[ROOM], ours[ROOM];
  keys_of(file, file_length, from, to, theirs, ROOM);
  keys_of(out->bytes, out->byte_count, from, to, ours, ROOM);
  cr_assert_str_eq(ours, theirs);
}

Test(anim_text, laid_out_as_an_editor_does) {
  NEED_DATA();
  size_t length;
  char *file = test_read_file(test_data("humanoid/clips/malaybaku_Wave.anim"), &length);
  const anim_facts facts = facts_of(2, 60);
  text_out out = write_clip(&facts, 2);
  same_keys(file, length, &out, "%YAML", "        outWeight");
  same_keys(file, length, &out, "      m_PreInfinity", "    script");
  same_keys(file, length, &out, "  m_PPtrCurves", "    m_Extent");
  same_keys(file, length, &out, "  m_AnimationClipSettings", "    m_Mirror");
  same_keys(file, length, &out, "  m_HasGenericRootTransform", "  m_Events");
  text_out_release(&out);
  free(file);
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

Test(anim_text, what_is_refused) {
  const anim_facts good = facts_of(10, 30);
  anim_facts f = good;
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_OK);
  f.frame_count = 0;
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_ERROR_ARGUMENT);
  f = good, f.rate_hz = 0;
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_ERROR_ARGUMENT);
  f = good, f.rate_hz = NAN;
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_ERROR_ARGUMENT);
  f = good, f.length_s = -1;
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_ERROR_ARGUMENT);
  f = good, f.length_s = 0.1;
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_ERROR_ARGUMENT);
  f = good, f.name = NULL;
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_ERROR_ARGUMENT);
  f = good, f.name = "\xc0";
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_ERROR_ARGUMENT);
  f = good, f.settings.level = INFINITY;
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_ERROR_ARGUMENT);
  f = facts_of(100000000, 1000);
  cr_expect_eq(anim_facts_check(&f, NULL), SINEW_ERROR_LIMIT);
}

/* Times of the longest clips that are let through rise from frame to frame. */
Test(anim_text, times_rise) {
  static const double rates[] = {24, 29.97, 30, 59.94, 60, 90, 120, 1000};
  for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
    uint64_t low = 2, high = UINT64_C(1) << 32;
    while (low + 1 < high) {
      const uint64_t middle = (low + high) / 2;
      const anim_facts f = facts_of(middle, rates[r]);
      if (anim_facts_check(&f, NULL) == SINEW_OK)
        low = middle;
      else
        high = middle;
    }
    const anim_facts f = facts_of(low, rates[r]);
    const uint64_t step = low > 2000000 ? low / 2000000 : 1;
    for (uint64_t k = 1; k<low; k += k + 100000> low ? 1 : step)
      cr_assert(anim_key_time(&f, k) > anim_key_time(&f, k - 1), "frame %llu at %g Hz", (unsigned long long)k,
                rates[r]);
    cr_assert(low > 500000);
  }
}
