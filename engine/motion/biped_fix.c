/* The local transform of a moved node is X * local, where X leads from its old parent to the new one: the
 * chain of nodes down to the old parent from the nearest ancestor of both, behind the inverse of the chain to
 * the new one. Chains scale evenly, so X is a rotation, a translation and one factor. */
#include "motion/biped_fix.h"
#include "base/error.h"
#include "motion/motion_block.h"
#include "motion/motion_rate.h"
#include "motion/node_order.h"
#include "motion/row_tracks.h"
#include "rig/quat.h"
#include "skeleton/biped.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double even_scale = 1e-6; /* as a share */

typedef struct similarity {
  double q[4], t[3], s;
} similarity;

/* A node that gets another parent. The chains hold slots, from below the ancestor down. */
typedef struct moved_node {
  uint32_t node, slot;
  uint32_t *from, *to;
  uint32_t from_count, to_count;
  double scale;              /* of X */
  bool stated, changes;      /* of the motion at hand: a track says where it or its chains are; it changes */
  float *rotations, *places; /* its new keys */
} moved_node;

typedef struct fixing {
  motion_file *file;
  skeleton *skeleton;
  const sinew_kernels *kernels;
  int32_t *parents;
  moved_node *moved;
  uint32_t moved_count;
  uint32_t *nodes; /* the moved ones and their chains: slots */
  int32_t *slot_of_node;
  uint32_t node_count;
  arena working;
  sinew_error *error;
} fixing;

static sinew_result out_of_memory(const fixing *x) {
  return error_set(x->error, SINEW_ERROR_MEMORY, "out of memory for another hierarchy");
}

/* ---- transforms --------------------------------------------------------------------------------------- */

static void times(similarity *a, const double q[4], const double t[3], double s) {
  double moved[3];
  quat_rotate(a->q, t, moved);
  for (int i = 0; i < 3; i++) a->t[i] += a->s * moved[i];
  quat_mul(a->q, q, a->q);
  a->s *= s;
}

static void invert(similarity *a) {
  double t[3];
  quat_conj(a->q, a->q);
  quat_rotate(a->q, a->t, t);
  a->s = 1 / a->s;
  for (int i = 0; i < 3; i++) a->t[i] = -t[i] * a->s;
}

/* Where slots are: local rotations and translations of one moment, in the file's frame and unit. */
typedef struct moment {
  double (*q)[4], (*t)[3]; /* [node_count] of the fixing */
} moment;

static similarity along(const fixing *x, const uint32_t *chain, uint32_t count, const moment *at) {
  similarity sum = {{0, 0, 0, 1}, {0, 0, 0}, 1};
  for (uint32_t i = 0; i < count; i++)
    times(&sum, at->q[chain[i]], at->t[chain[i]], x->skeleton->nodes[x->nodes[chain[i]]].s[0]);
  return sum;
}

/* The moved node's new local rotation and translation. */
static similarity moved_local(const fixing *x, const moved_node *moved, const moment *at) {
  similarity sum = along(x, moved->to, moved->to_count, at);
  const similarity from = along(x, moved->from, moved->from_count, at);
  invert(&sum);
  times(&sum, from.q, from.t, from.s);
  times(&sum, at->q[moved->slot], at->t[moved->slot], 1);
  quat_normalise(sum.q);
  return sum;
}

/* ---- chains ------------------------------------------------------------------------------------------- */

static uint32_t slot_for(fixing *x, uint32_t node) {
  if (x->slot_of_node[node] < 0) {
    x->slot_of_node[node] = (int32_t)x->node_count;
    x->nodes[x->node_count++] = node;
  }
  return (uint32_t)x->slot_of_node[node];
}

static uint32_t depth_of(const skeleton *s, int32_t node) {
  uint32_t depth = 0;
  for (; node >= 0; node = s->nodes[node].parent) depth++;
  return depth;
}

