#include "made_bvh.h"
#include "base/heap.h"

#include <math.h>
#include <stdio.h>

typedef struct made_joint {
  const char *name;
  int up;       /* how many blocks end before it begins */
  double t[3];  /* OFFSET, centimetres; a side's for the left */
  double reach; /* of its angles, degrees */
} made_joint;

static const made_joint trunk[] = {{"Spine1", 0, {0, 6, -1}, 4},   {"Spine2", 0, {0, 9, 0}, 4},
                                   {"Chest", 0, {0, 10, 0}, 5},    {"Neck1", 0, {0, 22, -1}, 6},
                                   {"Neck2", 0, {0, 5, 1}, 6},     {"Head", 0, {0, 5, 1}, 12},
                                   {"Jaw", 0, {0, 2, 4}, 3},       {"LeftEye", 1, {3, 7, 8}, 9},
                                   {"RightEye", 1, {-3, 7, 8}, 9}, {"HeadEnd", 1, {0, 17, 0}, 0}};
enum { TRUNK_CLOSES = 4 }; /* blocks open above Chest after the last: HeadEnd, Head, Neck2, Neck1 */

static const made_joint arm[] = {{"Shoulder", 0, {3, 18, -1}, 6},
                                 {"Arm", 0, {14, 0, 0}, 25},
                                 {"ForeArm", 0, {28, 0, 0}, 25},
                                 {"Hand", 0, {26, 0, 0}, 15}};
static const struct {
  const char *name;
  double t[3];
} fingers[] = {{"HandThumb", {3, -1, 3}},
               {"HandIndex", {9, 0, 3}},
               {"HandMiddle", {9, 0, 1}},
               {"HandRing", {9, 0, -1}},
               {"HandPinky", {8, 0, -3}}};
static const made_joint leg[] = {{"Leg", 0, {9, -4, 0}, 20},
                                 {"Shin", 0, {0, -42, 0}, 20},
                                 {"Foot", 0, {0, -42, -2}, 10},
                                 {"ToeBase", 0, {0, -6, 14}, 8},
                                 {"ToeEnd", 0, {0, 0, 7}, 0}};

enum { JOINTS = 78, CHANNELS = 6 + 6 + 3 * (JOINTS - 2), VALUE_BYTES = 12, JOINT_BYTES = 128 };

typedef struct writing {
  char *out;
  double reach[JOINTS]; /* of the joints so far */
  int count;
} writing;

static void open_joint(writing *w, const char *side, const char *name, const char *number, const double t[3],
                       double reach) {
  const int mirrored = side[0] == 'R';
  w->out +=
      sprintf(w->out, "JOINT %s%s%s\n{\nOFFSET %.4f %.4f %.4f\nCHANNELS 3 Zrotation Yrotation Xrotation\n",
              side, name, number, mirrored ? -t[0] : t[0], t[1], t[2]);
  w->reach[w->count++] = reach;
}

static void close_joints(writing *w, int count) {
  while (count-- > 0) w->out += sprintf(w->out, "}\n");
}

static void put_chain(writing *w, const char *side, const made_joint *joints, size_t count) {
  for (size_t i = 0; i < count; i++) {
    close_joints(w, joints[i].up);
    open_joint(w, side, joints[i].name, "", joints[i].t, joints[i].reach);
  }
}

static void put_finger(writing *w, const char *side, int finger) {
  static const char *const numbers[] = {"1", "2", "3", "4", "End"};
  static const double next[3] = {2.5, 0, 0};
  const int count = finger == 0 ? 4 : 5; /* a thumb has a joint less */
  for (int i = 0; i < count; i++)
    open_joint(w, side, fingers[finger].name, i == count - 1 ? "End" : numbers[i],
               i ? next : fingers[finger].t, 15);
  close_joints(w, count);
}

static void put_hierarchy(writing *w) {
  static const char six[] = "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation";
  static const char *const sides[] = {"Left", "Right"};
  w->out += sprintf(w->out, "HIERARCHY\nROOT Root\n{\nOFFSET 0 0 0\n%s\nJOINT Hips\n{\nOFFSET 0 100 0\n%s\n",
                    six, six);
  w->count = 2;
  put_chain(w, "", trunk, sizeof trunk / sizeof *trunk);
  close_joints(w, TRUNK_CLOSES);
  for (int side = 0; side < 2; side++) {
    put_chain(w, sides[side], arm, sizeof arm / sizeof *arm);
    for (int finger = 0; finger < 5; finger++) put_finger(w, sides[side], finger);
    close_joints(w, sizeof arm / sizeof *arm);
  }
  close_joints(w, 3); /* Chest, Spine2, Spine1 */
  for (int side = 0; side < 2; side++) {
    put_chain(w, sides[side], leg, sizeof leg / sizeof *leg);
    close_joints(w, sizeof leg / sizeof *leg);
  }
  close_joints(w, 2);
}

/* Angles of one to three digits with a sign or without, as a capture's are: the hips turn all the way. */
static void put_row(writing *w, int frame) {
  const double s = frame / 120.0;
  w->out += sprintf(w->out, "0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 %.4f %.4f %.4f %.4f %.4f %.4f",
                    120 * sin(0.3 * s), 100 + 2 * sin(6 * s), 80 * sin(0.4 * s), 3 * sin(2 * s),
                    170 * sin(0.2 * s), 4 * sin(3 * s));
  for (int joint = 2; joint < JOINTS; joint++)
    for (int axis = 0; axis < 3; axis++)
      w->out +=
          sprintf(w->out, " %.4f", w->reach[joint] * sin(s * (1 + (joint + axis) % 7) + joint * 3 + axis));
  w->out += sprintf(w->out, "\n");
}

char *made_bvh_text(int frames, size_t *byte_count) {
  char *text = heap_alloc_unset((size_t)frames * CHANNELS * VALUE_BYTES + (size_t)JOINTS * JOINT_BYTES);
  if (!text) return NULL;
  writing w = {.out = text};
  put_hierarchy(&w);
  w.out += sprintf(w.out, "MOTION\nFrames: %d\nFrame Time: 0.0083333\n", frames);
  for (int frame = 0; frame < frames; frame++) put_row(&w, frame);
  *byte_count = (size_t)(w.out - text);
  return text;
}
