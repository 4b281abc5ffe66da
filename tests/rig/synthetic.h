/* A made-up body of 55 bones that can be described in many ways: other node axes, nodes in between, a turned
 * and scaled root. Whatever the description, the bones stand in the same places, so a compiler must make the
 * same body of it. */
#ifndef TESTS_RIG_SYNTHETIC_H
#define TESTS_RIG_SYNTHETIC_H

#include "rig/rig.h"

typedef struct synthetic_options {
  bool missing[HUMAN_BONE_COUNT];  /* the node is not there; what hangs from it hangs from the bone above */
  bool unmapped[HUMAN_BONE_COUNT]; /* the node is there, the mapping is not */
  bool turned;                     /* each node has its own random axes */
  bool between;      /* before each bone a node of its own axes (as turned says) stands half way */
  double root_q[4];  /* the model's root node; all zero: unturned */
  double root_scale; /* 0: 1 */
  double file_scale; /* the file's units per metre; 0: 1 */
  bool asymmetric;   /* moves every bone by up to 1.5 cm */
  unsigned seed;
} synthetic_options;

/* Memory lives until the process ends. options may be NULL. */
rig_description *synthetic_rig(const synthetic_options *options);
/* The bone's place in root space, metres, and -1..1 of a small generator for tests. */
void synthetic_place(const synthetic_options *options, int bone, double place[3]);
double synthetic_random(unsigned *state);
void synthetic_random_rotation(unsigned *state, double q[4]);

int32_t synthetic_node(const rig_description *description, const char *name);

#endif
