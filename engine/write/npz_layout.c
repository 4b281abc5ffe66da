#include "write/npz_layout.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/utf8.h"
#include "write/npy_header.h"
#include "write/zip_entry.h"

#include <math.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays go into the file as they lie in memory");

static const uint64_t file_byte_limit = UINT64_C(1) << 62;

static const char *const file_names[NPZ_NAMES] = {
    [NPZ_JOINT_NAMES] = "joint_names.npy",
    [NPZ_PARENTS] = "parents.npy",
    [NPZ_REST_POSITIONS] = "rest_positions.npy",
    [NPZ_REST_ROTATIONS] = "rest_rotations.npy",
    [NPZ_REST_SCALES] = "rest_scales.npy",
    [NPZ_ROOT_JOINT] = "root_joint.npy",
    [NPZ_FPS] = "fps.npy",
    [NPZ_SOURCE] = "source.npy",
    [NPZ_SINEW_VERSION] = "sinew_version.npy",
    [NPZ_PROFILE] = "profile.npy",
    [NPZ_MUSCLE_NAMES] = "muscle_names.npy",
    [NPZ_LOCAL_ROTATIONS] = "local_rotations.npy",
    [NPZ_ROOT_POSITIONS] = "root_positions.npy",
    [NPZ_ROOT_LOCAL_POSITIONS] = "root_local_positions.npy",
    [NPZ_POSITIONS] = "positions.npy",
    [NPZ_LOCAL_POSITIONS] = "local_positions.npy",
    [NPZ_MUSCLES] = "muscles.npy",
    [NPZ_ROOT] = "root.npy",
    [NPZ_GOALS] = "goals.npy",
};

enum { ROOT_FLOATS = 7, GOAL_FLOATS = 28 };

typedef struct npz_building {
  const npz_plan *plan;
  npz_layout *layout;
  sinew_error *error;
} npz_building;

static sinew_result out_of_memory(const npz_building *b) {
  return error_set(b->error, SINEW_ERROR_MEMORY, "out of memory for the arrays of %u joints",
                   b->plan->node_count);
}

/* ---- one member --------------------------------------------------------------------------------------- */

/* data NULL: rows of frames, the first dimension being theirs. */
static sinew_result add(npz_building *b, npz_name name, npy_shape shape, const void *data) {
  npz_member *member = &b->layout->members[name];
  unsigned char header[NPY_HEADER_ROOM];
  uint64_t row = (uint64_t)shape.item_size * (shape.type == 'U' ? 4 : 1);
  for (uint32_t i = data ? 0 : 1; i < shape.dimensions; i++) {
    size_t product;
    SINEW_CHECK(checked_mul(row, shape.of[i], &product), b->error, SINEW_ERROR_LIMIT,
                "an array of more than 2^62 bytes");
    row = product;
  }
  member->file_name = file_names[name];
  member->data = data;
  member->row_bytes = row;
  member->header_byte_count = (uint32_t)npy_header_print(&shape, header);
  unsigned char *kept = arena_alloc(&b->layout->memory, member->header_byte_count, 1);
  if (!kept) return out_of_memory(b);
  memcpy(kept, header, member->header_byte_count);
  member->header = kept;
  SINEW_CHECK(row <= file_byte_limit &&
                  !__builtin_mul_overflow(row, data ? 1 : b->plan->frame_count, &member->data_byte_count) &&
                  member->data_byte_count <= file_byte_limit / NPZ_NAMES,
              b->error, SINEW_ERROR_LIMIT, "%llu frames of %llu bytes each are too many for one file",
              (unsigned long long)b->plan->frame_count, (unsigned long long)row);
  return SINEW_OK;
}

static sinew_result add_rows(npz_building *b, npz_name name, uint32_t count, uint32_t width) {
  npy_shape shape = {'f', sizeof(float), 2, {b->plan->frame_count, count}};
  if (width) shape.dimensions = 3, shape.of[2] = width;
  return add(b, name, shape, NULL);
}

/* ---- text --------------------------------------------------------------------------------------------- */

