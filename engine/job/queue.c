#include "job/queue.h"
#include "base/error.h"
#include "clip/motion.h"
#include "job/bake_job.h"
#include "stage/workers.h"

#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum {
  PUBLISHERS = 4,        /* threads that wait for the disk */
  PUBLISH_AT_ONCE = 16,  /* files that one of them takes together */
  WINDOW_PER_WORKER = 4, /* jobs begun and not yet told, beside those that wait for the disk */
  WINDOW_MOST = 512,
  TICK_NS = 100 * 1000000, /* how often an idle caller looks whether to stop */
};
/* Clips are begun while those that are open hold less than this; one clip of any size always is. */
static const uint64_t keys_most_bytes = UINT64_C(256) << 20;
static const uint64_t bytes_per_key = 40; /* about what a key takes as read and as a segment */

typedef enum job_phase {
  PHASE_EMPTY,
  PHASE_BUSY, /* one worker has it: it is begun, or goes from one phase to the next */
  PHASE_BAKING,
  PHASE_WRITTEN, /* whole: to be published */
  PHASE_DONE     /* to be told */
} job_phase;

typedef struct job_slot {
  bake_job job;
  uint64_t index;
  job_phase phase;
  uint64_t piece_count;
  uint64_t clip_piece_count; /* of these: the others wait for all of them */
  uint64_t written;          /* of the clip's pieces; at most clip_piece_count */
  uint64_t next_piece;       /* to be given to a worker */
  uint64_t next_join;        /* to join the signs */
  bool goes_on;              /* pieces after the first may be given */
  uint64_t running;          /* pieces that workers have */
  uint64_t failed_piece;     /* the earliest that failed; UINT64_MAX: none */
  uint64_t half_frames;      /* of the job that progress has counted */
  uint64_t key_bytes;
  sinew_result result;
  sinew_error error;
  pthread_cond_t joined;
  pthread_mutex_t writing;
} job_slot;

typedef struct job_queue {
  const sinew_context *context;
  const sinew_batch *batch;
  pthread_mutex_t lock;   /* guards what follows, but for what a phase gives to one worker */
  pthread_cond_t changed; /* there may be work */
  pthread_cond_t written; /* there may be something to publish */
  job_slot *slots;        /* job i has slot i % window */
  uint64_t window;
  uint64_t head, tail;      /* jobs head..tail-1 are begun and not yet told */
  uint64_t key_bytes;       /* of their clips */
  uint64_t half_frames;     /* a frame counts half when baked, half when checked */
  uint32_t publisher_count; /* 0: the caller publishes */
  sinew_result stopped;     /* CANCELLED or MEMORY: no job goes on */
  bool cut_short;           /* a job was begun that has to end for it */
} job_queue;

/* ---- one job ------------------------------------------------------------------------------------------ */

static bool slot_failed(const job_slot *slot) {
  return slot->failed_piece != UINT64_MAX;
}

/* Of several failures the earliest piece's is told. */
static void slot_fail(job_slot *slot, uint64_t piece, sinew_result result, const sinew_error *error) {
  if (piece >= slot->failed_piece) return;
  slot->failed_piece = piece;
  slot->result = result;
  slot->error = *error;
}

static void slot_cancel(job_queue *queue, job_slot *slot) {
  sinew_error error;
  queue->cut_short = true;
  error_set(&error, SINEW_ERROR_CANCELLED, "stopped");
  slot_fail(slot, UINT64_MAX - 1, SINEW_ERROR_CANCELLED, &error);
}

/* The others' checks need what the first piece holds, and the reader that is opened after it. */
static bool slot_has_piece(const job_slot *slot) {
  return slot->phase == PHASE_BAKING && !slot_failed(slot) && slot->next_piece < slot->piece_count &&
         (slot->next_piece == 0 || slot->goes_on) &&
         (slot->next_piece < slot->clip_piece_count || slot->written == slot->clip_piece_count);
}

/* Progress counts a job that ended early as a whole one. */
static void count_frames(job_queue *queue, job_slot *slot, uint64_t half_frames) {
  slot->half_frames += half_frames;
  queue->half_frames += half_frames;
}
static void count_rest(job_queue *queue, job_slot *slot) {
  count_frames(queue, slot, 2 * slot->job.report.frame_count - slot->half_frames);
}

