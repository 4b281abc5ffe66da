/* Loops that do nothing but run into one limit of a CPU: what the kernels' times are held against. One table
 * per instruction set, like the kernels'. */
#ifndef SINEW_KERNELS_LIMITS_H
#define SINEW_KERNELS_LIMITS_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_limit_loops {
  const char *name; /* of the kernels' table */
  uint32_t
      operations_per_turn; /* of `arithmetic`: float operations of one lane, a fused multiply-add being one */

  /* `turns` times as many independent multiply-adds as fill the ports. sink: 64 floats, what came of it. */
  void (*arithmetic)(uint64_t turns, float *sink);
  /* The three below: count floats, a multiple of 64, aligned to 64 bytes. */
  float (*read)(const float *from, size_t count);
  void (*store)(float *to, size_t count);
  /* Past the caches where the instruction set can. */
  void (*store_past_caches)(float *to, size_t count);
} sinew_limit_loops;

/* The loops of an instruction set that this CPU runs; NULL where there is none of the name. */
const sinew_limit_loops *sinew_limit_loops_of(const char *isa);

#ifdef __cplusplus
}
#endif

#endif