static int32_t common_ancestor(const skeleton *s, int32_t a, int32_t b) {
  uint32_t depth_a = depth_of(s, a), depth_b = depth_of(s, b);
  for (; depth_a > depth_b; depth_a--) a = s->nodes[a].parent;
  for (; depth_b > depth_a; depth_b--) b = s->nodes[b].parent;
  while (a != b) a = s->nodes[a].parent, b = s->nodes[b].parent;
  return a;
}

static sinew_result list_chain(fixing *x, int32_t bottom, int32_t top, uint32_t **chain, uint32_t *count) {
  const skeleton *s = x->skeleton;
  *count = depth_of(s, bottom) - depth_of(s, top);
  *chain = arena_alloc(&x->working, *count, sizeof **chain);
  if (!*chain) return out_of_memory(x);
  for (uint32_t i = *count; i-- > 0; bottom = s->nodes[bottom].parent) {
    const skeleton_node *node = &s->nodes[bottom];
    for (int k = 1; k < 3; k++)
      SINEW_CHECK(fabs(node->s[k] - node->s[0]) <= even_scale * fabs(node->s[0]) && node->s[0] != 0, x->error,
                  SINEW_ERROR_UNSUPPORTED, "node %d above a moved one is scaled unevenly: %g %g %g", bottom,
                  node->s[0], node->s[1], node->s[2]);
    (*chain)[i] = slot_for(x, (uint32_t)bottom);
  }
  return SINEW_OK;
}

static sinew_result list_moved(fixing *x) {
  const skeleton *s = x->skeleton;
  for (uint32_t i = 0; i < s->node_count; i++) {
    if (x->parents[i] == s->nodes[i].parent) continue;
    moved_node *moved = &x->moved[x->moved_count++];
    const int32_t top = common_ancestor(s, s->nodes[i].parent, x->parents[i]);
    *moved = (moved_node){.node = i, .slot = slot_for(x, i), .scale = 1};
    SINEW_TRY(list_chain(x, s->nodes[i].parent, top, &moved->from, &moved->from_count));
    SINEW_TRY(list_chain(x, x->parents[i], top, &moved->to, &moved->to_count));
    for (uint32_t k = 0; k < moved->from_count; k++) moved->scale *= s->nodes[x->nodes[moved->from[k]]].s[0];
    for (uint32_t k = 0; k < moved->to_count; k++) moved->scale /= s->nodes[x->nodes[moved->to[k]]].s[0];
  }
  return SINEW_OK;
}

/* ---- a motion ----------------------------------------------------------------------------------------- */

typedef struct motion_fixing {
  fixing *x;
  motion *motion;
  motion_plan plan;
  float *scratch, *local, *places;
  const float *time_s; /* of the new keys */
  uint32_t key_count;
  moment at;
  bool *stated, *changes; /* [slots] */
} motion_fixing;

/* A spot of the planes as the file has it. */
static void set_moment(const motion_fixing *f, uint32_t lane) {
  const motion_plan *plan = &f->plan;
  for (uint32_t slot = 0; slot < plan->node_count; slot++) {
    const float *from = f->local + (size_t)slot * 4 * SINEW_BLOCK + lane;
    double *q = f->at.q[slot];
    for (int i = 0; i < 4; i++) q[i] = (double)from[i * SINEW_BLOCK];
    q[1] = -q[1], q[2] = -q[2];
    quat_normalise(q);
    memcpy(f->at.t[slot], plan->skeleton->nodes[plan->nodes[slot]].t, sizeof f->at.t[slot]);
  }
  for (uint32_t place = 0; place < plan->place_count; place++) {
    const float *from = f->places + (size_t)place * 3 * SINEW_BLOCK + lane;
    double *t = f->at.t[plan->place_slot[place]];
    for (int i = 0; i < 3; i++) t[i] = (double)from[i * SINEW_BLOCK];
    t[0] = -t[0];
  }
}

