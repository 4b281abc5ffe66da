/* Bones to muscles: a bone's rotation, peeled into twist and swing; limbs bent until their elbow or knee
 * bends about one axis alone, as the reference editor does it step by step or so that their ends land
 * exactly.
 *
 * No angle is formed before the end. A twist by x is carried as a pair, s : c = sin x/2 : cos x/2, and adding
 * angles multiplies pairs; a swing as tangents with a common denominator. Corrections of a limb turn one
 * bone about its own axis, so what is peeled after them is a combination of two constant quaternions,
 * c A + s B, and a pass costs little more than its square root. All lanes make the passes of the one that
 * needs most: a lane that is done is masked and peels the same again. */
#include "isa.h"
#include "vatan.h"
#include "vmath.h"
#include "vquat.h"

/* tan of half of 0.1 degrees: where the editor stops. */
#define STOP_TANGENT 8.72664847e-4f
enum { HINGE_STEPS = 10, END_STEPS = 5 };

/* ---- pairs and peeling ---- */

typedef struct pair { /* of a half angle, to any common factor */
  vf s, c;
} pair;

SINEW_INLINE pair pair_mul(pair a, pair b) {
  return (pair){v_fma(a.s, b.c, a.c * b.s), v_fnma(a.s, b.s, a.c * b.c)};
}
SINEW_INLINE pair pair_conj(pair a) {
  return (pair){v_neg(a.s), a.c};
}
/* Length 1; no turn where both vanish. */
SINEW_INLINE pair pair_unit(pair a) {
  const vf one = v_set(1.0f), square = v_fma(a.s, a.s, a.c * a.c);
  const vi tiny = square < v_set(1e-36f);
  const vf scale = one / v_sqrt(v_select(tiny, one, square));
  return (pair){v_select(tiny, v_set(0.0f), a.s * scale), v_select(tiny, one, a.c * scale)};
}

/* I = T(y, z) Rx(x): x as a pair, tan y/2 = y / w, tan z/2 = z / w. Of a half turn of swing, where x has no
 * meaning, w is held above 0. */
typedef struct peeled {
  pair x;
  vf y, z, w;
} peeled;

SINEW_INLINE peeled peel(vquat i) {
  return (peeled){{i.x, i.w},
                  v_fnma(i.z, i.x, i.y * i.w),
                  v_fma(i.z, i.w, i.y * i.x),
                  v_max(v_fma(i.x, i.x, i.w * i.w), v_set(1e-12f))};
}

SINEW_INLINE vf row4(const float m[4], vquat q) {
  return v_fma(v_set(m[0]), q.x, v_fma(v_set(m[1]), q.y, v_fma(v_set(m[2]), q.z, v_set(m[3]) * q.w)));
}
SINEW_INLINE vquat matrix4(const float m[4][4], vquat q) {
  return (vquat){row4(m[0], q), row4(m[1], q), row4(m[2], q), row4(m[3], q)};
}
SINEW_INLINE vf row3(const float m[3], vf x, vf y, vf z) {
  return v_fma(v_set(m[0]), x, v_fma(v_set(m[1]), y, v_set(m[2]) * z));
}
/* q * Rx of the pair */
SINEW_INLINE vquat twist_first(vquat q, pair x) {
  return (vquat){v_fma(q.x, x.c, q.w * x.s), v_fma(q.y, x.c, q.z * x.s), v_fnma(q.y, x.s, q.z * x.c),
                 v_fnma(q.x, x.s, q.w * x.c)};
}
/* c a + s b */
SINEW_INLINE vquat blend(pair x, vquat a, vquat b) {
  return (vquat){v_fma(x.s, b.x, x.c * a.x), v_fma(x.s, b.y, x.c * a.y), v_fma(x.s, b.z, x.c * a.z),
                 v_fma(x.s, b.w, x.c * a.w)};
}
/* conj(i) * q: a half turn about x taken back. */
SINEW_INLINE vquat half_turn_back(vquat q) {
  return (vquat){v_neg(q.w), q.z, v_neg(q.y), q.x};
}
/* The shortest rotation that takes the direction of u to that of v; none where they are opposite. */
SINEW_INLINE vquat arc(vvec u, vvec v) {
  const vvec cross = vvec_cross(u, v);
  const vf lengths = v_sqrt(vvec_dot(u, u) * vvec_dot(v, v));
  return vquat_normalise((vquat){cross.x, cross.y, cross.z, lengths + vvec_dot(u, v)});
}

/* ---- muscles ---- */

