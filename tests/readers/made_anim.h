/* Clips made by the tests: one small whole text whose lines the rule tests edit, and random ones in the many
 * forms that editors have written. */
#ifndef TESTS_READERS_MADE_ANIM_H
#define TESTS_READERS_MADE_ANIM_H

#include "readers/text.h"

#include <stdint.h>

/* Two curves; the numbers of its lines are known to the tests. */
extern const char made_anim_base[];

enum made_form {
  MADE_CRLF = 1,
  MADE_FOLDED = 2,        /* long paths go over lines */
  MADE_QUOTED = 4,        /* names in quotes, with escapes */
  MADE_WRAPPED = 8,       /* flow maps go over lines */
  MADE_DASH_VERSION = 16, /* `- serializedVersion: 2` before `curve:` */
  MADE_EDITOR_ONLY = 32,  /* the curves stand in m_EditorCurves */
  MADE_SPREAD = 64,       /* comments, empty lines, blanks at line ends */
  MADE_WIDE = 128,        /* indented by 4 */
  MADE_OLD_NUMBERS = 256, /* 9 digits, no zero before the point */
  MADE_MIXED = 512,       /* other components' curves among the Animator's */
  MADE_BRACES = 1024      /* some keys are flow maps, empty paths nulls */
};

typedef struct made_options {
  uint64_t seed;
  unsigned form;
  int key_version; /* 1, 2, 3 */
  int documents;
  int curves;
  int keys; /* per curve, at most */
} made_options;

text made_anim(const made_options *options);

/* A generator of the tests' own: the same everywhere. */
uint64_t made_random(uint64_t *state);

#endif
