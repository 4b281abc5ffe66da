/* Rows of channels: which columns are loaded, and the joints and coordinates that they move. */
#include "motion/plan_parts.h"
#include "motion/still_columns.h"

enum { MOST_CHANNELS = 7, NEAR_COLUMNS = 8 /* a gap of so many costs less than a second load */ };

/* The channels of one followed node, one behind the other. */
typedef struct node_channels {
  uint32_t slot, column, count;
} node_channels;

static bool is_rotation(const motion_channel *channel) {
  return channel->kind >= MOTION_X_ROTATION;
}

static bool is_quaternion(const motion_channel *channel) {
  return channel->kind >= MOTION_X_TURN;
}

/* The next followed node's channels from *column on. */
static bool next_node(const plan_building *b, uint32_t *column, node_channels *found) {
  const motion *m = b->plan->motion;
  while (*column < m->channel_count) {
    const uint32_t first = *column, node = m->channels[first].node;
    while (*column < m->channel_count && m->channels[*column].node == node) (*column)++;
    if (b->slot_of_node[node] < 0) continue;
    *found = (node_channels){(uint32_t)b->slot_of_node[node], first, *column - first};
    return true;
  }
  return false;
}

static bool any_turns(const motion *m, const bool *still, const node_channels *node) {
  for (uint32_t c = node->column; c < node->column + node->count; c++)
    if (is_rotation(&m->channels[c]) && !still[c]) return true;
  return false;
}

/* ---- columns ------------------------------------------------------------------------------------------ */

static sinew_result mark_columns(plan_building *b, const bool *still, bool *wanted) {
  const motion *m = b->plan->motion;
  node_channels node;
  for (uint32_t column = 0; next_node(b, &column, &node);) {
    SINEW_CHECK(node.count <= MOST_CHANNELS, b->error, SINEW_ERROR_LIMIT,
                "node %u has %u channels, the limit is %d", b->plan->nodes[node.slot], node.count,
                MOST_CHANNELS);
    const bool turns = any_turns(m, still, &node);
    for (uint32_t c = node.column; c < column; c++)
      wanted[c] = is_rotation(&m->channels[c]) ? turns : !still[c];
  }
  return SINEW_OK;
}

static sinew_result list_columns(plan_building *b, const bool *wanted, uint32_t *plane_of_column) {
  plan_rows *rows = &b->plan->rows;
  const uint32_t count = b->plan->motion->channel_count;
  rows->columns = arena_alloc(&b->plan->memory, count / NEAR_COLUMNS + 1, sizeof *rows->columns);
  if (!rows->columns) return plan_out_of_memory(b);
  plan_columns *run = NULL;
  for (uint32_t c = 0; c < count; c++) {
    if (!wanted[c]) continue;
    if (!run || c - (run->column + run->count) >= NEAR_COLUMNS) {
      run = &rows->columns[rows->columns_count++];
      *run = (plan_columns){.column = c, .plane = rows->plane_count};
    }
    run->count = c + 1 - run->column;
    rows->plane_count = run->plane + run->count;
    if (run->count > rows->widest) rows->widest = run->count;
    plane_of_column[c] = run->plane + (c - run->column);
  }
  return SINEW_OK;
}

/* ---- what they move ----------------------------------------------------------------------------------- */

/* planes: of the node's first channel. */
static sinew_euler_joint make_joint(const motion *m, const node_channels *node, uint32_t plane) {
  sinew_euler_joint joint = {.slot = (uint16_t)node->slot};
  for (uint32_t i = 0; i < node->count; i++) {
    const motion_channel *channel = &m->channels[node->column + i];
    if (!is_rotation(channel)) continue;
    joint.axis[joint.turn_count] = channel->kind - MOTION_X_ROTATION;
    joint.plane[joint.turn_count++] = plane + i;
  }
  return joint;
}

/* The column of its x among the node's, behind its positions; -1: it has none. */
static int quaternion_of(const motion *m, const node_channels *node) {
  for (uint32_t i = 0; i < node->count; i++)
    if (is_quaternion(&m->channels[node->column + i])) return (int)i;
  return -1;
}

static void fix_quaternion(motion_plan *plan, uint32_t slot, const float *q) {
  float *fixed = plan->fixed_q[slot];
  fixed[0] = q[0], fixed[1] = -q[1], fixed[2] = -q[2], fixed[3] = q[3];
}

/* A rotation that never changes, by the kernel's own arithmetic. */
static void fix_rotation(motion_plan *plan, const node_channels *node) {
  const motion *m = plan->motion;
  const int quaternion = quaternion_of(m, node);
  if (quaternion >= 0) {
    fix_quaternion(plan, node->slot, m->rows + node->column + quaternion);
    return;
  }
  _Alignas(64) float planes[MOST_CHANNELS][SINEW_BLOCK], local[4][SINEW_BLOCK];
  sinew_euler_joint joint = make_joint(m, node, 0);
  if (!joint.turn_count) return;
  joint.slot = 0;
  plan->kernels->rows(m->rows + node->column, m->channel_count, 1, node->count, planes[0]);
  plan->kernels->euler(&joint, 1, planes[0], local[0]);
  for (int i = 0; i < 4; i++) plan->fixed_q[node->slot][i] = local[i][0];
}

