/* VRM animations in tests: a bake's pieces, one after the other, to a file that is read back. */
#ifndef TESTS_SUPPORT_VRMA_H
#define TESTS_SUPPORT_VRMA_H

#include "stage/bake_plan.h"

/* plan: of a rig made plain. Checks the file's human bones too, before it is published. */
sinew_result vrma_write(const bake_plan *plan, const char *path, sinew_error *error);

#endif