/* The lock is held, and the slot is PHASE_BUSY. */
static void slot_settle(job_queue *queue, job_slot *slot, job_phase phase, sinew_result result,
                        const sinew_error *error) {
  if (result != SINEW_OK) slot_fail(slot, UINT64_MAX - 1, result, error);
  if (queue->stopped && phase != PHASE_DONE) slot_cancel(queue, slot);
  if (!slot_failed(slot)) {
    slot->phase = phase;
  } else {
    pthread_mutex_unlock(&queue->lock);
    bake_job_end(&slot->job);
    pthread_mutex_lock(&queue->lock);
    count_rest(queue, slot);
    slot->phase = PHASE_DONE;
  }
  if (slot->phase == PHASE_WRITTEN && queue->publisher_count) pthread_cond_signal(&queue->written);
  pthread_cond_broadcast(&queue->changed);
}

/* After the last piece. The lock is held, and the slot is PHASE_BUSY. */
static void slot_finish(job_queue *queue, job_slot *slot) {
  sinew_result result = SINEW_OK;
  sinew_error error;
  if (!slot_failed(slot)) {
    pthread_mutex_unlock(&queue->lock);
    result = bake_job_finish(&slot->job, &error);
    /* while it waits for the disk a job needs its file alone */
    if (result == SINEW_OK) bake_job_release(&slot->job);
    pthread_mutex_lock(&queue->lock);
  }
  slot_settle(queue, slot, PHASE_WRITTEN, result, &error);
}

/* ---- tasks; the lock is held before and after each ------------------------------------------------------
 */

static uint64_t motion_bytes(const motion *from) {
  uint64_t bytes = from->frame_count * from->channel_count * sizeof *from->rows;
  for (uint32_t i = 0; i < from->track_count; i++) bytes += from->tracks[i].key_count * bytes_per_key;
  return bytes;
}

static uint64_t clip_key_bytes(const sinew_clip *clip) {
  if (clip->motion) return motion_bytes(clip->motion);
  const clip_rows *rows = clip->rows; /* borrowed, they are no memory of ours */
  if (rows) return rows->copy ? rows->frame_count * rows->stride * sizeof *rows->copy : 0;
  sinew_clip_info info;
  sinew_clip_get_info(clip, &info);
  return info.key_count * bytes_per_key;
}

static void begin_job(job_queue *queue) {
  const uint64_t index = queue->tail++;
  job_slot *slot = &queue->slots[index % queue->window];
  memset(&slot->job, 0, sizeof slot->job);
  slot->job.file.fd = -1;
  slot->job.number = index + 1;
  slot->index = index;
  slot->phase = PHASE_BUSY;
  slot->running = slot->half_frames = slot->key_bytes = slot->next_piece = slot->next_join = slot->written =
      0;
  slot->failed_piece = UINT64_MAX;
  slot->result = SINEW_OK;
  pthread_mutex_unlock(&queue->lock);
  sinew_error error = {0};
  sinew_result result = queue->batch->open(queue->batch->user, index, &slot->job.given, &error);
  error.code = result; /* whatever the caller filled in */
  if (result == SINEW_OK) result = bake_job_begin(queue->context, &slot->job, &error);
  const bool begun = result == SINEW_OK;
  const uint64_t key_bytes = begun ? clip_key_bytes(slot->job.given.clip) : 0;
  slot->piece_count = begun ? output_piece_count(&slot->job.out) : 0;
  slot->clip_piece_count = begun ? output_clip_piece_count(&slot->job.out) : 0;
  slot->goes_on = slot->job.given.options.no_verify;
  pthread_mutex_lock(&queue->lock);
  slot->key_bytes = key_bytes;
  queue->key_bytes += key_bytes;
  slot_settle(queue, slot, PHASE_BAKING, result, &error);
}

/* Joining waits for the pieces before: other workers have them, and wait for none behind. */
static void join_piece(job_queue *queue, job_slot *slot, uint64_t piece, output_worker *worker, bool sound) {
  while (slot->next_join != piece) pthread_cond_wait(&slot->joined, &queue->lock);
  if (sound && !slot_failed(slot)) {
    pthread_mutex_unlock(&queue->lock);
    output_join(&slot->job.out, piece, &worker->piece);
    pthread_mutex_lock(&queue->lock);
  }
  slot->next_join++;
  pthread_cond_broadcast(&slot->joined);
}

