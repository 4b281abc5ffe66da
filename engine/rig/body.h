/* The body as a whole: its frame from four origins. The centre of mass is a weighted sum, rig_com_weights. */
#ifndef SINEW_RIG_BODY_H
#define SINEW_RIG_BODY_H

#include <stdbool.h>

/* The body frame of a pose whose hips have their T-pose rotation (root space); left before right. y is along
 * the trunk; x and z are not renormalised, as in the reference. false, and the identity, where there is none:
 * legs on arms, a pose that faces away by a half turn. */
bool body_frame(double upper_leg[2][3], double upper_arm[2][3], double frame[4]);

#endif
