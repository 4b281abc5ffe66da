#include "map/join.h"
#include "base/error.h"
#include "map/reasons.h"

#include <string.h>

static const double least_upright = 0.5;
static const double least_symmetry = 0.6;

static const int trunk_bones[] = {HUMAN_HIPS, HUMAN_SPINE, HUMAN_CHEST, HUMAN_UPPER_CHEST,
                                  HUMAN_NECK, HUMAN_HEAD,  -1};
static const int leg_bones[] = {HUMAN_LEFT_UPPER_LEG,  HUMAN_RIGHT_UPPER_LEG, HUMAN_LEFT_LOWER_LEG,
                                HUMAN_RIGHT_LOWER_LEG, HUMAN_LEFT_FOOT,       HUMAN_RIGHT_FOOT,
                                HUMAN_LEFT_TOES,       HUMAN_RIGHT_TOES,      -1};
static const int arm_bones[] = {HUMAN_LEFT_SHOULDER,   HUMAN_RIGHT_SHOULDER, HUMAN_LEFT_UPPER_ARM,
                                HUMAN_RIGHT_UPPER_ARM, HUMAN_LEFT_LOWER_ARM, HUMAN_RIGHT_LOWER_ARM,
                                HUMAN_LEFT_HAND,       HUMAN_RIGHT_HAND,     -1};

const char *map_node_label(const map_making *m, int32_t node, char text[96]) {
  const char *name = m->search.skeleton->nodes[node].name;
  return error_printable(name, strlen(name), text, 96);
}

sinew_result map_no_memory(const map_making *m) {
  return error_set(m->error, SINEW_ERROR_MEMORY, "out of memory for a human map of %u nodes",
                   m->search.skeleton->node_count);
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

static bool complete(const int32_t *node_of_bone, const int *bones) {
  for (; *bones >= 0; bones++)
    if (human_bones[*bones].required && node_of_bone[*bones] < 0) return false;
  return true;
}

static bool has_any(const int32_t *node_of_bone, const int *bones) {
  for (; *bones >= 0; bones++)
    if (node_of_bone[*bones] >= 0) return true;
  return false;
}

static bool same_required(const int32_t *a, const int32_t *b, const int *bones) {
  for (; *bones >= 0; bones++)
    if (human_bones[*bones].required && a[*bones] != b[*bones]) return false;
  return true;
}

void map_take(human_map *map, const int32_t *node_of_bone, int bone, map_source source) {
  map->node_of_bone[bone] = node_of_bone[bone];
  map->source[bone] = node_of_bone[bone] >= 0 ? source : MAP_NONE;
}

static void take_all(human_map *map, const int32_t *node_of_bone, const int *bones, map_source source) {
  for (; *bones >= 0; bones++) map_take(map, node_of_bone, *bones, source);
}

static limb_pairs pairs_of(const int32_t *node_of_bone) {
  limb_pairs pairs = {.hips = node_of_bone[HUMAN_HIPS]};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      pairs.leg[side][i] = node_of_bone[HUMAN_LEFT_UPPER_LEG + 2 * i + side];
      pairs.arm[side][i] = node_of_bone[HUMAN_LEFT_UPPER_ARM + 2 * i + side];
    }
  return pairs;
}

static double part_length(const map_making *m, int upper, int lower) {
  const int32_t *node = m->map->node_of_bone;
  return node_distance(m->search.tree.place[node[upper]], m->search.tree.place[node[lower]]);
}

/* ---- names checked by structure ------------------------------------------------------------------------ */

static void swap_bones(map_making *m, int left, int right) {
  human_map *map = m->map;
  const int32_t node = map->node_of_bone[left];
  const map_source source = map->source[left];
  map->node_of_bone[left] = map->node_of_bone[right], map->source[left] = map->source[right];
  map->node_of_bone[right] = node, map->source[right] = source;
}

static void swap_legs(map_making *m) {
  for (int i = 0; leg_bones[i] >= 0; i += 2) swap_bones(m, leg_bones[i], leg_bones[i + 1]);
}

static void swap_arms(map_making *m) {
  for (int i = 0; arm_bones[i] >= 0; i += 2) swap_bones(m, arm_bones[i], arm_bones[i + 1]);
  for (int bone = HUMAN_LEFT_THUMB_PROXIMAL; bone < HUMAN_RIGHT_THUMB_PROXIMAL; bone++)
    swap_bones(m, bone, human_other_side(bone));
}

