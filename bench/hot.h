/* One instruction set's kernels and their rivals over one block of 64 frames that is hot in cache. */
#ifndef BENCH_HOT_H
#define BENCH_HOT_H

#include "bench_case.h"
#include "kernels.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hot_case { /* the kernels stand first, in the order of workload_part */
                        HOT_ROWS,
                        HOT_SAMPLE,
                        HOT_CHECK,
                        HOT_MUSCLE,
                        HOT_XYZW,
                        HOT_FK,
                        HOT_MATRICES,
                        HOT_FK_BODY,
                        HOT_BODY,
                        HOT_HIPS,
                        HOT_SIGNS,
                        HOT_PACK,
                        HOT_PACK16,
                        HOT_PIPELINE,
                        HOT_MUSCLE_22,    /* muscles -> local rotations on a rig of 22 bones */
                        HOT_SAMPLE_WALK,  /* the 130 curves of the sample clip, where it is found */
                        HOT_SAMPLE_REAL,  /* those of a clip of the data folder beside the project, where that
                                             is */
                        HOT_ARITHMETIC,   /* the limit: multiply-adds and nothing else */
                        HOT_STORE_JOINTS, /* limits: as many bytes as HOT_FK stores, and nothing else */
                        HOT_STORE_XYZW,   /* as HOT_XYZW stores, planes and interleaved */
                        HOT_COPY,         /* the limit of HOT_PACK: its bytes copied by the C library */
                        HOT_NAIVE,
                        HOT_SLEEF, /* no rival for the scalar reference */
                        HOT_SLEEF_PRODUCTS,
                        HOT_INVERSE,         /* local rotations -> muscles, limbs as the editor bends them */
                        HOT_INVERSE_LANDING, /* and so that hands and feet land */
                        HOT_INVERSE_NAIVE,
                        HOT_INVERSE_STATED, /* by the rule word for word */
                        HOT_CASE_COUNT
} hot_case;

typedef struct hot_set hot_set;

/* NULL, with a line on stderr, where it cannot be made, or where a rival's poses are off by more than 1e-4
 * degrees. */
hot_set *hot_set_open(const sinew_kernels *kernels);
void hot_set_close(hot_set *set);
/* False: there is no such case here. */
bool hot_set_case(hot_set *set, hot_case which, bench_case *out);

double hot_set_arithmetic_operations(const hot_set *set); /* a run of HOT_ARITHMETIC does */
double hot_set_stored_bytes(hot_case limit);              /* a run of HOT_STORE_... does */
double hot_set_muscle_operations(const hot_set *set);     /* a pose takes at least */
double hot_set_fk_operations(const hot_set *set);

#ifdef __cplusplus
}
#endif
#endif
