/* How a player may be called: what it needs, what it refuses, what it leaves alone, from many threads at
 * once. */
#include "base/heap.h"
#include "played.h"

#include <criterion/criterion.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static sinew_result evaluate(const played *p, const double *time_s, size_t count,
                             const sinew_pose_buffers *out, sinew_error *error) {
  return sinew_player_evaluate(p->player, p->scratch, p->scratch_bytes, time_s, count, out, error);
}

/* 1, 63, 64, 65, ... poses: the buffers have not a value more */
Test(player_calls, counts_around_a_block) {
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  double *time_s = wandering_times(&p, 130);
  pose_arrays whole = pose_arrays_make(&p, 130);
  played_evaluate(&p, time_s, 130, &whole);
  static const size_t counts[] = {1, 2, 63, 64, 65, 127, 128, 129, 130};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    pose_arrays part = pose_arrays_make(&p, counts[c]);
    played_evaluate(&p, time_s, counts[c], &part);
    for (int b = 0; b < PLAYED_BUFFERS; b++)
      cr_expect(memcmp(*pose_buffer(&part.to, b), *pose_buffer(&whole.to, b),
                       part.value_count[b] * sizeof(float)) == 0,
                "%zu poses: %s", counts[c], pose_buffer_name[b]);
    pose_arrays_free(&part);
  }
  pose_arrays_free(&whole);
  free(time_s);
  played_close(&p);
}

Test(player_calls, none_is_fine_and_touches_nothing) {
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  pose_arrays out = pose_arrays_make(&p, 1), before = pose_arrays_make(&p, 1);
  sinew_error error;
  cr_expect_eq(evaluate(&p, NULL, 0, &out.to, &error), SINEW_OK);
  cr_expect_eq(sinew_player_pose(p.player, p.scratch, p.scratch_bytes, NULL, NULL, 0, &out.to, &error),
               SINEW_OK);
  pose_arrays_expect_equal(&out, &before, "no pose");
  sinew_pose_buffers nothing = {0};
  double t = 0;
  cr_expect_eq(evaluate(&p, &t, 1, &nothing, &error), SINEW_OK);
  pose_arrays_free(&out);
  pose_arrays_free(&before);
  played_close(&p);
}

/* What is asked for beside a buffer does not change it. */
Test(player_calls, each_buffer_alone) {
  enum { COUNT = 90 };
  played p = played_open(NULL, SINEW_FRAME_GLTF);
  double *time_s = wandering_times(&p, COUNT);
  pose_arrays all = pose_arrays_make(&p, COUNT), alone = pose_arrays_make(&p, COUNT);
  played_evaluate(&p, time_s, COUNT, &all);
  sinew_error error;
  for (int b = 0; b < PLAYED_BUFFERS; b++) {
    sinew_pose_buffers only = {0};
    *pose_buffer(&only, b) = *pose_buffer(&alone.to, b);
    cr_expect_eq(evaluate(&p, time_s, COUNT, &only, &error), SINEW_OK);
  }
  pose_arrays_expect_equal(&all, &alone, "alone");
  pose_arrays_free(&all);
  pose_arrays_free(&alone);
  free(time_s);
  played_close(&p);
}

/* ---- scratch
 * ------------------------------------------------------------------------------------------------ */

Test(player_calls, scratch_of_any_alignment_and_its_bytes_alone) {
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  double *time_s = wandering_times(&p, 100);
  pose_arrays expected = pose_arrays_make(&p, 100);
  played_evaluate(&p, time_s, 100, &expected);
  enum { GUARD = 64 };
  unsigned char *room = malloc(p.scratch_bytes + 64 + 2 * GUARD);
  sinew_error error;
  for (size_t shift = 0; shift < 64; shift += 7) {
    memset(room, 0x5a, p.scratch_bytes + 64 + 2 * GUARD);
    pose_arrays out = pose_arrays_make(&p, 100);
    unsigned char *scratch = room + GUARD + shift;
    cr_assert_eq(sinew_player_evaluate(p.player, scratch, p.scratch_bytes, time_s, 100, &out.to, &error),
                 SINEW_OK);
    pose_arrays_expect_equal(&expected, &out, "another scratch");
    for (size_t i = 0; i < GUARD; i++)
      cr_assert(scratch[-1 - (ptrdiff_t)i] == 0x5a && scratch[p.scratch_bytes + i] == 0x5a,
                "a byte outside is written");
    pose_arrays_free(&out);
  }
  free(room);
  pose_arrays_free(&expected);
  free(time_s);
  played_close(&p);
}

