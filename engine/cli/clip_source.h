/* The input files of one run. All are opened first, since the names of their clips decide what is written
 * where; the parsed form is kept while the files' total size stays below a bound, and read again when needed
 * otherwise. */
#ifndef CLI_CLIP_SOURCE_H
#define CLI_CLIP_SOURCE_H

#include "sinew.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct clip_source {
  const char *path;
  const sinew_read_options *read; /* limits, the list's; NULL: the defaults */
  pthread_mutex_t lock;           /* guards file and users */
  sinew_clip_file *file;          /* NULL: closed, or never readable */
  uint32_t users;                 /* clips that are being baked */
  char **names;                   /* of the clips, as first read */
  uint64_t *frame_counts;         /* of the clips, at the rate of the run */
  uint32_t count;
  bool has_muscles;   /* one of them is of muscles */
  bool has_bones;     /* or of bones */
  bool told;          /* a clip of it was reported; the reporting thread's */
  sinew_error *error; /* why it could not be read; NULL: it could */
} clip_source;

typedef struct source_list {
  clip_source *items;
  size_t count;
  double rate_hz; /* 0: each clip's own */
  atomic_uint_fast64_t kept_bytes;
  uint64_t keep_bytes;
} source_list;

static const uint64_t source_keep_bytes = UINT64_C(2)
                                          << 30; /* of text, which takes about an eighth as keys */

/* `read` may be NULL and lives as long as the list. */
void sources_start(source_list *list, char **paths, size_t count, uint64_t keep_bytes, double rate_hz,
                   const sinew_read_options *read);

/* Reads every file for the first time, on so many threads: fills names, frame_counts and count, or error. */
void sources_read(source_list *list, uint32_t thread_count);

/* Makes sure that the file is open, until as many calls of source_leave. Any thread. Errors: those of
 * reading; IO when its clips are not those of the first reading. */
sinew_result source_enter(clip_source *source, sinew_error *error);
/* `last`: none of its clips will be wanted again. */
void source_leave(clip_source *source, bool last);

void sources_free(source_list *list);

#endif