static uint32_t code_point(const unsigned char *p, size_t length) {
  static const unsigned char lead_bits[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = p[0] & lead_bits[length];
  for (size_t i = 1; i < length; i++) code = code << 6 | (p[i] & 0x3f);
  return code;
}

/* UTF-8 as code points; what is none becomes U+FFFD. Returns how many. codes NULL: they are counted only. */
static uint32_t decode(const char *text, uint32_t *codes) {
  const unsigned char *p = (const unsigned char *)text, *end = p + strlen(text);
  uint32_t count = 0;
  for (size_t step; p < end; p += step ? step : 1, count++) {
    step = utf8_sequence(p, (size_t)(end - p));
    if (codes) codes[count] = step ? code_point(p, step) : 0xfffd;
  }
  return count;
}

/* NumPy has no text of width 0 that it reads back as one. */
static sinew_result add_texts(npz_building *b, npz_name name, const char *const *texts, uint32_t count,
                              bool scalar) {
  uint32_t width = 1;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t length = decode(texts[i], NULL);
    if (length > width) width = length;
  }
  size_t codes;
  uint32_t *data = NULL;
  if (checked_mul(count, width, &codes)) data = arena_alloc(&b->layout->memory, codes, sizeof *data);
  if (!data) return out_of_memory(b);
  for (uint32_t i = 0; i < count; i++) decode(texts[i], data + (size_t)i * width);
  return add(b, name, (npy_shape){'U', width, !scalar, {count}}, data);
}

static sinew_result add_text(npz_building *b, npz_name name, const char *text) {
  return add_texts(b, name, (const char *const[]){text ? text : ""}, 1, true);
}

static sinew_result add_names(npz_building *b) {
  const npz_plan *plan = b->plan;
  const char **names = arena_alloc(&b->layout->memory, plan->node_count, sizeof *names);
  if (!names) return out_of_memory(b);
  for (uint32_t i = 0; i < plan->node_count; i++) names[i] = plan->nodes[i].name ? plan->nodes[i].name : "";
  return add_texts(b, NPZ_JOINT_NAMES, names, plan->node_count, false);
}

static sinew_result add_muscle_names(npz_building *b) {
  const char *names[SINEW_MUSCLE_COUNT];
  for (uint32_t i = 0; i < SINEW_MUSCLE_COUNT; i++) names[i] = human_muscles[i].attribute;
  return add_texts(b, NPZ_MUSCLE_NAMES, names, SINEW_MUSCLE_COUNT, false);
}

/* ---- the skeleton ------------------------------------------------------------------------------------- */

static sinew_result add_rest(npz_building *b) {
  const uint32_t count = b->plan->node_count;
  arena *memory = &b->layout->memory;
  int32_t *parents = arena_alloc(memory, count, sizeof *parents);
  float(*t)[3] = arena_alloc(memory, count, sizeof *t), (*q)[4] = arena_alloc(memory, count, sizeof *q);
  float(*s)[3] = arena_alloc(memory, count, sizeof *s);
  if (!parents || !t || !q || !s) return out_of_memory(b);
  bool scaled = false;
  for (uint32_t i = 0; i < count; i++) {
    const rig_node *node = &b->plan->nodes[i];
    parents[i] = node->parent;
    for (int k = 0; k < 3; k++) t[i][k] = (float)(k == 0 ? -node->t[k] : node->t[k]);
    for (int k = 0; k < 4; k++) q[i][k] = (float)(k == 1 || k == 2 ? -node->q[k] : node->q[k]);
    for (int k = 0; k < 3; k++) s[i][k] = (float)node->s[k], scaled = scaled || s[i][k] != 1;
  }
  SINEW_TRY(add(b, NPZ_PARENTS, (npy_shape){'i', sizeof *parents, 1, {count}}, parents));
  SINEW_TRY(add(b, NPZ_REST_POSITIONS, (npy_shape){'f', sizeof(float), 2, {count, 3}}, t));
  SINEW_TRY(add(b, NPZ_REST_ROTATIONS, (npy_shape){'f', sizeof(float), 2, {count, 4}}, q));
  return scaled ? add(b, NPZ_REST_SCALES, (npy_shape){'f', sizeof(float), 2, {count, 3}}, s) : SINEW_OK;
}

