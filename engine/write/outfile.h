/* A file that appears whole or not at all: written under a temporary name beside the target, flushed, then renamed. */
#ifndef SINEW_WRITE_OUTFILE_H
#define SINEW_WRITE_OUTFILE_H

#include "sinew.h"

typedef struct outfile {
  int fd;
  char *path;
  char *temporary;
} outfile;

/* The temporary's name is ".{base}.{pid}.{counter}.tmp" in the target's folder. Errors: IO, MEMORY. */
sinew_result outfile_open(const char *path, outfile *file, sinew_error *error);
sinew_result outfile_write(outfile *file, const void *bytes, size_t count, uint64_t offset, sinew_error *error);
/* Flush, close, rename. On failure the temporary is removed. */
sinew_result outfile_publish(outfile *file, sinew_error *error);
/* Closes and removes the temporary; after publish, or on a zeroed struct, does nothing. */
void outfile_discard(outfile *file);

#endif
