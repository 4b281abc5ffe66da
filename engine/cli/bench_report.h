/* What `sinew bench` found, as text and as JSON. */
#ifndef CLI_BENCH_REPORT_H
#define CLI_BENCH_REPORT_H

#include "sinew.h"

enum { BENCH_ISAS = 8 };

typedef struct bench_report {
  sinew_kernel_speed kernels[BENCH_ISAS]; /* best instruction set first */
  uint32_t isa_count;
  sinew_memory_speed memory;
  sinew_clip_speed clips;
  const char *folder; /* that the clips were written to */
} bench_report;

void bench_report_say(const bench_report *report);
void bench_report_json(const bench_report *report);

#endif