static int compare_times(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* Frames and keys, each once. */
static sinew_result list_times(motion_fixing *f) {
  const motion_plan *plan = &f->plan;
  const motion *m = f->motion;
  uint64_t count = plan->frame_count;
  for (uint32_t i = 0; i < plan->tracks.times_count; i++) count += plan->tracks.times[i].key_count;
  SINEW_CHECK(count <= UINT32_MAX / 3, f->x->error, SINEW_ERROR_LIMIT,
              "motion '%s' has %llu frames and keys, the limit is %u", m->name, (unsigned long long)count,
              UINT32_MAX / 3);
  float *time_s = arena_alloc(&f->x->file->memory, count, sizeof *time_s);
  if (!time_s) return out_of_memory(f->x);
  uint32_t filled = 0;
  for (; filled < plan->frame_count; filled++)
    time_s[filled] = filled + 1 == plan->frame_count ? (float)m->stop_s
                                                     : (float)(m->start_s + (double)filled / plan->rate_hz);
  for (uint32_t i = 0; i < plan->tracks.times_count; i++) {
    const plan_times *times = &plan->tracks.times[i];
    memcpy(time_s + filled, times->time_s, times->key_count * sizeof *time_s);
    filled += times->key_count;
  }
  qsort(time_s, filled, sizeof *time_s, compare_times);
  f->key_count = 1;
  for (uint32_t i = 1; i < filled; i++)
    if (time_s[i] > time_s[f->key_count - 1]) time_s[f->key_count++] = time_s[i];
  f->time_s = time_s;
  return SINEW_OK;
}

/* ---- which keys --------------------------------------------------------------------------------------- */

static bool any_of(const moved_node *moved, const bool *flags) {
  bool any = flags[moved->slot];
  for (uint32_t i = 0; i < moved->from_count; i++) any = any || flags[moved->from[i]];
  for (uint32_t i = 0; i < moved->to_count; i++) any = any || flags[moved->to[i]];
  return any;
}

static bool in_chain(const fixing *x, uint32_t node) {
  const int32_t slot = x->slot_of_node[node];
  for (uint32_t i = 0; i < x->moved_count; i++) {
    for (uint32_t k = 0; k < x->moved[i].from_count; k++)
      if ((int32_t)x->moved[i].from[k] == slot) return true;
    for (uint32_t k = 0; k < x->moved[i].to_count; k++)
      if ((int32_t)x->moved[i].to[k] == slot) return true;
    if (x->moved[i].node == node && fabs(x->moved[i].scale - 1) > even_scale) return true;
  }
  return false;
}

static sinew_result mark_slots(motion_fixing *f) {
  const fixing *x = f->x;
  const motion_plan *plan = &f->plan;
  for (uint32_t i = 0; i < plan->scaled_count; i++)
    SINEW_CHECK(!in_chain(x, plan->scaled_nodes[i]), x->error, SINEW_ERROR_UNSUPPORTED,
                "motion '%s' scales node %u above a moved one", f->motion->name, plan->scaled_nodes[i]);
  for (uint32_t i = 0; i < f->motion->track_count; i++) {
    const int32_t slot = x->slot_of_node[f->motion->tracks[i].node];
    if (slot >= 0 && f->motion->tracks[i].path != MOTION_SCALE) f->stated[slot] = true;
  }
  for (uint32_t slot = 0; slot < plan->node_count; slot++) f->changes[slot] = plan->turns[slot];
  for (uint32_t place = 0; place < plan->place_count; place++)
    if (plan->moves[place]) f->changes[plan->place_slot[place]] = true;
  return SINEW_OK;
}

static sinew_result make_room(motion_fixing *f) {
  fixing *x = f->x;
  for (uint32_t i = 0; i < x->moved_count; i++) {
    moved_node *moved = &x->moved[i];
    moved->stated = any_of(moved, f->stated);
    moved->changes = any_of(moved, f->changes);
    const uint32_t count = moved->changes ? f->key_count : moved->stated;
    moved->rotations = arena_alloc(&x->file->memory, count, 4 * sizeof *moved->rotations);
    moved->places = arena_alloc(&x->file->memory, count, 3 * sizeof *moved->places);
    if (!moved->rotations || !moved->places) return out_of_memory(x);
  }
  return SINEW_OK;
}

/* ---- keys --------------------------------------------------------------------------------------------- */

static void put_key(const motion_fixing *f, uint32_t key, uint32_t lane) {
  const fixing *x = f->x;
  set_moment(f, lane);
  for (moved_node *moved = x->moved; moved < x->moved + x->moved_count; moved++) {
    if (!moved->stated || (key > 0 && !moved->changes)) continue;
    const similarity local = moved_local(x, moved, &f->at);
    for (int i = 0; i < 4; i++) moved->rotations[(size_t)key * 4 + (size_t)i] = (float)local.q[i];
    for (int i = 0; i < 3; i++) moved->places[(size_t)key * 3 + (size_t)i] = (float)local.t[i];
  }
}

static void put_keys(const motion_fixing *f) {
  for (uint32_t first = 0; first < f->key_count; first += SINEW_BLOCK) {
    const uint32_t left = f->key_count - first, count = left < SINEW_BLOCK ? left : SINEW_BLOCK;
    double time_s[SINEW_BLOCK];
    for (uint32_t i = 0; i < SINEW_BLOCK; i++)
      time_s[i] = (double)f->time_s[first + (i < count ? i : count - 1)];
    motion_block_at(&f->plan, time_s, f->scratch, f->local, f->places);
    for (uint32_t i = 0; i < count; i++) put_key(f, first + i, i);
  }
}

/* The motion's tracks but those that say where a moved node is, then the new ones. */
static sinew_result replace_tracks(motion_fixing *f) {
  fixing *x = f->x;
  motion *m = f->motion;
  const motion_track *old = m->tracks;
  motion_track *tracks =
      arena_alloc(&x->file->memory, m->track_count + (size_t)2 * x->moved_count, sizeof *tracks);
  bool *is_moved = arena_alloc(&x->working, x->skeleton->node_count, sizeof *is_moved);
  if (!tracks || !is_moved) return out_of_memory(x);
  for (uint32_t i = 0; i < x->moved_count; i++) is_moved[x->moved[i].node] = true;
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->track_count; i++)
    if (!is_moved[old[i].node] || old[i].path == MOTION_SCALE) tracks[count++] = old[i];
  for (moved_node *moved = x->moved; moved < x->moved + x->moved_count; moved++) {
    if (!moved->stated) continue;
    const uint32_t key_count = moved->changes ? f->key_count : 1;
    tracks[count++] =
        (motion_track){moved->node, MOTION_ROTATION, MOTION_LINEAR, key_count, f->time_s, moved->rotations};
    tracks[count++] =
        (motion_track){moved->node, MOTION_TRANSLATION, MOTION_LINEAR, key_count, f->time_s, moved->places};
  }
  m->tracks = tracks;
  m->track_count = count;
  return SINEW_OK;
}

