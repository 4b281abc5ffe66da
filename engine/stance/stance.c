#include "stance/stance.h"

#include "base/error.h"
#include "rig/compile.h"
#include "rig/quat.h"
#include "stance/tpose.h"
#include "stance/work.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void stance_warn(stance *s, const char *format, ...) {
  if (s->warning_count == STANCE_WARNING_LIMIT) return;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *kept = arena_text(&s->memory, text, strlen(text));
  s->warnings[s->warning_count++] = kept ? kept : "a warning that found no memory";
}

void stance_release(stance *s) {
  arena_release(&s->memory);
  *s = (stance){0};
}

static sinew_result check_map(const stance_work *w, sinew_error *error) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    const int32_t node = w->node_of_bone[b];
    SINEW_CHECK(node >= 0 || !human_bones[b].required, error, SINEW_ERROR_RIG,
                "required human bone %s is not mapped to any node", human_bones[b].name);
    SINEW_CHECK(node < (int64_t)w->s->node_count, error, SINEW_ERROR_RIG,
                "human bone %s is mapped to node %d of %u", human_bones[b].name, node, w->s->node_count);
    for (int32_t n = node < 0 ? -1 : w->s->nodes[node].parent; n >= 0; n = w->s->nodes[n].parent) {
      const double *s = w->s->nodes[n].s;
      char shown[64];
      error_printable(w->s->nodes[n].name, strlen(w->s->nodes[n].name), shown, sizeof shown);
      SINEW_CHECK(s[0] > 0 && s[1] > 0 && s[2] > 0, error, SINEW_ERROR_RIG,
                  "node \"%s\" above a human bone has scale %g, %g, %g: expected more than 0", shown, s[0],
                  s[1], s[2]);
    }
  }
  return SINEW_OK;
}

static sinew_result open_work(stance_work *w, const int32_t *map, sinew_error *error) {
  const uint32_t count = w->s->node_count;
  stance *out = w->out;
  memcpy(w->node_of_bone, map, sizeof w->node_of_bone);
  for (int i = 0; i < HUMAN_BONE_COUNT; i++)
    if (rig_is_orphan(w->node_of_bone, human_order[i])) w->node_of_bone[human_order[i]] = -1;
  SINEW_TRY(check_map(w, error));
  out->node_count = count;
  out->rest_t = arena_alloc(&out->memory, count, sizeof *out->rest_t);
  out->rest_q = arena_alloc(&out->memory, count, sizeof *out->rest_q);
  out->rest_s = arena_alloc(&out->memory, count, sizeof *out->rest_s);
  out->tpose_q = arena_alloc(&out->memory, count, sizeof *out->tpose_q);
  w->matrix = arena_alloc(&w->scratch, count, sizeof *w->matrix);
  w->turned_q = arena_alloc(&w->scratch, count, sizeof *w->turned_q);
  w->turned_bone = arena_alloc(&w->scratch, count, sizeof *w->turned_bone);
  SINEW_CHECK(out->rest_t && out->rest_q && out->rest_s && out->tpose_q && w->matrix && w->turned_q &&
                  w->turned_bone && local_pose_alloc(w->s, &w->scratch, &w->rest) &&
                  local_pose_alloc(w->s, &w->scratch, &w->base) &&
                  turned_body_alloc(w->s, w->node_of_bone, &w->scratch, &w->body),
              error, SINEW_ERROR_MEMORY, "out of memory for %u nodes", count);
  return SINEW_OK;
}

/* Of bones alone: what is no bone rests. */
static void keep_tpose(stance_work *w) {
  stance *out = w->out;
  memcpy(out->tpose_q, out->rest_q, out->node_count * sizeof *out->tpose_q);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    const int32_t node = w->node_of_bone[b];
    if (node < 0) continue;
    memcpy(out->tpose_q[node], w->body.local[node], sizeof out->tpose_q[node]);
    if (memcmp(out->rest_q[node], out->tpose_q[node], sizeof out->rest_q[node]) != 0)
      out->turn_deg[b] = turn_degrees(out->rest_q[node], out->tpose_q[node]);
  }
}

