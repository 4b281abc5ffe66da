#include "write/bvh_plan.h"

#include "base/error.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

static const double least_end_m = 1e-4, some_end_m = 0.05;

/* A node in the reference pose, in root space. */
typedef struct node_pose {
  double q[4];
  double m[3][3]; /* with scales: columns are where the axes go */
} node_pose;

typedef struct building {
  const bvh_source *source;
  bvh_plan *plan;
  arena scratch;
  double unit;     /* the file's per metre */
  node_pose above; /* of the roots */
  node_pose *pose;
  int32_t *first_child, *next_child; /* -1: none; ascending */
  int32_t *joint_of_node;
  bool has_added_root;
  sinew_error *error;
} building;

static const double most_offset = 1e9; /* units: as bvh_hierarchy.c reads them */

static sinew_result out_of_memory(const building *b) {
  return error_set(b->error, SINEW_ERROR_MEMORY, "out of memory for %u joints", b->source->node_count);
}

/* ---- settings ----------------------------------------------------------------------------------------- */

static sinew_result read_order(const char *text, uint8_t order[3], sinew_error *error) {
  unsigned seen = 0;
  const char *p = text ? text : "ZXY";
  for (int i = 0; i < 3 && p[i]; i++) {
    const int axis = (p[i] | 0x20) - 'x';
    if (axis < 0 || axis > 2) break;
    order[i] = (uint8_t)axis;
    seen |= 1u << axis;
  }
  SINEW_CHECK(seen == 7 && !p[3], error, SINEW_ERROR_ARGUMENT,
              "the order of rotations is '%.16s', expected X, Y and Z once each, such as ZXY", p);
  return SINEW_OK;
}

static sinew_result check_source(const bvh_source *source, sinew_error *error) {
  SINEW_CHECK(source->nodes && source->node_count && source->node_count < INT32_MAX / 8, error,
              SINEW_ERROR_ARGUMENT, "the hierarchy has %u nodes", source->node_count);
  SINEW_CHECK(source->frame_count >= 1, error, SINEW_ERROR_ARGUMENT, "a clip of no frames has no file");
  SINEW_CHECK(source->rate_hz >= 1e-5 && source->rate_hz <= 1e6, error, SINEW_ERROR_ARGUMENT,
              "the rate is %g frames per second, expected 0.00001 to 1000000", source->rate_hz);
  for (uint32_t i = 0; i < source->node_count; i++)
    SINEW_CHECK(source->slot_of_node[i] <= UINT16_MAX, error, SINEW_ERROR_LIMIT,
                "node %u has track %d, the limit is %d", i, source->slot_of_node[i], UINT16_MAX);
  return SINEW_OK;
}

/* ---- the reference pose ------------------------------------------------------------------------------- */

static void turn_of(const double q[4], const double s[3], double m[3][3]) {
  for (int column = 0; column < 3; column++) {
    double axis[3] = {0, 0, 0};
    axis[column] = s[column];
    quat_rotate(q, axis, axis);
    for (int row = 0; row < 3; row++) m[row][column] = axis[row];
  }
}

static void matrix_times(const double a[3][3], const double v[3], double out[3]) {
  double w[3];
  for (int row = 0; row < 3; row++) w[row] = a[row][0] * v[0] + a[row][1] * v[1] + a[row][2] * v[2];
  memcpy(out, w, sizeof w);
}

static const node_pose *pose_above(const building *b, uint32_t node) {
  const int32_t parent = b->source->nodes[node].parent;
  return parent >= 0 ? &b->pose[parent] : &b->above;
}

static void take_pose(building *b) {
  const bvh_source *s = b->source;
  const double one[3] = {1, 1, 1};
  const double none[4] = {0, 0, 0, 1};
  memcpy(b->above.q, s->align_q ? s->align_q : none, sizeof b->above.q);
  turn_of(b->above.q, one, b->above.m);
  for (uint32_t i = 0; i < s->node_count; i++) {
    const double *q = s->reference_q ? s->reference_q[i] : s->nodes[i].q;
    const node_pose *above = pose_above(b, i);
    double own[3][3];
    quat_mul(above->q, q, b->pose[i].q);
    quat_normalise(b->pose[i].q);
    turn_of(q, s->nodes[i].s, own);
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 3; column++)
        b->pose[i].m[row][column] = above->m[row][0] * own[0][column] + above->m[row][1] * own[1][column] +
                                    above->m[row][2] * own[2][column];
  }
}

