#include "reference_inverse.h"

#include <math.h>
#include <string.h>

static const double stop_rad = 0.1 * M_PI / 180;

/* ---- angles ---- */

static double wrapped(double angle) {
  const double a = remainder(angle, 2 * M_PI);
  return a <= -M_PI ? a + 2 * M_PI : a;
}
static void about_x(double angle, double q[4]) {
  q[0] = sin(angle / 2), q[1] = q[2] = 0, q[3] = cos(angle / 2);
}
/* T(y, z) */
static void swing(double y, double z, double q[4]) {
  q[0] = 0, q[1] = tan(y / 2), q[2] = tan(z / 2), q[3] = 1;
  ref_quat_normalise(q);
}
static double twist_of(const double q[4]) {
  return wrapped(2 * atan2(q[0], q[3]));
}
/* I = T(y, z) * Rx(x) -> x, y, z */
static void angles_of(const double i[4], double angle[3]) {
  double back[4], t[4];
  angle[0] = twist_of(i);
  about_x(-angle[0], back);
  ref_quat_mul(i, back, t);
  angle[1] = 2 * atan(t[1] / t[3]);
  angle[2] = 2 * atan(t[2] / t[3]);
}
static void product(const double *const *q, int count, double out[4]) {
  memmove(out, q[0], 4 * sizeof *out);
  for (int i = 1; i < count; i++) ref_quat_mul(out, q[i], out);
}
#define PRODUCT(out, ...)                                                                                    \
  product((const double *const[]){__VA_ARGS__},                                                              \
          (int)(sizeof((const double *const[]){__VA_ARGS__}) / sizeof(const double *)), out)

/* conj(pre) * local * post */
static void to_frame(const ref_inverse_bone *bone, const double local[4], double i[4]) {
  double undo[4];
  ref_quat_conj(bone->pre, undo);
  PRODUCT(i, undo, local, bone->post);
}
static void peel(const ref_inverse_bone *bone, const double local[4], double angle[3]) {
  double i[4];
  to_frame(bone, local, i);
  angles_of(i, angle);
}
/* pre * T(y, z) * Rx(x) * conj(post) */
static void held(const ref_inverse_bone *bone, double x, double y, double z, double local[4]) {
  double twist[4], t[4], back[4];
  about_x(x, twist);
  swing(y, z, t);
  ref_quat_conj(bone->post, back);
  PRODUCT(local, bone->pre, t, twist, back);
}
/* conj(mid) * turn */
static void local_of(const ref_inverse_bone *bone, const double turn[4], double local[4]) {
  double undo[4];
  ref_quat_conj(bone->mid, undo);
  ref_quat_mul(undo, turn, local);
}
/* The shortest rotation that takes the direction of u to v. */
static void arc(const double u[3], const double v[3], double q[4]) {
  const double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  q[0] = u[1] * v[2] - u[2] * v[1], q[1] = u[2] * v[0] - u[0] * v[2], q[2] = u[0] * v[1] - u[1] * v[0];
  q[3] = sqrt(uu * vv) + u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  ref_quat_normalise(q);
}
static void add(const double a[3], const double b[3], double out[3]) {
  for (int c = 0; c < 3; c++) out[c] = a[c] + b[c];
}

/* ---- muscles ---- */

static void store(const ref_inverse_bone *bone, int axis, double angle, double *planes) {
  if (bone->plane[axis] < 0) return;
  const double sgn = bone->sgn[axis];
  const double limit = sgn * angle >= 0 ? bone->max_rad[axis] : -bone->min_rad[axis];
  planes[bone->plane[axis]] = limit != 0 ? angle / (sgn * limit) : 0;
}

/* ---- limbs ---- */

/* Everything of a limb counted from the re-posed bone above it. */
typedef struct limb_state {
  const ref_inverse_bone *u, *l, *e;
  double turn_u[4], local_l[4]; /* the source's */
  double q_u[4];                /* of U, as it is being bent */
  double g_l[4], g_e[4];        /* the source's rotations of L and E */
  double e0[3], h0[3];          /* its elbow and hand */
  double k[4], k2[4];
} limb_state;

/* conj(R'_p) * R_p: what the muscles of the bone above lose of its turn; nothing of the hips. */
static void lost_above(const ref_inverse_body *body, int parent, const double (*turn)[4], double lost[4]) {
  const ref_inverse_bone *p = &body->bones[parent];
  double local[4], angle[3], kept[4], undo[4];
  lost[0] = lost[1] = lost[2] = 0, lost[3] = 1;
  if (parent == 0) return;
  local_of(p, turn[parent], local);
  peel(p, local, angle);
  for (int axis = 0; axis < 3; axis++)
    if (p->plane[axis] < 0) angle[axis] = 0;
  held(p, angle[0], angle[1], angle[2], kept);
  ref_quat_conj(kept, undo);
  ref_quat_mul(undo, local, lost);
}

