/* What a GLB on its way holds: `own` of its output. */
#ifndef SINEW_OUTPUT_GLB_OUTPUT_H
#define SINEW_OUTPUT_GLB_OUTPUT_H

#include "output/output.h"

typedef struct glb_output {
  glb_plan glb;
  glb_layout layout;
  bake_checker checker; /* its file is NULL before begin_check */
} glb_output;

#endif