/* ---- joints ------------------------------------------------------------------------------------------- */

static void link_children(building *b) {
  const rig_node *nodes = b->source->nodes;
  for (uint32_t i = 0; i < b->source->node_count; i++) b->first_child[i] = b->next_child[i] = -1;
  for (uint32_t i = b->source->node_count; i-- > 0;) {
    const int32_t parent = nodes[i].parent;
    if (parent < 0) continue;
    b->next_child[i] = b->first_child[parent];
    b->first_child[parent] = (int32_t)i;
  }
}

static void to_file(const building *b, const double in[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = b->unit * (k == 0 ? -in[k] : in[k]);
}

static double length_of(const double v[3]) {
  return sqrt(vec_dot(v, v));
}

/* A node without a name that never moves, alone below its parent: what readers make of an End Site. */
static bool is_end_site(const building *b, int32_t node) {
  const bvh_source *s = b->source;
  const rig_node *n = &s->nodes[node];
  double offset[3];
  if (n->parent < 0 || (n->name && n->name[0]) || b->first_child[node] >= 0) return false;
  if (b->first_child[n->parent] != node || b->next_child[node] >= 0) return false;
  if (s->slot_of_node[node] >= 0 || s->place_of_node[node] >= 0) return false;
  matrix_times(pose_above(b, (uint32_t)node)->m, n->t, offset);
  return length_of(offset) >= least_end_m;
}

/* Never nothing: some readers divide by it. */
static void set_end(const building *b, uint32_t node, bvh_joint *joint) {
  double end[3] = {0, 0, 0};
  if (b->first_child[node] >= 0) {
    const node_pose *pose = &b->pose[node];
    matrix_times(pose->m, b->source->nodes[b->first_child[node]].t, end);
    to_file(b, end, joint->end);
    return;
  }
  if (b->source->tip) quat_rotate(b->pose[node].q, b->source->tip[node], end);
  to_file(b, end, joint->end);
  for (int k = 0; k < 3 && length_of(end) < least_end_m; k++) joint->end[k] = joint->offset[k] / 2;
  if (length_of(joint->end) >= least_end_m * b->unit) return;
  joint->end[0] = joint->end[2] = 0;
  joint->end[1] = some_end_m * b->unit;
}

static void add_joint(building *b, uint32_t node) {
  const bvh_source *s = b->source;
  bvh_plan *plan = b->plan;
  const int32_t above = s->nodes[node].parent;
  bvh_joint *joint = &plan->joints[plan->joint_count];
  joint->node = node;
  joint->parent = above >= 0 ? b->joint_of_node[above] : b->has_added_root ? 0 : -1;
  joint->depth = joint->parent >= 0 ? plan->joints[joint->parent].depth + 1 : 0;
  joint->name = s->nodes[node].name;
  joint->has_position = joint->parent < 0 || s->place_of_node[node] >= 0 || (s->hips > 0 && node == s->hips);
  double offset[3];
  matrix_times(pose_above(b, node)->m, s->nodes[node].t, offset);
  to_file(b, offset, joint->offset);
  joint->has_end = b->first_child[node] < 0 || is_end_site(b, b->first_child[node]);
  if (joint->has_end) set_end(b, node, joint);
  b->joint_of_node[node] = (int32_t)plan->joint_count++;
}

/* A branch: down where there is a way, else on, else up. */
static void add_branch(building *b, uint32_t root) {
  int32_t node = (int32_t)root;
  for (;;) {
    if (!is_end_site(b, node)) add_joint(b, (uint32_t)node);
    if (b->first_child[node] >= 0) {
      node = b->first_child[node];
      continue;
    }
    while (node != (int32_t)root && b->next_child[node] < 0) node = b->source->nodes[node].parent;
    if (node == (int32_t)root) return;
    node = b->next_child[node];
  }
}

/* What readers take for a place, ours among them. */
static sinew_result check_offsets(const bvh_plan *plan, sinew_error *error) {
  for (uint32_t i = 0; i < plan->joint_count; i++)
    for (int k = 0; k < 3; k++)
      SINEW_CHECK(fabs(plan->joints[i].offset[k]) <= most_offset && fabs(plan->joints[i].end[k]) <= most_offset,
                  error, SINEW_ERROR_LIMIT, "joint %u stands %g units away from its parent, the limit is %g", i,
                  fmax(fabs(plan->joints[i].offset[k]), fabs(plan->joints[i].end[k])), most_offset);
  return SINEW_OK;
}

static sinew_result list_joints(building *b) {
  const bvh_source *s = b->source;
  bvh_plan *plan = b->plan;
  uint32_t roots = 0;
  for (uint32_t i = 0; i < s->node_count; i++) roots += s->nodes[i].parent < 0;
  plan->joints = arena_alloc(&plan->memory, s->node_count + 1, sizeof *plan->joints);
  const char **names = arena_alloc(&b->scratch, s->node_count + 1, sizeof *names);
  if (!plan->joints || !names) return out_of_memory(b);
  b->has_added_root = roots > 1;
  if (b->has_added_root)
    plan->joints[plan->joint_count++] =
        (bvh_joint){.node = UINT32_MAX, .parent = -1, .name = "Root", .has_position = true};
  link_children(b);
  for (uint32_t i = 0; i < s->node_count; i++)
    if (s->nodes[i].parent < 0) add_branch(b, i);
  SINEW_TRY(check_offsets(plan, b->error));
  for (uint32_t i = 0; i < plan->joint_count; i++) names[i] = plan->joints[i].name;
  SINEW_TRY(bvh_make_names(names, plan->joint_count, &plan->memory, b->error));
  for (uint32_t i = 0; i < plan->joint_count; i++) {
    plan->joints[i].name = names[i];
    plan->joints[i].channel = plan->channel_count;
    plan->channel_count += plan->joints[i].has_position ? 6 : 3;
  }
  return SINEW_OK;
}

/* ---- channels ----------------------------------------------------------------------------------------- */

/* kernels.h, sinew_angle_joint: the rows of before * local * after in the file's frame. */
static void fold_angles(const uint8_t order[3], const double before[4], const double after[4],
                        sinew_angle_joint *out) {
  const int i = order[0], j = order[1], k = order[2];
  const double e = j == (i + 1) % 3 ? 1 : -1;
  out->sign = (float)e;
  for (int c = 0; c < 4; c++) {
    double unit[4] = {c == 0, c == 1, c == 2, c == 3}, q[4];
    quat_mul(before, unit, q);
    quat_mul(q, after, q);
    quat_mirror(q, q);
    out->m[0][c] = (float)(q[3] + q[j]), out->m[1][c] = (float)(q[i] + e * q[k]);
    out->m[2][c] = (float)(q[3] - q[j]), out->m[3][c] = (float)(q[i] - e * q[k]);
  }
}

static void place_channels(building *b, const bvh_joint *joint) {
  const bvh_source *s = b->source;
  bvh_plan *plan = b->plan;
  for (uint32_t k = 0; k < 3; k++) plan->fixed[joint->channel + k] = (float)joint->offset[k];
  if (joint->node == UINT32_MAX || s->place_of_node[joint->node] < 0) return;
  bvh_place *place = &plan->places[plan->place_count++];
  place->place = (uint32_t)s->place_of_node[joint->node];
  place->channel = joint->channel;
  for (int row = 0; row < 3; row++)
    for (int k = 0; k < 3; k++)
      place->m[row][k] = b->unit * (row == 0 ? -1 : 1) * pose_above(b, joint->node)->m[row][k];
}

/* A node that nothing turns may stand constantly away from the reference: by the kernel's own arithmetic. */
static void turn_channels(building *b, const sinew_kernels *kernels, const bvh_joint *joint) {
  const bvh_source *s = b->source;
  bvh_plan *plan = b->plan;
  const uint32_t channel = joint->channel + (joint->has_position ? 3 : 0);
  if (joint->node == UINT32_MAX) return;
  const int32_t slot = s->slot_of_node[joint->node];
  sinew_angle_joint angles = {.plane = {channel, channel + 1, channel + 2}};
  double after[4];
  quat_conj(b->pose[joint->node].q, after);
  fold_angles(plan->order, pose_above(b, joint->node)->q, after, &angles);
  if (slot >= 0) {
    angles.slot = (uint16_t)slot;
    plan->angles[plan->angle_count++] = angles;
    return;
  }
  const double *rest = s->nodes[joint->node].q;
  if (!s->reference_q || memcmp(rest, s->reference_q[joint->node], 4 * sizeof *rest) == 0) return;
  _Alignas(64) float local[4][SINEW_BLOCK], planes[3][SINEW_BLOCK];
  for (int c = 0; c < 4; c++)
    for (int f = 0; f < SINEW_BLOCK; f++) local[c][f] = (float)rest[c];
  for (uint32_t t = 0; t < 3; t++) angles.plane[t] = t;
  kernels->angles(&angles, 1, local[0], planes[0]);
  for (uint32_t t = 0; t < 3; t++) plan->fixed[channel + t] = planes[t][0];
}

static sinew_result list_channels(building *b, const sinew_kernels *kernels) {
  bvh_plan *plan = b->plan;
  plan->fixed = arena_alloc(&plan->memory, plan->channel_count, sizeof *plan->fixed);
  plan->angles = arena_alloc(&plan->memory, plan->joint_count, sizeof *plan->angles);
  plan->places = arena_alloc(&plan->memory, plan->joint_count, sizeof *plan->places);
  if (!plan->fixed || !plan->angles || !plan->places) return out_of_memory(b);
  for (uint32_t i = 0; i < plan->joint_count; i++) {
    if (plan->joints[i].has_position) place_channels(b, &plan->joints[i]);
    turn_channels(b, kernels, &plan->joints[i]);
  }
  return SINEW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result build(building *b, const sinew_kernels *kernels) {
  const uint32_t count = b->source->node_count;
  b->pose = arena_alloc(&b->scratch, count, sizeof *b->pose);
  b->first_child = arena_alloc(&b->scratch, count, sizeof *b->first_child);
  b->next_child = arena_alloc(&b->scratch, count, sizeof *b->next_child);
  b->joint_of_node = arena_alloc(&b->scratch, count, sizeof *b->joint_of_node);
  if (!b->pose || !b->first_child || !b->next_child || !b->joint_of_node) return out_of_memory(b);
  take_pose(b);
  SINEW_TRY(list_joints(b));
  return list_channels(b, kernels);
}

sinew_result bvh_plan_build(const sinew_kernels *kernels, const bvh_source *source,
                            const bvh_options *options, bvh_plan *plan, sinew_error *error) {
  *plan = (bvh_plan){0};
  const bool metres = options && options->metres;
  SINEW_TRY(read_order(options ? options->order : NULL, plan->order, error));
  SINEW_TRY(check_source(source, error));
  plan->decimals = metres ? 8 : 6;
  plan->rate_hz = source->rate_hz;
  plan->frame_count = source->frame_count;
  building b = {.source = source, .plan = plan, .unit = metres ? 1 : 100, .error = error};
  const sinew_result result = build(&b, kernels);
  arena_release(&b.scratch);
  if (result != SINEW_OK) bvh_plan_release(plan);
  return result;
}

void bvh_plan_release(bvh_plan *plan) {
  arena_release(&plan->memory);
  *plan = (bvh_plan){0};
}

/* ---- of a rig ----------------------------------------------------------------------------------------- */

void bvh_rig_tpose(const sinew_rig *rig, double (*reference_q)[4]) {
  for (uint32_t i = 0; i < rig->node_count; i++) memcpy(reference_q[i], rig->nodes[i].q, sizeof *reference_q);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (rig->node_of_bone[b] >= 0)
      memcpy(reference_q[rig->node_of_bone[b]], rig->rest_q[b], sizeof *reference_q);
}

void bvh_rig_tips(const sinew_rig *rig, double (*tip)[3]) {
  memset(tip, 0, rig->node_count * sizeof *tip);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    const double along[3] = {rig->axes[b].length, 0, 0};
    if (rig->node_of_bone[b] >= 0) quat_rotate(rig->axes[b].post, along, tip[rig->node_of_bone[b]]);
  }
}
