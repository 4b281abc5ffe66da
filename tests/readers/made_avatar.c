#include "readers/made_avatar.h"

#include "rig/compile.h"
#include "rig/synthetic.h"
#include "support/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 256 };

/* The serialised order, by public documentation: HumanBodyBones with UpperChest behind Chest. */
static const char *const body_bones[25] = {
    "Hips",          "LeftUpperLeg", "RightUpperLeg", "LeftLowerLeg",  "RightLowerLeg",
    "LeftFoot",      "RightFoot",    "Spine",         "Chest",         "UpperChest",
    "Neck",          "Head",         "LeftShoulder",  "RightShoulder", "LeftUpperArm",
    "RightUpperArm", "LeftLowerArm", "RightLowerArm", "LeftHand",      "RightHand",
    "LeftToes",      "RightToes",    "LeftEye",       "RightEye",      "Jaw"};

typedef struct writer {
  text out;
  unsigned form;
  const rig_description *d;
  const sinew_rig *rig;
  rig_pose pose;       /* of the rig's nodes */
  int human_of[NODES]; /* index in the human skeleton, -1 */
  int axes_of[NODES];  /* entry of m_AxesArray, -1 */
  int node_of_human[NODES];
  int human_count, axes_count;
  char path[NODES][2048];
} writer;

static int bone_named(const char *name) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (strcmp(human_bones[b].name, name) == 0) return b;
  abort();
}

/* The remainder of a division of bits, the lowest first: as the check sum is defined. */
static uint32_t crc_of(const char *path) {
  uint32_t rest = 0xffffffffu;
  for (; *path; path++)
    for (int bit = 0; bit < 8; bit++) {
      unsigned feed = ((unsigned char)*path >> bit ^ rest) & 1;
      rest = (rest >> 1) ^ (feed ? 0xedb88320u : 0);
    }
  return rest ^ 0xffffffffu;
}

static void add_integers(writer *w, const char *name, int indent, const uint32_t *values, int count) {
  text_add(&w->out, "%*s%s:", indent, "", name);
  if (w->form & AVATAR_LISTS) {
    if (count == 0) text_add(&w->out, " []");
    text_add(&w->out, "\n");
    for (int i = 0; i < count; i++) /* large numbers without a sign, small ones with it */
      text_add(&w->out, values[i] > 0xffff0000u ? "%*s- %d\n" : "%*s- %u\n", indent, "", values[i]);
    return;
  }
  text_add(&w->out, " ");
  for (int i = 0; i < count; i++)
    for (int byte = 0; byte < 4; byte++) text_add(&w->out, "%02x", values[i] >> (8 * byte) & 0xff);
  text_add(&w->out, "\n");
}

static void add_vector(writer *w, const char *before, const double *v, int count) {
  int digits = w->form & AVATAR_SHORT ? 9 : 17;
  text_add(&w->out, "%s{", before);
  for (int k = 0; k < count; k++) text_add(&w->out, "%s%c: %.*g", k ? ", " : "", "xyzw"[k], digits, v[k]);
  text_add(&w->out, "}\n");
}

static void add_transform(writer *w, const char *first, const char *next, const double t[3],
                          const double q[4], const double s[3]) {
  text_add(&w->out, "%s", first);
  add_vector(w, "t: ", t, 3);
  text_add(&w->out, "%s", next);
  add_vector(w, "q: ", q, 4);
  text_add(&w->out, "%s", next);
  add_vector(w, "s: ", s, 3);
}

static void add_pose_head(writer *w, const char *indent, const char *name) {
  text_add(&w->out, "%s%s:\n%s  data:\n", indent, name, indent);
  if (!(w->form & AVATAR_OLD_POSES)) text_add(&w->out, "%s    m_X:\n", indent);
}

/* ---- what stands where -------------------------------------------------------------------------------- */

static void find_paths(writer *w) {
  for (uint32_t i = 0; i < w->d->node_count; i++) {
    int32_t parent = w->d->nodes[i].parent;
    const char *above = parent > 0 ? w->path[parent] : "";
    w->path[i][0] = 0;
    if (i > 0)
      snprintf(w->path[i], sizeof w->path[i], "%s%s%s", above, *above ? "/" : "", w->d->nodes[i].name);
  }
}

static void find_human(writer *w) {
  bool human[NODES] = {false};
  int32_t first = w->d->nodes[w->d->node_of_bone[HUMAN_HIPS]].parent;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    for (int32_t n = w->d->node_of_bone[b]; n >= 0 && !human[n]; n = n == first ? -1 : w->d->nodes[n].parent)
      human[n] = true;
  for (uint32_t i = 0; i < w->d->node_count; i++) {
    w->human_of[i] = w->axes_of[i] = -1;
    if (!human[i]) continue;
    w->human_of[i] = w->human_count;
    w->node_of_human[w->human_count++] = (int)i;
    for (int b = 0; b < HUMAN_BONE_COUNT; b++)
      if (w->d->node_of_bone[b] == (int32_t)i) w->axes_of[i] = w->axes_count++;
  }
}

