#include "map/fingers.h"
#include "rig/quat.h"

enum { HAND_CHAINS = 12, HAND_STACK = 64 };

uint32_t finger_first(const node_tree *tree, int32_t hand, const finger *chain, bool thumb) {
  if (thumb || chain->count < 2) return 0;
  if (chain->metacarpal) return 1;
  if (chain->count < 4) return 0;
  const double to_wrist = node_distance(tree->place[chain->joint[0]], tree->place[hand]);
  return to_wrist < node_distance(tree->place[chain->joint[0]], tree->place[chain->joint[1]]) ? 1 : 0;
}

void finger_take(const node_tree *tree, int32_t hand, const finger *chain, bool thumb, int proximal,
                 int32_t *node_of_bone) {
  const uint32_t first = finger_first(tree, hand, chain, thumb);
  for (uint32_t i = 0; i < 3 && first + i < chain->count; i++)
    node_of_bone[proximal + (int)i] = chain->joint[first + i];
}

/* ---- without names ------------------------------------------------------------------------------------- */

typedef struct hand_chains {
  finger chain[HAND_CHAINS];
  uint32_t count;
  bool too_many;
} hand_chains;

static uint32_t bone_children(const node_tree *tree, int32_t node) {
  uint32_t count = 0;
  for (int32_t c = tree->first_child[node]; c >= 0; c = tree->next_sibling[c]) count += tree->bone[c];
  return count;
}

static void take_chain(const node_tree *tree, int32_t node, hand_chains *hand) {
  finger chain = {.count = 0};
  for (; node >= 0 && chain.count < FINGER_JOINTS; node = node_main_child(tree, node))
    chain.joint[chain.count++] = node;
  if (chain.count < 2) return;
  if (hand->count == HAND_CHAINS)
    hand->too_many = true;
  else
    hand->chain[hand->count++] = chain;
}

/* A chain begins behind the last joint that leads more than one way. */
static void gather(const node_tree *tree, int32_t hand_node, hand_chains *hand) {
  int32_t stack[HAND_STACK], begin[HAND_STACK];
  uint32_t depth = 0;
  stack[depth] = hand_node, begin[depth++] = -1;
  while (depth > 0) {
    const int32_t node = stack[--depth], from = begin[depth];
    const uint32_t ways = bone_children(tree, node);
    if (ways == 0 && from >= 0) take_chain(tree, from, hand);
    for (int32_t c = tree->first_child[node]; c >= 0; c = tree->next_sibling[c]) {
      if (!tree->bone[c]) continue;
      if (depth == HAND_STACK) {
        hand->too_many = true;
        return;
      }
      stack[depth] = c, begin[depth++] = ways == 1 && from >= 0 ? from : c;
    }
  }
}

static int32_t base_of(const node_tree *tree, int32_t wrist, const finger *chain) {
  return chain->joint[finger_first(tree, wrist, chain, false)];
}

/* The thumb, which begins nearest to the wrist, goes first. */
static void put_thumb_first(const node_tree *tree, const double (*place)[3], int32_t wrist,
                            hand_chains *hand) {
  uint32_t thumb = 0;
  double nearest = 0;
  for (uint32_t i = 0; i < hand->count; i++) {
    const double far = node_distance(place[base_of(tree, wrist, &hand->chain[i])], place[wrist]);
    if (i > 0 && !(far < nearest)) continue;
    nearest = far;
    thumb = i;
  }
  const finger chain = hand->chain[thumb];
  hand->chain[thumb] = hand->chain[0];
  hand->chain[0] = chain;
}

/* From the first to the last, at right angles to the way from the wrist to their middle. */
static void across_palm(const double first[3], const double last[3], const double wrist[3], double middle[3],
                        double across[3]) {
  double out[3];
  for (int k = 0; k < 3; k++) {
    middle[k] = 0.5 * (first[k] + last[k]);
    out[k] = middle[k] - wrist[k];
    across[k] = last[k] - first[k];
  }
  vec_normalise(out);
  const double along = vec_dot(across, out);
  for (int k = 0; k < 3; k++) across[k] -= along * out[k];
}

/* How far the thumb lies along a line from its middle. */
static double thumb_side(const double (*place)[3], const finger *thumb, const double middle[3],
                         const double across[3]) {
  const double *base = place[thumb->joint[0]], *tip = place[thumb->joint[thumb->count - 1]];
  return vec_dot(base, across) + vec_dot(tip, across) - 2 * vec_dot(middle, across);
}

/* The others by how far across the palm they begin: along the line between the two of them that are farthest
 * apart, from the side where the thumb is. */
static void order_across(const node_tree *tree, const double (*place)[3], int32_t wrist, hand_chains *hand) {
  double widest = -1, along[HAND_CHAINS], middle[3] = {0, 0, 0}, across[3] = {0, 0, 0};
  for (uint32_t a = 1; a < hand->count; a++)
    for (uint32_t b = a + 1; b < hand->count; b++) {
      const double *first = place[base_of(tree, wrist, &hand->chain[a])];
      const double *last = place[base_of(tree, wrist, &hand->chain[b])];
      const double apart = node_distance(first, last);
      if (!(apart > widest)) continue;
      widest = apart;
      across_palm(first, last, place[wrist], middle, across);
    }
  const double sign = thumb_side(place, &hand->chain[0], middle, across) > 0 ? -1 : 1;
  for (uint32_t i = 1; i < hand->count; i++)
    along[i] = sign * vec_dot(place[base_of(tree, wrist, &hand->chain[i])], across);
  for (uint32_t i = 2; i < hand->count; i++)
    for (uint32_t k = i; k > 1 && along[k] < along[k - 1]; k--) {
      const finger chain = hand->chain[k];
      const double value = along[k];
      hand->chain[k] = hand->chain[k - 1], along[k] = along[k - 1];
      hand->chain[k - 1] = chain, along[k - 1] = value;
    }
}

static void take_hand(const node_tree *tree, const double (*place)[3], int32_t wrist, int proximal,
                      int32_t *node_of_bone) {
  hand_chains hand = {.count = 0};
  gather(tree, wrist, &hand);
  if (hand.too_many || hand.count < 2 || hand.count > FINGER_KINDS) return;
  put_thumb_first(tree, place, wrist, &hand);
  order_across(tree, place, wrist, &hand);
  for (uint32_t i = 0; i < hand.count; i++)
    finger_take(tree, wrist, &hand.chain[i], i == 0, proximal + 3 * (int)i, node_of_bone);
}

static bool has_fingers(const int32_t *node_of_bone, int proximal) {
  for (int i = 0; i < 3 * FINGER_KINDS; i++)
    if (node_of_bone[proximal + i] >= 0) return true;
  return false;
}

void fingers_by_structure(const node_tree *tree, const double (*place)[3], int32_t *node_of_bone) {
  static const int hands[] = {HUMAN_LEFT_HAND, HUMAN_RIGHT_HAND};
  static const int fingers[] = {HUMAN_LEFT_THUMB_PROXIMAL, HUMAN_RIGHT_THUMB_PROXIMAL};
  for (int i = 0; i < 2; i++)
    if (node_of_bone[hands[i]] >= 0 && !has_fingers(node_of_bone, fingers[i]))
      take_hand(tree, place, node_of_bone[hands[i]], fingers[i], node_of_bone);
}