SINEW_INLINE void put(const sinew_inverse_axis *axis, vf half, float *planes, int f) {
  v_store(planes + (size_t)axis->plane * SINEW_BLOCK + f,
          half * v_by_sign(half, v_set(axis->per_pos), v_set(axis->per_neg)));
}
SINEW_INLINE void put_twist(const sinew_inverse_axis *axis, pair x, float *planes, int f) {
  if (axis->plane >= 0) put(axis, v_half_angle_of(x.s, x.c), planes, f);
}
SINEW_INLINE void put_swing(const sinew_inverse_axis axis[3], peeled p, float *planes, int f) {
  if (axis[1].plane >= 0) put(&axis[1], v_atan2(p.y, p.w), planes, f);
  if (axis[2].plane >= 0) put(&axis[2], v_atan2(p.z, p.w), planes, f);
}

static void peel_bone(const sinew_inverse_bone *bone, const float *turns, float *planes) {
  const float *turn = turns + (size_t)bone->slot * 4 * SINEW_BLOCK;
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const peeled p = peel(matrix4(bone->m, vquat_load(turn + f)));
    put_twist(&bone->axis[0], p.x, planes, f);
    put_swing(bone->axis, p, planes, f);
  }
}

/* ---- limbs ---- */

/* A limb in the frame of the bone above as its muscles hold it; bones as rotation * post, so that each one's
 * x lies along it. */
typedef struct limb_pose {
  vquat upper, lower, end; /* the source's */
  vvec elbow, hand;        /* where the source has L and E */
  vquat own_upper;         /* U as if the bone above were held as it is */
  vquat own_lower;         /* I of L */
} limb_pose;

/* conj(held) * local of the bone above: what its muscles lose. */
SINEW_INLINE vquat lost_above(const sinew_inverse_limb *limb, vquat turn) {
  const vf zero = v_set(0.0f);
  const vquat i = matrix4(limb->parent_m, turn);
  const peeled p = peel(i);
  vquat kept = {zero, limb->parent_keeps[1] ? p.y : zero, limb->parent_keeps[2] ? p.z : zero, p.w};
  if (limb->parent_keeps[0]) kept = twist_first(kept, p.x);
  const vquat post = vquat_set(limb->parent_post);
  const vquat lost = vquat_mul(vquat_conj(vquat_normalise(kept)), i);
  return vquat_mul(vquat_mul(post, lost), vquat_conj(post));
}

SINEW_INLINE limb_pose limb_of(const sinew_inverse_limb *limb, const float *turns, int f) {
  enum { TRACK = 4 * SINEW_BLOCK };
  const vvec zero = {v_set(0.0f), v_set(0.0f), v_set(0.0f)};
  const vquat u = vquat_load(turns + (size_t)limb->slot[0] * TRACK + f);
  const vquat l = vquat_load(turns + (size_t)limb->slot[1] * TRACK + f);
  const vquat e = vquat_load(turns + (size_t)limb->slot[2] * TRACK + f);
  vquat upper = u;
  if (limb->parent_slot >= 0)
    upper = vquat_mul(lost_above(limb, vquat_load(turns + (size_t)limb->parent_slot * TRACK + f)), u);
  const vquat lower = vquat_mul(upper, l), end = vquat_mul(lower, e);
  limb_pose p = {.upper = vquat_mul(upper, vquat_set(limb->post[0])),
                 .lower = vquat_mul(lower, vquat_set(limb->post[1])),
                 .end = vquat_mul(end, vquat_set(limb->post[2])),
                 .own_upper = vquat_mul(u, vquat_set(limb->post[0])),
                 .own_lower = matrix4(limb->lower_m, l)};
  p.elbow = vquat_rotate_add(p.upper, vvec_set(limb->to_elbow), zero);
  p.hand = vquat_rotate_add(p.lower, vvec_set(limb->to_end), p.elbow);
  return p;
}

/* Where the hand is from U, in U's muscle frame, with the elbow bent by `inner`. */
SINEW_INLINE vvec reach(const sinew_inverse_limb *limb, vquat k, vquat inner) {
  return vquat_rotate_add(vquat_mul(k, inner), vvec_set(limb->to_end), vvec_set(limb->to_elbow));
}

typedef struct bent {
  vquat upper;  /* U's rotation * post_U */
  peeled hinge; /* of L: its x and z */
  pair twist;   /* where L's twist starts from */
} bent;

