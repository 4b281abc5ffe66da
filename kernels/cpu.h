/* What this CPU, and the operating system that saves its registers, can run. */
#ifndef SINEW_CPU_H
#define SINEW_CPU_H

#include <stdbool.h>

/* Each asks for every feature the compiler may use in that instruction set's kernels, not for the one in its
 * name. */
#if defined(__x86_64__)
bool sinew_cpu_runs_avx512(void);
bool sinew_cpu_runs_avx2(void); /* and fma; the scalar reference needs the same */
bool sinew_cpu_runs_sse4(void);
#elif defined(__aarch64__)
bool sinew_cpu_runs_neon(void); /* every one does: the architecture's baseline has it, fused */
#endif

#endif
