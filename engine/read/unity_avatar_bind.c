/* From an Avatar's lists to a description: every index and count against the others. */
#include "base/error.h"
#include "read/unity_avatar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A human skeleton has its scales folded into its translations: its nodes' own are 1 up to float rounding. */
static const double scale_tolerance = 1e-5;

void avatar_release(unity_avatar *a) {
  avatar_skeleton *skeletons[] = {&a->skeleton, &a->human.skeleton};
  for (int i = 0; i < 2; i++) {
    heap_free(skeletons[i]->nodes);
    heap_free(skeletons[i]->ids.items);
    heap_free(skeletons[i]->axes);
    heap_free(a->human.hand_bones[i].items);
  }
  heap_free(a->pose.items);
  heap_free(a->human.pose.items);
  heap_free(a->human.body_bones.items);
  heap_free(a->human.mass.items);
  heap_free(a->human_nodes.items);
  heap_free(a->paths.items);
}

/* ---- counts ------------------------------------------------------------------------------------------ */

static sinew_result check_count(unity_avatar *a, const char *name, const scan_place *place, uint32_t count,
                                uint32_t wanted, const char *reason) {
  if (count == wanted) return SINEW_OK;
  return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, place, "%s has %u entries, expected %u, %s", name,
                         count, wanted, reason);
}

static sinew_result check_counts(unity_avatar *a) {
  static const char nodes[] = "as m_AvatarSkeleton has nodes",
                    human_nodes[] = "as m_Human's m_Skeleton has nodes";
  const avatar_human *h = &a->human;
  uint32_t count = a->skeleton.count, human = h->skeleton.count;
  const struct {
    const char *name;
    const scan_place *place;
    uint32_t count, wanted;
    const char *reason;
  } lists[] = {
      {"m_ID", &a->skeleton.ids.place, a->skeleton.ids.count, count, nodes},
      {"m_AvatarSkeletonPose", &a->pose.place, a->pose.count, count, nodes},
      {"m_ID", &h->skeleton.ids.place, h->skeleton.ids.count, human, human_nodes},
      {"m_SkeletonPose", &h->pose.place, h->pose.count, human, human_nodes},
      {"m_HumanSkeletonIndexArray", &a->human_nodes.place, a->human_nodes.count, human, human_nodes},
      {"m_HumanBoneIndex", &h->body_bones.place, h->body_bones.count, AVATAR_BODY_BONES,
       "the body's bones of editors since 5.6"},
      {"m_HumanBoneMass", &h->mass.place, h->mass.count, AVATAR_BODY_BONES, "one for each bone of the body"},
  };
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
    SINEW_TRY(
        check_count(a, lists[i].name, lists[i].place, lists[i].count, lists[i].wanted, lists[i].reason));
  for (int side = 0; side < 2; side++)
    if (h->hand_bones[side].count)
      SINEW_TRY(check_count(a, "m_HandBoneIndex", &h->hand_bones[side].place, h->hand_bones[side].count,
                            AVATAR_HAND_BONES, "three for each finger"));
  return SINEW_OK;
}

static sinew_result check_humanoid(unity_avatar *a) {
  bool any = false;
  for (uint32_t i = 0; i < a->human.body_bones.count; i++) any |= a->human.body_bones.items[i] >= 0;
  if (any && a->human.skeleton.count) return SINEW_OK;
  return scan_fail_place(a->scan, SINEW_ERROR_UNSUPPORTED, &a->human.place,
                         "a generic Avatar: it maps no human bone");
}

/* ---- nodes ------------------------------------------------------------------------------------------- */

