#include "rig/avatar_asset.h"
#include "support/keep.h"

#include "rig/quat.h"
#include "rig/yaml_tree.h"
#include "support/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double quat_angle_deg(const double a[4], const double b[4]) {
  double p[4], q[4];
  memcpy(p, a, sizeof p);
  memcpy(q, b, sizeof q);
  quat_normalise(p);
  quat_normalise(q);
  quat_conj(p, p);
  quat_mul(p, q, p);
  return 2 * atan2(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), fabs(p[3])) * 180 / acos(-1);
}

/* The document "--- !u!90 ..." alone: in a prefab it is one of many, and its tag is declared only once per
 * file. */
static yaml_tree *avatar_document(const char *path) {
  size_t size;
  char *bytes = test_read_file(path, &size);
  char *text = memcpy(test_keep(size + 1, 1), bytes, size);
  free(bytes);
  char *start = strstr(text, "--- !u!90 ");
  if (!start) {
    fprintf(stderr, "%s: no Avatar\n", path);
    abort();
  }
  start = strchr(start, '\n') + 1;
  char *end = strstr(start, "\n--- ");
  return yaml_at(yaml_tree_parse(start, end ? (size_t)(end + 1 - start) : strlen(start)), "Avatar");
}

/* Newer files wrap a list of transforms as m_X, older ones do not. */
static const yaml_tree *transforms(const yaml_tree *pose) {
  const yaml_tree *data = yaml_at(pose, "data"), *wrapped = yaml_find(data, "m_X");
  return wrapped ? wrapped : data;
}

static void load_transform(const yaml_tree *transform, rig_node *node) {
  yaml_vector(yaml_at(transform, "t"), node->t, 3);
  yaml_vector(yaml_at(transform, "q"), node->q, 4);
  yaml_vector(yaml_at(transform, "s"), node->s, 3);
  quat_normalise(node->q);
}

static void load_nodes(const yaml_tree *avatar, rig_description *out) {
  const yaml_tree *links = yaml_at(avatar, "m_AvatarSkeleton/data/m_Node");
  const yaml_tree *pose = transforms(yaml_at(avatar, "m_AvatarSkeletonPose"));
  out->node_count = (uint32_t)links->count;
  out->nodes = test_keep(links->count, sizeof *out->nodes);
  for (size_t i = 0; i < links->count; i++) {
    char name[32];
    snprintf(name, sizeof name, "node %u", (unsigned)i);
    out->nodes[i].name = test_keep_text(name);
    out->nodes[i].parent = (int32_t)yaml_number(yaml_at(links->items[i], "m_ParentId"));
    load_transform(pose->items[i], &out->nodes[i]);
  }
}

/* Human skeleton index of each bone. m_HumanBoneIndex has UpperChest after Chest; hands have thumb to little.
 */
static void load_bones(const yaml_tree *human, int human_node[HUMAN_BONE_COUNT]) {
  int body[25], hand[15];
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) human_node[b] = -1;
  size_t count = yaml_integers(yaml_at(human, "m_HumanBoneIndex"), body, 25);
  for (size_t i = 0; i < count; i++) human_node[i < 9 ? i : i == 9 ? HUMAN_UPPER_CHEST : i - 1] = body[i];
  static const char *const hands[] = {"m_LeftHand/data/m_HandBoneIndex", "m_RightHand/data/m_HandBoneIndex"};
  for (int side = 0; side < 2; side++) {
    count = yaml_integers(yaml_at(human, hands[side]), hand, 15);
    for (size_t i = 0; i < count; i++) human_node[HUMAN_LEFT_THUMB_PROXIMAL + 15 * side + (int)i] = hand[i];
  }
}

static void load_axes(const yaml_tree *entry, avatar_axes *axes) {
  yaml_vector(yaml_at(entry, "m_PreQ"), axes->pre, 4);
  yaml_vector(yaml_at(entry, "m_PostQ"), axes->post, 4);
  yaml_vector(yaml_at(entry, "m_Sgn"), axes->sgn, 3);
  yaml_vector(yaml_at(entry, "m_Limit/m_Min"), axes->min_rad, 3);
  yaml_vector(yaml_at(entry, "m_Limit/m_Max"), axes->max_rad, 3);
  axes->length = yaml_number(yaml_at(entry, "m_Length"));
}

static void load_settings(const yaml_tree *human, avatar_asset *out) {
  out->arm_twist = yaml_number(yaml_at(human, "m_ArmTwist"));
  out->fore_arm_twist = yaml_number(yaml_at(human, "m_ForeArmTwist"));
  out->upper_leg_twist = yaml_number(yaml_at(human, "m_UpperLegTwist"));
  out->leg_twist = yaml_number(yaml_at(human, "m_LegTwist"));
  out->arm_stretch = yaml_number(yaml_at(human, "m_ArmStretch"));
  out->leg_stretch = yaml_number(yaml_at(human, "m_LegStretch"));
  out->feet_spacing = yaml_number(yaml_at(human, "m_FeetSpacing"));
  out->has_translation_dof = yaml_number(yaml_at(human, "m_HasTDoF")) != 0;
}

