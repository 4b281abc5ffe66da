/* Where the files stand that are measured on. */
#ifndef BENCH_INPUTS_H
#define BENCH_INPUTS_H

/* Paths that live as long as the program. The sample of the source tree; NULL where it is not found, then a
 * line says so. SINEW_SAMPLE in the environment overrides its folder. */
const char *input_sample_clip(void);
const char *input_sample_rig(void);
/* A clip that people recorded, from the data folder beside the project (SINEW_TEST_DATA overrides it); NULL
 * without it. */
const char *input_real_clip(void);
const char *input_real_bvh(void);

#endif
