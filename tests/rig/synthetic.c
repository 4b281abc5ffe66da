#include "rig/synthetic.h"
#include "support/keep.h"

#include "rig/quat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double synthetic_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / 8388608.0 - 1;
}

void synthetic_random_rotation(unsigned *state, double q[4]) {
  for (int k = 0; k < 4; k++) q[k] = synthetic_random(state);
  quat_normalise(q);
}

/* The left half and the middle; right bones mirror X. */
static const double places[24][3] = {
    [HUMAN_HIPS] = {0, 0.98, 0.01},
    [HUMAN_LEFT_UPPER_LEG] = {-0.09, 0.92, 0},
    [HUMAN_LEFT_LOWER_LEG] = {-0.1, 0.5, 0.01},
    [HUMAN_LEFT_FOOT] = {-0.11, 0.09, -0.03},
    [HUMAN_LEFT_TOES] = {-0.12, 0.02, 0.1},
    [HUMAN_SPINE] = {0, 1.07, 0.005},
    [HUMAN_CHEST] = {0, 1.18, -0.005},
    [HUMAN_NECK] = {0, 1.47, -0.03},
    [HUMAN_HEAD] = {0, 1.56, -0.01},
    [HUMAN_LEFT_SHOULDER] = {-0.05, 1.42, -0.02},
    [HUMAN_LEFT_UPPER_ARM] = {-0.17, 1.41, -0.03},
    [HUMAN_LEFT_LOWER_ARM] = {-0.44, 1.4, -0.04},
    [HUMAN_LEFT_HAND] = {-0.69, 1.41, -0.02},
    [HUMAN_LEFT_EYE] = {-0.03, 1.63, 0.07},
    [HUMAN_JAW] = {0, 1.58, 0.04},
};

static bool is_right(int bone) {
  return bone >= HUMAN_RIGHT_THUMB_PROXIMAL ? bone != HUMAN_UPPER_CHEST
                                            : strncmp(human_bones[bone].name, "Right", 5) == 0;
}

static void plain_place(int bone, double place[3]) {
  if (bone == HUMAN_UPPER_CHEST) {
    memcpy(place, (double[3]){0, 1.32, -0.02}, 3 * sizeof *place);
  } else if (bone >= HUMAN_LEFT_THUMB_PROXIMAL) {
    int i = (bone - HUMAN_LEFT_THUMB_PROXIMAL) % 15, finger = i / 3, joint = i % 3;
    double reach = (finger == 0 ? 0.03 : 0.09) + 0.03 * joint;
    memcpy(
        place,
        (double[3]){-0.69 - reach, 1.4 - 0.002 * joint, 0.03 - 0.02 * finger + (finger ? 0 : 0.02 * joint)},
        3 * sizeof *place);
  } else {
    memcpy(place, places[is_right(bone) ? bone - 1 : bone], 3 * sizeof *place);
  }
  if (is_right(bone)) place[0] = -place[0];
}

void synthetic_place(const synthetic_options *options, int bone, double place[3]) {
  plain_place(bone, place);
  unsigned state = options->seed * 977u + (unsigned)bone * 131u + 7u;
  for (int k = 0; k < 4; k++) synthetic_random(&state);
  for (int k = 0; options->asymmetric && k < 3; k++) place[k] += 0.015 * synthetic_random(&state);
}

typedef struct builder {
  rig_description *out;
  double (*t)[3]; /* in root space, metres */
  double (*q)[4];
  double scale; /* of the root node, which all others inherit */
  double unit;
} builder;

static int32_t add_node(builder *b, const char *name, int32_t parent, const double t[3], const double q[4]) {
  uint32_t i = b->out->node_count++;
  rig_node *node = &b->out->nodes[i];
  node->name = test_keep_text(name);
  node->parent = parent;
  memcpy(b->t[i], t, sizeof b->t[i]);
  memcpy(b->q[i], q, sizeof b->q[i]);
  double inverse[4] = {0, 0, 0, 1}, from[3] = {0, 0, 0};
  if (parent >= 0) quat_conj(b->q[parent], inverse);
  for (int k = 0; k < 3; k++) from[k] = t[k] - (parent >= 0 ? b->t[parent][k] : 0);
  quat_rotate(inverse, from, node->t);
  quat_mul(inverse, q, node->q);
  quat_normalise(node->q);
  for (int k = 0; k < 3; k++) {
    node->t[k] *= b->unit / (parent >= 0 ? b->scale : 1);
    node->s[k] = parent >= 0 ? 1 : b->scale;
  }
  return (int32_t)i;
}

static int32_t add_bone(builder *b, const synthetic_options *o, int bone, int32_t parent, unsigned *state) {
  double place[3], q[4] = {0, 0, 0, 1};
  synthetic_place(o, bone, place);
  if (o->between) {
    double half[3];
    char name[64];
    snprintf(name, sizeof name, "before %s", human_bones[bone].name);
    for (int k = 0; k < 3; k++) half[k] = (place[k] + b->t[parent][k]) / 2;
    if (o->turned) synthetic_random_rotation(state, q);
    parent = add_node(b, name, parent, half, q);
  }
  if (o->turned) synthetic_random_rotation(state, q);
  return add_node(b, human_bones[bone].name, parent, place, q);
}

rig_description *synthetic_rig(const synthetic_options *options) {
  static const synthetic_options plain;
  const synthetic_options *o = options ? options : &plain;
  rig_description *out = test_keep(1, sizeof *out);
  builder b = {out, test_keep(256, sizeof *b.t), test_keep(256, sizeof *b.q),
               o->root_scale ? o->root_scale : 1, o->file_scale ? o->file_scale : 1};
  out->name = "made";
  out->nodes = test_keep(256, sizeof *out->nodes);
  out->arm_twist = out->fore_arm_twist = out->upper_leg_twist = out->leg_twist = 0.5;
  double root_q[4];
  memcpy(root_q, o->root_q, sizeof root_q);
  quat_normalise(root_q);
  int32_t root = add_node(&b, "model", -1, (double[3]){0, 0, 0}, root_q), node_of[HUMAN_BONE_COUNT];
  unsigned state = o->seed + 1;
  for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
    int bone = human_order[i], above = human_bones[bone].parent;
    int32_t parent = above >= 0 ? node_of[above] : root;
    node_of[bone] = o->missing[bone] ? parent : add_bone(&b, o, bone, parent, &state);
    out->node_of_bone[bone] = o->missing[bone] || o->unmapped[bone] ? -1 : node_of[bone];
  }
  return out;
}

int32_t synthetic_node(const rig_description *description, const char *name) {
  for (uint32_t i = 0; i < description->node_count; i++)
    if (strcmp(description->nodes[i].name, name) == 0) return (int32_t)i;
  return -1;
}
