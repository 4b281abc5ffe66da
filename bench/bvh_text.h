/* Reading a BVH's text to rows. */
#ifndef BENCH_BVH_TEXT_H
#define BENCH_BVH_TEXT_H

#include "bench_case.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bvh_text bvh_text;
/* Which text: a made one of 78 joints and 4,000 frames (made_bvh.h), a file of the data
 * folder. */
enum { BVH_TEXT_MADE, BVH_TEXT_REAL, BVH_TEXT_COUNT };
/* NULL where the input is not there; a line on stderr says what else is wrong. */
bvh_text *bvh_text_open(int input);
void bvh_text_close(bvh_text *text);
void bvh_text_case(bvh_text *text, bench_case *out);

#ifdef __cplusplus
}
#endif
#endif
