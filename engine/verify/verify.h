/* Reads a finished GLB back and compares its joints with computed poses. Shares nothing with write/: it
 * parses the JSON with jansson, follows nodes, channels and accessors as any player would, and composes full
 * matrices in double. */
#ifndef SINEW_VERIFY_VERIFY_H
#define SINEW_VERIFY_VERIFY_H

#include "sinew.h"

typedef struct verify_file verify_file;

/* fd: the finished temporary file, open for reading. Errors: VERIFY (the file is not what a player accepts;
 * says why), IO, MEMORY. */
sinew_result verify_open(int fd, verify_file **file, sinew_error *error);
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

/* Corners of the skinned mesh, 0 when the file has none. */
uint32_t verify_vertex_count(const verify_file *file);
/* Where the skin's matrices put them at a frame, metres: positions[vertex]. Thread-safe. Errors: VERIFY, IO,
 * MEMORY. */
sinew_result verify_vertices(const verify_file *file, uint64_t frame, double (*positions)[3],
                             sinew_error *error);

#endif
