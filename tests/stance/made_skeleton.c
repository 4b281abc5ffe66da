#include "stance/made_skeleton.h"

#include "rig/quat.h"
#include "support/keep.h"

#include <math.h>
#include <string.h>

enum { LEFT_FINGER = HUMAN_LEFT_THUMB_PROXIMAL };

/* Body frame, the left half and the middle; right bones mirror X. */
static void left_place(int bone, double p[3]) {
  static const double places[24][3] = {[HUMAN_HIPS] = {0, 0.98, 0},
                                       [HUMAN_LEFT_UPPER_LEG] = {0.09, 0.92, 0},
                                       [HUMAN_LEFT_LOWER_LEG] = {0.09, 0.5, 0},
                                       [HUMAN_LEFT_FOOT] = {0.09, 0.09, 0},
                                       [HUMAN_LEFT_TOES] = {0.09, 0.02, 0.13},
                                       [HUMAN_SPINE] = {0, 1.07, 0},
                                       [HUMAN_CHEST] = {0, 1.18, 0},
                                       [HUMAN_NECK] = {0, 1.47, 0},
                                       [HUMAN_HEAD] = {0, 1.56, 0},
                                       [HUMAN_LEFT_SHOULDER] = {0.05, 1.42, 0},
                                       [HUMAN_LEFT_UPPER_ARM] = {0.17, 1.42, 0},
                                       [HUMAN_LEFT_LOWER_ARM] = {0.44, 1.42, 0},
                                       [HUMAN_LEFT_HAND] = {0.69, 1.42, 0},
                                       [HUMAN_LEFT_EYE] = {0.03, 1.63, 0.07},
                                       [HUMAN_JAW] = {0, 1.58, 0.04}};
  if (bone >= LEFT_FINGER) {
    const int finger = (bone - LEFT_FINGER) / 3, joint = (bone - LEFT_FINGER) % 3;
    const double reach = 0.03 + 0.03 * joint;
    p[0] = finger == 0 ? 0.69 + reach : 0.75 + reach;
    p[1] = 1.42;
    p[2] = finger == 0 ? 0.03 + 0.03 * joint : 0.05 - 0.02 * finger;
    return;
  }
  memcpy(p, places[bone], sizeof places[bone]);
}

static bool is_right(int bone) {
  return bone >= HUMAN_RIGHT_THUMB_PROXIMAL ? bone != HUMAN_UPPER_CHEST
                                            : strncmp(human_bones[bone].name, "Right", 5) == 0;
}

static int side_sign(int bone) {
  if (is_right(bone)) return -1;
  return strncmp(human_bones[bone].name, "Left", 4) == 0 ? 1 : 0;
}

static bool place_of(int bone, double p[3]) {
  if (bone == HUMAN_UPPER_CHEST) return false;
  left_place(!is_right(bone) ? bone : bone >= HUMAN_RIGHT_THUMB_PROXIMAL ? bone - 15 : bone - 1, p);
  if (is_right(bone)) p[0] = -p[0];
  return true;
}

static double dice(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 8388608.0 - 1;
}

static void about(int axis, double degrees, double q[4]) {
  memcpy(q, (double[4]){0, 0, 0, 1}, 4 * sizeof *q);
  q[axis] = sin(degrees * 0.0087266462599716477), q[3] = cos(degrees * 0.0087266462599716477);
}

/* What a bone adds to what hangs from it, in the body frame, before the parents' turns. */
static void own_turn(const made_body *made, int bone, double q[4]) {
  double bend[4];
  about(0, 0, q);
  if (bone == HUMAN_LEFT_UPPER_ARM || bone == HUMAN_RIGHT_UPPER_ARM)
    about(2, -side_sign(bone) * made->arms_deg, q);
  if (bone == HUMAN_LEFT_LOWER_ARM || bone == HUMAN_RIGHT_LOWER_ARM)
    about(1, -side_sign(bone) * made->elbows_deg, q);
  if (bone == HUMAN_LEFT_UPPER_LEG || bone == HUMAN_RIGHT_UPPER_LEG)
    about(2, side_sign(bone) * made->legs_deg, q);
  if (bone == HUMAN_LEFT_FOOT || bone == HUMAN_RIGHT_FOOT) { /* stays flat */
    about(2, -side_sign(bone) * made->legs_deg, bend);
    memcpy(q, bend, sizeof bend);
  }
}

static bool is_optional_left_out(const made_body *made, int bone) {
  return made->without_optional && !human_bones[bone].required;
}

typedef struct maker {
  const made_body *made;
  skeleton *s;
  double unit, scale, face[4], root_q[4];
  double (*t)[3], (*q)[4]; /* global, in the file's frame, and without scale */
  double (*turn)[4];       /* of the pose, in the body frame */
} maker;

static int32_t add(maker *m, const char *name, int32_t parent, const double t[3], const double q[4]) {
  const uint32_t i = m->s->node_count++;
  skeleton_node *node = &m->s->nodes[i];
  double inverse[4] = {0, 0, 0, 1};
  *node =
      (skeleton_node){.name = name, .parent = parent, .s = {1, 1, 1}, .is_joint = true, .source_index = i};
  memcpy(m->t[i], t, sizeof m->t[i]);
  memcpy(m->q[i], q, sizeof m->q[i]);
  if (parent >= 0) quat_conj(m->q[parent], inverse);
  for (int k = 0; k < 3; k++)
    node->t[k] = (t[k] - (parent >= 0 ? m->t[parent][k] : 0)) / (parent >= 0 ? m->scale : 1);
  quat_rotate(inverse, node->t, node->t);
  quat_mul(inverse, q, node->q);
  quat_normalise(node->q);
  return (int32_t)i;
}

