/* A file that appears whole or not at all: written under a temporary name beside the target, flushed, then
 * renamed. */
#ifndef SINEW_WRITE_OUTFILE_H
#define SINEW_WRITE_OUTFILE_H

#include "sinew.h"

#include <stdatomic.h>

typedef struct outfile {
  atomic_uint_fast64_t byte_count; /* written so far, all calls added up */
  int fd;                          /* open for writing, and for reading what was written */
  char *path;
  char *temporary; /* NULL: nothing is open; empty: the file has no name */
} outfile;

/* The temporary's name is ".{base}.{pid}.{counter}.tmp" in the target's folder; a very long base is cut in
 * it. An existing target must be a regular file: folders, devices, pipes and symbolic links are refused
 * before any work is done. Errors: IO, MEMORY, ARGUMENT (an empty path, "-"). */
sinew_result outfile_open(const char *path, outfile *file, sinew_error *error);
/* A file beside the target that has no name any more once it is open, and goes when it is closed, however the
 * process ends; never published. Errors: as above. */
sinew_result outfile_open_nameless(const char *path, outfile *file, sinew_error *error);
/* Gives the file its size before it is written, all zeros. Errors: IO. */
sinew_result outfile_extend(outfile *file, uint64_t byte_count, sinew_error *error);
/* Thread-safe. Errors: IO. */
sinew_result outfile_write(outfile *file, const void *bytes, size_t count, uint64_t offset,
                           sinew_error *error);
/* Has the system begin to put what was written so far to the disk, so that the flush at the end finds little
 * left; does not wait for it. */
void outfile_begin_flush(const outfile *file);
/* Flush, close, rename, flush the folder. On failure the temporary is removed and a file that stood under the
 * path is as it was; but when only the last step fails, the new file is in place and the message says so. */
sinew_result outfile_publish(outfile *file, sinew_error *error);

enum { OUTFILE_GROUP = 32 };
typedef struct outfile_publication {
  outfile *file;
  sinew_result result;
  sinew_error error;
} outfile_publication;
/* The same for up to OUTFILE_GROUP files, each with its own result: a folder is flushed once for all its
 * files. */
void outfile_publish_all(outfile_publication *publications, size_t count);

/* Closes and removes the temporary; after publish, or on a zeroed struct, does nothing. */
void outfile_discard(outfile *file);

#endif
