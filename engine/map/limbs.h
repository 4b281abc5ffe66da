/* Limbs by length alone: which three joints of a chain are a thigh, a shin and a foot, or an upper arm, a
 * lower arm and a hand, whatever else stands in the chain. */
#ifndef SINEW_MAP_LIMBS_H
#define SINEW_MAP_LIMBS_H

#include "map/node_tree.h"

typedef enum limb_kind { LIMB_LEG, LIMB_ARM } limb_kind;

enum { LIMB_CHAIN = 14 };

/* The way down from a child of the trunk; joints that coincide are one, which the first stands for. */
typedef struct limb_chain {
  int32_t node[LIMB_CHAIN];
  double from_above[LIMB_CHAIN]; /* distance from the one before */
  uint32_t count;
} limb_chain;

typedef struct limb {
  int32_t before; /* the joint between the trunk and the first: a clavicle; -1 */
  int32_t joint[3];
  int32_t after;    /* toes; -1 */
  double length[2]; /* of the upper and the lower part */
  double score;     /* 0: no limb */
} limb;

void limb_chain_from(const node_tree *tree, int32_t child, limb_chain *chain);
/* The same three joints of two chains, which are twins as far as they are alike. apart: how far one begins
 * from the other. False: there are none. */
bool limbs_find(const node_tree *tree, const limb_chain twins[2], double apart, limb_kind kind,
                limb found[2]);

#endif
