/* Readers of skeletons and their movement: file bytes to a motion_file. As in reader.h every length, index
 * and number is checked here. */
#ifndef SINEW_READ_MOTION_READER_H
#define SINEW_READ_MOTION_READER_H

#include "clip/motion.h"
#include "read/reader.h"

/* Opens a file as what its bytes say it is. options may be NULL. Errors: IO, SYNTAX, UNSUPPORTED (of another
 * kind, which is named), LIMIT, MEMORY; the file is NULL then. */
sinew_result read_motion_file(const char *path, const sinew_read_options *options, motion_file **file,
                              sinew_error *error);
/* The same of bytes, which are not kept; `label` stands for the path in messages, and its folder for the
 * file's. */
sinew_result read_motion_memory(const void *bytes, size_t byte_count, const char *label,
                                const sinew_read_options *options, motion_file **file, sinew_error *error);

/* A BVH file. `file` is empty but for memory.byte_limit; after an error what is in it is closed by the
 * caller. */
sinew_result read_bvh(const read_source *source, motion_file *file, sinew_error *error);
/* Whether the first word is HIERARCHY, in any case, behind a byte order mark or not. */
bool is_bvh(const read_source *source);

/* A glTF 2.0 file, GLB or JSON, and its VRM kinds; `file` as of read_bvh. Buffers in other files stand beneath
 * the folder of `path`; NULL: there may be none. */
sinew_result read_gltf(const read_source *source, const char *path, motion_file *file, sinew_error *error);
/* Whether it is a GLB, or JSON with an asset and its version. */
bool is_gltf(const read_source *source);

/* A skeleton's movement as NumPy arrays (write/npz_layout.h lists them), stored or deflated; `file` as of
 * read_bvh. Whatever begins as a ZIP archive is read as one. */
sinew_result read_npz(const read_source *source, motion_file *file, sinew_error *error);
bool is_npz(const read_source *source);

/* An FBX file, by assimp; `file` as of read_bvh. A build without it (meson option fbx) refuses: UNSUPPORTED. */
sinew_result read_fbx(const read_source *source, motion_file *file, sinew_error *error);
/* Whether it is an FBX, binary or text, in any build. */
bool is_fbx(const read_source *source);

#endif
