/* The bounded queue between clips and files. Workers take the oldest job's next piece; where no begun job has
 * one left, the next job is begun, as long as the window and the memory bound have room: a long clip keeps
 * all workers busy, many short ones are baked side by side. Publishers wait for the disk in the workers'
 * stead. What is done is told in the jobs' order, from the thread that called. */
#ifndef SINEW_JOB_QUEUE_H
#define SINEW_JOB_QUEUE_H

#include "stage/context.h"

/* worker_limit: no more workers than that, whatever the context allows; at least 1. Errors: CANCELLED (the
 * batch's progress asked to stop), MEMORY. What becomes of a job is told to the batch alone. */
sinew_result job_queue_run(const sinew_context *context, const sinew_batch *batch, uint32_t worker_limit,
                           sinew_error *error);

#endif