/* Names that say left of what is measured to be right lose. */
static bool check_sides(map_making *m) {
  human_map *map = m->map;
  if (!m->has_sides || !m->sides.sure) return true;
  const bool legs = m->sides.leg_left < 0 && map->source[HUMAN_LEFT_FOOT] == MAP_NAME;
  const bool arms = m->sides.arms_sure && m->sides.arm_left < 0 && map->source[HUMAN_LEFT_HAND] == MAP_NAME;
  if (legs) swap_legs(m);
  if (arms) swap_arms(m);
  if (legs && arms) swap_bones(m, HUMAN_LEFT_EYE, HUMAN_RIGHT_EYE);
  if (!legs && !arms) return true;
  return map_warn(map,
                  "the names' left %s on the body's right, as its feet point: left and right are exchanged",
                  legs && arms ? "arm and leg are"
                  : legs       ? "leg is"
                               : "arm is");
}

static bool check_part(map_making *m, int left, int left_end) {
  const double length = part_length(m, left, left_end), other = part_length(m, left + 1, left_end + 1);
  char words[64];
  if (length >= least_symmetry * other && other >= least_symmetry * length) return true;
  return map_warn(m->map, "%s and the right one differ in length: %.4g and %.4g",
                  map_bone_words(left, words, sizeof words), length, other);
}

static bool check_symmetry(map_making *m) {
  return check_part(m, HUMAN_LEFT_UPPER_LEG, HUMAN_LEFT_LOWER_LEG) &&
         check_part(m, HUMAN_LEFT_LOWER_LEG, HUMAN_LEFT_FOOT) &&
         check_part(m, HUMAN_LEFT_UPPER_ARM, HUMAN_LEFT_LOWER_ARM) &&
         check_part(m, HUMAN_LEFT_LOWER_ARM, HUMAN_LEFT_HAND);
}

/* A clip of crawling never stands either, but its arms are a human's. */
sinew_result map_check_upright(map_making *m) {
  if (!m->has_sides) return SINEW_OK;
  SINEW_CHECK(
      !m->sides.four_legged, m->error, SINEW_ERROR_RIG,
      "no human map: both arms and hands are missing: the limbs so named are four legs, as long in front "
      "as behind, under a trunk that lies across them");
  if (m->sides.upright >= least_upright) return SINEW_OK;
  return map_warn(m->map, "no pose stands upright: up and forward are taken from one that does so the most")
             ? SINEW_OK
             : map_no_memory(m);
}

/* ---- names and structure joined ------------------------------------------------------------------------ */

static bool is_end(const map_making *m, int32_t node) {
  return node >= 0 && m->names.words[node].helper;
}

/* Optional bones that no name tells, beside required ones on which names and structure agree. */
static void fill_optional(map_making *m) {
  static const struct {
    const int *part;
    int bone;
  } optional[] = {{trunk_bones, HUMAN_NECK},
                  {leg_bones, HUMAN_LEFT_TOES},
                  {leg_bones, HUMAN_RIGHT_TOES},
                  {arm_bones, HUMAN_LEFT_SHOULDER},
                  {arm_bones, HUMAN_RIGHT_SHOULDER}};
  human_map *map = m->map;
  const int32_t *found = m->structure.node_of_bone;
  if (!m->structure.found) return;
  for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
    const int bone = optional[i].bone;
    if (map->node_of_bone[bone] < 0 && same_required(map->node_of_bone, found, optional[i].part) &&
        !is_end(m, found[bone]))
      map_take(map, found, bone, MAP_STRUCTURE);
  }
  if (map->node_of_bone[HUMAN_CHEST] >= 0 || map->node_of_bone[HUMAN_UPPER_CHEST] >= 0 ||
      !same_required(map->node_of_bone, found, trunk_bones))
    return;
  map_take(map, found, HUMAN_CHEST, MAP_STRUCTURE);
  map_take(map, found, HUMAN_UPPER_CHEST, MAP_STRUCTURE);
}