static limb_state open_limb(const ref_inverse_body *body, const ref_inverse_limb *limb,
                            const double (*turn)[4]) {
  limb_state s = {
      .u = &body->bones[limb->bone[0]], .l = &body->bones[limb->bone[1]], .e = &body->bones[limb->bone[2]]};
  double g_u[4], lost[4], undo[4], v[3];
  lost_above(body, s.u->parent, turn, lost);
  memcpy(s.turn_u, turn[limb->bone[0]], sizeof s.turn_u);
  memcpy(s.q_u, s.turn_u, sizeof s.q_u);
  local_of(s.l, turn[limb->bone[1]], s.local_l);
  PRODUCT(g_u, lost, s.turn_u);
  PRODUCT(s.g_l, g_u, turn[limb->bone[1]]);
  PRODUCT(s.g_e, s.g_l, turn[limb->bone[2]]);
  ref_rotate(g_u, s.l->offset, s.e0);
  ref_rotate(s.g_l, s.e->offset, v);
  add(s.e0, v, s.h0);
  if (!limb->is_arm) memcpy(s.q_u, g_u, sizeof s.q_u);
  ref_quat_conj(s.u->post, undo);
  PRODUCT(s.k, undo, s.l->mid, s.l->pre);
  ref_quat_conj(s.l->post, undo);
  PRODUCT(s.k2, undo, s.e->mid, s.e->pre);
  return s;
}

/* U turns so that where it has the elbow is where the source has it. */
static void aim_elbow(limb_state *s) {
  double v[3], by[4];
  ref_rotate(s->q_u, s->l->offset, v);
  arc(v, s->e0, by);
  ref_quat_mul(by, s->q_u, s->q_u);
}
/* And so that the hand's direction is the source's, L bent as local. */
static void aim_hand(limb_state *s, const double local[4]) {
  double q[4], v[3], by[4];
  ref_quat_mul(s->l->mid, local, q);
  ref_rotate(q, s->e->offset, v);
  add(s->l->offset, v, v);
  ref_rotate(s->q_u, v, v);
  arc(v, s->h0, by);
  ref_quat_mul(by, s->q_u, s->q_u);
}
static void peel_lower(const limb_state *s, double angle[3]) {
  double undo_mid[4], undo_u[4], local[4];
  ref_quat_conj(s->l->mid, undo_mid);
  ref_quat_conj(s->q_u, undo_u);
  PRODUCT(local, undo_mid, undo_u, s->g_l);
  peel(s->l, local, angle);
}
/* T(y, z) * conj(T(0, z)), not normalised. */
static void sideways(const double angle[3], double q[4]) {
  const double b = tan(angle[1] / 2), c = tan(angle[2] / 2);
  q[0] = -b * c, q[1] = b, q[2] = 0, q[3] = 1 + c * c;
}
static double twist_through(const double k[4], const double q[4]) {
  double back[4], turned[4];
  ref_quat_conj(k, back);
  PRODUCT(turned, k, q, back);
  return twist_of(turned);
}
static bool is_small(double angle, ref_inverse_steps *steps) {
  steps->closest = fmin(steps->closest, fabs(fabs(angle) / stop_rad - 1));
  return fabs(angle) < stop_rad;
}

/* Step 2. first: the first peel of L; last: that of the final U. */
static void bend_hinge(limb_state *s, double first[3], double last[3], ref_inverse_steps *steps) {
  peel_lower(s, first);
  memcpy(last, first, 3 * sizeof *last);
  while (steps->hinge < 10 && !is_small(last[1], steps)) {
    double dy[4], by[4], back[4];
    sideways(last, dy);
    about_x(twist_through(s->k, dy), by);
    ref_quat_conj(s->u->post, back);
    PRODUCT(s->q_u, s->q_u, s->u->post, by, back);
    ref_quat_normalise(s->q_u);
    peel_lower(s, last);
    steps->hinge++;
  }
}