/* Scales folded in, the first node in root space. */
static void human_place(const writer *w, int human, double t[3], double q[4]) {
  int node = w->node_of_human[human];
  int32_t parent = w->rig->nodes[node].parent;
  for (int k = 0; k < 3; k++)
    t[k] = human == 0 ? w->pose.t[node][k] : w->rig->nodes[node].t[k] * w->pose.scale[parent];
  memcpy(q, human == 0 ? w->pose.q[node] : w->rig->nodes[node].q, 4 * sizeof *q);
}

/* ---- the parts ------------------------------------------------------------------------------------------
 */

static void add_skeleton(writer *w) {
  uint32_t id[NODES];
  text_add(&w->out, "    m_AvatarSkeleton:\n      data:\n        m_Node:\n");
  for (uint32_t i = 0; i < w->d->node_count; i++) {
    text_add(&w->out, "        - m_ParentId: %d\n          m_AxesId: -1\n", w->d->nodes[i].parent);
    id[i] = crc_of(w->path[i]);
  }
  add_integers(w, "m_ID", 8, id, (int)w->d->node_count);
  text_add(&w->out, "        m_AxesArray: []\n");
  add_pose_head(w, "    ", "m_AvatarSkeletonPose");
  for (uint32_t i = 0; i < w->d->node_count; i++)
    add_transform(w, "        - ", "          ", w->d->nodes[i].t, w->d->nodes[i].q, w->d->nodes[i].s);
}

static void add_axes(writer *w, int bone) {
  const rig_axes *axes = &w->rig->axes[bone];
  const char *in = "              ";
  text_add(&w->out, "            - ");
  add_vector(w, "m_PreQ: ", axes->pre, 4);
  text_add(&w->out, "%s", in);
  add_vector(w, "m_PostQ: ", axes->post, 4);
  text_add(&w->out, "%s", in);
  add_vector(w, "m_Sgn: ", axes->sgn, 3);
  text_add(&w->out, "%sm_Limit:\n%s  ", in, in);
  add_vector(w, "m_Min: ", axes->min_rad, 3);
  text_add(&w->out, "%s  ", in);
  add_vector(w, "m_Max: ", axes->max_rad, 3);
  text_add(&w->out, "%sm_Length: %.17g\n%sm_Type: 1\n", in, axes->length, in);
}

static void add_human_skeleton(writer *w) {
  uint32_t id[NODES];
  text_add(&w->out, "        m_Skeleton:\n          data:\n            m_Node:\n");
  for (int h = 0; h < w->human_count; h++) {
    int node = w->node_of_human[h], parent = h == 0 ? -1 : w->human_of[w->d->nodes[node].parent];
    text_add(&w->out, "            - m_ParentId: %d\n              m_AxesId: %d\n", parent, w->axes_of[node]);
    id[h] = crc_of(w->path[node]);
  }
  add_integers(w, "m_ID", 12, id, w->human_count);
  text_add(&w->out, "            m_AxesArray:\n");
  for (int h = 0; h < w->human_count; h++)
    for (int b = 0; b < HUMAN_BONE_COUNT; b++)
      if (w->d->node_of_bone[b] == w->node_of_human[h]) add_axes(w, b);
  add_pose_head(w, "        ", "m_SkeletonPose");
  for (int h = 0; h < w->human_count; h++) {
    double t[3], q[4];
    human_place(w, h, t, q);
    add_transform(w, "            - ", "              ", t, q, (double[3]){1, 1, 1});
  }
}

static uint32_t human_of_bone(const writer *w, int bone) {
  int32_t node = w->d->node_of_bone[bone];
  return node < 0 ? UINT32_MAX : (uint32_t)w->human_of[node];
}

static void add_hand(writer *w, const char *name, int first) {
  uint32_t index[15];
  for (int i = 0; i < 15; i++) index[i] = human_of_bone(w, first + i);
  text_add(&w->out, "        %s:\n          data:\n", name);
  add_integers(w, "m_HandBoneIndex", 12, index, 15);
}

