/* The input files of one run. All are opened first, since the names of their clips decide what is written
 * where; the parsed form is kept while the files' total size stays below a bound, and read again when needed
 * otherwise. */
#ifndef CLI_CLIP_SOURCE_H
#define CLI_CLIP_SOURCE_H

#include "sinew.h"

typedef struct clip_source {
  const char *path;
  const sinew_read_options *read; /* limits, the list's; NULL: the defaults */
  sinew_clip_file *file; /* NULL: closed, or never readable */
  char **names;          /* of the clips, as first read */
  uint32_t count;
  bool readable;
} clip_source;

typedef struct source_list {
  clip_source *items;
  size_t count;
  uint64_t kept_bytes;
  uint64_t keep_bytes;
} source_list;

enum { SOURCE_KEEP_BYTES = 256 << 20 };

/* `read` may be NULL and lives as long as the list. */
void sources_start(source_list *list, char **paths, size_t count, uint64_t keep_bytes,
                   const sinew_read_options *read);

/* Reads a file for the first time: fills names, count and readable. The file stays open: close it by
 * source_settle. */
sinew_result source_read(clip_source *source, sinew_error *error);

/* Keeps the file parsed when it fits below the bound, closes it otherwise. */
void source_settle(source_list *list, clip_source *source);

/* Makes sure that the file is open. Errors: those of reading; IO when its clips are not those of the first
 * reading. */
sinew_result source_open(clip_source *source, sinew_error *error);
void source_close(clip_source *source);

void sources_free(source_list *list);

#endif
