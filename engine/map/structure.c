/* Two pairs of twin limbs are looked for: legs at a joint, arms at one further up the trunk, with something
 * above them for a head. Lengths and topology find them, so the pose does not matter; a pose is asked which
 * way is up, which twin is left and whether the body stands on two legs at all. */
#include "map/structure.h"
#include "map/limbs.h"
#include "rig/quat.h"

#include <string.h>

enum { TWIN_CHILDREN = 24, TWINS = 64, HEAD_CHAIN = 16, LONG_TRUNK = 256 };

static const double least_leg = 0.25, least_arm = 0.12; /* of the way from the hips to what is farthest */
static const double least_arm_to_leg = 0.25, most_arm_to_leg = 1.7;
static const double pelvis_apart = 0.8; /* for legs that hang from a joint of their own below the hips */
static const double most_neck = 0.3, most_neck_to_end = 0.2, most_neck_alone = 0.35; /* of the leg's length */
static const double least_upright = 0.5;

typedef struct twins {
  int32_t fork;
  limb side[2];
  int32_t child[2];
  double score;
} twins;

typedef struct twin_list {
  twins best[TWINS]; /* the highest score first */
  uint32_t count;
} twin_list;

typedef struct twin_search {
  const node_tree *tree;
  twin_list list[2]; /* of limb_kind */
  int32_t child[TWIN_CHILDREN];
  limb_chain chain[TWIN_CHILDREN];
  uint32_t child_count;
} twin_search;

int human_other_side(int left_bone) {
  return left_bone >= HUMAN_LEFT_THUMB_PROXIMAL
             ? left_bone + HUMAN_RIGHT_THUMB_PROXIMAL - HUMAN_LEFT_THUMB_PROXIMAL
             : left_bone + 1;
}

/* ---- twins -------------------------------------------------------------------------------------------- */

static void keep(twin_list *list, const twins *found) {
  if (list->count == TWINS && !(found->score > list->best[TWINS - 1].score)) return;
  uint32_t at = list->count < TWINS ? list->count++ : TWINS - 1;
  for (; at > 0 && found->score > list->best[at - 1].score; at--) list->best[at] = list->best[at - 1];
  list->best[at] = *found;
}

static void try_twins(twin_search *search, int32_t fork, uint32_t a, uint32_t b, limb_kind kind) {
  const node_tree *tree = search->tree;
  const double apart = node_distance(tree->place[search->child[a]], tree->place[search->child[b]]);
  const limb_chain chains[2] = {search->chain[a], search->chain[b]};
  twins found = {.fork = fork, .child = {search->child[a], search->child[b]}};
  if (!limbs_find(tree, chains, apart, kind, found.side)) return;
  found.score = 0.5 * (found.side[0].score + found.side[1].score);
  keep(&search->list[kind], &found);
}

/* Of many children those that reach farthest. */
static void take_child(twin_search *search, int32_t child) {
  uint32_t at = search->child_count;
  if (at == TWIN_CHILDREN) {
    at = 0;
    for (uint32_t i = 1; i < TWIN_CHILDREN; i++)
      if (search->tree->reach[search->child[i]] < search->tree->reach[search->child[at]]) at = i;
    if (!(search->tree->reach[child] > search->tree->reach[search->child[at]])) return;
  } else {
    search->child_count++;
  }
  search->child[at] = child;
  limb_chain_from(search->tree, child, &search->chain[at]);
}

static void search_fork(twin_search *search, int32_t fork) {
  const node_tree *tree = search->tree;
  search->child_count = 0;
  for (int32_t c = tree->first_child[fork]; c >= 0; c = tree->next_sibling[c])
    if (tree->bone[c] && tree->weight[c] >= 3) take_child(search, c);
  for (uint32_t a = 0; a < search->child_count; a++)
    for (uint32_t b = a + 1; b < search->child_count; b++) {
      try_twins(search, fork, a, b, LIMB_LEG);
      try_twins(search, fork, a, b, LIMB_ARM);
    }
}

/* ---- legs and arms ------------------------------------------------------------------------------------- */

typedef struct limb_choice {
  const twins *legs, *arms;
  int32_t hips;
  double score;
} limb_choice;

static bool within(const node_tree *tree, const twins *pair, int32_t node) {
  for (int i = 0; i < 2; i++)
    if (pair->child[i] == node || node_is_above(tree, pair->child[i], node)) return true;
  return false;
}