/* U turns about its own axis until L bends about z alone: steps 1 to 3 of the editor's rule. */
SINEW_INLINE bent bend_as_editor(const sinew_inverse_limb *limb, const limb_pose *pose) {
  const vf zero = v_set(0.0f), one = v_set(1.0f), stop = v_set(STOP_TANGENT);
  const vf k0 = v_set(limb->k_row[0]), k1 = v_set(limb->k_row[1]);
  const vquat k = vquat_set(limb->k), back = vquat_conj(k);
  vquat upper = pose->upper;
  if (limb->is_arm) { /* back to the own turn, then the elbow to where it was */
    upper = pose->own_upper;
    const vvec at = vquat_rotate_add(upper, vvec_set(limb->to_elbow), (vvec){zero, zero, zero});
    upper = vquat_mul(arc(at, pose->elbow), upper);
  }
  const vquat away = vquat_mul(vquat_conj(upper), pose->lower);
  const vquat a = vquat_mul(back, away), b = vquat_mul(back, half_turn_back(away));
  pair turned = {zero, one};
  const peeled first = peel(a);
  peeled p = first;
  for (int step = 0; step < HINGE_STEPS; step++) {
    const vi open = (vf)v_abs_bits(p.y) >= p.w * stop;
    if (v_signs((vf)open) == 0) break;
    const pair by = pair_unit((pair){p.y * v_fnma(k0, p.z, k1 * p.w), v_fma(p.z, p.z, p.w * p.w)});
    const pair next = pair_mul(turned, by);
    turned = (pair){v_select(open, next.s, turned.s), v_select(open, next.c, turned.c)};
    p = peel(blend(turned, a, b));
  }
  upper = vquat_normalise(twist_first(upper, pair_unit(turned)));
  const vquat inner = vquat_normalise(twist_first((vquat){zero, zero, p.z, p.w}, p.x));
  const vvec hand = vquat_rotate_add(upper, reach(limb, k, inner), (vvec){zero, zero, zero});
  const pair by_first = {v_neg(first.y * first.z), v_fma(first.z, first.z, first.w * first.w)};
  const pair own = {pose->own_lower.x, pose->own_lower.w};
  const pair x = pair_mul(pair_mul(p.x, pair_unit(by_first)), pair_mul(own, pair_conj(first.x)));
  return (bent){vquat_normalise(vquat_mul(arc(hand, pose->hand), upper)), p, x};
}

/* Step 4: L twists until E has no twist of its own. */
SINEW_INLINE void finish_as_editor(const sinew_inverse_limb *limb, const limb_pose *pose, bent *in,
                                   peeled *end) {
  const vf zero = v_set(0.0f), stop = v_set(STOP_TANGENT), two = v_set(2.0f);
  const vquat hinge = vquat_normalise((vquat){zero, zero, in->hinge.z, in->hinge.w});
  const vquat lower = vquat_mul(vquat_mul(in->upper, vquat_set(limb->k)), hinge);
  const vquat away = vquat_mul(vquat_conj(lower), pose->end), back = vquat_conj(vquat_set(limb->k2));
  const vquat a = vquat_mul(back, away), b = vquat_mul(back, half_turn_back(away));
  pair twist = pair_unit(in->twist);
  vquat i = blend(twist, a, b);
  for (int step = 0; step < END_STEPS; step++) {
    const vi open = (vf)v_abs_bits(i.x) >= (vf)v_abs_bits(i.w) * stop;
    if (v_signs((vf)open) == 0) break;
    pair by = {row3(limb->k2_row, i.x, i.y, i.z), i.w};
    if (step > 0) { /* T Rx(x) conj(T): x about the axis to which T swings the bone's */
      const peeled p = peel(i);
      const vf side = v_fma(p.y, p.y, p.z * p.z), square = p.w * p.w;
      const vf along = row3(limb->k2_row, square - side, two * (p.z * p.w), v_neg(two * (p.y * p.w)));
      by = (pair){p.x.s * along, p.x.c * (square + side)};
    }
    const pair next = pair_unit(pair_mul(twist, pair_unit(by)));
    twist = (pair){v_select(open, next.s, twist.s), v_select(open, next.c, twist.c)};
    i = blend(twist, a, b);
  }
  in->twist = twist;
  *end = peel(i);
}

/* ---- landing exactly (humanoid.md 7b) ---- */

/* The half angle's pair of the angle with this cosine and sine, of any common length. */
SINEW_INLINE pair half_of(vf cosine, vf sine) {
  const vf length = v_sqrt(v_fma(cosine, cosine, sine * sine));
  const vi front = cosine >= v_set(0.0f);
  return pair_unit((pair){v_select(front, sine, length - cosine), v_select(front, length + cosine, sine)});
}

