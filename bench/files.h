/* Whole files: clips to GLBs through the public interface, beside the mere writing of the same bytes. */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include "sinew.h"

/* A folder of its own below `parent`, removed with all in it. */
typedef struct files_folder {
  char path[256];
} files_folder;
bool files_folder_make(const char *parent, files_folder *folder);
void files_folder_remove(const files_folder *folder);

/* A file of the same bytes by the same system calls as a bake's: a temporary one, written in pieces of a
 * mebibyte, flushed, renamed, its folder flushed. Returns the seconds, below 0 where a call fails. */
double files_write_alone_s(const files_folder *folder, const void *bytes, size_t byte_count);

/* A bake of one clip; the seconds, below 0 with a line on stderr when it fails. */
typedef struct files_bake {
  const sinew_context *context;
  const sinew_clip *clip;
  const sinew_rig *rig;
  const files_folder *folder;
} files_bake;
double files_bake_s(const files_bake *bake, bool verify);
/* What it wrote, in heap memory; NULL when it cannot be read. */
void *files_bake_bytes(const files_bake *bake, size_t *byte_count);

/* Many clip files: made ones in `folder`, the i-th with a name of its own. */
bool files_put_clips(const files_folder *folder, uint32_t count, size_t *byte_count);
/* Reads them all on so many threads. */
double files_scan_s(const files_folder *folder, uint32_t count, uint32_t threads);
/* Converts them all as a batch. */
double files_convert_s(const sinew_context *context, const sinew_rig *rig, const files_folder *folder,
                       uint32_t count, bool verify);

/* From posix_spawn of `sinew --version` until it has ended. */
double files_start_s(void);

#endif
