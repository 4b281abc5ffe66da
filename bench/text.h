/* Reading a clip's text: the engine, and libyaml doing nothing but tokenise the same text. */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include "bench_case.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum text_case {
  TEXT_SCAN,    /* text -> curves of keys */
  TEXT_SAMPLED, /* text -> curves -> every frame of the 130 curves in planes */
  TEXT_YAML,    /* text -> tokens */
  TEXT_CASE_COUNT
} text_case;

typedef struct text_set text_set;
/* Which text: a made clip with a key a frame, the sample, a clip of the data folder. */
enum { TEXT_MADE, TEXT_SAMPLE, TEXT_REAL, TEXT_INPUT_COUNT };
/* NULL where the input is not there; a line on stderr says what else is wrong. */
text_set *text_set_open(int input);
void text_set_close(text_set *set);
void text_set_case(text_set *set, text_case which, bench_case *out);

#ifdef __cplusplus
}
#endif
#endif
