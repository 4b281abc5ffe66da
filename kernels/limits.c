/* Loops that run into one limit of a CPU each. */
#include "limit_loops.h"
#include "isa.h"
#include "simd.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

/* Two ports of four cycles' latency want 8 chains; 12 and the two constants fit 16 registers. */
enum { CHAINS = 12 };

#if defined(__SSE4_1__) && !defined(__FMA__)
enum { OPERATIONS = 2 }; /* v_fma is a multiplication and an addition */
#else
enum { OPERATIONS = 1 };
#endif

/* A chain's register; of one lane a plain float, which compilers keep in one. */
#if SINEW_WIDTH > 1
typedef vf chain_register;
SINEW_INLINE vf chain_step(vf c) {
  return v_fma(c, v_set(0.999f), v_set(0.001f));
}
#else
typedef float chain_register;
SINEW_INLINE float chain_step(float c) {
  return __builtin_fmaf(c, 0.999f, 0.001f);
}
#endif

/* Hides a chain from the compiler, which may else join scalar chains to vectors. */
SINEW_INLINE chain_register kept_apart(chain_register c) {
#if defined(__x86_64__)
  __asm__("" : "+v"(c));
#elif defined(__aarch64__)
  __asm__("" : "+w"(c));
#endif
  return c;
}

static void arithmetic(uint64_t turns, float *sink) {
  chain_register chain[CHAINS];
  memset(chain, 0, sizeof chain);
  for (uint64_t turn = 0; turn < turns; turn++)
#pragma GCC unroll 12
    for (int i = 0; i < CHAINS; i++) chain[i] = kept_apart(chain_step(chain[i]));
  chain_register sum = chain[0];
  for (int i = 1; i < CHAINS; i++) sum += chain[i];
  memcpy(sink, &sum, sizeof sum);
}

static float read_all(const float *from, size_t count) {
  vf sum[4] = {v_set(0.0f), v_set(0.0f), v_set(0.0f), v_set(0.0f)};
  for (size_t i = 0; i < count; i += 4 * SINEW_WIDTH)
    for (int k = 0; k < 4; k++) sum[k] += v_load(from + i + k * SINEW_WIDTH);
  vf all = sum[0] + sum[1] + (sum[2] + sum[3]);
  float out[SINEW_WIDTH], total = 0;
  v_store(out, all);
  for (int i = 0; i < SINEW_WIDTH; i++) total += out[i];
  return total;
}

static void store_all(float *to, size_t count) {
  const vf value = v_set(1.5f);
  for (size_t i = 0; i < count; i += 4 * SINEW_WIDTH) {
    for (int k = 0; k < 4; k++) v_store(to + i + k * SINEW_WIDTH, value);
    __asm__ volatile("" ::: "memory"); /* else it becomes a call of memset or the like */
  }
}

static void store_all_past_caches(float *to, size_t count) {
  const vf value = v_set(1.5f);
  for (size_t i = 0; i < count; i += 4 * SINEW_WIDTH) {
    for (int k = 0; k < 4; k++) v_store_past_caches(to + i + k * SINEW_WIDTH, value);
    __asm__ volatile("" ::: "memory");
  }
  v_stores_done();
}

extern const sinew_limit_loops SINEW_KERNEL(limit_loops);

const sinew_limit_loops SINEW_KERNEL(limit_loops) = {
    .name = TEXT(SINEW_ISA),
    .operations_per_turn = CHAINS * SINEW_WIDTH * OPERATIONS,
    .arithmetic = arithmetic,
    .read = read_all,
    .store = store_all,
    .store_past_caches = store_all_past_caches,
};
