/* One conversion through the public functions alone: a context, a rig, a clip, a GLB; everything is closed
 * again. */
#ifndef TESTS_FAULT_WHOLE_RUN_H
#define TESTS_FAULT_WHOLE_RUN_H

#include "sinew.h"

typedef enum run_step { RUN_CONTEXT, RUN_RIG, RUN_CLIP, RUN_BAKE, RUN_STEP_COUNT } run_step;

typedef enum run_input {
  RUN_FILES,  /* named files: mapped */
  RUN_PIPES,  /* pipes: read piece by piece */
  RUN_MEMORY, /* bytes that the caller holds */
  RUN_ROWS,   /* as before, and the clip as rows that are copied */
  RUN_DELTA,  /* named files: a BVH on a character with a skin, a GLB */
  RUN_FIXED,  /* the same, a biped whose hierarchy is changed */
  RUN_OWN,    /* that character's own clip on itself: there is no rig */
} run_input;

typedef struct whole_run {
  run_input input;
  sinew_bake_options options;
  const sinew_allocator *allocator;
  char clip_path[64]; /* of a pipe, otherwise the sample's */
  char rig_path[64];
  char *folder;      /* of the output */
  char *made_folder; /* of inputs that are made; NULL: none */
  char output_path[1100];
  run_step step; /* reached: where it failed, RUN_STEP_COUNT when it did not */
  sinew_error error;
} whole_run;

/* Makes the folder. */
void run_setup(whole_run *run, run_input input);
void run_teardown(whole_run *run);

/* Converts the small sample; the result is SINEW_OK only when the output stands in its place. */
sinew_result run_whole(whole_run *run);

/* The path that a failure of this step must name: an input's or the output's. */
const char *run_path_of(const whole_run *run, run_step step);

/* Hash of the output; 0 when it is not there. Removes it. */
uint64_t run_take_output(const whole_run *run);

#endif