static void load_paths(const yaml_tree *document, const yaml_tree *avatar, avatar_asset *out) {
  uint32_t count = out->description.node_count;
  int *id = test_keep(count, sizeof *id);
  const yaml_tree *paths = yaml_at(document, "m_TOS");
  yaml_integers(yaml_at(avatar, "m_AvatarSkeleton/data/m_ID"), id, count);
  out->name = yaml_at(document, "m_Name")->text;
  out->paths = test_keep(count, sizeof *out->paths);
  for (uint32_t i = 0; i < count; i++) {
    char key[16];
    snprintf(key, sizeof key, "%u", (unsigned)id[i]);
    const yaml_tree *path = yaml_find(paths, key);
    out->paths[i] = path && path->text ? path->text : "";
  }
}

static void set_defaults(rig_description *out) {
  out->arm_twist = out->fore_arm_twist = out->upper_leg_twist = out->leg_twist = 0.5;
  out->arm_stretch = out->leg_stretch = 0.05;
}

avatar_asset *avatar_asset_load(const char *path, bool human_pose) {
  const yaml_tree *document = avatar_document(path), *avatar = yaml_at(document, "m_Avatar");
  const yaml_tree *human = yaml_at(avatar, "m_Human/data");
  const yaml_tree *links = yaml_at(human, "m_Skeleton/data/m_Node");
  const yaml_tree *axes = yaml_at(human, "m_Skeleton/data/m_AxesArray"),
                  *mass = yaml_at(human, "m_HumanBoneMass");
  avatar_asset *out = test_keep(1, sizeof *out);
  set_defaults(&out->description);
  out->description.name = test_keep_text(path);
  load_nodes(avatar, &out->description);
  int *node_of_human = test_keep(out->description.node_count, sizeof *node_of_human),
      human_node[HUMAN_BONE_COUNT];
  yaml_integers(yaml_at(avatar, "m_HumanSkeletonIndexArray"), node_of_human, out->description.node_count);
  const yaml_tree *pose = transforms(yaml_at(human, "m_SkeletonPose"));
  for (size_t i = 0; human_pose && i < pose->count; i++)
    load_transform(pose->items[i], &out->description.nodes[node_of_human[i]]);
  load_bones(human, human_node);
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    out->description.node_of_bone[b] = human_node[b] < 0 ? -1 : node_of_human[human_node[b]];
    if (human_node[b] < 0) continue;
    load_axes(axes->items[(int)yaml_number(yaml_at(links->items[human_node[b]], "m_AxesId"))], &out->axes[b]);
  }
  for (int i = 0; i < 25; i++)
    out->mass[i < 9 ? i : i == 9 ? HUMAN_UPPER_CHEST : i - 1] = yaml_number(mass->items[i]);
  out->scale_m = yaml_number(yaml_at(human, "m_Scale"));
  yaml_vector(yaml_at(human, "m_RootX/t"), out->root_t, 3);
  yaml_vector(yaml_at(human, "m_RootX/q"), out->root_q, 4);
  load_settings(human, out);
  load_paths(document, avatar, out);
  return out;
}

static int32_t node_named(const rig_description *description, const char *name) {
  for (uint32_t i = 0; i < description->node_count; i++)
    if (strcmp(description->nodes[i].name, name) == 0) return (int32_t)i;
  return -1;
}

rig_description *avatar_meta_load(const char *path) {
  size_t size;
  char *text = test_read_file(path, &size);
  const yaml_tree *human = yaml_at(yaml_tree_parse(text, size), "ModelImporter/humanDescription");
  const yaml_tree *skeleton = yaml_at(human, "skeleton"), *bones = yaml_at(human, "human");
  rig_description *out = test_keep(1, sizeof *out);
  set_defaults(out);
  out->name = test_keep_text(path);
  out->nodes = test_keep(skeleton->count, sizeof *out->nodes);
  for (size_t i = 0; i < skeleton->count; i++) {
    const yaml_tree *entry = skeleton->items[i];
    rig_node *node = &out->nodes[out->node_count];
    node->name = yaml_at(entry, "name")->text;
    node->parent = node_named(out, yaml_at(entry, "parentName")->text);
    out->node_count++;
    yaml_vector(yaml_at(entry, "position"), node->t, 3);
    yaml_vector(yaml_at(entry, "rotation"), node->q, 4);
    yaml_vector(yaml_at(entry, "scale"), node->s, 3);
    quat_normalise(node->q);
  }
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) out->node_of_bone[b] = -1;
  for (size_t i = 0; i < bones->count; i++) {
    const char *trait = yaml_at(bones->items[i], "humanName")->text;
    for (int b = 0; b < HUMAN_BONE_COUNT; b++)
      if (strcmp(human_bones[b].trait_name, trait) == 0)
        out->node_of_bone[b] = node_named(out, yaml_at(bones->items[i], "boneName")->text);
  }
  free(text);
  return out;
}
