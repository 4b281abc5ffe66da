#include "stance/plausible.h"

#include "rig/quat.h"

#include <stddef.h>
#include <string.h>

static const uint64_t most_joints_looked_at = 10000;

/* Of the sum of all limbs: shorter counts as no length. */
static const double least_share = 1e-4;

typedef struct limb {
  int bone[3];
  const char *folded, *none;
} limb;
static const limb limbs[] = {
    {{HUMAN_LEFT_UPPER_LEG, HUMAN_LEFT_LOWER_LEG, HUMAN_LEFT_FOOT},
     "the left leg is folded",
     "the left leg has a bone without length"},
    {{HUMAN_RIGHT_UPPER_LEG, HUMAN_RIGHT_LOWER_LEG, HUMAN_RIGHT_FOOT},
     "the right leg is folded",
     "the right leg has a bone without length"},
    {{HUMAN_LEFT_UPPER_ARM, HUMAN_LEFT_LOWER_ARM, HUMAN_LEFT_HAND},
     "the left arm is folded",
     "the left arm has a bone without length"},
    {{HUMAN_RIGHT_UPPER_ARM, HUMAN_RIGHT_LOWER_ARM, HUMAN_RIGHT_HAND},
     "the right arm is folded",
     "the right arm has a bone without length"},
};

typedef struct limb_ways {
  double upper[3], lower[3];
  double upper_length, lower_length;
} limb_ways;

static double measure_limbs(const turned_body *body, limb_ways ways[4]) {
  double sum = 0;
  for (int i = 0; i < 4; i++) {
    ways[i].upper_length = bone_way(body, limbs[i].bone[0], limbs[i].bone[1], ways[i].upper);
    ways[i].lower_length = bone_way(body, limbs[i].bone[1], limbs[i].bone[2], ways[i].lower);
    sum += ways[i].upper_length + ways[i].lower_length;
  }
  return sum;
}

const char *stance_fault(const turned_body *body) {
  limb_ways ways[4];
  const double sum = measure_limbs(body, ways);
  for (int i = 0; i < 4; i++)
    if (!(ways[i].upper_length > least_share * sum && ways[i].lower_length > least_share * sum))
      return limbs[i].none;
  body_axes axes;
  if (!body_measure(body, &axes)) return "upper arms and upper legs lie in one place or one line";
  double head[3], hips[3], trunk[3];
  if (!(bone_way(body, HUMAN_HIPS, HUMAN_HEAD, head) > least_share * sum)) return "the head lies at the hips";
  for (int k = 0; k < 3; k++)
    trunk[k] = bone_place(body, HUMAN_LEFT_UPPER_ARM)[k] + bone_place(body, HUMAN_RIGHT_UPPER_ARM)[k] -
               (bone_place(body, HUMAN_LEFT_UPPER_LEG)[k] + bone_place(body, HUMAN_RIGHT_UPPER_LEG)[k]);
  if (!(vec_normalise(trunk) > least_share * sum)) return "the arms hang from the hips";
  if (vec_dot(head, trunk) < 0.3) return "the head is not above the hips";
  if (bone_way(body, HUMAN_RIGHT_UPPER_LEG, HUMAN_LEFT_UPPER_LEG, hips) > 0 && vec_dot(hips, axes.left) < 0.3)
    return "the legs are crossed";
  for (int i = 0; i < 4; i++) {
    const bool leg = i < 2;
    if (vec_dot(ways[i].upper, ways[i].lower) < (leg ? 0.3 : -0.5)) return limbs[i].folded;
    if (leg && (vec_dot(ways[i].upper, trunk) > -0.3 || vec_dot(ways[i].lower, trunk) > -0.3))
      return "the legs do not stand below the hips";
    if (!leg && vec_dot(ways[i].upper, trunk) > 0.7) return "the arms point up";
    if (!leg && vec_dot(ways[i].upper, axes.left) * (i == 2 ? 1 : -1) < -0.5) return "the arms are crossed";
  }
  return NULL;
}