static void add_human(writer *w) {
  uint32_t body[25], nodes[NODES];
  text_add(&w->out, "    m_Human:\n      data:\n        serializedVersion: 2\n        m_RootX:\n");
  add_transform(w, "          ", "          ", w->rig->root_t, w->rig->root_q, (double[3]){1, 1, 1});
  add_human_skeleton(w);
  add_hand(w, "m_LeftHand", HUMAN_LEFT_THUMB_PROXIMAL);
  add_hand(w, "m_RightHand", HUMAN_RIGHT_THUMB_PROXIMAL);
  for (int i = 0; i < 25; i++) body[i] = human_of_bone(w, bone_named(body_bones[i]));
  add_integers(w, "m_HumanBoneIndex", 8, body, 25);
  text_add(&w->out, "        m_HumanBoneMass:\n");
  for (int i = 0; i < 25; i++)
    text_add(&w->out, "        - %.17g\n", w->rig->mass[bone_named(body_bones[i])]);
  text_add(&w->out, "        m_Scale: %.17g\n        m_ArmTwist: 0.5\n        m_ForeArmTwist: 0.5\n",
           w->rig->human_scale_m);
  text_add(&w->out, "        m_UpperLegTwist: 0.5\n        m_LegTwist: 0.5\n        m_ArmStretch: 0.05\n"
                    "        m_LegStretch: 0.05\n        m_FeetSpacing: 0\n        m_HasLeftHand: 1\n"
                    "        m_HasRightHand: 1\n        m_HasTDoF: 1\n");
  for (int h = 0; h < w->human_count; h++) nodes[h] = (uint32_t)w->node_of_human[h];
  add_integers(w, "m_HumanSkeletonIndexArray", 4, nodes, w->human_count);
}

static void add_paths(writer *w) {
  text_add(&w->out, "  m_TOS:\n");
  for (uint32_t i = 0; i < w->d->node_count; i++) {
    uint32_t at = w->d->node_count - 1 - i; /* the editor has them in no order at all */
    bool quoted = w->form & AVATAR_QUOTED && *w->path[at];
    const char *quote = quoted ? "\"" : "";
    text_add(&w->out, "    %u: %s%s%s\n", crc_of(w->path[at]), quote, w->path[at], quote);
  }
  if (!(w->form & AVATAR_SHORT))
    text_add(&w->out,
             "  m_HumanDescription:\n    serializedVersion: 3\n    m_Human: []\n    m_Skeleton: []\n");
}

static void add_file(writer *w) {
  text_add(&w->out, "%%YAML 1.1\n%%TAG !u! tag:unity3d.com,2011:\n");
  if (w->form & AVATAR_PREFAB)
    text_add(&w->out, "--- !u!1 &5\nGameObject:\n  m_Name: other\n--- !u!90 &6 stripped\nAvatar:\n  a: 1\n");
  text_add(&w->out, "--- !u!90 &9000000\nAvatar:\n  m_ObjectHideFlags: 0\n  m_Name: Made\n  m_AvatarSize: 9\n"
                    "  m_Avatar:\n    serializedVersion: 3\n");
  add_skeleton(w);
  text_add(&w->out, "    m_SkeletonNameIDArray: 00000000\n");
  add_human(w);
  text_add(&w->out, "    m_HumanSkeletonReverseIndexArray: \n    m_RootMotionBoneIndex: -1\n");
  add_paths(w);
  if (w->form & AVATAR_PREFAB) text_add(&w->out, "--- !u!4 &7\nTransform:\n  m_Father: {fileID: 0}\n");
}

text made_avatar(const rig_description *description, unsigned form) {
  sinew_rig *rig;
  sinew_error error;
  uint32_t bad;
  if (rig_compile(description, 1, &rig, &error) != SINEW_OK) {
    fprintf(stderr, "made_avatar: %s\n", error.message);
    abort();
  }
  writer *w = test_keep(1, sizeof *w);
  *w = (writer){.form = form, .d = description, .rig = rig};
  arena scratch = {0};
  if (rig_pose_alloc(rig, &scratch, &w->pose, &error) != SINEW_OK || !rig_pose_compute(rig, &w->pose, &bad))
    abort();
  find_paths(w);
  find_human(w);
  add_file(w);
  arena_release(&scratch);
  sinew_rig_close(rig);
  return w->out;
}

text made_small_avatar(unsigned form) {
  synthetic_options options = {0};
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    options.missing[b] = !human_bones[b].required && b != HUMAN_NECK;
    options.unmapped[b] = b == HUMAN_NECK;
  }
  return made_avatar(synthetic_rig(&options), form);
}

text text_replace(const char *base, const char *after, const char *from, const char *to, unsigned *line) {
  const char *start = after ? strstr(base, after) : base, *found = start ? strstr(start, from) : NULL;
  text t = {0};
  if (!found) {
    fprintf(stderr, "no '%s' behind '%s'\n", from, after ? after : "the start");
    abort();
  }
  *line = 1;
  for (const char *p = base; p < found; p++) *line += *p == '\n';
  text_add(&t, "%.*s%s%s", (int)(found - base), base, to, found + strlen(from));
  return t;
}
