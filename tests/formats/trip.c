#include "trip.h"

#include "base/error.h"
#include "map/map.h"
#include "rig/quat.h"
#include "stance/stance.h"
#include "support/compare.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const trip_measure_name[TRIP_MEASURES] = {"other values",   "joint, degrees",
                                                      "joint / height", "human bone, degrees",
                                                      "hips / height",  "three components, degrees"};

static void keep(trip_result *r, trip_measure measure, double value) {
  r->compared[measure] = true;
  if (!(value <= r->worst[measure])) r->worst[measure] = value == value ? value : INFINITY;
}

static void keep_at(trip_result *r, trip_measure measure, double value, uint64_t frame, const char *name) {
  const bool worse = !(value <= r->worst[measure]);
  keep(r, measure, value);
  if (!worse) return;
  r->frame[measure] = frame;
  snprintf(r->name[measure], sizeof r->name[measure], "%s", name);
}

static bool misfit(trip_result *r, trip_measure measure, const char *why) {
  error_set(&r->error, SINEW_ERROR_VERIFY, "%s", why);
  keep(r, measure, INFINITY);
  return false;
}

static bool same_value(float a, float b) {
  return a == b; /* -0 is 0 */
}

/* ---- muscles, root and goals: the same bits ------------------------------------------------------------ */

/* A quaternion may have the other sign as a whole. */
static int plane_quat_start(int plane) {
  if (plane >= SINEW_PLANE_ROOT_Q && plane < SINEW_PLANE_MUSCLE) return SINEW_PLANE_ROOT_Q;
  if (plane < SINEW_PLANE_GOAL) return -1;
  const int in = (plane - SINEW_PLANE_GOAL) % 7;
  return in < 3 ? -1 : plane - in + 3;
}

static float plane_sign(const posed *a, const posed *b, int plane, uint32_t lane) {
  const int start = plane_quat_start(plane);
  float dot = 0;
  for (int c = 0; start >= 0 && c < 4; c++)
    dot += posed_plane(a, start + c, lane) * posed_plane(b, start + c, lane);
  return dot < 0 ? -1 : 1;
}

static void compare_planes(posed *a, posed *b, trip_result *r) {
  double other = 0;
  if (a->plan.frame_count != b->plan.frame_count) {
    misfit(r, TRIP_BITS, "another count of frames");
    return;
  }
  for (uint64_t f = 0; f < a->plan.frame_count; f++) {
    const uint32_t lane = posed_load(a, f);
    posed_load(b, f);
    for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++)
      if (a->plan.present[plane])
        other += !same_value(posed_plane(a, plane, lane),
                             plane_sign(a, b, plane, lane) * posed_plane(b, plane, lane));
  }
  keep(r, TRIP_BITS, other);
}

/* ---- nodes ------------------------------------------------------------------------------------------------
 */

/* Which node of `b` is node i of `a`: a format may have its nodes branch by branch, one more above them, and
 * tips. */
typedef struct pairing {
  int32_t *node; /* [a's nodes] */
  int32_t *order;
  uint32_t count;
} pairing;

static void add_branch(const bake_output *output, uint32_t node, pairing *p) {
  p->order[p->count++] = (int32_t)node;
  for (uint32_t i = node + 1; i < output->node_count; i++)
    if (output->nodes[i].parent == (int32_t)node) add_branch(output, i, p);
}

static uint32_t root_count(const bake_output *output) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < output->node_count; i++) count += output->nodes[i].parent < 0;
  return count;
}

static bool is_tip(const posed *b, uint32_t node) {
  const clip_body *body = b->plan.clip->body;
  return strcmp(body->skeleton->kind, "bvh") == 0 && !body->skeleton->nodes[node].is_joint;
}

/* What is written as a tip. */
static bool is_nameless(const bake_output *output, uint32_t node) {
  return output->nodes[node].parent >= 0 && !output->nodes[node].name[0];
}

static bool pair_branches(const posed *a, const posed *b, pairing *p) {
  const bake_output *from = &a->plan.output, *to = &b->plan.output;
  for (uint32_t i = 0; i < from->node_count; i++)
    if (from->nodes[i].parent < 0) add_branch(from, i, p);
  uint32_t next = root_count(from) > 1; /* the root that was added */
  for (uint32_t k = 0; k < p->count; k++) {
    if (next < to->node_count && is_nameless(from, (uint32_t)p->order[k]) && is_tip(b, next) &&
        to->nodes[next].parent == p->node[from->nodes[p->order[k]].parent]) {
      p->node[p->order[k]] = (int32_t)next++;
      continue;
    }
    while (next < to->node_count && is_tip(b, next)) next++;
    if (next >= to->node_count) return false;
    p->node[p->order[k]] = (int32_t)next++;
  }
  while (next < to->node_count && is_tip(b, next)) next++;
  return next == to->node_count;
}