static bool has_more(const node_tree *tree, const twins *arms) {
  for (int32_t c = tree->first_child[arms->fork]; c >= 0; c = tree->next_sibling[c])
    if (tree->bone[c] && c != arms->child[0] && c != arms->child[1]) return true;
  return false;
}

static double length_of(const twins *pair) {
  return 0.5 * (pair->side[0].length[0] + pair->side[0].length[1] + pair->side[1].length[0] +
                pair->side[1].length[1]);
}

static void try_choice(const node_tree *tree, const twins *legs, const twins *arms, limb_choice *best) {
  double score = legs->score + arms->score;
  if (!(score > best->score) || within(tree, legs, arms->fork) || within(tree, arms, legs->fork)) return;
  const int32_t hips = node_common(tree, legs->fork, arms->fork);
  if (hips < 0 || hips == arms->fork || tree->depth[legs->fork] - tree->depth[hips] > 2) return;
  if (tree->depth[arms->fork] - tree->depth[hips] > LONG_TRUNK || !has_more(tree, arms)) return;
  if (legs->fork != hips) score *= pelvis_apart;
  const double leg = length_of(legs), arm = length_of(arms), reach = tree->reach[hips];
  if (leg < least_leg * reach || arm < least_arm * reach) return;
  if (arm < least_arm_to_leg * leg || arm > most_arm_to_leg * leg || !(score > best->score)) return;
  *best = (limb_choice){legs, arms, hips, score};
}

static limb_choice choose(const twin_search *search) {
  limb_choice best = {.score = 0};
  const twin_list *legs = &search->list[LIMB_LEG], *arms = &search->list[LIMB_ARM];
  for (uint32_t l = 0; l < legs->count; l++)
    for (uint32_t a = 0; a < arms->count; a++)
      try_choice(search->tree, &legs->best[l], &arms->best[a], &best);
  return best;
}

/* ---- neck and head ------------------------------------------------------------------------------------- */

/* The child of the arms' fork whose subtree stands highest. */
static int32_t child_above(map_search *search, const limb_choice *choice) {
  const node_tree *tree = &search->tree;
  const int32_t fork = choice->arms->fork;
  double up[3], highest = 0;
  int32_t best = -1;
  for (int k = 0; k < 3; k++) up[k] = search->place[fork][k] - search->place[choice->hips][k];
  for (int32_t n = fork + 1; n < (int32_t)tree->count; n++) {
    if (!node_is_above(tree, fork, n)) continue;
    int32_t child = n;
    while (tree->skeleton->nodes[child].parent != fork) child = tree->skeleton->nodes[child].parent;
    if (!tree->bone[child] || child == choice->arms->child[0] || child == choice->arms->child[1]) continue;
    const double height = vec_dot(search->place[n], up);
    if (best >= 0 && !(height > highest)) continue;
    best = child;
    highest = height;
  }
  return best;
}

static uint32_t ways_on(const node_tree *tree, int32_t node) {
  uint32_t count = 0;
  for (int32_t c = tree->first_child[node]; c >= 0; c = tree->next_sibling[c])
    count += tree->bone[c] && (tree->length[c] > tree->near || tree->weight[c] > 1);
  return count;
}

/* The chain goes on to the head, which is where the face's joints or the hair begin; of a chain without any,
 * the last joint that is not too far from the neck's first for a neck. */
static void find_head(const node_tree *tree, int32_t first, double leg, int32_t *node_of_bone) {
  int32_t chain[HEAD_CHAIN];
  uint32_t count = 0;
  bool forked = false;
  for (int32_t n = first; n >= 0 && count < HEAD_CHAIN && !forked; n = node_main_child(tree, n)) {
    chain[count++] = n;
    forked = ways_on(tree, n) > 1 && (count > 1 || ways_on(tree, node_main_child(tree, n)) < 2);
  }
  if (count == 0) return;
  uint32_t head = count - 1;
  double far = 0;
  const uint32_t begin = tree->length[chain[0]] <= tree->near ? 2 : 1; /* a neck that begins in the fork */
  for (uint32_t i = begin; i <= head; i++) far += tree->length[chain[i]];
  while (!forked && head > 0) {
    const bool ends = tree->reach[chain[head]] <= tree->near;
    const double most = head == 1 ? most_neck_alone : ends ? most_neck_to_end : most_neck;
    if (far <= most * leg) break;
    far -= head >= begin ? tree->length[chain[head]] : 0;
    head--;
  }
  node_of_bone[HUMAN_HEAD] = chain[head];
  if (head > 0) node_of_bone[HUMAN_NECK] = chain[0];
}

