/* Every choice of three joints gets a number, the highest wins: the limb's length, times how alike its two
 * parts are, times what speaks against it. */
#include "map/limbs.h"
#include "rig/quat.h"

static const double skip_straight = 0.65, skip_bent = 0.5; /* for a joint passed over within a part */
static const double straight = 0.99;                       /* cosine */
static const double alike = 0.75;                          /* of the longer, for parts of twins */
static const double late = 0.9;                            /* for a joint that is in no limb's model */
static const double longest_end = 1.3;                     /* hand or foot to the lower part */
static const double apart_of_part[] = {[LIMB_LEG] = 0.12, [LIMB_ARM] = 0.6};
static const uint32_t joints_before[] = {[LIMB_LEG] = 0, [LIMB_ARM] = 1};

void limb_chain_from(const node_tree *tree, int32_t child, limb_chain *chain) {
  chain->count = 0;
  double from_above = tree->length[child];
  for (int32_t n = child; n >= 0; n = node_main_child(tree, n)) {
    if (n != child && tree->length[n] <= tree->near) continue;
    if (chain->count == LIMB_CHAIN) break;
    from_above = tree->length[n];
    chain->from_above[chain->count] = from_above;
    chain->node[chain->count++] = n;
  }
}

static bool is_straight(const node_tree *tree, int32_t a, int32_t b, int32_t c) {
  double into[3], out[3];
  for (int k = 0; k < 3; k++) {
    into[k] = tree->place[b][k] - tree->place[a][k];
    out[k] = tree->place[c][k] - tree->place[b][k];
  }
  vec_normalise(into), vec_normalise(out);
  return vec_dot(into, out) > straight;
}

typedef struct part {
  double length;
  double trust;
} part;

/* The way from joint `first` of the chain to joint `last`. */
static part part_of(const node_tree *tree, const limb_chain *chain, uint32_t first, uint32_t last) {
  part p = {0, 1};
  for (uint32_t i = first + 1; i <= last; i++) {
    p.length += chain->from_above[i];
    if (i == last) break;
    p.trust *=
        is_straight(tree, chain->node[i - 1], chain->node[i], chain->node[i + 1]) ? skip_straight : skip_bent;
  }
  return p;
}

static double score_of(const node_tree *tree, const limb_chain *chain, double apart, limb_kind kind,
                       const uint32_t at[3], double length[2]) {
  const part upper = part_of(tree, chain, at[0], at[1]), lower = part_of(tree, chain, at[1], at[2]);
  length[0] = upper.length, length[1] = lower.length;
  if (!(upper.length > 0) || !(lower.length > 0)) return 0;
  const double ratio =
      upper.length < lower.length ? upper.length / lower.length : lower.length / upper.length;
  double score = (upper.length + lower.length) * ratio * upper.trust * lower.trust;
  if (at[0] == 0) {
    const double wanted = apart_of_part[kind] * upper.length;
    if (apart <= tree->near) return 0;
    if (apart < wanted) score *= apart / wanted;
  }
  for (uint32_t i = joints_before[kind]; i < at[0]; i++) score *= late;
  const double end = tree->reach[chain->node[at[2]]];
  if (end > longest_end * lower.length) score *= longest_end * lower.length / end;
  return score;
}

static bool are_alike(double a, double b) {
  return a < b ? a >= alike * b : b >= alike * a;
}

static limb limb_at(const limb_chain *chain, const uint32_t at[3], limb_kind kind, const double length[2],
                    double score) {
  limb made = {.before = -1, .after = -1, .length = {length[0], length[1]}, .score = score};
  for (int i = 0; i < 3; i++) made.joint[i] = chain->node[at[i]];
  if (kind == LIMB_ARM && at[0] > 0) made.before = chain->node[0];
  if (at[2] + 1 < chain->count) made.after = chain->node[at[2] + 1];
  return made;
}

static void try_limbs(const node_tree *tree, const limb_chain twins[2], double apart, limb_kind kind,
                      const uint32_t at[3], limb found[2]) {
  double length[2][2], score[2];
  for (int i = 0; i < 2; i++) score[i] = score_of(tree, &twins[i], apart, kind, at, length[i]);
  if (!(score[0] > 0) || !(score[1] > 0) || !(score[0] + score[1] > found[0].score + found[1].score)) return;
  if (!are_alike(length[0][0], length[1][0]) || !are_alike(length[0][1], length[1][1])) return;
  for (int i = 0; i < 2; i++) found[i] = limb_at(&twins[i], at, kind, length[i], score[i]);
}

bool limbs_find(const node_tree *tree, const limb_chain twins[2], double apart, limb_kind kind,
                limb found[2]) {
  const uint32_t count = twins[0].count < twins[1].count ? twins[0].count : twins[1].count;
  uint32_t at[3];
  found[0].score = found[1].score = 0;
  for (at[0] = 0; at[0] + 2 < count; at[0]++)
    for (at[1] = at[0] + 1; at[1] + 1 < count; at[1]++)
      for (at[2] = at[1] + 1; at[2] < count; at[2]++) try_limbs(tree, twins, apart, kind, at, found);
  return found[0].score > 0;
}
