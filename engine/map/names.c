/* Every scheme is tried as a whole, because words mean different things in different ones ("LeftLeg" is a
 * shin or a thigh); the one that maps the most required bones into a human's hierarchy is taken. */
#include "map/names.h"
#include "map/fingers.h"
#include "map/name_schemes.h"

#include <string.h>

enum { NO_ROLE = -1, LONG_TRUNK = 256 };

typedef struct name_search {
  const node_tree *tree;
  const name_words *words;
  int16_t *role; /* of a node in the scheme that is tried */
  uint32_t *roles_below;
  int32_t node_of_bone[HUMAN_BONE_COUNT];
  bool hips_inferred;
  map_fault fault; /* as of names_map */
} name_search;

/* ---- roles --------------------------------------------------------------------------------------------- */

static bool is_sided(int role) {
  return (role >= HUMAN_LEFT_UPPER_LEG && role <= HUMAN_RIGHT_FOOT) ||
         (role >= HUMAN_LEFT_SHOULDER && role <= HUMAN_RIGHT_EYE);
}

/* A number belongs to trunks, necks and Biped's toes; elsewhere it tells a joint more than the body has. */
static bool number_fits(int role, const char *digits) {
  if (!*digits || role == WORD_TRUNK || role == WORD_SPINE_CHAIN || role == HUMAN_NECK) return true;
  return role == HUMAN_LEFT_TOES && strcmp(digits, "0") == 0;
}

static int16_t role_of(const name_words *words, const name_scheme *scheme) {
  const bool neck_twist = strcmp(words->base, "necktwist") == 0;
  if ((words->helper && !neck_twist) || !*words->base) return NO_ROLE;
  for (const scheme_word *word = scheme->words; word->base; word++) {
    if (strcmp(word->base, words->base) != 0) continue;
    if (is_sided(word->role) != (words->side != NAME_CENTRE) || !number_fits(word->role, words->digits))
      continue;
    return (int16_t)(is_sided(word->role) && words->side == NAME_RIGHT ? word->role + 1 : word->role);
  }
  return NO_ROLE;
}

static void give_roles(name_search *search, const name_scheme *scheme) {
  const node_tree *tree = search->tree;
  for (uint32_t i = 0; i < tree->count; i++) {
    search->role[i] = tree->bone[i] ? role_of(&search->words[i], scheme) : NO_ROLE;
    search->roles_below[i] = 0;
  }
  for (int64_t i = (int64_t)tree->count - 1; i > 0; i--) {
    const int32_t parent = tree->skeleton->nodes[i].parent;
    if (parent >= 0) search->roles_below[parent] += search->roles_below[i] + (search->role[i] != NO_ROLE);
  }
}

/* ---- bones --------------------------------------------------------------------------------------------- */

/* The one with the most of the body below it, of equals the deepest. */
static void find_hips(name_search *search) {
  int32_t best = -1;
  for (uint32_t i = 0; i < search->tree->count; i++) {
    if (search->role[i] != HUMAN_HIPS && search->role[i] != WORD_SPINE_CHAIN) continue;
    if (best >= 0 && search->role[best] == WORD_SPINE_CHAIN && search->role[i] == WORD_SPINE_CHAIN &&
        node_is_above(search->tree, best, (int32_t)i))
      continue;
    /* below the higher of two so named the lower one counts too */
    const bool inner =
        search->role[i] == HUMAN_HIPS && best >= 0 && node_is_above(search->tree, best, (int32_t)i);
    if (best < 0 || search->roles_below[i] + (inner ? 2 : 0) > search->roles_below[best]) best = (int32_t)i;
  }
  search->node_of_bone[HUMAN_HIPS] = best;
}

static bool below_hips(const name_search *search, int32_t node) {
  const int32_t hips = search->node_of_bone[HUMAN_HIPS];
  return hips < 0 || node_is_above(search->tree, hips, node);
}

/* The highest of those so named, below the hips where there are any. */
static void find_bone(name_search *search, int bone) {
  int32_t best = -1;
  bool best_below = false;
  for (uint32_t i = 0; i < search->tree->count; i++) {
    if (search->role[i] != bone) continue;
    const bool below = below_hips(search, (int32_t)i);
    if (best >= 0 && (below != best_below ? best_below : search->tree->depth[i] >= search->tree->depth[best]))
      continue;
    best = (int32_t)i;
    best_below = below;
  }
  search->node_of_bone[bone] = best;
}

/* Hips beside the legs, not above them. */
static void widen_hips(name_search *search) {
  int32_t *hips = &search->node_of_bone[HUMAN_HIPS];
  const int32_t left = search->node_of_bone[HUMAN_LEFT_UPPER_LEG],
                right = search->node_of_bone[HUMAN_RIGHT_UPPER_LEG];
  search->hips_inferred = false;
  if (*hips < 0 || left < 0 || right < 0 || (below_hips(search, left) && below_hips(search, right))) return;
  const int32_t common = node_common(search->tree, *hips, node_common(search->tree, left, right));
  if (common < 0) return;
  *hips = common;
  search->hips_inferred = true;
}