/* What is written in place of a rest that is none: the T-pose found from its frame, so that whoever reads the
 * file finds the same. */
static void rest_in_tpose(stance_work *w) {
  stance *out = w->out;
  const int32_t hips = w->node_of_bone[HUMAN_HIPS];
  memcpy(out->rest_q, out->tpose_q, out->node_count * sizeof *out->rest_q);
  memcpy(out->rest_t[hips], out->tpose_hips_t, sizeof out->rest_t[hips]);
}

static sinew_result check_finite(const stance *s, sinew_error *error) {
  for (uint32_t i = 0; i < s->node_count; i++) {
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += s->tpose_q[i][k] + s->rest_q[i][k];
    for (int k = 0; k < 3; k++) sum += s->rest_t[i][k] + s->rest_s[i][k];
    SINEW_CHECK(isfinite(sum), error, SINEW_ERROR_RIG, "node %u stands beyond what can be computed with", i);
  }
  const double *t = s->tpose_hips_t;
  SINEW_CHECK(isfinite(t[0] + t[1] + t[2]) && isfinite(s->reach_m) && isfinite(s->ground_m), error,
              SINEW_ERROR_RIG, "the hips stand beyond what can be computed with");
  return SINEW_OK;
}

static sinew_result find(stance_work *w, const int32_t *map, sinew_error *error) {
  SINEW_TRY(open_work(w, map, error));
  SINEW_TRY(stance_choose_base(w, error));
  stance_choose_align(w);
  w->base_lowest = lowest_foot(&w->body, (double[3]){0, 1, 0});
  if (w->options.frame < 0) tpose_turn(&w->body);
  keep_tpose(w);
  SINEW_TRY(stance_measure(w, error));
  if (w->out->origin == STANCE_FRAME && w->is_bvh && !w->rest_stands) rest_in_tpose(w);
  return check_finite(w->out, error);
}

bool stance_up(const stance *found, const skeleton *s, double up[4]) {
  double axis[3], inverse[4];
  memcpy(up, (double[4]){0, 0, 0, 1}, 4 * sizeof *up);
  if (s->unit_m != 0) return false;
  quat_conj(found->align_q, inverse);
  quat_rotate(inverse, (double[3]){0, 1, 0}, axis);
  vec_mirror(axis, axis);
  if (axis[1] > 1 - 1e-9) return false;
  if (axis[1] < -1 + 1e-9)
    memcpy(up, (double[4]){1, 0, 0, 0}, 4 * sizeof *up);
  else
    memcpy(up, (double[4]){-axis[2], 0, axis[0], 1 + axis[1]}, 4 * sizeof *up);
  quat_normalise(up);
  return true;
}

sinew_result stance_find(const skeleton *s, const int32_t node_of_bone[HUMAN_BONE_COUNT],
                         const motion *motions, uint32_t motion_count, const stance_options *options,
                         stance *out, sinew_error *error) {
  const stance_options found = {.frame = -1};
  stance_work w = {.s = s,
                   .motion = motion_count ? &motions[0] : NULL,
                   .options = options ? *options : found,
                   .is_bvh = s->kind && strcmp(s->kind, "bvh") == 0,
                   .out = out};
  *out = (stance){.align_q = {0, 0, 0, 1}};
  SINEW_CHECK(isfinite(w.options.unit_m) && w.options.unit_m >= 0 && w.options.unit_m <= 1e9, error,
              SINEW_ERROR_ARGUMENT, "the unit is %g: expected metres per unit above 0 and at most 1e9, or 0",
              w.options.unit_m);
  const sinew_result result = find(&w, node_of_bone, error);
  arena_release(&w.scratch);
  if (result != SINEW_OK) stance_release(out);
  return result;
}
