/* Files of skeletons and their movement as clips of bones. */
#ifndef SINEW_READ_BONE_CLIPS_H
#define SINEW_READ_BONE_CLIPS_H

#include "clip/clip.h"
#include "read/motion_reader.h"

/* Whether the bytes are of a format of bones. */
bool is_bones(const read_source *source);
/* Fills an empty file, which is closed by the caller after an error. `label` stands for the path in messages,
 * and its folder for the file's; a clip without a name has the label's. Errors: those of read_motion_memory,
 * UNSUPPORTED (a skeleton without movement). */
sinew_result read_bone_clips(const read_source *source, const char *label, sinew_clip_file *file,
                             sinew_error *error);

#endif
