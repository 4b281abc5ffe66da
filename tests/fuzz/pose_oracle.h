/* What every input must keep, whatever its bytes: a refusal says why, and a pose that is computed holds numbers. A broken
 * promise ends the process, so that the fuzzer keeps the input. */
#ifndef TESTS_FUZZ_POSE_ORACLE_H
#define TESTS_FUZZ_POSE_ORACLE_H

#include "clip/motion.h"
#include "stage/pose_block.h"

/* Ends the process unless `kept`. */
void oracle_expect(bool kept, const char *promise);

/* A refusal: a code that an input can cause, words without control characters, a place within the input. */
void oracle_refusal(sinew_result result, const sinew_error *error, size_t byte_count);

/* The first block, the second and the last, to joint positions: rotations are unit, positions finite, and every other
 * table of the same profile gives the same bytes in the first. Values that the engine refuses are its own business.
 * rig NULL: a clip of bones on its own skeleton. rate_hz 0: the clip's own. */
void oracle_poses(const sinew_clip *clip, const sinew_rig *rig, double rate_hz);

/* A file of bones as clips and as a rig: each may be refused; what opens poses the first clips on their own skeleton and
 * on the file's rig. */
void oracle_bones(const uint8_t *bytes, size_t byte_count, const char *label);

/* Whatever is read maps to human bones or is refused in a sentence. */
void oracle_map(const motion_file *file);

/* A whole file below the source folder that the build names; the caller frees. */
char *oracle_source_file(const char *relative, size_t *byte_count);

/* The clip to a file of one format, which the number of the input's bytes chooses, and back. rig NULL: of bones alone. */
void oracle_files(const sinew_clip *clip, const sinew_rig *rig, size_t byte_count);

#endif
