#include "rival_inverse_plain.h"

#include <math.h>

static const double stop_tan = 0.00087266484675398706; /* of 0.05 degrees: half of where limbs stop */

/* ---- quaternions ---------------------------------------------------------------------------------------
 */

typedef struct quat {
  double x, y, z, w;
} quat;
typedef struct vec3 {
  double x, y, z;
} vec3;

static inline quat quat_of(const double q[4]) {
  return (quat){q[0], q[1], q[2], q[3]};
}
static inline quat mul(quat a, quat b) {
  return (quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
static inline quat conj_of(quat q) {
  return (quat){-q.x, -q.y, -q.z, q.w};
}
static inline quat unit(quat q) {
  const double n = 1 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return (quat){q.x * n, q.y * n, q.z * n, q.w * n};
}
static inline vec3 rotated(quat q, const double v[3]) {
  const double x = 2 * (q.y * v[2] - q.z * v[1]), y = 2 * (q.z * v[0] - q.x * v[2]),
               z = 2 * (q.x * v[1] - q.y * v[0]);
  return (vec3){v[0] + q.w * x + q.y * z - q.z * y, v[1] + q.w * y + q.z * x - q.x * z,
                v[2] + q.w * z + q.x * y - q.y * x};
}
static inline vec3 sum(vec3 a, vec3 b) {
  return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
/* The shortest rotation that takes the direction of u to v. */
static inline quat arc(vec3 u, vec3 v) {
  const double uu = u.x * u.x + u.y * u.y + u.z * u.z, vv = v.x * v.x + v.y * v.y + v.z * v.z;
  return unit((quat){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x,
                     sqrt(uu * vv) + u.x * v.x + u.y * v.y + u.z * v.z});
}

/* ---- angles --------------------------------------------------------------------------------------------
 */

/* Sine and cosine of half a twist: one about x. */
typedef struct twist {
  double s, c;
} twist;
/* T(y, z) * Rx(x), y and z as tangents of their halves. */
typedef struct bent {
  twist x;
  double b, c;
} bent;

static inline twist twist_of(double x, double w) {
  const double n = 1 / sqrt(x * x + w * w);
  return (twist){x * n, w * n};
}
static inline twist twice(twist a, twist b) {
  return (twist){a.s * b.c + a.c * b.s, a.c * b.c - a.s * b.s};
}
static inline twist undone(twist a) {
  return (twist){-a.s, a.c};
}
static inline bent bent_of(quat i) {
  const double n = 1 / sqrt(i.x * i.x + i.w * i.w), s = i.x * n, c = i.w * n;
  return (bent){{s, c}, (i.y * c - i.z * s) * n, (i.z * c + i.y * s) * n};
}
static inline quat swing(double b, double c) {
  return unit((quat){0, b, c, 1});
}
static inline quat turn_of(twist x) {
  return (quat){x.s, 0, 0, x.c};
}
static inline bool is_small(double s, double c) {
  return fabs(s) < fabs(c) * stop_tan;
}
/* -pi..pi */
static inline double angle_of(twist x) {
  return x.c < 0 ? 2 * atan2(-x.s, -x.c) : 2 * atan2(x.s, x.c);
}

static inline void store(const plain_bone *bone, int axis, double angle, double *planes) {
  planes[bone->plane[axis]] = angle * (angle >= 0 ? bone->per_up[axis] : bone->per_down[axis]);
}
static void store_bent(const plain_bone *bone, const bent *angles, double *planes) {
  if (bone->plane[0] >= 0) store(bone, 0, angle_of(angles->x), planes);
  if (bone->plane[1] >= 0) store(bone, 1, 2 * atan(angles->b), planes);
  if (bone->plane[2] >= 0) store(bone, 2, 2 * atan(angles->c), planes);
}

/* Of a rotation from the bone above's. */
static inline quat in_frame(const plain_bone *bone, quat turn) {
  return mul(mul(quat_of(bone->left), turn), quat_of(bone->post));
}
/* What an inner rotation makes, from the bone above's again. */
static inline quat held(const plain_bone *bone, quat inner) {
  return mul(mul(conj_of(quat_of(bone->left)), inner), quat_of(bone->post_back));
}

/* ---- limbs ---------------------------------------------------------------------------------------------
 */

/* What the muscles of the bone above lose of its turn. */
static quat lost_above(const plain_bone *bone, quat turn) {
  const quat i = in_frame(bone, turn);
  bent angles = bent_of(i);
  if (bone->plane[0] < 0) angles.x = (twist){0, 1};
  if (bone->plane[1] < 0) angles.b = 0;
  if (bone->plane[2] < 0) angles.c = 0;
  const quat kept = mul(swing(angles.b, angles.c), turn_of(angles.x));
  return mul(mul(quat_of(bone->post), mul(conj_of(kept), i)), quat_of(bone->post_back));
}
static bool loses(const plain_bone *bone) {
  return bone->plane[0] < 0 || bone->plane[1] < 0 || bone->plane[2] < 0;
}

/* Bends the upper bone until the lower one bends about z alone. */
static bent bend_hinge(const plain_limb *limb, const plain_bone *u, const plain_bone *l, quat g_l, quat *q_u,
                       bent *first) {
  bent last = *first = bent_of(in_frame(l, mul(conj_of(*q_u), g_l)));
  for (int step = 0; step < 10 && !is_small(last.b, 1); step++) {
    const twist by = twist_of(limb->k_x[0] * -last.b * last.c + limb->k_x[1] * last.b, 1 + last.c * last.c);
    *q_u = unit(mul(mul(mul(*q_u, quat_of(u->post)), turn_of(by)), quat_of(u->post_back)));
    last = bent_of(in_frame(l, mul(conj_of(*q_u), g_l)));
  }
  return last;
}

/* Twists the lower bone until the end has no twist. base: the end's inner rotation with none of the lower's,
 * before K2. */
static bent twist_lower(const plain_limb *limb, quat base, twist *x) {
  const quat back = quat_of(limb->k2_back);
  quat i = mul(back, mul(turn_of(undone(*x)), base));
  bent end = bent_of(i);
  for (int step = 0; step < 5 && !is_small(end.x.s, end.x.c); step++) {
    const quat q = step ? mul(i, conj_of(swing(end.b, end.c))) : i;
    *x = twice(*x, twist_of(limb->k2_x[0] * q.x + limb->k2_x[1] * q.y + limb->k2_x[2] * q.z, q.w));
    i = mul(back, mul(turn_of(undone(*x)), base));
    end = bent_of(i);
  }
  return end;
}

static void do_limb(const plain_body *body, const plain_limb *limb, const double (*turn)[4], double *planes) {
  const plain_bone *u = &body->bones[limb->bone[0]], *l = &body->bones[limb->bone[1]],
                   *e = &body->bones[limb->bone[2]], *p = &body->bones[u->parent];
  const quat turn_u = quat_of(turn[limb->bone[0]]), turn_l = quat_of(turn[limb->bone[1]]);
  const bool lost = u->parent > 0 && loses(p);
  const quat g_u = lost ? mul(lost_above(p, quat_of(turn[u->parent])), turn_u) : turn_u;
  const quat g_l = mul(g_u, turn_l), g_e = mul(g_l, quat_of(turn[limb->bone[2]]));
  const vec3 elbow = rotated(g_u, l->offset), hand = sum(elbow, rotated(g_l, e->offset));
  quat q_u = g_u;
  if (limb->is_arm) q_u = mul(arc(rotated(turn_u, l->offset), elbow), turn_u);
  bent first;
  const bent lower = bend_hinge(limb, u, l, g_l, &q_u, &first);
  const quat hinge = swing(0, lower.c);
  const vec3 lower_hand = rotated(held(l, mul(hinge, turn_of(lower.x))), e->offset);
  const double reach[3] = {l->offset[0] + lower_hand.x, l->offset[1] + lower_hand.y,
                           l->offset[2] + lower_hand.z};
  q_u = mul(arc(rotated(q_u, reach), hand), q_u);
  const bent upper = bent_of(in_frame(u, q_u)), own = bent_of(in_frame(l, turn_l));
  twist x = twice(lower.x, twist_of(-first.b * first.c, 1 + first.c * first.c));
  x = twice(x, twice(own.x, undone(first.x)));
  const quat above = mul(mul(q_u, conj_of(quat_of(l->left))), hinge);
  const bent end = twist_lower(limb, mul(mul(conj_of(above), g_e), quat_of(e->post)), &x);
  store_bent(u, &upper, planes);
  if (l->plane[0] >= 0) store(l, 0, angle_of(x), planes);
  if (l->plane[2] >= 0) store(l, 2, 2 * atan(lower.c), planes);
  if (e->plane[1] >= 0) store(e, 1, 2 * atan(end.b), planes);
  if (e->plane[2] >= 0) store(e, 2, 2 * atan(end.c), planes);
}

void rival_inverse_plain(const plain_body *body, const double (*turns)[4], size_t frames, double *planes) {
  for (size_t f = 0; f < frames; f++, turns += body->bone_count, planes += SINEW_PLANE_COUNT) {
    for (int b = 1; b < body->bone_count; b++) {
      if (body->bones[b].in_limb) continue;
      const bent angles = bent_of(in_frame(&body->bones[b], quat_of(turns[b])));
      store_bent(&body->bones[b], &angles, planes);
    }
    for (int i = 0; i < 4; i++) do_limb(body, &body->limb[i], turns, planes);
  }
}

/* ---- constants -----------------------------------------------------------------------------------------
 */

static void put(quat q, double out[4]) {
  out[0] = q.x, out[1] = q.y, out[2] = q.z, out[3] = q.w;
}
/* The first row of a rotation's matrix. */
static void put_row(quat q, double row[3]) {
  for (int axis = 0; axis < 3; axis++) {
    const double e[3] = {axis == 0, axis == 1, axis == 2};
    row[axis] = rotated(q, e).x;
  }
}

static void bone_of(const ref_inverse_bone *from, plain_bone *out) {
  *out = (plain_bone){.parent = from->parent};
  put(conj_of(mul(quat_of(from->mid), quat_of(from->pre))), out->left);
  put(quat_of(from->post), out->post);
  put(conj_of(quat_of(from->post)), out->post_back);
  for (int axis = 0; axis < 3; axis++) {
    const double sgn = from->sgn[axis];
    const double up = sgn >= 0 ? from->max_rad[axis] : -from->min_rad[axis],
                 down = sgn >= 0 ? -from->min_rad[axis] : from->max_rad[axis];
    out->offset[axis] = from->offset[axis];
    out->plane[axis] = from->plane[axis];
    out->per_up[axis] = up != 0 ? 1 / (sgn * up) : 0;
    out->per_down[axis] = down != 0 ? 1 / (sgn * down) : 0;
  }
}

void plain_body_of(const ref_inverse_body *body, plain_body *out) {
  out->bone_count = body->bone_count;
  for (int b = 0; b < body->bone_count; b++) bone_of(&body->bones[b], &out->bones[b]);
  for (int i = 0; i < 4; i++) {
    const ref_inverse_limb *from = &body->limb[i];
    plain_limb *limb = &out->limb[i];
    for (int j = 0; j < 3; j++) out->bones[limb->bone[j] = from->bone[j]].in_limb = true;
    limb->is_arm = from->is_arm;
    const plain_bone *u = &out->bones[limb->bone[0]], *l = &out->bones[limb->bone[1]],
                     *e = &out->bones[limb->bone[2]];
    const quat k2 = mul(quat_of(l->post_back), conj_of(quat_of(e->left)));
    put_row(mul(quat_of(u->post_back), conj_of(quat_of(l->left))), limb->k_x);
    put_row(k2, limb->k2_x);
    put(conj_of(k2), limb->k2_back);
  }
}
