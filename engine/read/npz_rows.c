/* The movement of an .npz as rows of quaternions: the values as they stand in the file, those alone made unit
 * that are clearly not. */
#include "base/checked.h"
#include "base/error.h"
#include "read/npz.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

/* |q|^2 of a rotation rounded to float32 is within 4e-7 of 1; past this it was never unit. */
static const float square_tolerance = 1e-5f;
static const double most_hz = 1e6, least_hz = 1e-6;

typedef struct row_build {
  npz_reading *r;
  uint32_t width;        /* of rotations in the file: 4 or 3 */
  uint32_t column_count; /* of a row */
  uint32_t *turn_column; /* [joints] of x */
  uint32_t *ancestors;   /* of the root joint, the topmost first */
  uint32_t ancestor_count;
  float *turns;  /* a frame's rotations as the file has them */
  float *places; /* a frame's positions: of all joints, or of one */
  float *rows;
  uint64_t bent; /* rotations whose length was clearly not 1 */
} row_build;

/* ---- columns ------------------------------------------------------------------------------------------ */

static bool has_place(const npz_reading *r, uint32_t joint) {
  return r->has[ARRAY_LOCAL_POSITIONS] || joint == r->root_joint;
}

static sinew_result list_columns(row_build *b) {
  npz_reading *r = b->r;
  const uint32_t places = r->has[ARRAY_LOCAL_POSITIONS] ? r->joint_count : 1;
  b->column_count = r->joint_count * 4 + places * 3; /* joints are few: limits.nodes */
  motion_channel *channels = arena_alloc(&r->skeleton->memory, b->column_count, sizeof *channels);
  b->turn_column = arena_alloc(&r->scratch, r->joint_count, sizeof *b->turn_column);
  if (!channels || !b->turn_column) return npz_out_of_memory(r);
  uint32_t column = 0;
  for (uint32_t joint = 0; joint < r->joint_count; joint++) {
    for (uint8_t k = 0; k < 3 && has_place(r, joint); k++)
      channels[column++] = (motion_channel){joint, (uint8_t)(MOTION_X_POSITION + k)};
    b->turn_column[joint] = column;
    for (uint8_t k = 0; k < 4; k++)
      channels[column++] = (motion_channel){joint, (uint8_t)(MOTION_X_TURN + k)};
  }
  r->file->channels = channels;
  r->file->channel_count = column;
  return SINEW_OK;
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* The numbers of one frame. */
static void load(const npy_array *array, uint64_t first, uint64_t count, float *values) {
  if (array->type == NPY_FLOAT32)
    memcpy(values, array->values + first * sizeof *values, count * sizeof *values);
  else
    for (uint64_t i = 0; i < count; i++) values[i] = (float)npy_number(array, first + i);
}

static sinew_result check_places(const row_build *b, npz_array array, uint64_t frame, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    SINEW_CHECK(isfinite(b->places[i]), b->r->error, SINEW_ERROR_SYNTAX,
                "%s: frame %llu has %g, expected a finite number within float32", npz_array_name(array),
                (unsigned long long)frame, (double)b->places[i]);
  return SINEW_OK;
}

/* ---- rotations ---------------------------------------------------------------------------------------- */

/* A rotation that is not unit; w of three components is the caller's. */
static sinew_result make_unit(row_build *b, uint64_t frame, uint32_t joint, float q[4]) {
  double turn[4] = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
  const double square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3];
  SINEW_CHECK(isfinite(square), b->r->error, SINEW_ERROR_SYNTAX,
              "local_rotations: frame %llu of joint %u has %g %g %g %g, expected a unit quaternion",
              (unsigned long long)frame, joint, turn[0], turn[1], turn[2], turn[3]);
  SINEW_CHECK(square > 0, b->r->error, SINEW_ERROR_SYNTAX,
              "local_rotations: frame %llu of joint %u has 0 0 0 0, which turns nowhere",
              (unsigned long long)frame, joint);
  b->bent += fabs(quat_normalise(turn) - 1) > npz_length_tolerance;
  for (int k = 0; k < 4; k++) q[k] = (float)turn[k];
  return SINEW_OK;
}

/* w >= 0 from the other three. */
static void complete(const float *three, float q[4]) {
  double rest = 1;
  for (int k = 0; k < 3; k++) {
    rest -= (double)three[k] * (double)three[k];
    q[k] = three[k];
  }
  q[3] = rest > 0 ? (float)sqrt(rest) : 0;
}

static sinew_result put_turns(row_build *b, uint64_t frame, float *row) {
  const uint32_t joints = b->r->joint_count;
  for (uint32_t joint = 0; joint < joints; joint++) {
    float *q = row + b->turn_column[joint];
    if (b->width == 4)
      memcpy(q, b->turns + (size_t)joint * 4, 4 * sizeof *q);
    else
      complete(b->turns + (size_t)joint * 3, q);
    const float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(fabsf(square - 1) <= square_tolerance)) SINEW_TRY(make_unit(b, frame, joint, q));
  }
  return SINEW_OK;
}

/* ---- places ------------------------------------------------------------------------------------------- */

static sinew_result find_ancestors(row_build *b) {
  const skeleton *s = b->r->skeleton;
  uint32_t count = 0;
  for (int32_t at = s->nodes[b->r->root_joint].parent; at >= 0; at = s->nodes[at].parent) count++;
  b->ancestors = arena_alloc(&b->r->scratch, count, sizeof *b->ancestors);
  if (!b->ancestors) return npz_out_of_memory(b->r);
  b->ancestor_count = count;
  for (int32_t at = s->nodes[b->r->root_joint].parent; at >= 0; at = s->nodes[at].parent)
    b->ancestors[--count] = (uint32_t)at;
  return SINEW_OK;
}