static sinew_result bake_piece(job_queue *queue, job_slot *slot, uint64_t piece, output_worker *worker,
                               sinew_error *error) {
  pthread_mutex_unlock(&queue->lock);
  output *out = &slot->job.out;
  sinew_result result = out->format->compute(out, piece, &worker->piece, error);
  pthread_mutex_lock(&queue->lock);
  join_piece(queue, slot, piece, worker, result == SINEW_OK);
  if (result != SINEW_OK || slot_failed(slot)) return result;
  pthread_mutex_unlock(&queue->lock);
  /* Linux lets one thread at a time write to a file, and has the others spin until it is their turn */
  pthread_mutex_lock(&slot->writing);
  result = out->format->write(out, piece, &worker->piece, error);
  pthread_mutex_unlock(&slot->writing);
  pthread_mutex_lock(&queue->lock);
  return result;
}

/* The first piece opens the check, which the others wait for. */
static sinew_result open_check(job_queue *queue, job_slot *slot, sinew_error *error) {
  pthread_mutex_unlock(&queue->lock);
  const sinew_result result = bake_job_begin_check(&slot->job, error);
  pthread_mutex_lock(&queue->lock);
  return result;
}

static sinew_result check_piece(job_queue *queue, job_slot *slot, uint64_t piece, output_worker *worker,
                                sinew_error *error) {
  check_findings found = {0};
  pthread_mutex_unlock(&queue->lock);
  const sinew_result result = bake_job_check(&slot->job, piece, worker, &found, error);
  pthread_mutex_lock(&queue->lock);
  if (result == SINEW_OK) check_findings_merge(&slot->job.findings, &found);
  return result;
}

static void run_piece(job_queue *queue, job_slot *slot, output_worker *worker) {
  const uint64_t piece = slot->next_piece++;
  const uint64_t frames = output_piece_frames(&slot->job.out, piece);
  const bool checks = !slot->job.given.options.no_verify;
  slot->running++;
  sinew_error error;
  sinew_result result = bake_piece(queue, slot, piece, worker, &error);
  if (result == SINEW_OK) count_frames(queue, slot, checks ? frames : 2 * frames);
  if (result == SINEW_OK && piece == 0 && !slot_failed(slot)) {
    if (checks) result = open_check(queue, slot, &error);
    slot->goes_on |= result == SINEW_OK;
    pthread_cond_broadcast(&queue->changed);
  }
  if (result == SINEW_OK && checks && !slot_failed(slot)) {
    result = check_piece(queue, slot, piece, worker, &error);
    if (result == SINEW_OK) count_frames(queue, slot, frames);
  }
  if (result != SINEW_OK) slot_fail(slot, piece, result, &error);
  slot->running--;
  if (piece < slot->clip_piece_count && ++slot->written == slot->clip_piece_count)
    pthread_cond_broadcast(&queue->changed);
  if (slot->running || slot_has_piece(slot)) return;
  slot->phase = PHASE_BUSY;
  slot_finish(queue, slot);
}

static void publish(job_queue *queue, uint32_t most) {
  job_slot *slots[PUBLISH_AT_ONCE];
  outfile_publication publications[PUBLISH_AT_ONCE];
  uint32_t count = 0;
  for (uint64_t i = queue->head; i < queue->tail && count < most; i++) {
    job_slot *slot = &queue->slots[i % queue->window];
    if (slot->phase != PHASE_WRITTEN) continue;
    slot->phase = PHASE_BUSY;
    publications[count].file = &slot->job.file;
    slots[count++] = slot;
  }
  pthread_mutex_unlock(&queue->lock);
  outfile_publish_all(publications, count);
  pthread_mutex_lock(&queue->lock);
  for (uint32_t i = 0; i < count; i++)
    slot_settle(queue, slots[i], PHASE_DONE, publications[i].result, &publications[i].error);
}

/* From the calling thread. */
static void tell_job(job_queue *queue) {
  job_slot *slot = &queue->slots[queue->head % queue->window];
  const sinew_batch *batch = queue->batch;
  pthread_mutex_unlock(&queue->lock);
  if (batch->done)
    batch->done(batch->user, slot->index, &slot->job.given, &slot->job.report,
                slot->result == SINEW_OK ? NULL : &slot->error);
  pthread_mutex_lock(&queue->lock);
  slot->phase = PHASE_EMPTY;
  queue->key_bytes -= slot->key_bytes;
  queue->head++;
  pthread_cond_broadcast(&queue->changed);
}

