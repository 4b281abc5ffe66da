/* A BVH that nobody recorded: a body of 78 joints that turns, walks about and moves every joint. */
#ifndef BENCH_MADE_BVH_H
#define BENCH_MADE_BVH_H

#include <stddef.h>

/* Text in heap memory, of a row a frame with four digits behind the point; NULL when out of memory. */
char *made_bvh_text(int frames, size_t *byte_count);

#endif