/* The hinge's z from the distance of the hand: of the two angles the one nearer the source's own. short_of:
 * no angle brings it so far, or so near. */
SINEW_INLINE pair hinge_of(const sinew_inverse_limb *limb, const limb_pose *pose, vvec k_x, vvec k_y,
                           vi *short_of) {
  const vvec elbow = vvec_set(limb->to_elbow), end = vvec_set(limb->to_end);
  const vf length = v_sqrt(vvec_dot(end, end)), zero = v_set(0.0f);
  const vf a = length * vvec_dot(elbow, k_x), b = length * vvec_dot(elbow, k_y);
  const vf radius2 = v_fma(a, a, b * b), radius = v_sqrt(radius2);
  vf c = v_set(0.5f) * ((vvec_dot(pose->hand, pose->hand) - vvec_dot(elbow, elbow)) - vvec_dot(end, end));
  *short_of = (vf)v_abs_bits(c) > radius;
  c = v_max(v_min(c, radius), v_neg(radius));
  const vf s = v_sqrt(v_max((radius - c) * (radius + c), zero));
  const peeled own = peel(pose->own_lower);
  const vf cosine = v_fma(own.w, own.w, v_neg(own.z * own.z)), sine = v_set(2.0f) * (own.w * own.z);
  const vf cosine_more = v_fnma(b, s, a * c), sine_more = v_fma(a, s, b * c);
  const vf cosine_less = v_fma(b, s, a * c), sine_less = v_fnma(a, s, b * c);
  const vi more =
      v_fma(cosine_more, cosine, sine_more * sine) >= v_fma(cosine_less, cosine, sine_less * sine);
  return half_of(v_select(more, cosine_more, cosine_less), v_select(more, sine_more, sine_less));
}

/* U without twist, its elbow where the source has it; the twist with which L then points where the source's
 * does; and the one that is taken: where the limb is nearly straight the first says little, and the source's
 * own twist takes over. */
typedef struct upper_turn {
  vquat swing;
  pair pointing, taken;
} upper_turn;

SINEW_INLINE pair pair_of_half(vf half) {
  pair x;
  v_half_tangent(v_wrap_half_angle(half), &x.s, &x.c);
  return pair_unit(x);
}
SINEW_INLINE upper_turn turn_upper(const sinew_inverse_limb *limb, const limb_pose *pose, vquat to_upper,
                                   vvec v) {
  const vf zero = v_set(0.0f), one = v_set(1.0f);
  const vvec nowhere = {zero, zero, zero};
  const vquat swing = arc((vvec){one, zero, zero}, vquat_rotate_add(to_upper, pose->elbow, nowhere));
  const vvec along = vquat_rotate_add(to_upper, vvec_sub(pose->hand, pose->elbow), nowhere);
  const vvec lower = vquat_rotate_add(vquat_conj(swing), along, nowhere);
  const pair found = half_of(v_fma(lower.y, v.y, lower.z * v.z), v_fnma(lower.y, v.z, lower.z * v.y));
  const vf bend = v_sqrt(v_min(v_fma(v.y, v.y, v.z * v.z), one));
  vf share = one - bend;
  share = share * share, share = share * share, share = share * share;
  const vquat i = vquat_mul(to_upper, pose->own_upper);
  const vf own = v_half_angle_of(i.x, i.w) * v_set(limb->per_share);
  const vf half = v_half_angle_of(found.s, found.c);
  return (upper_turn){swing, pair_of_half(half),
                      pair_of_half(v_fma(share, v_wrap_half_angle(own - half), half))};
}

SINEW_INLINE vvec twisted(pair x, vvec a) {
  const vf zero = v_set(0.0f);
  return vquat_rotate_add((vquat){x.s, zero, zero, x.c}, a, (vvec){zero, zero, zero});
}
SINEW_INLINE vvec vvec_unit(vvec a) {
  return vvec_scale(a, v_set(1.0f) / v_sqrt(v_max(vvec_dot(a, a), v_set(1e-36f))));
}

/* The swing without x that takes u to where `swing` takes d: swing * A * a turn about u, A = arc(u, d), the
 * turn such that x vanishes. Where u and d are the same it is `swing` itself, exactly: for a limb folded so
 * far that its hand is beside it the turn follows from a quotient of two numbers near 0. */
