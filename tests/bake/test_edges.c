/* Bakes at the edges: one frame of a long clip, a body far from the origin, a stop while the file is being
 * verified, a file size limit. */
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef struct sample {
  sinew_context *context;
  sinew_clip_file *file;
  sinew_rig *rig;
  char *folder;
  char path[1024];
  sinew_bake_report report;
  sinew_error error;
} sample;

static void sample_open(sample *s) {
  memset(s, 0, sizeof *s);
  s->context = test_open_context(NULL, 2);
  s->file = test_open_clip(test_source("scripts/sample/walk.anim"));
  s->rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  s->folder = test_folder_make();
  snprintf(s->path, sizeof s->path, "%s/out.glb", s->folder);
}

static sinew_result sample_bake(sample *s, const sinew_bake_options *options) {
  return sinew_bake(s->context, sinew_clip_file_clip(s->file, 0), s->rig, options, s->path, &s->report,
                        &s->error);
}

static void sample_close(sample *s) {
  sinew_rig_close(s->rig);
  sinew_clip_file_close(s->file);
  sinew_context_close(s->context);
  test_folder_remove(s->folder);
}

Test(edges, one_frame_of_a_long_clip) {
  sample s;
  sample_open(&s);
  sinew_bake_options options = {.rate_hz = 0.0009};
  cr_expect_eq(sample_bake(&s, &options), SINEW_OK, "%s", s.error.message);
  cr_expect(s.report.frame_count == 1 && s.report.verified);
  sample_close(&s);
}

/* The sample's rig with its root moved a kilometre. */
Test(edges, a_rig_that_stands_a_kilometre_away) {
  sample s;
  sample_open(&s);
  size_t byte_count;
  char *text = test_read_file(test_source("scripts/sample/walker.fbx.meta"), &byte_count);
  static const char near_root[] = "position: {x: 0, y: 0, z: 0}", far_root[] = "position: {x:1e3,y: 0, z: 0}";
  char *at = memmem(text, byte_count, near_root, strlen(near_root));
  cr_assert(at && strlen(near_root) == strlen(far_root));
  memcpy(at, far_root, strlen(far_root));
  sinew_rig_close(s.rig);
  cr_assert_eq(sinew_rig_open_memory(text, byte_count, "far.fbx.meta", NULL, &s.rig, &s.error), SINEW_OK,
               "%s", s.error.message);
  free(text);
  cr_expect_eq(sample_bake(&s, NULL), SINEW_OK, "%s", s.error.message);
  sample_close(&s);
}

static uint64_t stop_at, seen_most;
static bool stop_late(void *user, uint64_t frames_done, uint64_t frame_count) {
  (void)user;
  cr_expect(frames_done >= seen_most && frames_done <= frame_count);
  seen_most = frames_done;
  return frames_done < stop_at;
}

Test(edges, a_stop_while_the_file_is_verified) {
  sample s;
  sample_open(&s);
  sinew_bake_options options = {.rate_hz = 9000, .progress = stop_late};
  stop_at = UINT64_MAX;
  cr_expect_eq(sample_bake(&s, &options), SINEW_OK, "%s", s.error.message);
  cr_expect_eq(seen_most, s.report.frame_count, "progress ends at the last frame");
  remove(s.path);
  seen_most = 0;
  stop_at = s.report.frame_count * 3 / 4;
  cr_expect_eq(sample_bake(&s, &options), SINEW_ERROR_CANCELLED, "%s", s.error.message);
  cr_expect(seen_most > s.report.frame_count / 2, "stopped at %llu", (unsigned long long)seen_most);
  cr_expect_eq(test_folder_count(s.folder), 0u);
  sample_close(&s);
}

/* Asked to go on at the first call, which lasts until the other worker has done all there is to do: the
 * caller then finds a whole file. Where the pause is too short for that this is merely one more stop. */
typedef struct last_stop {
  const char *path;
  bool slow, stops;
  uint64_t calls, last;
} last_stop;
static bool stop_at_last(void *user, uint64_t frames_done, uint64_t frame_count) {
  last_stop *stop = user;
  const struct timespec pause = {0, 300 * 1000000};
  cr_expect_neq(access(stop->path, F_OK), 0, "asked when the file is there already");
  if (stop->slow && !stop->calls++) nanosleep(&pause, NULL);
  stop->last = frames_done;
  return !stop->stops || frames_done < frame_count;
}

static void stop_before_publication(uint32_t threads, bool slow) {
  sample s;
  sample_open(&s);
  sinew_context_close(s.context);
  s.context = test_open_context(NULL, threads);
  last_stop stop = {.path = s.path, .slow = slow, .stops = true};
  const sinew_bake_options options = {.rate_hz = 9000, .progress = stop_at_last, .user = &stop};
  cr_expect_eq(sample_bake(&s, &options), SINEW_ERROR_CANCELLED, "%u threads", threads);
  cr_expect_eq(test_folder_count(s.folder), 0u);
  stop = (last_stop){.path = s.path, .slow = slow};
  cr_expect_eq(sample_bake(&s, &options), SINEW_OK, "%s", s.error.message);
  cr_expect_eq(stop.last, s.report.frame_count);
  sample_close(&s);
}

Test(edges, a_stop_when_all_is_done_but_published) {
  for (uint32_t threads = 1; threads <= 4; threads++) stop_before_publication(threads, false);
  stop_before_publication(2, true);
}

Test(edges, a_file_that_may_not_grow) {
  sample s;
  sample_open(&s);
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 10000;
  setrlimit(RLIMIT_FSIZE, &small);
  sinew_result result = sample_bake(&s, NULL);
  setrlimit(RLIMIT_FSIZE, &before);
  cr_expect_eq(result, SINEW_ERROR_IO, "%s", s.error.message);
  cr_expect_eq(test_folder_count(s.folder), 0u);
  sample_close(&s);
}