static sinew_result open_motion(motion_fixing *f) {
  fixing *x = f->x;
  arena *working = &x->working;
  SINEW_TRY(motion_plan_build(x->kernels, x->skeleton, NULL, NULL, f->motion, x->nodes, x->node_count, 1, 0,
                              &f->plan, x->error));
  f->scratch = arena_alloc(working, motion_scratch_floats(&f->plan), sizeof(float));
  f->local = arena_alloc(working, x->node_count, 4 * SINEW_BLOCK * sizeof(float));
  f->places = arena_alloc(working, f->plan.place_count, 3 * SINEW_BLOCK * sizeof(float));
  f->at.q = arena_alloc(working, x->node_count, sizeof *f->at.q);
  f->at.t = arena_alloc(working, x->node_count, sizeof *f->at.t);
  f->stated = arena_alloc(working, x->node_count, sizeof *f->stated);
  f->changes = arena_alloc(working, x->node_count, sizeof *f->changes);
  if (!f->scratch || !f->local || !f->places || !f->at.q || !f->at.t || !f->stated || !f->changes)
    return out_of_memory(x);
  motion_block_begin(&f->plan, f->local, f->places);
  return SINEW_OK;
}

static sinew_result fix_opened(motion_fixing *f) {
  SINEW_TRY(open_motion(f));
  SINEW_TRY(list_times(f));
  SINEW_TRY(mark_slots(f));
  SINEW_TRY(make_room(f));
  put_keys(f);
  return replace_tracks(f);
}