static void expect_refused(sinew_result result, const sinew_error *error, sinew_result code,
                           const char *part) {
  cr_expect_eq(result, code);
  cr_expect_eq(error->code, code);
  cr_expect(strstr(error->message, part), "'%s' says nothing of '%s'", error->message, part);
}

Test(player_calls, what_is_missing_or_wrong_is_refused) {
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  sinew_error e;
  float muscles[SINEW_MUSCLE_COUNT] = {0};
  double t = 0;
  sinew_pose_buffers out = {.muscles = muscles};
  size_t need = p.scratch_bytes;
  expect_refused(sinew_player_evaluate(NULL, p.scratch, need, &t, 1, &out, &e), &e, SINEW_ERROR_ARGUMENT,
                 "player");
  expect_refused(sinew_player_evaluate(p.player, p.scratch, need, NULL, 1, &out, &e), &e,
                 SINEW_ERROR_ARGUMENT, "time");
  expect_refused(sinew_player_evaluate(p.player, p.scratch, need, &t, 1, NULL, &e), &e, SINEW_ERROR_ARGUMENT,
                 "out");
  expect_refused(sinew_player_evaluate(p.player, NULL, need, &t, 1, &out, &e), &e, SINEW_ERROR_ARGUMENT,
                 "scratch");
  expect_refused(sinew_player_evaluate(p.player, p.scratch, need - 1, &t, 1, &out, &e), &e,
                 SINEW_ERROR_ARGUMENT, "scratch has");
  expect_refused(sinew_player_pose(p.player, p.scratch, need, NULL, NULL, 1, &out, &e), &e,
                 SINEW_ERROR_ARGUMENT, "muscles");
  expect_refused(sinew_player_pose(p.player, p.scratch, 0, muscles, NULL, 1, &out, &e), &e,
                 SINEW_ERROR_ARGUMENT, "scratch has");
  cr_expect_eq(sinew_player_evaluate(NULL, NULL, 0, NULL, 0, NULL, NULL), SINEW_ERROR_ARGUMENT);

  static const double bad_times[] = {NAN, INFINITY, -INFINITY, 1e31};
  for (size_t i = 0; i < 4; i++) {
    double times[70] = {0};
    times[66] = bad_times[i];
    expect_refused(evaluate(&p, times, 70, &(sinew_pose_buffers){0}, &e), &e, SINEW_ERROR_ARGUMENT,
                   "time 66");
  }
  double far[2] = {-1e30, 1e30};
  cr_expect_eq(evaluate(&p, far, 2, &(sinew_pose_buffers){0}, &e), SINEW_OK);

  sinew_player *other = p.player;
  sinew_player_options options = {.frame = (sinew_frame)7};
  expect_refused(sinew_player_open(p.context, p.clip, p.rig, &options, &other, &e), &e, SINEW_ERROR_ARGUMENT,
                 "frame is 7");
  cr_expect_null(other);
  played_close(&p);
}

Test(player_calls, a_bad_value_is_named_with_its_frame) {
  enum { COUNT = 140 };
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  float *muscles = calloc(COUNT * SINEW_MUSCLE_COUNT, sizeof *muscles),
        *root = calloc(COUNT * 7, sizeof *root);
  for (size_t i = 0; i < COUNT; i++) root[i * 7 + 6] = 1;
  float place[COUNT][3];
  sinew_pose_buffers out = {.hips_model_m = place[0]};
  sinew_error e;
  const float bad[] = {NAN, INFINITY, -1001};
  for (size_t i = 0; i < 3; i++) {
    muscles[130 * SINEW_MUSCLE_COUNT + 17] = bad[i];
    expect_refused(sinew_player_pose(p.player, p.scratch, p.scratch_bytes, muscles, root, COUNT, &out, &e),
                   &e, SINEW_ERROR_POSE, sinew_muscle_name(17));
    cr_expect(strstr(e.message, "frame 130"), "%s", e.message);
  }
  muscles[130 * SINEW_MUSCLE_COUNT + 17] = 1000;
  root[65 * 7 + 4] = -2e6f;
  expect_refused(sinew_player_pose(p.player, p.scratch, p.scratch_bytes, muscles, root, COUNT, &out, &e), &e,
                 SINEW_ERROR_POSE, "RootQ.y");
  cr_expect(strstr(e.message, "frame 65"), "%s", e.message);
  root[65 * 7 + 4] = 0;
  cr_expect_eq(sinew_player_pose(p.player, p.scratch, p.scratch_bytes, muscles, root, COUNT, &out, &e),
               SINEW_OK);
  free(muscles);
  free(root);
  played_close(&p);
}

