/* A GLB as verification holds it: the hierarchy, and where each animated value's keys lie in the file. */
#ifndef SINEW_VERIFY_GLB_DOCUMENT_H
#define SINEW_VERIFY_GLB_DOCUMENT_H

#include "base/arena.h"
#include "verify/verify.h"

#include <jansson.h>

typedef enum keys_path { KEYS_TRANSLATION, KEYS_ROTATION, KEYS_SCALE, KEYS_PATH_COUNT } keys_path;

typedef struct document_node {
  const char *name;
  int32_t parent; /* -1: a root */
  bool in_scene;
  bool has_matrix;
  double matrix[3][4]; /* its first three rows; the fourth is 0 0 0 1, a matrix with another is refused */
  int32_t channel[KEYS_PATH_COUNT]; /* -1: at rest */
  double rest[KEYS_PATH_COUNT][4];
} document_node;

typedef struct document_keys {
  uint64_t offset; /* in the file */
  uint64_t count;
  uint32_t accessor;
  uint32_t component_count;
  uint32_t key_bytes;
  bool shorts; /* normalised int16 instead of float */
} document_keys;

typedef struct document_channel {
  uint32_t node;
  keys_path path;
  bool step;
  document_keys times;
  document_keys values;
} document_channel;

/* The one skinned mesh; joint_count 0: the file has none. */
typedef struct document_skin {
  uint32_t joint_count;
  uint32_t *joints;             /* nodes */
  double (*inverse_bind)[3][4]; /* [joint]; the fourth row is 0 0 0 1, a matrix with another is refused */
  uint32_t vertex_count;
  float (*places)[3];
  uint8_t (*vertex_joints)[4];
  double (*weights)[4]; /* they sum to 1 */
} document_skin;

enum { DOCUMENT_HUMAN_BONES = 55 };

struct verify_file {
  int fd;
  bool is_model; /* its body is not ours */
  arena memory;
  uint64_t bin_offset, bin_byte_count;
  document_node *nodes;
  uint32_t node_count;
  uint32_t *order; /* parents before children */
  document_channel *channels;
  uint32_t channel_count;
  document_keys clock; /* the longest times; count 0 without animation */
  document_skin skin;
  bool has_human;                           /* it is a VRM animation */
  int32_t human_node[DOCUMENT_HUMAN_BONES]; /* -1: not named */
};

/* Length within 1e-3 of 1. */
static inline bool rotation_is_unit(const double q[4]) {
  double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return square >= 0.999 * 0.999 && square <= 1.001 * 1.001;
}

/* Errors: VERIFY, IO, MEMORY. */
sinew_result document_read_nodes(verify_file *file, const json_t *root, sinew_error *error);
sinew_result document_read_animation(verify_file *file, const json_t *root, sinew_error *error);
sinew_result document_read_skin(verify_file *file, const json_t *root, sinew_error *error);
sinew_result document_read_human(verify_file *file, const json_t *root, sinew_error *error);
/* Reads bytes of the file. Errors: VERIFY (it ends early), IO. */
sinew_result document_read_bytes(const verify_file *file, void *bytes, size_t count, uint64_t offset,
                                 sinew_error *error);

#endif