/* One root, parents before their children, none too deep. */
static sinew_result check_nodes(unity_avatar *a, const avatar_skeleton *skeleton) {
  uint32_t *depth = heap_alloc(skeleton->count, sizeof *depth);
  SINEW_CHECK(depth, a->error, SINEW_ERROR_MEMORY, "out of memory for %u nodes", skeleton->count);
  sinew_result result = SINEW_OK;
  for (uint32_t i = 0; i < skeleton->count && result == SINEW_OK; i++) {
    const avatar_node *node = &skeleton->nodes[i];
    bool root = i == 0 && node->parent == -1;
    if (!root && (node->parent < 0 || node->parent >= i)) {
      result = scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &node->place,
                               "m_ParentId of node %u is %lld, expected %s", i, (long long)node->parent,
                               i ? "a node before it" : "-1 for the first");
      break;
    }
    depth[i] = root ? 1 : depth[node->parent] + 1;
    if (depth[i] > a->source->limits.depth)
      result =
          scan_fail_place(a->scan, SINEW_ERROR_LIMIT, &node->place,
                          "the hierarchy is more than %u nodes deep, the limit", a->source->limits.depth);
  }
  heap_free(depth);
  return result;
}

/* ---- names ------------------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b) {
  const avatar_path *left = a, *right = b;
  if (left->id != right->id) return left->id < right->id ? -1 : 1;
  return left->place.byte < right->place.byte ? -1 : left->place.byte > right->place.byte;
}

static sinew_result sort_paths(unity_avatar *a) {
  avatar_paths *paths = &a->paths;
  if (paths->count) qsort(paths->items, paths->count, sizeof *paths->items, by_id);
  for (uint32_t i = 1; i < paths->count; i++)
    if (paths->items[i].id == paths->items[i - 1].id)
      return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &paths->items[i].place,
                             "%u stands twice in m_TOS, first in line %llu", paths->items[i].id,
                             (unsigned long long)paths->items[i - 1].place.line);
  return SINEW_OK;
}

static const avatar_path *find_path(const avatar_paths *paths, uint32_t id) {
  uint32_t low = 0, high = paths->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (paths->items[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < paths->count && paths->items[low].id == id ? &paths->items[low] : NULL;
}

/* What a node's path has more than its parent's: a name may hold a '/' itself. */
static const char *own_part(const char *path, const char *parent_path) {
  size_t length = parent_path ? strlen(parent_path) : 0;
  if (length && strncmp(path, parent_path, length) == 0 && path[length] == '/') return path + length + 1;
  const char *slash = length ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path;
}

static const char *root_name(const unity_avatar *a) {
  return a->name && *a->name ? a->name : "Avatar";
}

/* The root's path is empty: it takes the Avatar's name. */
static sinew_result name_nodes(unity_avatar *a) {
  rig_description *d = a->description;
  for (uint32_t i = 0; i < d->node_count; i++) {
    uint32_t id = (uint32_t)a->skeleton.ids.items[i];
    const avatar_path *path = find_path(&a->paths, id);
    if (!path)
      return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &a->skeleton.ids.place,
                             "m_ID of node %u is %u, which m_TOS has no path for", i, id);
    int32_t parent = d->nodes[i].parent;
    const avatar_path *above =
        parent >= 0 ? find_path(&a->paths, (uint32_t)a->skeleton.ids.items[parent]) : NULL;
    const char *name = own_part(path->text, above ? above->text : NULL);
    if (!*name && i == 0) name = root_name(a);
    if (!*name)
      return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &path->place, "the path of node %u ends in no name",
                             i);
    if (strlen(name) > a->source->limits.name_bytes)
      return scan_fail_place(a->scan, SINEW_ERROR_LIMIT, &path->place, "a name of %zu bytes, the limit is %u",
                             strlen(name), a->source->limits.name_bytes);
    d->nodes[i].name = name;
  }
  d->name = root_name(a);
  return SINEW_OK;
}

static sinew_result deliver_nodes(unity_avatar *a) {
  rig_description *d = a->description;
  d->nodes = arena_alloc(a->memory, a->skeleton.count, sizeof *d->nodes);
  SINEW_CHECK(d->nodes, a->error, SINEW_ERROR_MEMORY, "no memory for %u nodes", a->skeleton.count);
  d->node_count = a->skeleton.count;
  for (uint32_t i = 0; i < d->node_count; i++) {
    const avatar_transform *from = &a->pose.items[i];
    rig_node *to = &d->nodes[i];
    to->parent = (int32_t)a->skeleton.nodes[i].parent;
    memcpy(to->t, from->t, sizeof to->t);
    memcpy(to->q, from->q, sizeof to->q);
    memcpy(to->s, from->s, sizeof to->s);
  }
  return name_nodes(a);
}

