/* What two bodies have in common bone by bone, and where they differ in number: a trunk of one spine bone or
 * five, a neck of one bone or two, a hip of one joint or three that turn about an axis each. Such a chain is
 * a row of stations with shares from 0 (what the chain hangs from) to 1 (its end), and two chains are
 * compared by their shares. */
#ifndef SINEW_RETARGET_BODY_CHAINS_H
#define SINEW_RETARGET_BODY_CHAINS_H

#include "base/arena.h"
#include "rig/human.h"

/* A hierarchy with its human bones, standing in T-pose. */
typedef struct body_tree {
  uint32_t node_count;
  const int32_t *parent;    /* [node_count] parents first, -1: a root */
  const double (*place)[3]; /* [node_count] in T-pose, any frame and unit */
  const int32_t *node_of_bone;
} body_tree;

/* Trunk, neck and one for each other bone but the hips and the head. */
enum { CHAIN_TRUNK = HUMAN_SPINE, CHAIN_NECK = HUMAN_NECK, CHAIN_COUNT = HUMAN_BONE_COUNT };

typedef struct chain_station {
  uint32_t node;
  int bone;     /* that the node is, -1: none */
  double share; /* above 0, at most 1 */
} chain_station;

typedef struct body_chain {
  uint32_t station_count; /* 0: the body has none such */
  chain_station *stations;
  uint32_t turning; /* of them from the first on: these share a turn; those behind it keep to them */
  int32_t from;     /* node that share 0 stands for; meaningful where there are stations, or `to` is a node */
  int32_t to;       /* node that share 1 stands for where it is no station: the head of the neck; -1: none */
} body_chain;

typedef struct body_chains {
  arena memory;
  body_chain chain[CHAIN_COUNT]; /* by the bone it is named after */
} body_chains;

/* Whether two chains have the same bones: then these are compared one by one, and only what stands between
 * them by its share. */
bool chain_has_bones_of(const body_chain *a, const body_chain *b);

/* false when out of memory. */
bool body_chains_find(const body_tree *body, body_chains *chains);
void body_chains_release(body_chains *chains);

#endif
