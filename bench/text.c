#include "text.h"
#include "base/os.h"
#include "clip/segments.h"
#include "inputs.h"
#include "measure/made_clip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct text_set {
  int input;
  char *text;
  size_t byte_count;
  const sinew_kernels *kernels;
  float planes[SINEW_PLANE_COUNT * SINEW_BLOCK];
  uint64_t seen; /* keys, tokens: what came out, so that nothing is left undone */
};

/* None of the inputs may fail to be read: they were when the set was opened. */
static sinew_clip_file *scan(const text_set *set) {
  sinew_clip_file *file = NULL;
  sinew_error error;
  if (sinew_clip_file_open_memory(set->text, set->byte_count, "text", NULL, &file, &error) != SINEW_OK) {
    fprintf(stderr, "%s\n", error.message);
    abort();
  }
  return file;
}

static void run_scan(void *subject) {
  text_set *set = subject;
  sinew_clip_file *file = scan(set);
  set->seen += sinew_clip_file_clip(file, 0)->key_count;
  sinew_clip_file_close(file);
}

static void sample_all(text_set *set, const sinew_clip *clip, const clip_segments *segments) {
  const uint64_t frames = sinew_clip_frame_count(clip, 0);
  double time_s[SINEW_BLOCK];
  for (uint64_t first = 0; first < frames; first += SINEW_BLOCK) {
    for (uint64_t f = 0; f < SINEW_BLOCK; f++)
      time_s[f] = clip_frame_time(clip, clip->rate_hz, first + f, frames);
    set->kernels->sample(segments->curves, segments->curve_count, time_s, set->planes);
  }
}

static void run_sampled(void *subject) {
  text_set *set = subject;
  sinew_clip_file *file = scan(set);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  clip_segments segments;
  bool wanted[SINEW_PLANE_COUNT];
  memset(wanted, true, sizeof wanted);
  if (clip_segments_build(clip, wanted, &segments, NULL) != SINEW_OK) abort();
  sample_all(set, clip, &segments);
  clip_segments_release(&segments);
  sinew_clip_file_close(file);
}

/* False where libyaml gives up. */
static bool tokenise(text_set *set) {
  yaml_parser_t parser;
  yaml_token_t token;
  if (!yaml_parser_initialize(&parser)) return false;
  yaml_parser_set_input_string(&parser, (const unsigned char *)set->text, set->byte_count);
  bool ok = true, more = true;
  while (ok && more) {
    ok = yaml_parser_scan(&parser, &token);
    if (!ok) break;
    more = token.type != YAML_STREAM_END_TOKEN;
    set->seen++;
    yaml_token_delete(&token);
  }
  yaml_parser_delete(&parser);
  return ok;
}
static void run_yaml(void *subject) {
  tokenise(subject);
}

static char *file_text(const char *path, size_t *byte_count) {
  os_file file;
  if (!path || os_file_open(path, UINT64_C(1) << 30, &file, NULL) != SINEW_OK) return NULL;
  char *text = heap_alloc_unset(file.byte_count);
  if (text) memcpy(text, file.bytes, file.byte_count);
  *byte_count = file.byte_count;
  os_file_close(&file);
  return text;
}

static char *input_text(int input, size_t *byte_count) {
  const made_clip_shape dense = {.frames = 601, .key_stride = 1, .rate_hz = 60};
  switch (input) {
  case TEXT_MADE:
    return made_clip_text(dense, byte_count);
  case TEXT_SAMPLE:
    return file_text(input_sample_clip(), byte_count);
  default:
    return file_text(input_real_clip(), byte_count);
  }
}

text_set *text_set_open(int input) {
  text_set *set = heap_alloc(1, sizeof *set);
  if (!set) return NULL;
  set->input = input;
  set->kernels = sinew_kernels_select(NULL);
  set->text = input_text(input, &set->byte_count);
  bool ok = set->text && set->kernels;
  if (ok && !tokenise(set)) {
    fputs("libyaml cannot read the text\n", stderr);
    ok = false;
  }
  if (ok) return set;
  text_set_close(set);
  return NULL;
}

void text_set_close(text_set *set) {
  if (!set) return;
  heap_free(set->text);
  heap_free(set);
}

void text_set_case(text_set *set, text_case which, bench_case *out) {
  static const char *const names[TEXT_CASE_COUNT][TEXT_INPUT_COUNT] = {
      [TEXT_SCAN] = {"text_scan_made", "text_scan_sample", "text_scan_real"},
      [TEXT_SAMPLED] = {"text_sampled_made", "text_sampled_sample", "text_sampled_real"},
      [TEXT_YAML] = {"text_yaml_made", "text_yaml_sample", "text_yaml_real"}};
  static void (*const runs[TEXT_CASE_COUNT])(void *) = {run_scan, run_sampled, run_yaml};
  *out = (bench_case){.name = names[which][set->input],
                      .isa = "",
                      .run = runs[which],
                      .subject = set,
                      .bytes = (double)set->byte_count};
}