SINEW_INLINE vquat swing_to(vquat swing, vvec u, vvec d) {
  const vvec cross = vvec_cross(u, vvec_sub(d, u));
  const vquat by = vquat_normalise((vquat){cross.x, cross.y, cross.z, v_set(1.0f) + vvec_dot(u, d)});
  const vquat q = vquat_mul(swing, by), half_turned = vquat_mul(q, (vquat){u.x, u.y, u.z, v_set(0.0f)});
  return vquat_normalise(blend(pair_unit((pair){v_neg(q.x), half_turned.x}), q, half_turned));
}

SINEW_INLINE bent bend_exactly(const sinew_inverse_limb *limb, const limb_pose *pose, peeled *end) {
  const vf zero = v_set(0.0f), one = v_set(1.0f);
  const vvec nowhere = {zero, zero, zero};
  const vquat k = vquat_set(limb->k), to_upper = vquat_set(limb->to_upper);
  const vvec k_x = vquat_rotate_add(k, (vvec){one, zero, zero}, nowhere);
  const vvec k_y = vquat_rotate_add(k, (vvec){zero, one, zero}, nowhere);
  vi short_of;
  const pair z = hinge_of(limb, pose, k_x, k_y, &short_of);
  const vquat hinge = {zero, zero, z.s, z.c};
  const vvec v = vquat_rotate_add(vquat_mul(k, hinge), (vvec){one, zero, zero}, nowhere);
  const upper_turn turn = turn_upper(limb, pose, to_upper, v);
  const vvec chain = vvec_unit(reach(limb, k, hinge));
  /* with the hand as far from U as the source's, it is where the source's is as soon as L points there */
  const vvec there = twisted(turn.pointing, chain), hand = vquat_rotate_add(to_upper, pose->hand, nowhere);
  const vvec instead = vvec_unit(vquat_rotate_add(vquat_conj(turn.swing), hand, nowhere));
  const vvec to = {v_select(short_of, instead.x, there.x), v_select(short_of, instead.y, there.y),
                   v_select(short_of, instead.z, there.z)};
  const vquat swing = swing_to(turn.swing, twisted(turn.taken, chain), to);
  const vquat upper = vquat_normalise(vquat_mul(vquat_conj(to_upper), twist_first(swing, turn.taken)));
  const vquat away = vquat_mul(vquat_conj(vquat_mul(vquat_mul(upper, k), hinge)), pose->end);
  const vquat back = vquat_conj(vquat_set(limb->k2));
  const vquat a = vquat_mul(back, away), b = vquat_mul(back, half_turn_back(away));
  const pair lower = pair_unit((pair){v_neg(a.x), b.x});
  *end = peel(blend(lower, a, b));
  const peeled bend = {lower, zero, z.s, z.c};
  return (bent){upper, bend, lower};
}

static void put_limb(const sinew_inverse_limb *limb, const bent *b, const peeled *end, float *planes, int f) {
  const peeled upper = peel(vquat_mul(vquat_set(limb->to_upper), b->upper));
  put_twist(&limb->axis[0][0], upper.x, planes, f);
  put_swing(limb->axis[0], upper, planes, f);
  put_twist(&limb->axis[1][0], b->twist, planes, f);
  if (limb->axis[1][2].plane >= 0) put(&limb->axis[1][2], v_half_angle_of(b->hinge.z, b->hinge.w), planes, f);
  put_swing(limb->axis[2], *end, planes, f);
}

static void limb_as_editor(const sinew_inverse_limb *limb, const float *turns, float *planes) {
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const limb_pose pose = limb_of(limb, turns, f);
    peeled end;
    bent b = bend_as_editor(limb, &pose);
    finish_as_editor(limb, &pose, &b, &end);
    put_limb(limb, &b, &end, planes, f);
  }
}
static void limb_exactly(const sinew_inverse_limb *limb, const float *turns, float *planes) {
  for (int f = 0; f < SINEW_BLOCK; f += SINEW_WIDTH) {
    const limb_pose pose = limb_of(limb, turns, f);
    peeled end;
    const bent b = bend_exactly(limb, &pose, &end);
    put_limb(limb, &b, &end, planes, f);
  }
}

void SINEW_KERNEL(inverse)(const sinew_inverse_rig *rig, const float *turns, float *planes) {
  for (uint32_t b = 0; b < rig->bone_count; b++) peel_bone(&rig->bones[b], turns, planes);
  for (int i = 0; i < 4; i++) {
    if (rig->exact)
      limb_exactly(&rig->limb[i], turns, planes);
    else
      limb_as_editor(&rig->limb[i], turns, planes);
  }
}
