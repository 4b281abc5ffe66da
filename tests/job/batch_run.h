/* A batch of the sample's clips at rates that make them short and long, and what was told of it. */
#ifndef TESTS_JOB_BATCH_RUN_H
#define TESTS_JOB_BATCH_RUN_H

#include "sinew.h"
#include "support/bake.h"

#include <pthread.h>
#include <stdatomic.h>

enum { BATCH_MOST = 512 };

typedef struct batch_run {
  sinew_context *context;
  sinew_clip_file *file;
  sinew_rig *rig;
  char *folder;
  uint64_t count;
  bool no_verify;
  bool every_format; /* job i goes to format i modulo their count; else to GLB */
  sinew_via via;
  bool (*fails)(uint64_t index);   /* jobs whose open fails; NULL: none */
  bool (*nowhere)(uint64_t index); /* jobs whose file has no folder; NULL: none */
  uint64_t stop_after_frames;      /* 0: never */
  /* what happened */
  atomic_uint_fast64_t opened;
  uint64_t done;
  uint64_t published, cancelled, failed;
  uint64_t frames_told, jobs_told;
  sinew_error errors[BATCH_MOST];
  sinew_bake_report reports[BATCH_MOST];
  pthread_t caller;
  sinew_error error;
} batch_run;

void batch_setup(batch_run *run, uint32_t threads, uint64_t count);
/* What moves is a body of bones; on a character with a skin, whose file is kept, or on itself. */
void batch_setup_bones(batch_run *run, uint32_t threads, uint64_t count, bool on_character);
/* A character's own clip on itself, its file kept. */
void batch_setup_character(batch_run *run, uint32_t threads, uint64_t count);
void batch_teardown(batch_run *run);
/* Frames per second of job `index`: one in 16 is long. */
double batch_rate(uint64_t index);
const char *batch_path(const batch_run *run, uint64_t index, char path[512]);
sinew_result batch_go(batch_run *run);
/* The hash of a job's file, 0 where there is none. */
uint64_t batch_hash(const batch_run *run, uint64_t index);

#endif
