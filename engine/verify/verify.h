/* Reads a finished GLB back and compares its joints with computed poses. Shares nothing with write/: it
 * parses the JSON with jansson, follows nodes, channels and accessors as any player would, and composes full
 * matrices in double. */
#ifndef SINEW_VERIFY_VERIFY_H
#define SINEW_VERIFY_VERIFY_H

#include "kernels.h"
#include "sinew.h"

typedef struct verify_file verify_file;

/* fd: the finished temporary file, open for reading. Errors: VERIFY (the file is not what a player accepts;
 * says why), IO, MEMORY. */
sinew_result verify_open(int fd, verify_file **file, sinew_error *error);
/* The same of a file with a body that is not ours: of it the nodes and the first animation are judged alone.
 * Its meshes are not looked at (it has no corners), nor its scenes and its extensions, required ones
 * included; every node counts as shown, and a rest rotation that is not of unit length is made so. */
sinew_result verify_open_model(int fd, verify_file **file, sinew_error *error);
void verify_close(verify_file *file);

uint32_t verify_node_count(const verify_file *file);
const char *verify_node_name(const verify_file *file, uint32_t node);
/* Number of keys of the longest time accessor, 0 without animation. */
uint64_t verify_frame_count(const verify_file *file);
/* Time in seconds of a key of the longest time accessor, below verify_frame_count. Errors: IO, VERIFY (the
 * file ends before it). */
sinew_result verify_frame_time(const verify_file *file, uint64_t frame, double *time_s, sinew_error *error);

/* Samples every channel at the times of frames first..first+count-1 (of a file without animation: any frames,
 * all at rest) and composes model positions of `node_count` nodes (glTF's frame, metres): positions[(f *
 * node_count + i) * 3]. Thread-safe. Errors: VERIFY, IO, MEMORY. */
sinew_result verify_positions(const verify_file *file, const uint32_t *nodes, uint32_t node_count,
                              uint64_t first, uint32_t count, double *positions, sinew_error *error);

/* Nodes to be followed over many frames, at least one. Read-only once opened: threads share it. The file
 * and the kernels outlive it. Values that do not vary are read here. Errors: VERIFY, IO, MEMORY. */
typedef struct verify_joints verify_joints;
sinew_result verify_joints_open(const verify_file *file, const sinew_kernels *kernels, const uint32_t *nodes,
                                uint32_t node_count, verify_joints **joints, sinew_error *error);
void verify_joints_close(verify_joints *joints);

/* What one thread follows them with; it may serve the joints of one file after another, and grows to the
 * largest. Errors: MEMORY. */
typedef struct verify_run verify_run;
sinew_result verify_run_open(verify_run **run, sinew_error *error);
void verify_run_close(verify_run *run);
/* Forgets what was read before. Errors: MEMORY. */
sinew_result verify_run_begin(verify_run *run, const verify_joints *joints, sinew_error *error);
/* Where the joints were computed to be, as the kernel `places` wants and tells it (kernels.h). */
typedef struct verify_own {
  const float *model; /* [joint][7][64] */
  double least;
  double *squares; /* [64] is written */
} verify_own;

/* verify_positions for 1 to 64 frames: places[joint][3][64], aligned to 64 bytes, glTF's frame, metres. Where
 * the file ends with them, what stands past count are the last one's, else anything. Frames up to `end` (not
 * counted) may be read ahead, up to 1024 at once. All channels are checked, whoever needs them. Errors:
 * VERIFY, IO. */
sinew_result verify_places(verify_run *run, uint64_t first, uint32_t count, uint64_t end,
                           const verify_own *own, double *places, sinew_error *error);

/* The times of the frames that verify_places was last asked for, seconds, from `first` on. */
const float *verify_run_times(const verify_run *run, uint64_t first);

/* Corners of the skinned mesh, 0 when the file has none. */
uint32_t verify_vertex_count(const verify_file *file);
/* Where the skin's matrices put them at a frame, metres: positions[vertex]. Thread-safe. Errors: VERIFY, IO,
 * MEMORY. */
sinew_result verify_vertices(const verify_file *file, uint64_t frame, double (*positions)[3],
                             sinew_error *error);

/* Whether the file is a VRM animation (VRMC_vrm_animation 1.0, listed as used) whose human bones, by the
 * humanoid's numbers, are exactly these nodes: human_node[55], -1: none. Errors: VERIFY. */
sinew_result verify_human(const verify_file *file, const int32_t *human_node, sinew_error *error);

#endif
