#ifndef SINEW_READ_FILE_STEM_H
#define SINEW_READ_FILE_STEM_H

#include "base/arena.h"

/* A path's last part without its suffix, in `memory`: the name of a clip that has none. NULL when out of
 * memory; path may be NULL. */
const char *file_stem(const char *path, arena *memory);

#endif