/* Step 4's I: E in its frame with L twisted by x. */
static void end_in_frame(const limb_state *s, double x, double z, double i[4]) {
  double lower[4], q[4], local[4];
  held(s->l, x, 0, z, lower);
  PRODUCT(q, s->q_u, s->l->mid, lower, s->e->mid);
  ref_quat_conj(q, q);
  ref_quat_mul(q, s->g_e, local);
  to_frame(s->e, local, i);
}
static void twist_lower(const limb_state *s, double *x, double z, double end[3], ref_inverse_steps *steps) {
  double i[4];
  end_in_frame(s, *x, z, i);
  angles_of(i, end);
  while (steps->end < 5 && !is_small(end[0], steps)) {
    double t[4] = {0, 0, 0, 1}, q[4];
    if (steps->end > 0) swing(end[1], end[2], t);
    ref_quat_conj(t, t);
    ref_quat_mul(i, t, q);
    *x += twist_through(s->k2, q);
    end_in_frame(s, *x, z, i);
    angles_of(i, end);
    steps->end++;
  }
}

static void limb_as_editor(limb_state *s, bool is_arm, double upper[3], double lower[3], double end[3],
                           ref_inverse_steps *steps) {
  double first[3], own[3], dy[4], local[4];
  if (is_arm) aim_elbow(s);
  bend_hinge(s, first, lower, steps);
  held(s->l, lower[0], 0, lower[2], local);
  aim_hand(s, local);
  local_of(s->u, s->q_u, local);
  peel(s->u, local, upper);
  sideways(first, dy);
  peel(s->l, s->local_l, own);
  lower[0] += twist_of(dy) + own[0] - first[0];
  twist_lower(s, &lower[0], lower[2], end, steps);
  lower[0] = wrapped(lower[0]);
}

/* ---- landing exactly ---- */

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/* The offset of `bone` in the muscle frame of the one above it. */
static void along(const ref_inverse_bone *above, const ref_inverse_bone *bone, double v[3]) {
  double back[4];
  ref_quat_conj(above->post, back);
  ref_rotate(back, bone->offset, v);
}
/* z of L: the hand as far from U as the source's, on the side to which the source bends. */
static double hinge_angle(const limb_state *s, ref_inverse_steps *steps) {
  double u[3], l[3], kx[3], ky[3], own[3];
  along(s->u, s->l, u);
  along(s->l, s->e, l);
  ref_rotate(s->k, (const double[3]){1, 0, 0}, kx);
  ref_rotate(s->k, (const double[3]){0, 1, 0}, ky);
  const double length = sqrt(dot(l, l)), a = length * dot(u, kx), b = length * dot(u, ky);
  const double c = (dot(s->h0, s->h0) - dot(u, u) - dot(l, l)) / 2;
  const double middle = atan2(b, a), share = fmin(1, fmax(-1, c / hypot(a, b))), away = acos(share);
  steps->closest = 1 - fabs(share);
  peel(s->l, s->local_l, own);
  const double more = wrapped(middle + away), less = wrapped(middle - away);
  return fabs(wrapped(more - own[2])) <= fabs(wrapped(less - own[2])) ? more : less;
}
/* From the re-posed bone above to U's muscle frame before its inner rotation. */
static void to_upper(const limb_state *s, const double v[3], double out[3]) {
  double q[4];
  PRODUCT(q, s->u->mid, s->u->pre);
  ref_quat_conj(q, q);
  ref_rotate(q, v, out);
}
static double upper_twist(const limb_state *s, double z, double share) {
  double bent[4], hinge[4] = {0, 0, sin(z / 2), cos(z / 2)}, v[3], elbow[3], lower[3], swung[4], local[4],
                  own[3];
  ref_quat_mul(s->k, hinge, bent);
  ref_rotate(bent, (const double[3]){1, 0, 0}, v);
  to_upper(s, s->e0, elbow);
  for (int c = 0; c < 3; c++) lower[c] = s->h0[c] - s->e0[c];
  to_upper(s, lower, lower);
  arc((const double[3]){1, 0, 0}, elbow, swung);
  ref_quat_conj(swung, swung);
  ref_rotate(swung, lower, lower);
  const double x = wrapped(atan2(lower[2], lower[1]) - atan2(v[2], v[1]));
  local_of(s->u, s->turn_u, local);
  peel(s->u, local, own);
  const double weight = pow(1 - fmin(1, hypot(v[1], v[2])), 8);
  return wrapped(x + wrapped((share > 0 ? own[0] / share : 0) - x) * weight);
}
/* The rotation without x that takes u to d. */
static void swing_to(const double u[3], const double d[3], double q[4]) {
  const double nu = sqrt(dot(u, u)), nd = sqrt(dot(d, d));
  double a[3], b[3];
  for (int c = 0; c < 3; c++) a[c] = u[c] / nu, b[c] = d[c] / nd;
  const double sum[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
  const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  q[0] = 0, q[3] = sum[0] * (1 + dot(a, b));
  for (int c = 1; c < 3; c++) q[c] = sum[0] * cross[c] - cross[0] * sum[c];
  ref_quat_normalise(q);
}
static void limb_exactly(limb_state *s, double share, double upper[3], double lower[3], double end[3],
                         ref_inverse_steps *steps) {
  double u[3], l[3], bent[4], twist[4], chain[3], hand[3], q[4], local[4], i[4], w[4];
  lower[2] = hinge_angle(s, steps);
  about_x(upper_twist(s, lower[2], share), twist);
  along(s->u, s->l, u);
  along(s->l, s->e, l);
  PRODUCT(bent, s->k, ((const double[4]){0, 0, sin(lower[2] / 2), cos(lower[2] / 2)}));
  ref_rotate(bent, l, chain);
  add(u, chain, chain);
  ref_rotate(twist, chain, chain);
  to_upper(s, s->h0, hand);
  swing_to(chain, hand, q);
  ref_quat_mul(q, twist, q);
  angles_of(q, upper);
  held(s->u, upper[0], upper[1], upper[2], local);
  ref_quat_mul(s->u->mid, local, s->q_u);
  /* conj(k2) * Rx(-x) * w without x: linear in cos and sin of x / 2 */
  end_in_frame(s, 0, lower[2], i);
  ref_quat_mul(s->k2, i, w);
  double half_turned[4];
  ref_quat_mul((const double[4]){-1, 0, 0, 0}, w, w);
  ref_quat_conj(s->k2, half_turned);
  ref_quat_mul(half_turned, w, half_turned);
  lower[0] = wrapped(2 * atan2(-i[0], half_turned[0]));
  end_in_frame(s, lower[0], lower[2], i);
  angles_of(i, end);
}

/* ---- the body ---- */

static bool in_limb(const ref_inverse_body *body, int bone) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++)
      if (body->limb[i].bone[j] == bone) return true;
  return false;
}

