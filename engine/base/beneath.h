/* Opening a file that another file names: at or beneath one folder and nowhere else. */
#ifndef SINEW_BASE_BENEATH_H
#define SINEW_BASE_BENEATH_H

#include "base/os.h"

/* `relative` is walked part by part from the folder, each part opened in the one before it, so that nothing
 * that is exchanged meanwhile leads out. A part that is '..' or a symbolic link, an absolute path, and what
 * is no regular file are refused. Errors: IO with the system's reason or what was wrong, without a path;
 * LIMIT, MEMORY. */
sinew_result os_file_open_beneath(const char *folder, const char *relative, uint64_t byte_limit,
                                  os_file *file, sinew_error *error);

#endif