/* ---- workers ---------------------------------------------------------------------------------------------
 */

static bool is_over(const job_queue *queue) {
  return queue->head == queue->tail && (queue->stopped || queue->tail == queue->batch->job_count);
}

static bool head_is_done(const job_queue *queue) {
  return queue->head < queue->tail && queue->slots[queue->head % queue->window].phase == PHASE_DONE;
}

static bool may_begin(const job_queue *queue) {
  return !queue->stopped && queue->tail < queue->batch->job_count &&
         queue->tail - queue->head < queue->window &&
         (queue->key_bytes < keys_most_bytes || queue->head == queue->tail);
}

static job_slot *find_piece(const job_queue *queue) {
  for (uint64_t i = queue->head; i < queue->tail; i++)
    if (slot_has_piece(&queue->slots[i % queue->window])) return &queue->slots[i % queue->window];
  return NULL;
}

static bool has_written(const job_queue *queue) {
  for (uint64_t i = queue->head; i < queue->tail; i++)
    if (queue->slots[i % queue->window].phase == PHASE_WRITTEN) return true;
  return false;
}

/* Jobs that no worker has end here; the others when their workers see it. */
static void stop(job_queue *queue, sinew_result reason) {
  if (queue->stopped) return;
  queue->stopped = reason;
  for (uint64_t i = queue->head; i < queue->tail; i++) {
    job_slot *slot = &queue->slots[i % queue->window];
    const job_phase phase = slot->phase;
    if (phase != PHASE_BAKING && phase != PHASE_WRITTEN) continue;
    slot_cancel(queue, slot);
    if (slot->running) continue;
    slot->phase = PHASE_BUSY;
    slot_settle(queue, slot, PHASE_WRITTEN, SINEW_OK, NULL);
  }
  pthread_cond_broadcast(&queue->changed);
}

static void tell_progress(job_queue *queue) {
  const sinew_batch *batch = queue->batch;
  if (!batch->progress || queue->stopped) return;
  const uint64_t jobs = queue->head, frames = queue->half_frames / 2;
  pthread_mutex_unlock(&queue->lock);
  const bool goes_on = batch->progress(batch->user, jobs, frames);
  pthread_mutex_lock(&queue->lock);
  if (!goes_on) stop(queue, SINEW_ERROR_CANCELLED);
}

static void wait_for_change(job_queue *queue, bool is_caller) {
  if (!is_caller || !queue->batch->progress) {
    pthread_cond_wait(&queue->changed, &queue->lock);
    return;
  }
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += TICK_NS;
  if (until.tv_nsec >= 1000000000) until.tv_nsec -= 1000000000, until.tv_sec++;
  pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
}

/* Where the caller itself publishes, it asks once more before: others may have come to the last frame since
 * it last did, and a stop that is asked for then still leaves no file. It tells at once what it published:
 * asked after that, a stop would come too late. */
static void publish_own(job_queue *queue) {
  tell_progress(queue);
  if (queue->stopped) return;
  publish(queue, 1);
  if (head_is_done(queue)) tell_job(queue);
}

/* One task, or a wait for one. worker is NULL where the thread has no memory to work with: the caller then
 * still tells what is done. */
static void work_once(job_queue *queue, output_worker *worker, bool is_caller) {
  job_slot *slot = worker ? find_piece(queue) : NULL;
  if (is_caller && head_is_done(queue))
    tell_job(queue);
  else if (slot)
    run_piece(queue, slot, worker);
  else if (is_caller && !queue->publisher_count && has_written(queue))
    publish_own(queue);
  else if (worker && may_begin(queue))
    begin_job(queue);
  else
    wait_for_change(queue, is_caller);
}

