/* The names of the files that are written. */
#ifndef CLI_OUTPUT_NAME_H
#define CLI_OUTPUT_NAME_H

#include <stdbool.h>

/* "{stem}.{suffix}", or "{stem}_{clip}.{suffix}" when clip is not NULL, below folder (NULL: the current one).
 * The stem is the input's base name without its last suffix. In the clip's name whatever a file system may
 * refuse or read as something else becomes '_'. The name is cut to 200 bytes before the suffix. The caller
 * frees. */
char *output_path(const char *folder, const char *input_path, const char *clip_name, const char *suffix);

/* Makes a folder and those above it that are missing; false with errno set. */
bool make_folders(const char *path);

#endif
