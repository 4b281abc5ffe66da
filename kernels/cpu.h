/* What this CPU, and the operating system that saves its registers, can run. */
#ifndef SINEW_CPU_H
#define SINEW_CPU_H

#include <stdbool.h>

/* Each asks for every feature the compiler may use in that instruction set's kernels, not for the one in its
 * name. */
bool sinew_cpu_runs_avx512(void);
bool sinew_cpu_runs_avx2(void); /* and fma; the scalar reference needs the same */
bool sinew_cpu_runs_sse4(void);

#endif