static void add_joint(motion_plan *plan, const node_channels *node, const uint32_t *plane_of_column) {
  plan_rows *rows = &plan->rows;
  const int quaternion = quaternion_of(plan->motion, node);
  if (quaternion >= 0) {
    const uint32_t plane = plane_of_column[node->column + (uint32_t)quaternion];
    plan->turns[node->slot] = true;
    rows->quaternions[rows->quaternion_count++] = (plan_quaternion){node->slot, plane};
    return;
  }
  sinew_euler_joint joint = make_joint(plan->motion, node, 0);
  uint32_t turn = 0;
  for (uint32_t c = node->column; c < node->column + node->count; c++)
    if (is_rotation(&plan->motion->channels[c])) joint.plane[turn++] = plane_of_column[c];
  plan->turns[node->slot] = true;
  rows->joints[rows->joint_count] = rows->batched[rows->joint_count] = joint;
  rows->batched[rows->joint_count].slot = (uint16_t)(rows->joint_count % MOTION_BATCH);
  rows->joint_count++;
}

static void add_coordinates(plan_building *b, const node_channels *node, const bool *still,
                            const uint32_t *plane_of_column) {
  motion_plan *plan = b->plan;
  const motion *m = plan->motion;
  for (uint32_t c = node->column; c < node->column + node->count; c++) {
    if (is_rotation(&m->channels[c])) continue;
    const uint32_t place = (uint32_t)b->place_of_slot[node->slot];
    const uint8_t axis = m->channels[c].kind - MOTION_X_POSITION;
    if (still[c]) {
      plan->fixed_t[place][axis] = plan_value(plan, place, axis, (double)m->rows[c]);
      continue;
    }
    plan->moves[place] = true;
    plan->rows.coordinates[plan->rows.coordinate_count++] =
        (plan_coordinate){.place = place, .axis = axis, .plane = plane_of_column[c]};
  }
}

static sinew_result add_nodes(plan_building *b, const bool *still, const uint32_t *plane_of_column) {
  motion_plan *plan = b->plan;
  plan_rows *rows = &plan->rows;
  const uint32_t count = plan->motion->channel_count;
  rows->joints = arena_alloc(&plan->memory, plan->node_count, sizeof *rows->joints);
  rows->batched = arena_alloc(&plan->memory, plan->node_count, sizeof *rows->batched);
  rows->quaternions = arena_alloc(&plan->memory, plan->node_count, sizeof *rows->quaternions);
  rows->coordinates = arena_alloc(&plan->memory, count, sizeof *rows->coordinates);
  if (!rows->joints || !rows->batched || !rows->quaternions || !rows->coordinates)
    return plan_out_of_memory(b);
  node_channels node;
  for (uint32_t column = 0; next_node(b, &column, &node);) {
    if (any_turns(plan->motion, still, &node))
      add_joint(plan, &node, plane_of_column);
    else
      fix_rotation(plan, &node);
    add_coordinates(b, &node, still, plane_of_column);
  }
  return SINEW_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result find_places(plan_building *b) {
  const motion *m = b->plan->motion;
  bool *has_place = arena_alloc(&b->scratch, b->plan->node_count, sizeof *has_place);
  if (!has_place) return plan_out_of_memory(b);
  for (uint32_t c = 0; c < m->channel_count; c++) {
    const int32_t slot = b->slot_of_node[m->channels[c].node];
    if (slot >= 0 && !is_rotation(&m->channels[c])) has_place[slot] = true;
  }
  return plan_build_places(b, has_place, NULL);
}

sinew_result plan_build_rows(plan_building *b) {
  const motion *m = b->plan->motion;
  SINEW_TRY(find_places(b));
  if (!m->frame_count) return SINEW_OK;
  bool *still = arena_alloc(&b->scratch, m->channel_count, sizeof *still);
  bool *wanted = arena_alloc(&b->scratch, m->channel_count, sizeof *wanted);
  uint32_t *plane_of_column = arena_alloc(&b->scratch, m->channel_count, sizeof *plane_of_column);
  if (!still || !wanted || !plane_of_column ||
      !still_columns_find(m->rows, m->frame_count, m->channel_count, &b->scratch, still))
    return plan_out_of_memory(b);
  SINEW_TRY(mark_columns(b, still, wanted));
  SINEW_TRY(list_columns(b, wanted, plane_of_column));
  return add_nodes(b, still, plane_of_column);
}
