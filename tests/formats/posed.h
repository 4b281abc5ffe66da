/* A clip's poses and muscles, frame by frame, as the engine has them: what files of different formats are
 * compared by. */
#ifndef TESTS_FORMATS_POSED_H
#define TESTS_FORMATS_POSED_H

#include "stage/pose_block.h"

typedef struct posed {
  bake_plan plan;
  arena memory;
  pose_scratch scratch;
  pose_block pose;
  uint64_t block; /* the one that is computed; UINT64_MAX: none */
  double (*q)[4], (*t)[3],
      (*s)[3]; /* of nodes in the model, at the frame that is stood in: Unity's frame, metres */
  float rest[4];
} posed;

/* choice may be NULL. False where the plan is refused, for the reason in `error`. */
bool posed_open(const sinew_clip *clip, const sinew_rig *rig, const bake_choice *choice, posed *p,
                sinew_error *error);
void posed_close(posed *p);

/* Computes the block of a frame, which lies at `lane` of it. Fails the test where that fails. */
uint32_t posed_load(posed *p, uint64_t frame);
/* Sets q, t and s to a loaded frame's. */
void posed_stand(posed *p, uint32_t lane);
/* Rotations of nodes in the model where local ones are `local`, [node_count]. */
void posed_turn_model(const posed *p, const double (*local)[4], double (*model)[4]);

/* A value of a node's own rotation or translation; where it has no track, of its rest. */
float posed_turn(const posed *p, uint32_t node, int c, uint32_t lane);
float posed_place(const posed *p, uint32_t node, int c, uint32_t lane);
float posed_plane(const posed *p, int plane, uint32_t lane);

#endif
