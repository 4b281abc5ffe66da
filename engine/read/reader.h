/* The readers: file bytes to a clip or to a rig's description. Every length, index and number is checked
 * here; no later stage sees a file's bytes. */
#ifndef SINEW_READ_READER_H
#define SINEW_READ_READER_H

#include "clip/clip.h"
#include "rig/rig.h"

typedef struct read_source {
  const char *bytes;
  size_t byte_count;
  sinew_read_options limits; /* complete: no zeros left (read_limits_complete) */
} read_source;

sinew_read_options read_limits_complete(const sinew_read_options *limits);

/* Unity text .anim: every humanoid clip of the file. memory->byte_limit is set by the caller. A file of
 * generic clips only, a binary-serialised one, an LFS pointer, an empty or cut file is refused and named as
 * such. */
sinew_result read_unity_anim(const read_source *source, arena *memory, sinew_clip **clips,
                             uint32_t *clip_count, sinew_error *error);

/* A model's .fbx.meta with a humanDescription. */
sinew_result read_fbx_meta(const read_source *source, arena *memory, rig_description *description,
                           sinew_error *error);

/* The first Avatar (class 90) of a Unity text file: an .asset, a .prefab. The description's `compiled` is set. */
sinew_result read_unity_avatar(const read_source *source, arena *memory, rig_description *description,
                               sinew_error *error);
/* Whether the file is made of Unity's documents (`--- !u!`), whatever they hold. */
bool is_unity_documents(const read_source *source);

/* Our own rig file (write/rig_json.h): a whole rig, which the caller closes. */
sinew_result read_rig_json(const read_source *source, sinew_rig **rig, sinew_error *error);
/* Whether the file is JSON at all: its first character is '{'. */
bool is_json(const read_source *source);

#endif