static sinew_result add_numbers(npz_building *b) {
  int32_t *root = arena_alloc(&b->layout->memory, 1, sizeof *root);
  double *fps = arena_alloc(&b->layout->memory, 1, sizeof *fps);
  if (!root || !fps) return out_of_memory(b);
  *root = (int32_t)b->plan->root_joint;
  *fps = b->plan->rate_hz;
  SINEW_TRY(add(b, NPZ_ROOT_JOINT, (npy_shape){'i', sizeof *root, 0, {0}}, root));
  return add(b, NPZ_FPS, (npy_shape){'f', sizeof *fps, 0, {0}}, fps);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result add_frames(npz_building *b) {
  const npz_plan *plan = b->plan;
  const uint32_t count = plan->node_count;
  SINEW_TRY(add_rows(b, NPZ_LOCAL_ROTATIONS, count, npz_turn_floats(plan)));
  SINEW_TRY(add_rows(b, NPZ_ROOT_POSITIONS, 3, 0));
  if (plan->nodes[plan->root_joint].parent >= 0) SINEW_TRY(add_rows(b, NPZ_ROOT_LOCAL_POSITIONS, 3, 0));
  if (plan->has_positions) SINEW_TRY(add_rows(b, NPZ_POSITIONS, count, 3));
  if (plan->has_local_positions) SINEW_TRY(add_rows(b, NPZ_LOCAL_POSITIONS, count, 3));
  if (!plan->has_muscles) return SINEW_OK;
  SINEW_TRY(add_muscle_names(b));
  SINEW_TRY(add_rows(b, NPZ_MUSCLES, SINEW_MUSCLE_COUNT, 0));
  SINEW_TRY(add_rows(b, NPZ_ROOT, ROOT_FLOATS, 0));
  return add_rows(b, NPZ_GOALS, GOAL_FLOATS, 0);
}

static void place(npz_layout *layout) {
  unsigned char bytes[ZIP_HEAD_ROOM];
  uint64_t at = 0, directory = 0;
  for (int i = 0; i < NPZ_NAMES; i++) {
    npz_member *member = &layout->members[i];
    if (!member->file_name) continue;
    const zip_entry entry = {member->file_name, at, member->header_byte_count + member->data_byte_count, 0};
    member->head_offset = at;
    member->data_offset = at + zip_local_header(&entry, bytes) + member->header_byte_count;
    at = member->data_offset + member->data_byte_count;
    directory += zip_directory_header(&entry, bytes);
    layout->member_count++;
  }
  layout->directory_offset = at;
  layout->directory_byte_count = directory + zip_end(layout->member_count, at, directory, bytes);
  layout->file_byte_count = at + layout->directory_byte_count;
}

static sinew_result check(const npz_plan *plan, sinew_error *error) {
  SINEW_CHECK(plan->node_count > 0 && plan->node_count <= INT32_MAX, error, SINEW_ERROR_ARGUMENT, "%u joints",
              plan->node_count);
  SINEW_CHECK(plan->frame_count > 0, error, SINEW_ERROR_ARGUMENT, "no frames");
  SINEW_CHECK(plan->root_joint < plan->node_count, error, SINEW_ERROR_ARGUMENT, "root joint %u of %u",
              plan->root_joint, plan->node_count);
  SINEW_CHECK(plan->rate_hz > 0 && isfinite(plan->rate_hz), error, SINEW_ERROR_ARGUMENT,
              "a rate of %g frames a second", plan->rate_hz);
  return SINEW_OK;
}

static sinew_result build(npz_building *b) {
  SINEW_TRY(check(b->plan, b->error));
  SINEW_TRY(add_names(b));
  SINEW_TRY(add_rest(b));
  SINEW_TRY(add_numbers(b));
  SINEW_TRY(add_text(b, NPZ_SOURCE, b->plan->source_name));
  SINEW_TRY(add_text(b, NPZ_SINEW_VERSION, SINEW_VERSION));
  SINEW_TRY(add_text(b, NPZ_PROFILE, b->plan->profile));
  SINEW_TRY(add_frames(b));
  place(b->layout);
  return SINEW_OK;
}

sinew_result npz_layout_build(const npz_plan *plan, npz_layout *layout, sinew_error *error) {
  memset(layout, 0, sizeof *layout);
  npz_building b = {plan, layout, error};
  const sinew_result result = build(&b);
  if (result != SINEW_OK) npz_layout_release(layout);
  return result;
}

void npz_layout_release(npz_layout *layout) {
  arena_release(&layout->memory);
  memset(layout, 0, sizeof *layout);
}