static void run_worker(job_queue *queue, bool is_caller) {
  output_worker own;
  output_worker *worker = output_worker_open(&own, NULL) == SINEW_OK ? &own : NULL;
  pthread_mutex_lock(&queue->lock);
  if (!worker) stop(queue, SINEW_ERROR_MEMORY);
  while (!is_over(queue)) {
    work_once(queue, worker, is_caller);
    if (is_caller) tell_progress(queue);
  }
  pthread_cond_broadcast(&queue->changed);
  pthread_cond_broadcast(&queue->written);
  pthread_mutex_unlock(&queue->lock);
  if (worker) output_worker_close(worker);
}

static void run_publisher(job_queue *queue) {
  pthread_mutex_lock(&queue->lock);
  while (!is_over(queue)) {
    if (has_written(queue))
      publish(queue, PUBLISH_AT_ONCE);
    else
      pthread_cond_wait(&queue->written, &queue->lock);
  }
  pthread_mutex_unlock(&queue->lock);
}

static void run_threads(job_queue *queue, uint32_t workers, uint32_t publishers) {
  const sinew_allocator *allocator = heap_current();
#pragma omp parallel num_threads(workers + publishers) if (workers + publishers > 1)
  {
    HEAP_SCOPE(allocator);
    const uint32_t team = (uint32_t)omp_get_num_threads(), thread = (uint32_t)omp_get_thread_num();
#pragma omp single
    queue->publisher_count = team > workers ? team - workers : 0;
    if (thread < workers)
      run_worker(queue, thread == 0);
    else
      run_publisher(queue);
  }
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

/* Each job in the window holds a file open. */
static uint64_t window_of(uint64_t jobs, uint32_t workers, uint32_t publishers) {
  uint64_t window = (uint64_t)WINDOW_PER_WORKER * workers + (uint64_t)PUBLISH_AT_ONCE * publishers;
  struct rlimit files;
  if (window > WINDOW_MOST) window = WINDOW_MOST;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur / 2 < window) window = files.rlim_cur / 2;
  if (window > jobs) window = jobs;
  return window ? window : 1;
}

static sinew_result queue_open(job_queue *queue, sinew_error *error) {
  queue->slots = heap_alloc(queue->window, sizeof *queue->slots);
  SINEW_CHECK(queue->slots, error, SINEW_ERROR_MEMORY, "out of memory for a queue of %llu jobs",
              (unsigned long long)queue->window);
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_mutex_init(&queue->lock, NULL);
  pthread_cond_init(&queue->changed, &monotonic);
  pthread_cond_init(&queue->written, NULL);
  pthread_condattr_destroy(&monotonic);
  for (uint64_t i = 0; i < queue->window; i++) {
    pthread_cond_init(&queue->slots[i].joined, NULL);
    pthread_mutex_init(&queue->slots[i].writing, NULL);
  }
  return SINEW_OK;
}

static void queue_close(job_queue *queue) {
  for (uint64_t i = 0; i < queue->window; i++) {
    pthread_cond_destroy(&queue->slots[i].joined);
    pthread_mutex_destroy(&queue->slots[i].writing);
  }
  pthread_cond_destroy(&queue->changed);
  pthread_cond_destroy(&queue->written);
  pthread_mutex_destroy(&queue->lock);
  heap_free(queue->slots);
}

sinew_result job_queue_run(const sinew_context *context, const sinew_batch *batch, uint32_t worker_limit,
                           sinew_error *error) {
  uint32_t workers = context->thread_count < worker_limit ? context->thread_count : worker_limit;
  uint32_t publishers = batch->job_count > 1 ? PUBLISHERS : 0;
  /* the context knows that its own threads can start; these come on top */
  if (publishers) {
    uint32_t startable = workers_startable(workers + publishers);
    if (workers > startable) workers = startable;
    publishers = startable - workers;
  }
  job_queue queue = {
      .context = context, .batch = batch, .window = window_of(batch->job_count, workers, publishers)};
  SINEW_TRY(queue_open(&queue, error));
  run_threads(&queue, workers, publishers);
  const uint64_t told = queue.head;
  const bool whole = told == batch->job_count && !queue.cut_short;
  const sinew_result stopped = whole ? SINEW_OK : queue.stopped;
  queue_close(&queue);
  if (stopped == SINEW_ERROR_CANCELLED)
    return error_set(error, stopped, "stopped after %llu of %llu clips", (unsigned long long)told,
                     (unsigned long long)batch->job_count);
  return stopped == SINEW_OK ? SINEW_OK : error_set(error, stopped, "out of memory for a worker");
}
