/* A body whose T-pose is exact, told in many ways: at rest in another pose, under nodes that scale and turn,
 * in other units and facings. */
#ifndef TESTS_STANCE_MADE_SKELETON_H
#define TESTS_STANCE_MADE_SKELETON_H

#include "clip/motion.h"

typedef struct made_body {
  const char *kind;      /* NULL: "gltf" */
  double unit;           /* the file's units per metre; 0: 1 */
  double face[4];        /* the whole body turned so in the file; all 0: not */
  double root_q[4];      /* of a node above the hips, which leaves the body where it is; all 0: not turned */
  double root_scale;     /* 0: 1 */
  double arms_deg;       /* both arms turned down */
  double elbows_deg;     /* and bent forward */
  double legs_deg;       /* both legs turned out */
  bool turned;           /* every node has axes of its own */
  bool sunk;             /* the hips at the origin */
  bool without_optional; /* no toes, shoulders, neck, chest, fingers */
} made_body;

/* Memory lives until the process ends. The bones stand in node_of_bone of the skeleton. */
skeleton *made_skeleton(const made_body *made);
/* A motion of one row per frame that holds the skeleton's own rest; channels of every node: Z, X, Y rotation,
 * the hips position too. */
motion *made_motion(const skeleton *s, uint64_t frames);

#endif
