#include "base/error.h"
#include "rig/compile.h"
#include "rig/quat.h"
#include "stance/work.h"

#include <string.h>

static const double up[3] = {0, 1, 0};

/* inverse(m) * v for the 3 x 3 part; false where it has none. */
static bool solve(const double m[3][4], const double v[3], double out[3]) {
  double c[3][3]; /* rows: cross products of the other two columns */
  for (int column = 0; column < 3; column++) {
    const int a = (column + 1) % 3, b = (column + 2) % 3;
    const double x[3] = {m[0][a], m[1][a], m[2][a]}, y[3] = {m[0][b], m[1][b], m[2][b]};
    vec_cross(x, y, c[column]);
  }
  const double first[3] = {m[0][0], m[1][0], m[2][0]}, determinant = vec_dot(first, c[0]);
  if (!(fabs(determinant) > 0)) return false;
  const double right[3] = {v[0], v[1], v[2]}; /* out may be v */
  for (int row = 0; row < 3; row++) out[row] = vec_dot(c[row], right) / determinant;
  return isfinite(out[0]) && isfinite(out[1]) && isfinite(out[2]);
}

/* Adds a way up in the body frame to a local translation of the hips. */
static sinew_result lift(const stance_work *w, double way, double t[3], sinew_error *error) {
  const int32_t above = w->s->nodes[w->node_of_bone[HUMAN_HIPS]].parent;
  double v[3] = {0, way, 0}, inverse[4];
  if (way == 0) return SINEW_OK;
  quat_conj(w->out->align_q, inverse);
  quat_rotate(inverse, v, v);
  if (above >= 0) {
    global_pose(w->s, &w->rest, w->matrix, NULL);
    SINEW_CHECK(solve((const double(*)[4])w->matrix[above], v, v), error, SINEW_ERROR_RIG,
                "the nodes above the hips scale to nothing");
  }
  for (int k = 0; k < 3; k++) t[k] += v[k];
  return SINEW_OK;
}

static sinew_result choose_unit(stance_work *w, double height, sinew_error *error) {
  stance *out = w->out;
  SINEW_CHECK(isfinite(height) && height > 0, error, SINEW_ERROR_RIG,
              "in the T-pose the head is not above the feet");
  out->unit_m = w->options.unit_m > 0 ? w->options.unit_m : w->s->unit_m;
  if (out->unit_m > 0) return SINEW_OK;
  out->unit_m = rig_infer_unit(height);
  out->unit_inferred = !(height >= 0.5 && height <= 3);
  if (out->unit_inferred)
    stance_warn(out, "lowest foot to head measures %g in the file's unit: taken as %g m per unit, %g m",
                height, out->unit_m, height * out->unit_m);
  return SINEW_OK;
}

/* The lowest foot of what the output rests with. */
static double rest_lowest(stance_work *w) {
  local_pose rest = {w->out->rest_t, w->out->rest_q, w->out->rest_s};
  turned_body_take(&w->body, &rest, w->matrix);
  return lowest_foot(&w->body, up);
}

sinew_result stance_measure(stance_work *w, sinew_error *error) {
  stance *out = w->out;
  const int32_t hips = w->node_of_bone[HUMAN_HIPS];
  const double lowest = lowest_foot(&w->body, up), reach = bone_place(&w->body, HUMAN_HIPS)[1] - lowest;
  SINEW_TRY(choose_unit(w, bone_place(&w->body, HUMAN_HEAD)[1] - lowest, error));
  out->reach_m = reach * out->unit_m;
  const double rested = w->is_bvh ? rest_lowest(w) : w->base_lowest, near = stance_ground_share * fabs(reach);
  const bool moved = w->is_bvh && w->survey.measured;
  double moves_at = moved ? w->survey.lowest : rested; /* the feet's least height */
  const bool on_ground = fabs(moves_at) <= near;
  out->ground_m = on_ground ? 0 : moves_at * out->unit_m;
  double stands_at = fabs(rested) <= near ? rested : on_ground ? moves_at : 0;
  memcpy(out->tpose_hips_t, out->rest_t[hips], sizeof out->tpose_hips_t);
  SINEW_TRY(lift(w, stands_at - lowest, out->tpose_hips_t, error));
  return w->is_bvh ? lift(w, stands_at - rested, out->rest_t[hips], error) : SINEW_OK;
}
