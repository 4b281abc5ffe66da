/* A small whole model's .meta whose lines the rule tests edit, and a longer one of a chain of nodes. */
#ifndef TESTS_READERS_MADE_META_H
#define TESTS_READERS_MADE_META_H

#include "readers/text.h"

extern const char made_meta_base[];

/* A chain of `nodes` nodes below the root; the first are the hips, the spine and the head. */
text made_meta_chain(int nodes);

#endif