/* Where names tell a part in part, structure must bear out half of that, or it has found something else. */
static bool agrees(const map_making *m, const int *bones) {
  uint32_t same = 0, other = 0;
  if (!m->structure.found) return false;
  for (; *bones >= 0; bones++) {
    const int32_t named = m->names.node_of_bone[*bones];
    if (!human_bones[*bones].required || named < 0) continue;
    same += named == m->structure.node_of_bone[*bones];
    other += named != m->structure.node_of_bone[*bones];
  }
  return same >= other;
}

static bool join_part(map_making *m, const int *bones, const char *label) {
  const bool whole = complete(m->names.node_of_bone, bones);
  if (whole || !agrees(m, bones)) {
    take_all(m->map, m->names.node_of_bone, bones, MAP_NAME);
    if (bones == trunk_bones && m->names.hips_inferred) m->map->source[HUMAN_HIPS] = MAP_STRUCTURE;
    return true;
  }
  take_all(m->map, m->structure.node_of_bone, bones, MAP_STRUCTURE);
  return !has_any(m->names.node_of_bone, bones) ||
         map_warn(m->map, "the names of %s make no whole: they are found by structure", label);
}

bool map_drop_faults(map_making *m) {
  map_fault faults[MAP_FAULTS];
  const uint32_t count = map_leave_out_faults(&m->search.tree, m->map->node_of_bone, faults);
  for (uint32_t i = 0; i < count; i++) {
    char bone[64], against[64], label[96];
    m->map->source[faults[i].bone] = MAP_NONE;
    if (!map_warn(m->map, "%s (node \"%s\") does not lie below %s: left out",
                  map_bone_words(faults[i].bone, bone, sizeof bone), map_node_label(m, faults[i].node, label),
                  map_bone_words(faults[i].against, against, sizeof against)))
      return false;
  }
  return true;
}

bool map_is_whole(const int32_t *node_of_bone) {
  return complete(node_of_bone, trunk_bones) && complete(node_of_bone, leg_bones) &&
         complete(node_of_bone, arm_bones);
}

static bool join(map_making *m) {
  human_map *map = m->map;
  if (!join_part(m, trunk_bones, "the trunk") || !join_part(m, leg_bones, "the legs") ||
      !join_part(m, arm_bones, "the arms"))
    return false;
  for (int bone = HUMAN_LEFT_EYE; bone < HUMAN_UPPER_CHEST; bone++)
    map_take(map, m->names.node_of_bone, bone, MAP_NAME);
  if (!map_drop_faults(m)) return false;
  if (map_is_whole(map->node_of_bone) || !m->structure.found) return true;
  if (!agrees(m, trunk_bones) || !agrees(m, leg_bones) || !agrees(m, arm_bones)) return true;
  take_all(map, m->structure.node_of_bone, trunk_bones, MAP_STRUCTURE);
  take_all(map, m->structure.node_of_bone, leg_bones, MAP_STRUCTURE);
  take_all(map, m->structure.node_of_bone, arm_bones, MAP_STRUCTURE);
  return map_warn(map, "the names make no human's hierarchy: the bones are found by structure") &&
         map_drop_faults(m);
}

sinew_result map_join(map_making *m) {
  if (!names_find(&m->search, &m->names) || !structure_find(&m->search, &m->structure) || !join(m))
    return map_no_memory(m);
  human_map *map = m->map;
  if (!map_is_whole(map->node_of_bone)) return SINEW_OK;
  const limb_pairs pairs = pairs_of(map->node_of_bone);
  m->sides = body_sides_measure(&m->search.tree, &m->search.places, &pairs, m->search.place);
  m->has_sides = true;
  if (map->source[HUMAN_LEFT_FOOT] == MAP_NAME || map->source[HUMAN_LEFT_HAND] == MAP_NAME)
    map->scheme = m->names.scheme;
  if (!check_sides(m) || !check_symmetry(m)) return map_no_memory(m);
  if (map->source[HUMAN_LEFT_FOOT] == MAP_STRUCTURE && m->sides.proof == SIDE_ASSUMED &&
      !map_warn(
          map, "nothing tells left from right, neither feet nor knees nor the way it goes: the body is taken "
               "to face as the format's convention has it"))
    return map_no_memory(m);
  fill_optional(m);
  return SINEW_OK;
}