static bool pair_nodes(const posed *a, const posed *b, pairing *p) {
  const bake_output *from = &a->plan.output, *to = &b->plan.output;
  *p = (pairing){calloc(from->node_count + 1, sizeof *p->node),
                 calloc(from->node_count + 1, sizeof *p->order), 0};
  if (strcmp(b->plan.clip->body->skeleton->kind, "bvh") == 0) return pair_branches(a, b, p);
  if (from->node_count != to->node_count) return false;
  for (uint32_t i = 0; i < from->node_count; i++) {
    p->node[i] = (int32_t)i;
    if (from->nodes[i].parent != to->nodes[i].parent || strcmp(from->nodes[i].name, to->nodes[i].name) != 0)
      return false;
  }
  return true;
}

static void drop_pairs(pairing *p) {
  free(p->node), free(p->order);
}

static bool has_even_scales(const posed *p) {
  const bake_output *output = &p->plan.output;
  for (uint32_t i = 0; i < output->node_count; i++) {
    const double *s = output->nodes[i].s;
    if (output->scale_of_node[i] >= 0 || fabs(s[1] - s[0]) > 1e-6 || fabs(s[2] - s[0]) > 1e-6) return false;
  }
  return true;
}

/* What turns the nodes' frame to the one that the file has. */
static void find_align(const posed *a, bool aligned, double align[4]) {
  memcpy(align, (double[4]){0, 0, 0, 1}, 4 * sizeof *align);
  if (aligned && a->plan.rig && rig_is_aligned(a->plan.rig))
    memcpy(align, a->plan.rig->align_q, 4 * sizeof *align);
}

static void turns_of_nodes(const posed *p, double (*local)[4]) {
  for (uint32_t i = 0; i < p->plan.output.node_count; i++)
    memcpy(local[i], p->plan.output.nodes[i].q, sizeof local[i]);
}

/* What a reader did to a body that leans where its file rests: a BVH says nothing of its axes. */
static void undo_up(const posed *b, double q[4]) {
  memcpy(q, (double[4]){0, 0, 0, 1}, 4 * sizeof *q);
  for (int c = 0; c < 4 && b->plan.bones.turned_up; c++)
    q[c] = (double)b->plan.bones.up[c] * (c < 3 ? -1 : 1);
}

/* Joints in the model. `axes`: rotations of nodes that the file's axes stand for (a BVH's joints rest without
 * any); NULL: the nodes' own. */
static void compare_joints(posed *a, posed *b, const pairing *p, const double (*axes)[4], trip_result *r) {
  const bool places = has_even_scales(a);
  double align[4], down[4];
  find_align(a, axes != NULL, align);
  undo_up(b, down);
  for (uint64_t f = 0; f < a->plan.frame_count; f++) {
    posed_stand(a, posed_load(a, f));
    posed_stand(b, posed_load(b, f));
    for (uint32_t i = 0; i < a->plan.output.node_count; i++) {
      double q[4], t[3], back[4], file_q[4], file_t[3];
      quat_mul(align, a->q[i], q);
      quat_rotate(align, a->t[i], t);
      if (axes) {
        quat_mul(align, axes[i], back);
        quat_conj(back, back);
        quat_mul(q, back, q);
      }
      quat_mul(down, b->q[p->node[i]], file_q);
      quat_rotate(down, b->t[p->node[i]], file_t);
      keep_at(r, TRIP_TURN_DEG, angle_deg(q, file_q), f, a->plan.output.nodes[i].name);
      if (places)
        keep_at(r, TRIP_PLACE, distance(t, file_t) / a->plan.output.height_m, f,
                a->plan.output.nodes[i].name);
    }
  }
}

/* ---- arrays: the same values ------------------------------------------------------------------------------
 */

static float turn_sign(const posed *a, const posed *b, uint32_t i, uint32_t lane) {
  float dot = 0;
  for (int c = 0; c < 4; c++) dot += posed_turn(a, i, c, lane) * posed_turn(b, i, c, lane);
  return dot < 0 ? -1 : 1;
}

static double other_values(const posed *a, const posed *b, uint32_t i, uint32_t lane, bool turns) {
  double other = 0;
  const float sign = turn_sign(a, b, i, lane);
  for (int c = 0; turns && c < 4; c++)
    other += !same_value(posed_turn(a, i, c, lane), sign * posed_turn(b, i, c, lane));
  for (int c = 0; c < 3; c++) other += !same_value(posed_place(a, i, c, lane), posed_place(b, i, c, lane));
  return other;
}

