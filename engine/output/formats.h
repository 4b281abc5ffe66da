/* The formats that files are written in. */
#ifndef SINEW_OUTPUT_FORMATS_H
#define SINEW_OUTPUT_FORMATS_H

#include "output/output.h"

extern const output_format output_anim;
extern const output_format output_bvh;
extern const output_format output_csv;
extern const output_format output_glb;
extern const output_format output_npz;
extern const output_format output_vrma;

#endif