/* ---- the map ------------------------------------------------------------------------------------------- */

void trunk_by_rule(const int32_t *joints, uint32_t count, int32_t *node_of_bone) {
  if (count >= 1) node_of_bone[HUMAN_SPINE] = joints[0];
  if (count == 2) node_of_bone[HUMAN_CHEST] = joints[1];
  if (count >= 3) node_of_bone[HUMAN_CHEST] = joints[count / 2];
  if (count >= 3) node_of_bone[HUMAN_UPPER_CHEST] = joints[count - 1];
}

static void find_trunk(const node_tree *tree, const limb_choice *choice, int32_t *node_of_bone) {
  int32_t joints[LONG_TRUNK];
  uint32_t count = 0;
  for (int32_t n = choice->arms->fork; n != choice->hips && count < LONG_TRUNK;
       n = tree->skeleton->nodes[n].parent)
    joints[count++] = n;
  for (uint32_t i = 0; i < count / 2; i++) {
    const int32_t other = joints[i];
    joints[i] = joints[count - 1 - i];
    joints[count - 1 - i] = other;
  }
  trunk_by_rule(joints, count, node_of_bone);
}

static void take_limbs(const limb_choice *choice, const body_sides *sides, int32_t *node_of_bone) {
  static const int leg_bones[] = {HUMAN_LEFT_UPPER_LEG, HUMAN_LEFT_LOWER_LEG, HUMAN_LEFT_FOOT,
                                  HUMAN_LEFT_TOES};
  static const int arm_bones[] = {HUMAN_LEFT_UPPER_ARM, HUMAN_LEFT_LOWER_ARM, HUMAN_LEFT_HAND,
                                  HUMAN_LEFT_SHOULDER};
  for (int side = 0; side < 2; side++) {
    const bool leg_right = (side == 0) != (sides->leg_left > 0),
               arm_right = (side == 0) != (sides->arm_left > 0);
    const limb *leg = &choice->legs->side[side], *arm = &choice->arms->side[side];
    for (int i = 0; i < 4; i++) {
      node_of_bone[leg_bones[i] + leg_right] = i < 3 ? leg->joint[i] : leg->after;
      node_of_bone[arm_bones[i] + arm_right] = i < 3 ? arm->joint[i] : arm->before;
    }
  }
}

static limb_pairs pairs_of(const limb_choice *choice) {
  limb_pairs pairs = {.hips = choice->hips};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      pairs.leg[side][i] = choice->legs->side[side].joint[i];
      pairs.arm[side][i] = choice->arms->side[side].joint[i];
    }
  return pairs;
}

static void take_choice(map_search *search, const limb_choice *choice, structure_map *found) {
  const limb_pairs pairs = pairs_of(choice);
  bool frame;
  found->sides = body_sides_measure(&search->tree, &search->places, &pairs, search->place);
  found->four_legged = found->sides.four_legged || found->sides.upright < least_upright;
  found->found = !found->four_legged;
  node_places_at(&search->places, found->sides.best_pose, search->place, &frame);
  found->node_of_bone[HUMAN_HIPS] = choice->hips;
  take_limbs(choice, &found->sides, found->node_of_bone);
  find_trunk(&search->tree, choice, found->node_of_bone);
  find_head(&search->tree, child_above(search, choice), length_of(choice->legs), found->node_of_bone);
}

bool structure_find(map_search *search, structure_map *found) {
  *found = (structure_map){0};
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) found->node_of_bone[bone] = -1;
  twin_search *twin = arena_alloc(search->memory, 1, sizeof *twin);
  if (!twin) return false;
  twin->tree = &search->tree;
  for (uint32_t i = 0; i < search->tree.count; i++)
    if (search->tree.bone[i] && search->tree.weight[i] > 6) search_fork(twin, (int32_t)i);
  const limb_choice choice = choose(twin);
  if (choice.score > 0) take_choice(search, &choice, found);
  return true;
}