double stance_score(const turned_body *body) {
  limb_ways ways[4];
  body_axes axes;
  double way[3];
  const double sum = measure_limbs(body, ways);
  if (!(sum > 0) || !body_measure(body, &axes)) return -1;
  double score = 0;
  for (int i = 0; i < 4; i++) {
    double goal[3];
    for (int k = 0; k < 3; k++) goal[k] = i < 2 ? -axes.up[k] : i == 2 ? axes.left[k] : -axes.left[k];
    score += vec_dot(ways[i].upper, goal) + vec_dot(ways[i].lower, goal);
  }
  bone_way(body, HUMAN_SPINE, HUMAN_HEAD, way);
  score += 2 * vec_dot(way, axes.up);
  for (int side = 0; side < 2; side++) { /* a foot that stands flat; one without toes is taken for that */
    const bool has_toes = bone_way(body, HUMAN_LEFT_FOOT + side, HUMAN_LEFT_TOES + side, way) > 0;
    score += has_toes ? vec_dot(way, axes.forward) : 1;
  }
  return score / 12;
}

/* The frame's own up axis nearest to v. */
static double snap_up(const double v[3], double up[3]) {
  int most = fabs(v[1]) >= fabs(v[2]) ? 1 : 2;
  if (fabs(v[0]) > fabs(v[most])) most = 0;
  up[0] = up[1] = up[2] = 0;
  up[most] = v[most] < 0 ? -1 : 1;
  return way_degrees(v, up);
}

/* ---- movements ---------------------------------------------------------------------------------------- */

enum { WAYS = 6 }; /* along x, y, z, -x, -y, -z */

typedef struct look {
  turned_body *body;
  const motion *m;
  local_pose *pose;
  double (*matrix)[3][4];
  double lowest[WAYS];
  uint64_t lowest_at[WAYS];
  motion_survey *survey;
} look;

static void way_of(int k, double way[3]) {
  way[0] = way[1] = way[2] = 0;
  way[k % 3] = k < 3 ? 1 : -1;
}

/* false where the body has no axes. */
static bool look_at(look *l, uint64_t frame, body_axes *axes) {
  local_pose_frame(l->body->s, l->m, frame, l->pose);
  turned_body_take(l->body, l->pose, l->matrix);
  if (!body_measure(l->body, axes)) return false;
  for (int k = 0; k < WAYS; k++) {
    double up[3];
    way_of(k, up);
    const double lowest = lowest_foot(l->body, up);
    if (lowest < l->lowest[k]) l->lowest[k] = lowest, l->lowest_at[k] = frame;
  }
  const double score = stance_score(l->body);
  if (score > l->survey->best_score) l->survey->best_score = score, l->survey->best = frame;
  return true;
}

/* The frames that a look at every n-th one left out around this one. */
static void look_around(look *l, uint64_t frame, uint64_t step, uint64_t frames) {
  body_axes axes;
  const uint64_t end = frames - frame < step ? frames : frame + step;
  for (uint64_t f = frame < step ? 0 : frame - step + 1; f < end; f++)
    if (f != frame) look_at(l, f, &axes);
}

void motion_look(turned_body *body, const motion *m, local_pose *pose, double (*matrix)[3][4],
                 motion_survey *survey) {
  const uint64_t frames = pose_frame_count(m), joints = body->s->node_count;
  const uint64_t step = 1 + frames * joints / most_joints_looked_at;
  look l = {.body = body, .m = m, .pose = pose, .matrix = matrix, .survey = survey};
  double sum[3] = {0, 0, 0};
  uint64_t count = 0;
  *survey = (motion_survey){.best_score = -INFINITY};
  for (int k = 0; k < WAYS; k++) l.lowest[k] = INFINITY;
  for (uint64_t f = 0; f < frames; f += step) {
    body_axes axes;
    if (!look_at(&l, f, &axes)) continue;
    count++;
    for (int k = 0; k < 3; k++) sum[k] += axes.up[k];
  }
  if (count == 0) return;
  survey->measured = true;
  survey->steady = vec_normalise(sum) / (double)count;
  survey->lean_deg = snap_up(sum, survey->up);
  int up = 0;
  for (int k = 0; k < WAYS; k++)
    if (survey->up[k % 3] == (k < 3 ? 1 : -1)) up = k;
  if (step > 1) {
    look_around(&l, survey->best, step, frames);
    look_around(&l, l.lowest_at[up], step, frames);
  }
  survey->lowest = l.lowest[up];
}
