/* Something that can be timed: by Google Benchmark or by the table. */
#ifndef BENCH_CASE_H
#define BENCH_CASE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_case {
  const char *name; /* "muscle" */
  const char *isa;  /* "avx2"; "" where it is not one's */
  void (*run)(void *subject);
  void *subject;
  double poses; /* a run works on; 0: none */
  double bytes; /* a run reads or writes, where that is what counts; else 0 */
} bench_case;

#ifdef __cplusplus
}
#endif
#endif
