/* A file of movement, changed as a whole: renamed, its nodes in another order, seen in a mirror. */
#ifndef TESTS_MAP_CHANGED_FILE_H
#define TESTS_MAP_CHANGED_FILE_H

#include "map/map.h"

/* A file of the data folder, which must be readable. */
motion_file *changed_open(const char *relative);
/* Every node gets a name of random letters. The VRM extension is forgotten. */
void changed_rename(motion_file *file, unsigned seed);
void changed_forget_stated(motion_file *file);
/* Parents stay before children. old_of_new[i]: where node i stood; kept like all else. */
const uint32_t *changed_shuffle(motion_file *file, unsigned seed);
/* x becomes -x. */
void changed_mirror(motion_file *file);
int32_t changed_find(const skeleton *s, const char *name); /* the first so named, -1: none */

#endif