/* ---- the human skeleton ------------------------------------------------------------------------------ */

static sinew_result check_human_node(unity_avatar *a, uint32_t i, bool *taken) {
  const scan_place *place = &a->human_nodes.place;
  int64_t node = a->human_nodes.items[i], parent = a->human.skeleton.nodes[i].parent;
  if (node < 0 || node >= a->skeleton.count)
    return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, place,
                           "m_HumanSkeletonIndexArray has %lld for node %u, expected one of %u nodes",
                           (long long)node, i, a->skeleton.count);
  if (taken[node])
    return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, place,
                           "m_HumanSkeletonIndexArray has node %lld twice", (long long)node);
  taken[node] = true;
  if (a->human.skeleton.ids.items[i] != a->skeleton.ids.items[node])
    return scan_fail_place(
        a->scan, SINEW_ERROR_SYNTAX, &a->human.skeleton.ids.place,
        "m_ID of the human skeleton's node %u is %u, that of its node '%s' is %u", i,
        (uint32_t)a->human.skeleton.ids.items[i],
        scan_show(a->description->nodes[node].name, strlen(a->description->nodes[node].name)).text,
        (uint32_t)a->skeleton.ids.items[node]);
  int64_t wanted = parent < 0 ? -1 : a->human_nodes.items[parent];
  if (parent >= 0 && a->skeleton.nodes[node].parent != wanted)
    return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &a->human.skeleton.nodes[i].place,
                           "the human skeleton hangs node %u from another node than m_AvatarSkeleton does",
                           i);
  const double *s = a->human.pose.items[i].s;
  for (int k = 0; k < 3; k++)
    if (fabs(s[k] - 1) > scale_tolerance)
      return scan_fail_place(a->scan, SINEW_ERROR_UNSUPPORTED, &a->human.pose.items[i].place,
                             "the human skeleton's node %u has scale %g in %c, expected 1", i, s[k],
                             "xyz"[k]);
  return SINEW_OK;
}

static sinew_result deliver_human(unity_avatar *a, rig_compiled *out) {
  uint32_t count = a->human.skeleton.count;
  bool *taken = heap_alloc(a->skeleton.count, sizeof *taken);
  SINEW_CHECK(taken, a->error, SINEW_ERROR_MEMORY, "out of memory for %u nodes", a->skeleton.count);
  sinew_result result = SINEW_OK;
  for (uint32_t i = 0; i < count && result == SINEW_OK; i++) result = check_human_node(a, i, taken);
  heap_free(taken);
  SINEW_TRY(result);
  out->human = arena_alloc(a->memory, count, sizeof *out->human);
  SINEW_CHECK(out->human, a->error, SINEW_ERROR_MEMORY, "no memory for %u nodes", count);
  out->human_count = count;
  for (uint32_t i = 0; i < count; i++) {
    out->human[i].node = (uint32_t)a->human_nodes.items[i];
    memcpy(out->human[i].t, a->human.pose.items[i].t, sizeof out->human[i].t);
    memcpy(out->human[i].q, a->human.pose.items[i].q, sizeof out->human[i].q);
  }
  return SINEW_OK;
}

/* ---- bones ------------------------------------------------------------------------------------------- */

/* The body's list is in HumanBodyBones order but for UpperChest, which stands behind Chest. */
static int bone_of_body(uint32_t index) {
  if (index <= HUMAN_CHEST) return (int)index;
  return index == HUMAN_CHEST + 1 ? HUMAN_UPPER_CHEST : (int)index - 1;
}

static sinew_result bind_bone(unity_avatar *a, rig_compiled *out, int bone, int64_t human_node,
                              const scan_place *place) {
  const avatar_skeleton *skeleton = &a->human.skeleton;
  const char *name = human_bones[bone].name;
  if (human_node == -1) return SINEW_OK;
  if (human_node < 0 || human_node >= skeleton->count)
    return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, place,
                           "%s is node %lld of the human skeleton, expected -1 or one of its %u nodes", name,
                           (long long)human_node, skeleton->count);
  const avatar_node *node = &skeleton->nodes[human_node];
  if (node->axes < 0 || node->axes >= skeleton->axes_count)
    return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &node->place,
                           "m_AxesId of %s is %lld, expected one of the %u entries of m_AxesArray", name,
                           (long long)node->axes, skeleton->axes_count);
  out->axes[bone] = skeleton->axes[node->axes];
  a->description->node_of_bone[bone] = (int32_t)a->human_nodes.items[human_node];
  return SINEW_OK;
}