/* ---- lifetimes, memory, threads
 * -------------------------------------------------------------------------------- */

Test(player_calls, what_it_was_opened_with_may_be_closed) {
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  double *time_s = wandering_times(&p, 80);
  pose_arrays before = pose_arrays_make(&p, 80), after = pose_arrays_make(&p, 80);
  played_evaluate(&p, time_s, 80, &before);
  sinew_rig_close(p.rig);
  sinew_clip_file_close(p.file);
  sinew_context_close(p.context);
  p.rig = NULL, p.file = NULL, p.context = NULL;
  played_evaluate(&p, time_s, 80, &after);
  pose_arrays_expect_equal(&before, &after, "closed");
  pose_arrays_free(&before);
  pose_arrays_free(&after);
  free(time_s);
  played_close(&p);
}

static int refuse(size_t byte_count) {
  (void)byte_count;
  return 0;
}

Test(player_calls, needs_no_memory) {
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  double *time_s = wandering_times(&p, 200);
  pose_arrays out = pose_arrays_make(&p, 200);
  sinew_pose_buffers posed = out.to;
  posed.muscles = posed.root = NULL;
  sinew_error error;
  heap_permit = refuse;
  sinew_result evaluated = evaluate(&p, time_s, 200, &out.to, &error);
  sinew_result given = sinew_player_pose(p.player, p.scratch, p.scratch_bytes, out.to.muscles, out.to.root,
                                         200, &posed, &error);
  heap_permit = NULL;
  cr_expect_eq(evaluated, SINEW_OK);
  cr_expect_eq(given, SINEW_OK);
  pose_arrays_free(&out);
  free(time_s);
  played_close(&p);
}

static int permitted;
static int permit(size_t byte_count) {
  (void)byte_count;
  return permitted-- > 0;
}

Test(player_calls, opening_fails_cleanly_at_every_allocation) {
  played p = played_open(NULL, SINEW_FRAME_UNITY);
  sinew_result result = SINEW_ERROR_MEMORY;
  int failures = 0;
  for (; result != SINEW_OK && failures < 100; failures++) {
    sinew_player *player;
    sinew_error error;
    permitted = failures;
    heap_permit = permit;
    result = sinew_player_open(p.context, p.clip, p.rig, NULL, &player, &error);
    heap_permit = NULL;
    cr_expect((result == SINEW_OK) == (player != NULL));
    cr_expect(result == SINEW_OK || (result == SINEW_ERROR_MEMORY && error.message[0]));
    sinew_player_close(player);
  }
  cr_expect_eq(result, SINEW_OK);
  cr_expect(failures > 4);
  played_close(&p);
}

enum { THREADS = 8, THREAD_POSES = 333, THREAD_ROUNDS = 5 };
typedef struct thread_task {
  const played *p;
  const double *time_s;
  const pose_arrays *expected;
  pose_arrays out;
  void *scratch;
} thread_task;

static void *play(void *user) {
  thread_task *task = user;
  const played *p = task->p;
  for (int i = 0; i < THREAD_ROUNDS; i++)
    if (sinew_player_evaluate(p->player, task->scratch, p->scratch_bytes, task->time_s, THREAD_POSES,
                              &task->out.to, NULL))
      return task;
  return NULL;
}

Test(player_calls, eight_threads_with_one_player, .timeout = 60) {
  played p = played_open(NULL, SINEW_FRAME_GLTF);
  double *time_s = wandering_times(&p, THREADS * THREAD_POSES);
  thread_task tasks[THREADS];
  pose_arrays expected[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    const double *own = time_s + i * THREAD_POSES;
    expected[i] = pose_arrays_make(&p, THREAD_POSES);
    played_evaluate(&p, own, THREAD_POSES, &expected[i]);
    tasks[i] =
        (thread_task){&p, own, &expected[i], pose_arrays_make(&p, THREAD_POSES), malloc(p.scratch_bytes)};
  }
  for (int i = 0; i < THREADS; i++) cr_assert(pthread_create(&threads[i], NULL, play, &tasks[i]) == 0);
  for (int i = 0; i < THREADS; i++) {
    void *failed;
    pthread_join(threads[i], &failed);
    cr_expect_null(failed);
    pose_arrays_expect_equal(tasks[i].expected, &tasks[i].out, "a thread's poses");
    pose_arrays_free(&tasks[i].out);
    pose_arrays_free(&expected[i]);
    free(tasks[i].scratch);
  }
  free(time_s);
  played_close(&p);
}
