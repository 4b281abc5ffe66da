/* Whether a pose is a stance, and which frame of a movement is most like one. */
#ifndef SINEW_STANCE_PLAUSIBLE_H
#define SINEW_STANCE_PLAUSIBLE_H

#include "stance/align.h"

/* NULL, or what keeps the pose from being a stance: "the left leg is folded". */
const char *stance_fault(const turned_body *body);
/* How near a pose is to a T-pose, limbs straight and in their directions: at most 1. */
double stance_score(const turned_body *body);

typedef struct motion_survey {
  bool measured;   /* some frame has a body's axes */
  double up[3];    /* on average from the feet to the head, snapped to the frame's axis that is nearest */
  double lean_deg; /* the average from that axis */
  double steady;   /* length of the average: 1 where all frames agree */
  double lowest;   /* along up: the lowest foot or toe joint of all frames */
  uint64_t best;   /* the frame nearest to a stance */
  double best_score;
} motion_survey;

/* Looks through a motion's frames: all of a short one, every n-th of one beyond some ten thousand joints, and
 * then all around the two frames that were found: the best and the lowest. */
void motion_look(turned_body *body, const motion *m, local_pose *pose, double (*matrix)[3][4],
                 motion_survey *survey);

#endif