static void compare_values(posed *a, posed *b, bool three, trip_result *r) {
  double other = 0;
  for (uint64_t f = 0; f < a->plan.frame_count; f++) {
    const uint32_t lane = posed_load(a, f);
    posed_load(b, f);
    for (uint32_t i = 0; i < a->plan.output.node_count; i++) {
      double from[4], to[4];
      other += other_values(a, b, i, lane, !three);
      for (int c = 0; c < 4; c++)
        from[c] = (double)posed_turn(a, i, c, lane), to[c] = (double)posed_turn(b, i, c, lane);
      if (three) keep(r, TRIP_THREE_DEG, angle_deg(from, to));
    }
  }
  keep(r, TRIP_BITS, other);
}

/* ---- human bones alone, away from the T-pose
 * ---------------------------------------------------------------- */

/* Local rotations in T-pose, and what turns the nodes' frame to the body's. */
static void find_tpose(const posed *a, double (*local)[4], double align[4]) {
  turns_of_nodes(a, local);
  if (a->plan.rig) {
    memcpy(align, a->plan.rig->align_q, 4 * sizeof *align);
    for (int b = 0; b < HUMAN_BONE_COUNT; b++)
      if (a->plan.rig->node_of_bone[b] >= 0)
        memcpy(local[a->plan.rig->node_of_bone[b]], a->plan.rig->rest_q[b], sizeof *local);
    return;
  }
  const clip_body *body = a->plan.clip->body;
  double up[4], back[4];
  const bool turned = stance_up(body->stance, body->skeleton, up);
  quat_mirror(body->stance->align_q, align);
  quat_conj(up, back);
  if (turned) quat_mul(align, back, align); /* the nodes are turned up */
  for (uint32_t i = 0; i < a->plan.output.node_count; i++) {
    quat_mirror(body->stance->tpose_q[i], local[i]);
    if (turned && a->plan.output.nodes[i].parent < 0) quat_mul(up, local[i], local[i]);
  }
}

static int32_t node_of_bone(const posed *p, int bone) {
  return p->plan.rig ? p->plan.rig->node_of_bone[bone] : p->plan.clip->body->map->node_of_bone[bone];
}

/* Where the hips stand; of a clip of bones, whose body is put on the ground, the way since the first frame.
 */
static void hips_at(const posed *p, int32_t node, const double align[4], const double first[3],
                    double out[3]) {
  quat_rotate(align, p->t[node], out);
  for (int c = 0; c < 3 && first; c++) out[c] -= first[c];
}

/* Bones that the clip's body lacks rest as the rig does: not in T-pose. */
static bool is_moved(const posed *a, int bone) {
  const clip_body *body = a->plan.clip->body;
  return !body || body->map->node_of_bone[bone] >= 0;
}

static void compare_bones(posed *a, posed *b, const double (*tpose)[4], const double align[4],
                          double first[2][3], uint64_t frame, trip_result *r) {
  static const double none[4] = {0, 0, 0, 1};
  uint32_t compared = 0;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    const int32_t from = node_of_bone(a, bone), to = b->plan.clip->body->skeleton->node_of_bone[bone];
    double q[4], t[3], u[3], rest[4];
    if (from < 0 || to < 0 || !is_moved(a, bone)) continue;
    quat_conj(tpose[from], rest);
    quat_mul(a->q[from], rest, q);
    quat_mul(align, q, q);
    quat_conj(align, rest);
    quat_mul(q, rest, q);
    keep_at(r, TRIP_HUMAN_DEG, angle_deg(q, b->q[to]), frame, human_bones[bone].name);
    compared++;
    if (bone != HUMAN_HIPS) continue;
    if (frame == 0) {
      hips_at(a, from, align, NULL, first[0]);
      hips_at(b, to, none, NULL, first[1]);
    }
    hips_at(a, from, align, a->plan.clip->body ? first[0] : NULL, t);
    hips_at(b, to, none, a->plan.clip->body ? first[1] : NULL, u);
    keep_at(r, TRIP_HIPS_PLACE, distance(t, u) / a->plan.output.height_m, frame, human_bones[bone].name);
  }
  cr_assert(compared >= 15);
}

static void compare_human(posed *a, posed *b, trip_result *r) {
  const size_t count = a->plan.output.node_count;
  double align[4], first[2][3], (*local)[4] = calloc(count, sizeof *local),
                                (*tpose)[4] = calloc(count, sizeof *tpose);
  find_tpose(a, local, align);
  posed_turn_model(a, (const double(*)[4])local, tpose);
  for (uint64_t f = 0; f < a->plan.frame_count; f++) {
    posed_stand(a, posed_load(a, f));
    posed_stand(b, posed_load(b, f));
    compare_bones(a, b, (const double(*)[4])tpose, align, first, f, r);
  }
  free(local), free(tpose);
}

