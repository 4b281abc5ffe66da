/* One instruction set's kernels from memory to memory, and the limits of memory (measure/memory_work.h), as
 * cases. */
#ifndef BENCH_DRAM_H
#define BENCH_DRAM_H

#include "bench_case.h"
#include "kernels.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DRAM_CASE_COUNT = 7 }; /* in the order of memory_part */

/* The memory that all sets share. NULL, with a line on stderr: there is not so much. */
typedef struct dram_field dram_field;
dram_field *dram_field_open(size_t most_bytes);
void dram_field_close(dram_field *field);

typedef struct dram_set dram_set;
/* NULL, with a line on stderr, where it cannot be made. */
dram_set *dram_set_open(const sinew_kernels *kernels, const dram_field *field);
void dram_set_close(dram_set *set);
void dram_set_case(dram_set *set, int which, bench_case *out);

#ifdef __cplusplus
}
#endif
#endif
