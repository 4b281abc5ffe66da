/* One clip on its way to a file: begun, its pieces baked, its pieces checked, judged, published. The steps of
 * one piece may run on any worker; who calls what when is the queue's matter (queue.h). */
#ifndef SINEW_JOB_BAKE_JOB_H
#define SINEW_JOB_BAKE_JOB_H

#include "output/output.h"
#include "stage/context.h"

typedef struct bake_job {
  sinew_bake_job given;
  uint64_t number;  /* not 0, another for each job of a queue */
  sinew_rig *plain; /* the normalised rig that is baked on, where the format wants one */
  bake_plan plan;
  output out;
  outfile file;
  check_findings findings; /* the pieces', merged */
  sinew_bake_report report;
  bool planned;
} bake_job;

/* job->given and number are filled in, the rest zeroed. Plans, opens the temporary file, writes what is known
 * before the first frame. On failure bake_job_end is called all the same. Errors: those of sinew_bake. */
sinew_result bake_job_begin(const sinew_context *context, bake_job *job, sinew_error *error);
/* After the first piece is written, which holds what does not vary, and before any is checked. Errors:
 * VERIFY, IO, MEMORY. */
sinew_result bake_job_begin_check(bake_job *job, sinew_error *error);
/* A piece that is written, read back and compared; the caller merges what it found. Errors: VERIFY, IO,
 * MEMORY, POSE. */
sinew_result bake_job_check(bake_job *job, uint64_t piece, output_worker *worker, check_findings *found,
                            sinew_error *error);
/* After the last piece is written and checked: what stands behind it, and the judgement. Errors: IO, MEMORY,
 * VERIFY. */
sinew_result bake_job_finish(bake_job *job, sinew_error *error);
/* Releases what a finished file no longer needs. */
void bake_job_release(bake_job *job);
/* Releases all but what the report says, and the temporary file where it was not published. */
void bake_job_end(bake_job *job);

#endif