static int32_t arms_fork(const name_search *search) {
  const int32_t left = search->node_of_bone[HUMAN_LEFT_UPPER_ARM],
                right = search->node_of_bone[HUMAN_RIGHT_UPPER_ARM];
  const int32_t head = search->node_of_bone[HUMAN_HEAD];
  if (left >= 0 && right >= 0) return node_common(search->tree, left, right);
  const int32_t arm = left >= 0 ? left : right;
  return arm >= 0 && head >= 0 ? node_common(search->tree, arm, head) : -1;
}

static bool is_trunk(const name_search *search, int32_t node, bool named) {
  const int role = search->role[node];
  if (named) return role == WORD_TRUNK || role == WORD_SPINE_CHAIN;
  return role != HUMAN_NECK && role != HUMAN_HEAD;
}

static uint32_t trunk_joints(const name_search *search, int32_t fork, bool named,
                             int32_t joints[LONG_TRUNK]) {
  const int32_t hips = search->node_of_bone[HUMAN_HIPS];
  uint32_t count = 0, total = 0;
  for (int32_t n = fork; n > hips; n = search->tree->skeleton->nodes[n].parent)
    total += is_trunk(search, n, named);
  if (total > LONG_TRUNK) return 0;
  for (int32_t n = fork; n > hips; n = search->tree->skeleton->nodes[n].parent)
    if (is_trunk(search, n, named)) joints[total - ++count] = n;
  return count;
}

static void find_trunk(name_search *search) {
  const int32_t fork = arms_fork(search), hips = search->node_of_bone[HUMAN_HIPS];
  int32_t joints[LONG_TRUNK];
  if (search->node_of_bone[HUMAN_SPINE] >= 0 || fork < 0 || hips < 0 ||
      !node_is_above(search->tree, hips, fork))
    return;
  uint32_t count = trunk_joints(search, fork, true, joints);
  if (count == 0) count = trunk_joints(search, fork, false, joints);
  trunk_by_rule(joints, count, search->node_of_bone);
}

/* Rigify's spine goes on through neck and head. */
static void find_spine_chain_end(name_search *search) {
  const int32_t fork = arms_fork(search);
  int32_t first = -1, last = -1;
  for (uint32_t i = 0; fork >= 0 && i < search->tree->count; i++) {
    if (search->role[i] != WORD_SPINE_CHAIN || !node_is_above(search->tree, fork, (int32_t)i)) continue;
    if (first < 0) first = (int32_t)i;
    if (last < 0 || node_is_above(search->tree, last, (int32_t)i)) last = (int32_t)i;
  }
  if (last < 0) return;
  search->node_of_bone[HUMAN_HEAD] = last;
  if (first != last) search->node_of_bone[HUMAN_NECK] = first;
}

static void find_neck(name_search *search) {
  const int32_t head = search->node_of_bone[HUMAN_HEAD];
  if (head < 0) return;
  for (int32_t n = search->tree->skeleton->nodes[head].parent; n >= 0;
       n = search->tree->skeleton->nodes[n].parent)
    if (search->role[n] == HUMAN_NECK && below_hips(search, n)) search->node_of_bone[HUMAN_NECK] = n;
}

static void map_scheme(name_search *search, const name_scheme *scheme) {
  static const int centre[] = {HUMAN_HEAD, HUMAN_SPINE, HUMAN_CHEST, HUMAN_UPPER_CHEST, HUMAN_JAW};
  map_fault faults[MAP_FAULTS];
  give_roles(search, scheme);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) search->node_of_bone[bone] = -1;
  find_hips(search);
  for (size_t i = 0; i < sizeof centre / sizeof *centre; i++) find_bone(search, centre[i]);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (is_sided(bone)) find_bone(search, bone);
  widen_hips(search);
  find_trunk(search);
  find_neck(search);
  if (scheme->words[0].role == WORD_SPINE_CHAIN) find_spine_chain_end(search);
  const uint32_t count = map_leave_out_faults(search->tree, search->node_of_bone, faults);
  search->fault.node = -1;
  for (uint32_t i = count; i-- > 0;)
    if (human_bones[faults[i].bone].required) search->fault = faults[i];
}

/* ---- schemes ------------------------------------------------------------------------------------------- */

static char small(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins_with(const char *name, const char *prefix) {
  for (; *prefix; name++, prefix++)
    if (small(*name) != *prefix) return false;
  return true;
}

static bool has_base(const name_search *search, const char *base) {
  for (uint32_t i = 0; i < search->tree->count; i++)
    if (strcmp(search->words[i].base, base) == 0) return true;
  return false;
}

static bool scheme_applies(const name_search *search, const name_scheme *scheme) {
  uint32_t begun = 0, bones = 0;
  for (const char *const *need = scheme->need; need && *need; need++)
    if (!has_base(search, *need)) return false;
  if (!scheme->prefix) return true;
  for (uint32_t i = 0; i < search->tree->count; i++) {
    bones += search->tree->bone[i];
    begun += search->tree->bone[i] && begins_with(search->tree->skeleton->nodes[i].name, scheme->prefix);
  }
  return 2 * begun >= bones && begun > 0;
}

static uint32_t mapped_count(const int32_t *node_of_bone) {
  uint32_t count = 0;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) count += node_of_bone[bone] >= 0;
  return count;
}