static sinew_result fix_motion(fixing *x, motion *m) {
  if (m->channel_count && !m->frame_count) return SINEW_OK;
  if (m->channel_count) SINEW_TRY(row_tracks_make(x->kernels, x->skeleton, m, &x->file->memory, x->error));
  motion_fixing f = {.x = x, .motion = m};
  const sinew_result result = fix_opened(&f);
  motion_plan_release(&f.plan);
  return result;
}

/* ---- the rest, and the whole -------------------------------------------------------------------------- */

static sinew_result fix_rest(fixing *x) {
  skeleton *s = x->skeleton;
  moment at = {.q = arena_alloc(&x->working, x->node_count, sizeof *at.q),
               .t = arena_alloc(&x->working, x->node_count, sizeof *at.t)};
  similarity *local = arena_alloc(&x->working, x->moved_count, sizeof *local);
  if (!at.q || !at.t || !local) return out_of_memory(x);
  for (uint32_t slot = 0; slot < x->node_count; slot++) {
    memcpy(at.q[slot], s->nodes[x->nodes[slot]].q, sizeof at.q[slot]);
    memcpy(at.t[slot], s->nodes[x->nodes[slot]].t, sizeof at.t[slot]);
    quat_normalise(at.q[slot]);
  }
  for (uint32_t i = 0; i < x->moved_count; i++) local[i] = moved_local(x, &x->moved[i], &at);
  for (uint32_t i = 0; i < x->moved_count; i++) {
    skeleton_node *node = &s->nodes[x->moved[i].node];
    memcpy(node->q, local[i].q, sizeof node->q);
    memcpy(node->t, local[i].t, sizeof node->t);
    for (int k = 0; k < 3; k++) node->s[k] *= x->moved[i].scale;
    node->parent = x->parents[x->moved[i].node];
  }
  return SINEW_OK;
}

static sinew_result fix(fixing *x) {
  skeleton *s = x->skeleton;
  x->parents = arena_alloc(&x->working, s->node_count, sizeof *x->parents);
  x->moved = arena_alloc(&x->working, s->node_count, sizeof *x->moved);
  x->nodes = arena_alloc(&x->working, s->node_count, sizeof *x->nodes);
  x->slot_of_node = arena_alloc(&x->working, s->node_count, sizeof *x->slot_of_node);
  if (!x->parents || !x->moved || !x->nodes || !x->slot_of_node) return out_of_memory(x);
  if (!biped_parents(s, x->parents)) return SINEW_OK;
  for (uint32_t i = 0; i < s->node_count; i++) x->slot_of_node[i] = -1;
  SINEW_TRY(list_moved(x));
  for (uint32_t i = 0; i < x->file->motion_count; i++) SINEW_TRY(fix_motion(x, &x->file->motions[i]));
  SINEW_TRY(fix_rest(x));
  s->regrouped = true;
  return node_order_restore(x->file, x->error);
}

sinew_result biped_fix(motion_file *file, sinew_error *error) {
  fixing x = {.file = file, .skeleton = file->skeleton, .error = error};
  /* the same keys whichever instruction set is best here */
  x.kernels = sinew_kernels_select("scalar");
  if (!x.kernels) x.kernels = sinew_kernels_select(NULL);
  x.working.byte_limit = file->memory.byte_limit;
  const sinew_result result = fix(&x);
  arena_release(&x.working);
  return result;
}