static sinew_result bind_hand(unity_avatar *a, rig_compiled *out, int side) {
  const avatar_integers *list = &a->human.hand_bones[side];
  bool any = false;
  for (uint32_t i = 0; i < list->count; i++) any |= list->items[i] != -1;
  if (any && !a->human.has_hand[side]) {
    avatar_warn(a, "m_Has%sHand is 0, but m_HandBoneIndex (line %llu) has fingers: the rig goes without them",
                side ? "Right" : "Left", (unsigned long long)list->place.line);
    return SINEW_OK;
  }
  for (uint32_t i = 0; i < list->count; i++)
    SINEW_TRY(bind_bone(a, out, HUMAN_LEFT_THUMB_PROXIMAL + AVATAR_HAND_BONES * side + (int)i, list->items[i],
                        &list->place));
  return SINEW_OK;
}

static sinew_result bind_bones(unity_avatar *a, rig_compiled *out) {
  const avatar_human *h = &a->human;
  double sum = 0;
  for (uint32_t i = 0; i < AVATAR_BODY_BONES; i++) {
    int bone = bone_of_body(i);
    SINEW_TRY(bind_bone(a, out, bone, h->body_bones.items[i], &h->body_bones.place));
    out->mass[bone] = h->mass.items[i];
    sum += out->mass[bone];
    if (!(out->mass[bone] >= 0))
      return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &h->mass.place,
                             "the mass of %s is %g, expected 0 or more", human_bones[bone].name,
                             out->mass[bone]);
  }
  if (!(sum > 0)) return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &h->mass.place, "no bone has a mass");
  for (int side = 0; side < 2; side++) SINEW_TRY(bind_hand(a, out, side));
  return SINEW_OK;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

static sinew_result deliver_body(unity_avatar *a, rig_compiled *out) {
  const avatar_human *h = &a->human;
  rig_description *d = a->description;
  if (!(h->scale > 0 && h->scale <= 1e30))
    return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &h->scale_place,
                           "m_Scale is %g, expected more than 0", h->scale);
  out->human_scale = h->scale;
  memcpy(out->root_t, h->root.t, sizeof out->root_t);
  memcpy(out->root_q, h->root.q, sizeof out->root_q);
  d->arm_twist = h->arm_twist;
  d->fore_arm_twist = h->fore_arm_twist;
  d->upper_leg_twist = h->upper_leg_twist;
  d->leg_twist = h->leg_twist;
  d->arm_stretch = h->arm_stretch;
  d->leg_stretch = h->leg_stretch;
  d->feet_spacing = h->feet_spacing;
  d->has_translation_dof = h->has_translation_dof;
  return SINEW_OK;
}

sinew_result avatar_bind(unity_avatar *a) {
  rig_description *d = a->description;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) d->node_of_bone[b] = -1;
  d->kind = "avatar";
  SINEW_TRY(check_humanoid(a));
  SINEW_TRY(check_counts(a));
  SINEW_TRY(check_nodes(a, &a->skeleton));
  SINEW_TRY(check_nodes(a, &a->human.skeleton));
  SINEW_TRY(sort_paths(a));
  SINEW_TRY(deliver_nodes(a));
  if (a->odd_paths > 1)
    avatar_warn(a, "%u paths in all stand under a number in m_TOS that is not theirs", a->odd_paths);
  rig_compiled *compiled = arena_alloc(a->memory, 1, sizeof *compiled);
  SINEW_CHECK(compiled, a->error, SINEW_ERROR_MEMORY, "out of memory");
  SINEW_TRY(deliver_human(a, compiled));
  SINEW_TRY(bind_bones(a, compiled));
  SINEW_TRY(deliver_body(a, compiled));
  d->compiled = compiled;
  return SINEW_OK;
}