void ref_inverse(const ref_inverse_body *body, const double (*turn)[4], double *planes,
                 ref_inverse_steps *steps) {
  for (int b = 1; b < body->bone_count; b++) {
    double local[4], angle[3];
    if (in_limb(body, b)) continue;
    local_of(&body->bones[b], turn[b], local);
    peel(&body->bones[b], local, angle);
    for (int axis = 0; axis < 3; axis++) store(&body->bones[b], axis, angle[axis], planes);
  }
  for (int i = 0; i < 4; i++) {
    const ref_inverse_limb *limb = &body->limb[i];
    ref_inverse_steps taken = {.closest = INFINITY};
    limb_state s = open_limb(body, limb, turn);
    double upper[3], lower[3], end[3];
    if (body->exact)
      limb_exactly(&s, limb->share, upper, lower, end, &taken);
    else
      limb_as_editor(&s, limb->is_arm, upper, lower, end, &taken);
    lower[1] = 0;
    for (int axis = 0; axis < 3; axis++) {
      store(s.u, axis, upper[axis], planes);
      if (axis != 1) store(s.l, axis, lower[axis], planes);
      if (axis != 0) store(s.e, axis, end[axis], planes);
    }
    if (steps) steps[i] = taken;
  }
}

/* ---- root and goals ---- */

/* The body frame in the frame in which the hips are turned by `hips`: hips * conj(H) * F * conj(R0). */
static void body_frame(const ref_hips *rig, const double hips[4], const double frame[4], double q[4]) {
  double back[4], undo[4];
  ref_quat_conj(rig->rest, back);
  ref_quat_conj(rig->r0, undo);
  PRODUCT(q, hips, back, frame, undo);
  ref_quat_normalise(q);
}
void ref_root(const ref_hips *rig, const double com[3], const double frame[4], const double hips_t[3],
              const double hips_q[4], double root_t[3], double root_q[4]) {
  double centre[3];
  ref_rotate(hips_q, com, centre);
  for (int c = 0; c < 3; c++) root_t[c] = (hips_t[c] + centre[c]) / rig->scale_m;
  body_frame(rig, hips_q, frame, root_q);
}
void ref_goal(const ref_hips *rig, const double post[4], double axis_m, const double com[3],
              const double frame[4], const double t[3], const double q[4], double goal_t[3],
              double goal_q[4]) {
  static const double unturned[4] = {0, 0, 0, 1};
  double body[4], back[4], turned[4], v[3] = {axis_m, 0, 0};
  body_frame(rig, unturned, frame, body);
  ref_quat_conj(body, back);
  ref_quat_mul(q, post, turned);
  ref_rotate(turned, v, v);
  for (int c = 0; c < 3; c++) v[c] += t[c] - com[c];
  ref_rotate(back, v, v);
  for (int c = 0; c < 3; c++) goal_t[c] = v[c] / rig->scale_m;
  ref_quat_mul(back, turned, goal_q);
}