/* ---- a trip -----------------------------------------------------------------------------------------------
 */

static void compare_poses(const trip *t, posed *a, posed *b, trip_result *r) {
  pairing pairs = {0};
  const size_t count = a->plan.output.node_count;
  if (a->plan.frame_count != b->plan.frame_count) {
    misfit(r, TRIP_TURN_DEG, "another count of frames");
    return;
  }
  if (t->options.format == SINEW_FORMAT_VRMA) {
    compare_human(a, b, r);
    return;
  }
  double(*axes)[4] = calloc(2 * count, sizeof *axes);
  turns_of_nodes(a, axes + count);
  posed_turn_model(a, (const double(*)[4])(axes + count), axes);
  if (!pair_nodes(a, b, &pairs))
    misfit(r, TRIP_TURN_DEG, "other nodes");
  else {
    if (!t->options.npz_xyz || t->options.format != SINEW_FORMAT_NPZ)
      compare_joints(a, b, &pairs, t->options.format == SINEW_FORMAT_BVH ? (const double(*)[4])axes : NULL,
                     r);
    if (t->options.format == SINEW_FORMAT_NPZ) compare_values(a, b, t->options.npz_xyz, r);
  }
  drop_pairs(&pairs);
  free(axes);
}

static bool is_muscles(sinew_format format) {
  return format == SINEW_FORMAT_ANIM || format == SINEW_FORMAT_CSV;
}

static void compare_file(const trip *t, const sinew_clip *back, trip_result *r) {
  posed a, b;
  const bool muscles = is_muscles(t->options.format);
  const sinew_clip_kind kind = back->body ? SINEW_CLIP_BONES : SINEW_CLIP_MUSCLES;
  bake_choice choice = {.rate_hz = t->options.rate_hz,
                        .via = t->options.via,
                        .in_place = t->options.in_place,
                        .no_pose = muscles,
                        .planes = muscles,
                        .clip_rig = t->options.clip_rig,
                        .limbs = t->options.limb == SINEW_LIMB_EXACT ? INVERSE_EXACT : INVERSE_EDITOR,
                        .mirror = t->options.mirror,
                        .clamp = t->options.limits == SINEW_LIMITS_CLAMP};
  cr_assert(kind == (muscles ? SINEW_CLIP_MUSCLES : SINEW_CLIP_BONES));
  cr_assert(posed_open(t->clip, t->rig, &choice, &a, &r->error), "%s", r->error.message);
  /* rows of a text have their own rate, to its last bits */
  const bool keyed = t->options.format == SINEW_FORMAT_GLB || t->options.format == SINEW_FORMAT_VRMA ||
                     t->options.format == SINEW_FORMAT_ANIM;
  choice = (bake_choice){.rate_hz = keyed ? a.plan.rate_hz : 0, .no_pose = muscles, .planes = muscles};
  cr_assert(posed_open(back, NULL, &choice, &b, &r->error), "%s", r->error.message);
  r->frames = a.plan.frame_count;
  if (muscles)
    compare_planes(&a, &b, r);
  else
    compare_poses(t, &a, &b, r);
  posed_close(&a);
  posed_close(&b);
}

static double rate_for(const trip *t) {
  const uint64_t frames = sinew_clip_frame_count(t->clip, 0);
  if (t->most_frames == 0 || frames <= t->most_frames) return 0;
  return t->clip->rate_hz * (double)t->most_frames / (double)frames;
}

trip_result trip_go(const trip *given) {
  trip t = *given;
  trip_result r = {0};
  char path[512];
  t.options.rate_hz = rate_for(given);
  snprintf(path, sizeof path, "%s/trip.%s", t.folder, sinew_format_name(t.options.format));
  r.result = sinew_bake(t.context, t.clip, t.rig, &t.options, path, NULL, &r.error);
  if (r.result != SINEW_OK) return r;
  sinew_clip_file *file;
  const sinew_figure_options figure = {.unit_scale = t.options.bvh_metres ? 1 : 0.01};
  const sinew_read_options read = {.figure = t.options.format == SINEW_FORMAT_BVH ? &figure : NULL};
  r.result = sinew_clip_file_open(path, &read, &file, &r.error);
  unlink(path);
  if (r.result != SINEW_OK) return r;
  cr_assert_eq(sinew_clip_file_count(file), 1u);
  compare_file(&t, sinew_clip_file_clip(file, 0), &r);
  sinew_clip_file_close(file);
  return r;
}
