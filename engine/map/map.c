#include "map/map.h"
#include "base/error.h"
#include "map/fingers.h"
#include "map/join.h"
#include "map/reasons.h"

#include <stdio.h>
#include <string.h>

/* ---- what is said ----------------------------------------------------------------------------------------
 */

static bool states_bones(const skeleton *s) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (s->node_of_bone[bone] >= 0) return true;
  return false;
}

static sinew_result take_stated(map_making *m) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    map_take(m->map, m->search.skeleton->node_of_bone, bone, MAP_FILE);
  return map_drop_faults(m) ? SINEW_OK : map_no_memory(m);
}

/* What was found gives way: a node that is given to one bone is no other's. */
static sinew_result take_given(map_making *m, const map_file *given, bool said[HUMAN_BONE_COUNT]) {
  human_map *map = m->map;
  if (!given) return SINEW_OK;
  SINEW_TRY(map_file_bind(given, m->search.skeleton, map->node_of_bone, said, m->error));
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    if (!said[bone]) continue;
    map->source[bone] = map->node_of_bone[bone] >= 0 ? MAP_GIVEN : MAP_NONE;
    for (int other = 0; other < HUMAN_BONE_COUNT; other++) {
      if (said[other] || map->node_of_bone[bone] < 0 || map->node_of_bone[other] != map->node_of_bone[bone])
        continue;
      map->node_of_bone[other] = -1;
      map->source[other] = MAP_NONE;
    }
  }
  return map_drop_faults(m) ? SINEW_OK : map_no_memory(m);
}

static sinew_result take_fingers(map_making *m, const bool said[HUMAN_BONE_COUNT]) {
  int32_t found[HUMAN_BONE_COUNT];
  bool frame;
  human_map *map = m->map;
  memcpy(found, map->node_of_bone, sizeof found);
  node_places_at(&m->search.places, m->has_sides ? m->sides.best_pose : 0, m->search.place, &frame);
  fingers_by_structure(&m->search.tree, (const double(*)[3])m->search.place, found);
  for (int bone = HUMAN_LEFT_THUMB_PROXIMAL; bone < HUMAN_UPPER_CHEST; bone++)
    if (!said[bone] && map->node_of_bone[bone] < 0) map_take(map, found, bone, MAP_STRUCTURE);
  return map_drop_faults(m) ? SINEW_OK : map_no_memory(m);
}

/* ---- the map --------------------------------------------------------------------------------------------
 */

/* Why, where something was found and is no human's. */
static const char *explain(const map_making *m, char text[MAP_SENTENCE]) {
  const map_fault *fault = &m->names.fault;
  char bone[64], against[64], label[96];
  if (m->structure.four_legged) return ": the limbs are four legs, the trunk does not stand on two";
  if (!m->names.scheme || fault->node < 0 || m->map->node_of_bone[fault->bone] >= 0) return NULL;
  snprintf(text, MAP_SENTENCE, " (node \"%s\", by its name %s, does not hang below %s)",
           map_node_label(m, fault->node, label), map_bone_words(fault->bone, bone, sizeof bone),
           map_bone_words(fault->against, against, sizeof against));
  return text;
}

static sinew_result check_whole(map_making *m) {
  char text[MAP_SENTENCE], why[MAP_SENTENCE];
  if (map_is_whole(m->map->node_of_bone)) return SINEW_OK;
  map_missing_sentence(m->map->node_of_bone, explain(m, why), text, sizeof text);
  return error_set(m->error, SINEW_ERROR_RIG, "%s", text);
}

static sinew_result open_search(map_making *m, const motion *motions, uint32_t motion_count) {
  map_search *search = &m->search;
  const skeleton *s = search->skeleton;
  SINEW_CHECK(s->node_count > 0, m->error, SINEW_ERROR_RIG, "no human map: the skeleton has no nodes");
  search->place = arena_alloc(search->memory, s->node_count, sizeof *search->place);
  if (!search->place || !node_places_open(s, motions, motion_count, search->memory, &search->places) ||
      !node_tree_open(&search->places, search->memory, &search->tree))
    return map_no_memory(m);
  SINEW_CHECK(
      search->tree.size > 0, m->error, SINEW_ERROR_RIG,
      "no human map: limbs with length are missing: all %u nodes are in one place, as every offset is zero",
      s->node_count);
  return SINEW_OK;
}

static sinew_result find(map_making *m, const motion *motions, uint32_t motion_count, const map_file *given) {
  bool said[HUMAN_BONE_COUNT] = {false};
  SINEW_TRY(open_search(m, motions, motion_count));
  const bool stated = states_bones(m->search.skeleton);
  SINEW_TRY(stated ? take_stated(m) : map_join(m));
  SINEW_TRY(take_given(m, given, said));
  SINEW_TRY(check_whole(m));
  if (!given) SINEW_TRY(map_check_upright(m));
  if (!stated) SINEW_TRY(take_fingers(m, said));
  return map_write_reasons(m->search.skeleton, m->map) ? SINEW_OK : map_no_memory(m);
}

static void make_empty(human_map *map) {
  *map = (human_map){0};
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) map->node_of_bone[bone] = -1;
}

sinew_result human_map_find(const skeleton *s, const motion *motions, uint32_t motion_count,
                            const map_file *given, human_map *map, sinew_error *error) {
  arena scratch = {0};
  map_making m = {.search = {.skeleton = s, .memory = &scratch}, .map = map, .error = error};
  make_empty(map);
  const sinew_result result = find(&m, motions, motion_count, given);
  arena_release(&scratch);
  if (result != SINEW_OK) human_map_release(map);
  return result;
}

void human_map_release(human_map *map) {
  arena_release(&map->memory);
  make_empty(map);
}