/* ---- constants ---- */

static void to_floats(const double *from, int count, float *to) {
  for (int i = 0; i < count; i++) to[i] = (float)from[i];
}
static void fold_axis(const ref_inverse_bone *bone, int axis, sinew_inverse_axis *out) {
  double halves[2] = {1e-3, -1e-3}, muscle[SINEW_PLANE_COUNT];
  *out = (sinew_inverse_axis){.plane = (int16_t)bone->plane[axis]};
  if (bone->plane[axis] < 0) return;
  for (int i = 0; i < 2; i++) {
    store(bone, axis, 2 * halves[i], muscle);
    *(i ? &out->per_neg : &out->per_pos) = (float)(muscle[bone->plane[axis]] / halves[i]);
  }
}
/* The rotation q -> conj(mid * pre) * q * post as a matrix. */
static void fold_matrix(const ref_inverse_bone *bone, float m[4][4]) {
  for (int k = 0; k < 4; k++) {
    const double e[4] = {k == 0, k == 1, k == 2, k == 3};
    double local[4], i[4];
    local_of(bone, e, local);
    to_frame(bone, local, i);
    for (int c = 0; c < 4; c++) m[c][k] = (float)i[c];
  }
}
static void fold_joint(const double k[4], float q[4], float row[3]) {
  to_floats(k, 4, q);
  for (int axis = 0; axis < 3; axis++) {
    double e[3] = {axis == 0, axis == 1, axis == 2};
    ref_rotate(k, e, e);
    row[axis] = (float)e[0];
  }
}
static void fold_limb(const ref_inverse_body *body, const ref_inverse_limb *limb, sinew_inverse_limb *out) {
  double rest[SINEW_PLANE_COUNT][4], q[4], v[3];
  for (int b = 0; b < body->bone_count; b++) rest[b][0] = rest[b][1] = rest[b][2] = 0, rest[b][3] = 1;
  const limb_state s = open_limb(body, limb, (const double(*)[4])rest);
  const ref_inverse_bone *bones[3] = {s.u, s.l, s.e}, *parent = &body->bones[s.u->parent];
  *out = (sinew_inverse_limb){.parent_slot = -1, .is_arm = limb->is_arm};
  for (int i = 0; i < 3; i++) {
    out->slot[i] = (uint16_t)limb->bone[i];
    to_floats(bones[i]->post, 4, out->post[i]);
    for (int axis = 0; axis < 3; axis++) fold_axis(bones[i], axis, &out->axis[i][axis]);
  }
  for (int axis = 0; axis < 3 && s.u->parent > 0; axis++) {
    out->parent_keeps[axis] = parent->plane[axis] >= 0;
    if (parent->plane[axis] < 0) out->parent_slot = (int16_t)s.u->parent;
  }
  fold_matrix(parent, out->parent_m);
  to_floats(parent->post, 4, out->parent_post);
  PRODUCT(q, s.u->mid, s.u->pre);
  ref_quat_conj(q, q);
  to_floats(q, 4, out->to_upper);
  fold_matrix(s.l, out->lower_m);
  fold_joint(s.k, out->k, out->k_row);
  fold_joint(s.k2, out->k2, out->k2_row);
  along(s.u, s.l, v);
  to_floats(v, 3, out->to_elbow);
  along(s.l, s.e, v);
  to_floats(v, 3, out->to_end);
  out->per_share = limb->share > 0 ? (float)(1 / limb->share) : 0;
}

void ref_fold_inverse(const ref_inverse_body *body, sinew_inverse_bone *bones, sinew_inverse_rig *rig) {
  *rig = (sinew_inverse_rig){.bones = bones, .exact = body->exact};
  for (int b = 1; b < body->bone_count; b++) {
    const ref_inverse_bone *bone = &body->bones[b];
    if (in_limb(body, b) || (bone->plane[0] < 0 && bone->plane[1] < 0 && bone->plane[2] < 0)) continue;
    sinew_inverse_bone *out = &bones[rig->bone_count++];
    *out = (sinew_inverse_bone){.slot = (uint16_t)b};
    for (int axis = 0; axis < 3; axis++) fold_axis(bone, axis, &out->axis[axis]);
    fold_matrix(bone, out->m);
  }
  for (int i = 0; i < 4; i++) fold_limb(body, &body->limb[i], &rig->limb[i]);
}
