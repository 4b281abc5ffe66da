/* The skeleton of an .npz: names, parents, rest. */
#include "base/error.h"
#include "read/npz.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

static const double most_m = 1e9; /* as of other formats' offsets */

/* ---- names -------------------------------------------------------------------------------------------- */

static size_t encode(uint32_t code, char *out) {
  if (code < 0x80) return out[0] = (char)code, 1;
  if (code < 0x800) return out[0] = (char)(0xc0 | code >> 6), out[1] = (char)(0x80 | (code & 0x3f)), 2;
  if (code < 0x10000) {
    out[0] = (char)(0xe0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3f));
    out[2] = (char)(0x80 | (code & 0x3f));
    return 3;
  }
  out[0] = (char)(0xf0 | code >> 18);
  out[1] = (char)(0x80 | (code >> 12 & 0x3f));
  out[2] = (char)(0x80 | (code >> 6 & 0x3f));
  out[3] = (char)(0x80 | (code & 0x3f));
  return 4;
}

static bool is_character(uint32_t code) {
  return code && code < 0x110000 && !(code >= 0xd800 && code < 0xe000);
}

/* Zeros at the end fill the text up; what is no character becomes U+FFFD. */
static sinew_result read_name(npz_reading *r, uint32_t index, bool *odd) {
  const npy_array *names = &r->arrays[ARRAY_JOINT_NAMES];
  const unsigned char *from = names->values + index * names->item_bytes;
  uint64_t width = names->item_bytes / sizeof(uint32_t), length = 0;
  uint32_t code;
  while (width && memcmp(from + (width - 1) * sizeof code, "\0\0\0", sizeof code) == 0) width--;
  SINEW_CHECK(width <= r->source->limits.name_bytes, r->error, SINEW_ERROR_LIMIT,
              "joint_names: name %u has %llu letters, the limit is %u", index, (unsigned long long)width,
              r->source->limits.name_bytes);
  char *name = arena_alloc(&r->skeleton->memory, width * 4 + 1, 1);
  if (!name) return npz_out_of_memory(r);
  for (uint64_t i = 0; i < width; i++) {
    memcpy(&code, from + i * sizeof code, sizeof code);
    *odd = *odd || !is_character(code);
    length += encode(is_character(code) ? code : 0xfffd, name + length);
  }
  r->skeleton->nodes[index].name = name;
  return SINEW_OK;
}

static sinew_result read_names(npz_reading *r) {
  bool odd = false;
  for (uint32_t i = 0; i < r->joint_count; i++) SINEW_TRY(read_name(r, i, &odd));
  if (odd) NPZ_WARN(r, "joint_names: what is no character became U+FFFD");
  return SINEW_OK;
}

/* ---- hierarchy ---------------------------------------------------------------------------------------- */

static sinew_result read_parents(npz_reading *r) {
  uint32_t *depth = arena_alloc(&r->scratch, r->joint_count, sizeof *depth);
  if (!depth) return npz_out_of_memory(r);
  for (uint32_t i = 0; i < r->joint_count; i++) {
    const double parent = npy_number(&r->arrays[ARRAY_PARENTS], i);
    SINEW_CHECK(parent >= -1 && parent < (double)i, r->error, SINEW_ERROR_SYNTAX,
                "parents: joint %u has %.17g, expected -1 or a joint before it", i, parent);
    r->skeleton->nodes[i].parent = (int32_t)parent;
    depth[i] = parent < 0 ? 1 : depth[(int32_t)parent] + 1;
    SINEW_CHECK(depth[i] <= r->source->limits.depth, r->error, SINEW_ERROR_LIMIT,
                "parents: joint %u hangs %u joints deep, the limit is %u", i, depth[i],
                r->source->limits.depth);
  }
  return SINEW_OK;
}

static sinew_result read_root(npz_reading *r) {
  if (!r->has[ARRAY_ROOT_JOINT]) return SINEW_OK;
  const double root = npy_number(&r->arrays[ARRAY_ROOT_JOINT], 0);
  SINEW_CHECK(root >= 0 && root < r->joint_count, r->error, SINEW_ERROR_SYNTAX,
              "root_joint: is %.17g, expected one of %u joints", root, r->joint_count);
  r->root_joint = (uint32_t)root;
  return SINEW_OK;
}

/* ---- rest --------------------------------------------------------------------------------------------- */

static sinew_result read_values(npz_reading *r, npz_array array, uint32_t joint, uint32_t count,
                                double *values) {
  for (uint32_t k = 0; k < count; k++) {
    values[k] = npy_number(&r->arrays[array], (uint64_t)joint * count + k);
    SINEW_CHECK(fabs(values[k]) <= most_m, r->error, SINEW_ERROR_SYNTAX,
                "%s: joint %u has %g, expected a number within -1e9..1e9", npz_array_name(array), joint,
                values[k]);
  }
  return SINEW_OK;
}

static sinew_result read_rest(npz_reading *r, uint32_t index, uint32_t *bent) {
  skeleton_node *node = &r->skeleton->nodes[index];
  node->s[0] = node->s[1] = node->s[2] = 1;
  node->source_index = index;
  SINEW_TRY(read_values(r, ARRAY_REST_POSITIONS, index, 3, node->t));
  SINEW_TRY(read_values(r, ARRAY_REST_ROTATIONS, index, 4, node->q));
  if (r->has[ARRAY_REST_SCALES]) SINEW_TRY(read_values(r, ARRAY_REST_SCALES, index, 3, node->s));
  const double length = quat_normalise(node->q);
  SINEW_CHECK(length > 0, r->error, SINEW_ERROR_SYNTAX,
              "rest_rotations: joint %u has 0 0 0 0, which turns nowhere", index);
  *bent += fabs(length - 1) > npz_length_tolerance;
  return SINEW_OK;
}

/* A joint without a name and without children is where a bone ends, a BVH's End Site, and no bone itself. */
static void mark_ends(skeleton *s) {
  for (uint32_t i = 0; i < s->node_count; i++) s->nodes[i].is_joint = s->nodes[i].name[0] != 0;
  for (uint32_t i = 0; i < s->node_count; i++)
    if (s->nodes[i].parent >= 0) s->nodes[s->nodes[i].parent].is_joint = true;
}

sinew_result npz_read_skeleton(npz_reading *r) {
  skeleton *s = r->skeleton;
  uint32_t bent = 0;
  s->kind = "npz";
  s->unit_m = 1;
  s->nodes = arena_alloc(&s->memory, r->joint_count, sizeof *s->nodes);
  if (!s->nodes) return npz_out_of_memory(r);
  s->node_count = r->joint_count;
  SINEW_TRY(read_names(r));
  SINEW_TRY(read_parents(r));
  SINEW_TRY(read_root(r));
  for (uint32_t i = 0; i < r->joint_count; i++) SINEW_TRY(read_rest(r, i, &bent));
  mark_ends(s);
  if (bent)
    NPZ_WARN(r, "rest_rotations: %u rotation%s a length that is not 1: made 1", bent,
             bent == 1 ? " has" : "s have");
  return SINEW_OK;
}