/* From model space into the root joint's parent, as those above it stand in the row. */
static void bring_down(const row_build *b, const float *row, float place[3]) {
  double v[3] = {(double)place[0], (double)place[1], (double)place[2]};
  for (uint32_t i = 0; i < b->ancestor_count; i++) {
    const skeleton_node *node = &b->r->skeleton->nodes[b->ancestors[i]];
    const float *turn = row + b->turn_column[b->ancestors[i]];
    const double inverse[4] = {-(double)turn[0], -(double)turn[1], -(double)turn[2], (double)turn[3]};
    for (int k = 0; k < 3; k++) v[k] -= node->t[k];
    quat_rotate(inverse, v, v);
    for (int k = 0; k < 3; k++) v[k] /= node->s[k];
  }
  for (int k = 0; k < 3; k++) place[k] = (float)v[k];
}

static sinew_result put_all_places(row_build *b, uint64_t frame, float *row) {
  const uint32_t joints = b->r->joint_count;
  load(&b->r->arrays[ARRAY_LOCAL_POSITIONS], frame * joints * 3, (uint64_t)joints * 3, b->places);
  SINEW_TRY(check_places(b, ARRAY_LOCAL_POSITIONS, frame, joints * 3));
  for (uint32_t joint = 0; joint < joints; joint++)
    memcpy(row + b->turn_column[joint] - 3, b->places + (size_t)joint * 3, 3 * sizeof *row);
  return SINEW_OK;
}

static sinew_result put_root_place(row_build *b, uint64_t frame, float *row) {
  const npz_array from =
      b->r->has[ARRAY_ROOT_LOCAL_POSITIONS] ? ARRAY_ROOT_LOCAL_POSITIONS : ARRAY_ROOT_POSITIONS;
  load(&b->r->arrays[from], frame * 3, 3, b->places);
  SINEW_TRY(check_places(b, from, frame, 3));
  if (from == ARRAY_ROOT_POSITIONS && b->ancestor_count) {
    bring_down(b, row, b->places);
    SINEW_TRY(check_places(b, from, frame, 3));
  }
  memcpy(row + b->turn_column[b->r->root_joint] - 3, b->places, 3 * sizeof *row);
  return SINEW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result read_frame(row_build *b, uint64_t frame) {
  const uint64_t values = (uint64_t)b->r->joint_count * b->width;
  float *row = b->rows + frame * b->column_count;
  load(&b->r->arrays[ARRAY_LOCAL_ROTATIONS], frame * values, values, b->turns);
  SINEW_TRY(put_turns(b, frame, row));
  return b->r->has[ARRAY_LOCAL_POSITIONS] ? put_all_places(b, frame, row) : put_root_place(b, frame, row);
}

static sinew_result make_room(row_build *b) {
  npz_reading *r = b->r;
  const uint64_t used = r->skeleton->memory.byte_count, all = r->source->limits.memory_bytes;
  size_t count;
  SINEW_CHECK(checked_mul(r->frame_count, b->column_count, &count) && count <= r->source->limits.keys,
              r->error, SINEW_ERROR_LIMIT, "local_rotations: more than %llu values in all, the limit",
              (unsigned long long)r->source->limits.keys);
  r->file->memory.byte_limit = all > used ? all - used : 1;
  b->rows = arena_alloc(&r->file->memory, count, sizeof *b->rows);
  b->turns = arena_alloc(&r->scratch, (size_t)r->joint_count * 4, sizeof *b->turns);
  b->places = arena_alloc(&r->scratch, (size_t)r->joint_count * 3, sizeof *b->places);
  return b->rows && b->turns && b->places ? SINEW_OK : npz_out_of_memory(r);
}

static sinew_result add_motion(row_build *b) {
  npz_reading *r = b->r;
  const double rate_hz = npy_number(&r->arrays[ARRAY_FPS], 0);
  SINEW_CHECK(rate_hz >= least_hz && rate_hz <= most_hz, r->error, SINEW_ERROR_SYNTAX,
              "fps: is %g, expected frames a second, 0.000001 to 1000000", rate_hz);
  motion *m = arena_alloc(&r->file->memory, 1, sizeof *m);
  if (!m) return npz_out_of_memory(r);
  *m = (motion){.name = "",
                .rate_hz = rate_hz,
                .stop_s = (double)(r->frame_count - 1) / rate_hz,
                .frame_count = r->frame_count,
                .channel_count = b->column_count,
                .channels = r->file->channels,
                .rows = b->rows};
  r->file->motions = m;
  r->file->motion_count = 1;
  return SINEW_OK;
}

sinew_result npz_read_rows(npz_reading *r) {
  row_build b = {.r = r, .width = (uint32_t)r->arrays[ARRAY_LOCAL_ROTATIONS].shape[2]};
  SINEW_TRY(list_columns(&b));
  SINEW_TRY(find_ancestors(&b));
  SINEW_TRY(make_room(&b));
  for (uint64_t frame = 0; frame < r->frame_count; frame++) SINEW_TRY(read_frame(&b, frame));
  if (b.bent)
    NPZ_WARN(r, "local_rotations: %llu rotation%s a length that is not 1: made 1", (unsigned long long)b.bent,
             b.bent == 1 ? " has" : "s have");
  return add_motion(&b);
}
