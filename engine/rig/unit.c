#include "rig/compile.h"

#include <math.h>

/* Units that files are met in: metre, centimetre, inch, decimetre, millimetre, the CMU library's, foot. */
static const double candidates[] = {1, 0.01, 0.0254, 0.1, 0.001, 0.0564, 0.3048};
static const double usual_height_m = 1.7;

double rig_chain_height(const sinew_rig *rig, const rig_pose *pose) {
  static const int ends[] = {HUMAN_LEFT_FOOT, HUMAN_RIGHT_FOOT, HUMAN_LEFT_TOES, HUMAN_RIGHT_TOES};
  double lowest = INFINITY;
  for (int i = 0; i < 4; i++) {
    int32_t node = rig->node_of_bone[ends[i]];
    if (node >= 0) lowest = fmin(lowest, pose->t[node][1]);
  }
  return pose->t[rig->node_of_bone[HUMAN_HEAD]][1] - lowest;
}

double rig_infer_unit(double height) {
  if (height >= 0.5 && height <= 3) return 1;
  double best = 1;
  for (size_t i = 1; i < sizeof candidates / sizeof candidates[0]; i++)
    if (fabs(height * candidates[i] - usual_height_m) < fabs(height * best - usual_height_m))
      best = candidates[i];
  return best;
}
