/* A clip's numbers to text, without files: what each format of text costs one core. */
#ifndef BENCH_WRITTEN_TEXT_H
#define BENCH_WRITTEN_TEXT_H

#include "bench_case.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct written_text written_text;
typedef enum written_case {
  WRITTEN_ANGLES, /* local rotations of 55 bones -> degrees in planes, no text yet */
  WRITTEN_BVH,    /* such planes -> lines */
  WRITTEN_ANIM,   /* columns of a muscle clip -> curves of keys, with their slopes and times */
  WRITTEN_CSV,    /* 130 columns -> lines */
  WRITTEN_CASE_COUNT
} written_case;

/* By the best kernels there are. NULL, with a line on stderr, where it cannot be made. */
written_text *written_text_open(void);
void written_text_close(written_text *text);
/* bytes: of the text that a run makes. */
void written_text_case(written_text *text, written_case which, bench_case *out);

#ifdef __cplusplus
}
#endif
#endif
