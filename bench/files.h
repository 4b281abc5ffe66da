/* Whole files: clips to GLBs through the public interface, beside the mere writing of the same bytes. */
#ifndef BENCH_FILES_H
#define BENCH_FILES_H

#include "measure/made_clip.h"
#include "sinew.h"

#include <stdbool.h>

/* A folder of its own below `parent`, removed with all in it. */
typedef struct files_folder {
  char path[256];
} files_folder;
bool files_folder_make(const char *parent, files_folder *folder);
void files_folder_remove(const files_folder *folder);

/* A file of bytes that stand in memory, by the system calls of a bake and on the calling thread alone: a
 * temporary one, given its size, written in pieces of a mebibyte, flushed, renamed, its folder flushed. The
 * file of the time before is removed, and that flushed, before the clock runs. Returns the seconds, below 0
 * where a call fails. */
double files_write_alone_s(const files_folder *folder, const void *bytes, size_t byte_count);
/* As many bytes from one buffer that stays in cache: no file of any contents is written faster. */
double files_write_cached_s(const files_folder *folder, size_t byte_count);

/* A bake of one clip to baked.glb, whatever it holds; the seconds, below 0 with a line on stderr when it fails. */
typedef struct files_bake {
  const sinew_context *context;
  const sinew_clip *clip;
  const sinew_rig *rig;
  const files_folder *folder;
  sinew_format format;
} files_bake;
double files_bake_s(const files_bake *bake, bool verify);
/* A file of the folder, in heap memory; NULL when it cannot be read. */
void *files_bytes(const files_folder *folder, const char *name, size_t *byte_count);

/* Clip files: made ones in `folder`, the i-th with a name of its own; *byte_count is that of all. */
bool files_put_clips(const files_folder *folder, made_clip_shape shape, uint32_t count, size_t *byte_count);
/* Reads them all on so many threads. */
double files_scan_s(const files_folder *folder, uint32_t count, uint32_t threads);
/* Converts them all as a batch. */
double files_convert_s(const sinew_context *context, const sinew_rig *rig, const files_folder *folder,
                       uint32_t count, bool verify);

/* From posix_spawn of `sinew --version` until it has ended. */
double files_start_s(void);
/* The same of `sinew convert CLIP --rig RIG --fps RATE -j THREADS -o` program.glb in the folder. */
typedef struct files_program {
  const files_folder *folder;
  const char *clip, *rig;
  const char *rate_hz;
} files_program;
double files_program_s(const files_program *program, uint32_t threads, bool verify);
/* A BVH to out.glb in the folder by the whole program: ours on so many threads (0: as it chooses), and `assimp
 * export`. */
double files_bvh_s(const files_folder *folder, const char *bvh, uint32_t threads, bool verify);
double files_assimp_s(const files_folder *folder, const char *bvh);
bool files_have_assimp(void);

#endif