static int table_parent(const maker *m, int bone) {
  int parent = human_bones[bone].parent;
  while (parent >= 0 && m->s->node_of_bone[parent] < 0) parent = human_bones[parent].parent;
  return parent;
}

static void add_bone(maker *m, int bone, unsigned *state) {
  const int above = table_parent(m, bone);
  const int32_t parent = above >= 0 ? m->s->node_of_bone[above] : 0;
  double p[3], from[3] = {0, 0, 0}, way[3], turn[4], q[4] = {0, 0, 0, 1}, own[4];
  for (int k = 0; m->made->turned && k < 4; k++) q[k] = dice(state);
  quat_normalise(q);
  if (is_optional_left_out(m->made, bone) || !place_of(bone, p)) return;
  if (above >= 0)
    place_of(above, from);
  else if (m->made->sunk)
    memcpy(from, p, sizeof p);
  for (int k = 0; k < 3; k++) way[k] = (p[k] - from[k]) * m->unit;
  memcpy(turn, (double[4]){0, 0, 0, 1}, sizeof turn);
  if (above >= 0) memcpy(turn, m->turn[parent], sizeof turn);
  quat_rotate(turn, way, way);
  quat_rotate(m->face, way, way);
  for (int k = 0; k < 3 && above >= 0; k++) way[k] += m->t[parent][k];
  own_turn(m->made, bone, own);
  quat_mul(turn, own, turn);
  quat_mul(turn, q, q);
  quat_mul(m->face, q, q);
  const int32_t node = add(m, human_bones[bone].name, parent, way, q);
  memcpy(m->turn[node], turn, sizeof turn);
  m->s->node_of_bone[bone] = node;
}

static void given_or_identity(const double given[4], double q[4]) {
  memcpy(q, given, 4 * sizeof *q);
  quat_normalise(q);
}

skeleton *made_skeleton(const made_body *made) {
  maker m = {.made = made, .unit = made->unit > 0 ? made->unit : 1, .scale = 1};
  m.s = test_keep(1, sizeof *m.s);
  m.s->kind = made->kind ? made->kind : "gltf";
  m.s->name = "made";
  m.s->unit_m = strcmp(m.s->kind, "bvh") == 0 ? 0 : 1;
  m.s->nodes = test_keep(64, sizeof *m.s->nodes);
  m.t = test_keep(64, sizeof *m.t), m.q = test_keep(64, sizeof *m.q), m.turn = test_keep(64, sizeof *m.turn);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) m.s->node_of_bone[b] = -1;
  given_or_identity(made->face, m.face);
  given_or_identity(made->root_q, m.root_q);
  add(&m, "root", -1, (double[3]){0, 0, 0}, m.root_q);
  m.scale = made->root_scale > 0 ? made->root_scale : 1;
  for (int k = 0; k < 3; k++) m.s->nodes[0].s[k] = m.scale;
  unsigned state = 11;
  for (int i = 0; i < HUMAN_BONE_COUNT; i++) add_bone(&m, human_order[i], &state);
  return m.s;
}

/* R = Rz * Rx * Ry of a unit quaternion. */
static void angles_zxy(const double q[4], float out[3]) {
  double x[3], y[3], z[3];
  const double deg = 57.295779513082323;
  quat_rotate(q, (double[3]){1, 0, 0}, x);
  quat_rotate(q, (double[3]){0, 1, 0}, y);
  quat_rotate(q, (double[3]){0, 0, 1}, z);
  out[0] = (float)(atan2(-y[0], y[1]) * deg);
  out[1] = (float)(asin(fmax(-1, fmin(1, y[2]))) * deg);
  out[2] = (float)(atan2(-x[2], z[2]) * deg);
}

motion *made_motion(const skeleton *s, uint64_t frames) {
  motion *m = test_keep(1, sizeof *m);
  const uint32_t count = 3 * s->node_count + 3;
  motion_channel *channels = test_keep(count, sizeof *channels);
  float *rows = test_keep(count * frames, sizeof *rows);
  uint32_t c = 0;
  for (uint32_t i = 0; i < s->node_count; i++) {
    const bool hips = (int32_t)i == s->node_of_bone[HUMAN_HIPS];
    for (int k = 0; hips && k < 3; k++, c++) {
      channels[c] = (motion_channel){i, (uint8_t)(MOTION_X_POSITION + k)};
      for (uint64_t f = 0; f < frames; f++) rows[f * count + c] = (float)s->nodes[i].t[k];
    }
    static const uint8_t order[] = {MOTION_Z_ROTATION, MOTION_X_ROTATION, MOTION_Y_ROTATION};
    float angles[3];
    angles_zxy(s->nodes[i].q, angles);
    for (int k = 0; k < 3; k++, c++) {
      channels[c] = (motion_channel){i, order[k]};
      for (uint64_t f = 0; f < frames; f++) rows[f * count + c] = angles[k];
    }
  }
  *m = (motion){.name = "",
                .rate_hz = 30,
                .stop_s = (double)(frames - 1) / 30,
                .frame_count = frames,
                .channel_count = c,
                .channels = channels,
                .rows = rows};
  return m;
}