static void try_scheme(name_search *search, const name_scheme *scheme, names_map *found, uint32_t *most) {
  if (!scheme_applies(search, scheme)) return;
  map_scheme(search, scheme);
  const uint32_t required = map_required_count(search->node_of_bone);
  const uint32_t value = required * HUMAN_BONE_COUNT + mapped_count(search->node_of_bone);
  if (value <= *most) return;
  *most = value;
  found->scheme = scheme->label;
  found->required = required;
  found->hips_inferred = search->hips_inferred;
  found->fault = search->fault;
  memcpy(found->node_of_bone, search->node_of_bone, sizeof found->node_of_bone);
}

/* Some exporters number all nodes: then four of five names or more end so, each in another number. */
static bool numbered_throughout(const skeleton *s, arena *memory, bool *failed) {
  uint32_t numbered = 0;
  unsigned long number;
  const uint32_t most = 2 * s->node_count + 64;
  bool *seen = arena_alloc(memory, most, sizeof *seen);
  *failed = !seen;
  for (uint32_t i = 0; seen && i < s->node_count; i++) {
    if (!name_last_number(s->nodes[i].name, &number) || number >= most) continue;
    if (seen[number]) return false;
    seen[number] = true;
    numbered++;
  }
  return s->node_count > 8 && 5 * (uint64_t)numbered >= 4 * (uint64_t)s->node_count;
}

/* ---- fingers ------------------------------------------------------------------------------------------- */

static bool may_be_finger(const map_search *search, int32_t node) {
  return search->tree.bone[node] || strcmp(search->skeleton->kind, "bvh") != 0;
}

static void find_hand_fingers(const map_search *search, const names_map *names, name_side side, int32_t hand,
                              int proximal, int32_t *node_of_bone) {
  finger fingers[FINGER_KINDS] = {{{0}, 0, false}};
  for (int32_t n = hand + 1; n < (int32_t)search->tree.count; n++) {
    const name_words *words = &names->words[n];
    bool metacarpal;
    if (words->helper || words->side != side || !may_be_finger(search, n)) continue;
    const int kind = name_finger(words->base, words->digits, &metacarpal);
    if (kind < 0 || !node_is_above(&search->tree, hand, n)) continue;
    finger *chain = &fingers[kind];
    if (chain->count == FINGER_JOINTS) continue;
    if (chain->count > 0 && !node_is_above(&search->tree, chain->joint[chain->count - 1], n)) continue;
    if (chain->count == 0) chain->metacarpal = metacarpal;
    chain->joint[chain->count++] = n;
  }
  for (int kind = 0; kind < FINGER_KINDS; kind++)
    finger_take(&search->tree, hand, &fingers[kind], kind == 0, proximal + 3 * kind, node_of_bone);
}

static void find_fingers(const map_search *search, names_map *names) {
  int32_t *node_of_bone = names->node_of_bone;
  const int32_t left = node_of_bone[HUMAN_LEFT_HAND], right = node_of_bone[HUMAN_RIGHT_HAND];
  if (left >= 0) find_hand_fingers(search, names, NAME_LEFT, left, HUMAN_LEFT_THUMB_PROXIMAL, node_of_bone);
  if (right >= 0)
    find_hand_fingers(search, names, NAME_RIGHT, right, HUMAN_RIGHT_THUMB_PROXIMAL, node_of_bone);
}

/* ---- all -------------------------------------------------------------------------------------------------
 */

bool names_find(map_search *search, names_map *found) {
  const skeleton *s = search->skeleton;
  bool failed;
  uint32_t most = 0;
  const bool numbered = numbered_throughout(s, search->memory, &failed);
  name_words *words = arena_alloc(search->memory, s->node_count, sizeof *words);
  name_search names = {.tree = &search->tree, .words = words};
  names.role = arena_alloc(search->memory, s->node_count, sizeof *names.role);
  names.roles_below = arena_alloc(search->memory, s->node_count, sizeof *names.roles_below);
  if (failed || !words || !names.role || !names.roles_below) return false;
  for (uint32_t i = 0; i < s->node_count; i++) words[i] = name_take_apart(s->nodes[i].name, numbered);
  *found = (names_map){.words = words, .fault.node = -1};
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) found->node_of_bone[bone] = -1;
  for (unsigned i = 0; i < name_scheme_count; i++) try_scheme(&names, &name_schemes[i], found, &most);
  find_fingers(search, found);
  return true;
}
