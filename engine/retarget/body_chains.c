#include "retarget/body_chains.h"

#include <math.h>
#include <string.h>

/* Joints of a group, as the three of a robot's hip, stand within this share of the way to the next bone. */
static const double group_share = 0.25;

static int32_t node_of(const body_tree *body, int bone) {
  return body->node_of_bone[bone];
}

static bool is_below(const body_tree *body, int32_t node, int32_t above) {
  while (node >= 0 && node != above) node = body->parent[node];
  return node >= 0;
}

/* The last bone of the trunk: what neck and shoulders hang from. */
static int trunk_end(const body_tree *body) {
  if (node_of(body, HUMAN_UPPER_CHEST) >= 0) return HUMAN_UPPER_CHEST;
  return node_of(body, HUMAN_CHEST) >= 0 ? HUMAN_CHEST : HUMAN_SPINE;
}

static int bone_at(const body_tree *body, int32_t node) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (node_of(body, bone) == node) return bone;
  return -1;
}

/* The nodes from below `above` down to `last`, which lies below it. */
static bool take_path(const body_tree *body, int32_t above, int32_t last, arena *memory, body_chain *chain) {
  uint32_t count = 0;
  for (int32_t node = last; node != above; node = body->parent[node]) count++;
  chain->stations = arena_alloc(memory, count, sizeof *chain->stations);
  if (!chain->stations) return false;
  chain->station_count = chain->turning = count;
  chain->from = above;
  chain->to = -1;
  for (int32_t node = last; node != above; node = body->parent[node])
    chain->stations[--count] = (chain_station){.node = (uint32_t)node, .bone = bone_at(body, node)};
  return true;
}

static void set_shares(body_chain *chain, uint32_t parts) {
  for (uint32_t i = 0; i < chain->station_count; i++)
    chain->stations[i].share = i + 1 < parts ? (double)(i + 1) / parts : 1;
}

static bool find_trunk(const body_tree *body, body_chains *chains) {
  body_chain *chain = &chains->chain[CHAIN_TRUNK];
  if (!take_path(body, node_of(body, HUMAN_HIPS), node_of(body, trunk_end(body)), &chains->memory, chain))
    return false;
  set_shares(chain, chain->station_count);
  return true;
}

/* Between the trunk and the head; a body without a neck has none. Its end is the head itself. */
static bool find_neck(const body_tree *body, body_chains *chains) {
  body_chain *chain = &chains->chain[CHAIN_NECK];
  const int32_t trunk = node_of(body, trunk_end(body)), head = node_of(body, HUMAN_HEAD);
  const int32_t last = body->parent[head];
  if (!is_below(body, head, trunk)) return true;
  if (!take_path(body, trunk, last, &chains->memory, chain)) return false;
  chain->to = head;
  set_shares(chain, chain->station_count + 1);
  return true;
}

/* The mapped bone that a limb's bone points to, -1: none. */
static int next_bone(int bone) {
  const bool leg = bone >= HUMAN_LEFT_UPPER_LEG && bone <= HUMAN_RIGHT_LOWER_LEG;
  const bool arm = bone >= HUMAN_LEFT_SHOULDER && bone <= HUMAN_RIGHT_LOWER_ARM;
  if (leg || arm) return bone + 2; /* left and right alternate */
  if (bone == HUMAN_LEFT_FOOT || bone == HUMAN_RIGHT_FOOT) return bone - HUMAN_LEFT_FOOT + HUMAN_LEFT_TOES;
  const bool finger = bone >= HUMAN_LEFT_THUMB_PROXIMAL && bone < HUMAN_UPPER_CHEST;
  return finger && (bone - HUMAN_LEFT_THUMB_PROXIMAL) % 3 < 2 ? bone + 1 : -1;
}

static double distance(const double a[3], const double b[3]) {
  double square = 0;
  for (int c = 0; c < 3; c++) square += (a[c] - b[c]) * (a[c] - b[c]);
  return sqrt(square);
}

static int32_t nearest_bone_above(const body_tree *body, int32_t node) {
  do node = body->parent[node];
  while (node >= 0 && bone_at(body, node) < 0);
  return node;
}

/* A bone's own node, and those on the way to the next bone. Only where they stand close to the first do they
 * share its turn: a twist joint half way down a limb would bend it. */
static bool find_limb(const body_tree *body, int bone, body_chains *chains) {
  body_chain *chain = &chains->chain[bone];
  const int32_t node = node_of(body, bone), above = nearest_bone_above(body, node);
  const int next = next_bone(bone);
  const int32_t below = next >= 0 ? node_of(body, next) : -1;
  const int32_t last = below >= 0 && is_below(body, below, node) ? body->parent[below] : node;
  if (!take_path(body, body->parent[node], last, &chains->memory, chain)) return false;
  chain->from = above;
  chain->turning = 1;
  const double *place = body->place[node];
  const double reach = below >= 0 ? group_share * distance(body->place[below], place) : 0;
  while (chain->turning < chain->station_count &&
         distance(body->place[chain->stations[chain->turning].node], place) < reach)
    chain->turning++;
  set_shares(chain, chain->turning);
  return true;
}

static bool is_limb(int bone) {
  return bone != HUMAN_HIPS && bone != HUMAN_HEAD && bone != HUMAN_SPINE && bone != HUMAN_CHEST &&
         bone != HUMAN_UPPER_CHEST && bone != HUMAN_NECK;
}

static int next_bone_of(const body_chain *chain, uint32_t *station) {
  while (*station < chain->turning && chain->stations[*station].bone < 0) ++*station;
  return *station < chain->turning ? chain->stations[(*station)++].bone : -1;
}

bool chain_has_bones_of(const body_chain *a, const body_chain *b) {
  uint32_t at_a = 0, at_b = 0;
  int bone_a, bone_b;
  do {
    bone_a = next_bone_of(a, &at_a);
    bone_b = next_bone_of(b, &at_b);
    if (bone_a != bone_b) return false;
  } while (bone_a >= 0);
  return true;
}

bool body_chains_find(const body_tree *body, body_chains *chains) {
  memset(chains, 0, sizeof *chains);
  bool done = find_trunk(body, chains) && find_neck(body, chains);
  for (int bone = 0; bone < HUMAN_BONE_COUNT && done; bone++)
    if (is_limb(bone) && node_of(body, bone) >= 0) done = find_limb(body, bone, chains);
  if (!done) body_chains_release(chains);
  return done;
}

void body_chains_release(body_chains *chains) {
  arena_release(&chains->memory);
  memset(chains, 0, sizeof *chains);
}
