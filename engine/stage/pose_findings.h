/* What a clip's blocks tell of themselves while they are computed. All 0: nothing yet; merged in any order.
 */
#ifndef SINEW_STAGE_POSE_FINDINGS_H
#define SINEW_STAGE_POSE_FINDINGS_H

#include "retarget/muscle_limits.h"
#include "retarget/turn_loss.h"

typedef struct pose_findings {
  turn_loss loss; /* of bones as muscles hold them */
  limit_findings limits;
} pose_findings;

static inline void pose_findings_merge(pose_findings *all, const pose_findings *some) {
  turn_loss_merge(&all->loss, &some->loss);
  limit_findings_merge(&all->limits, &some->limits);
}

#endif
