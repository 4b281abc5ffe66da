/* What a clip's blocks tell of themselves while they are computed. Merged in any order. */
#ifndef SINEW_STAGE_POSE_FINDINGS_H
#define SINEW_STAGE_POSE_FINDINGS_H

typedef struct pose_findings {
  int unused;
} pose_findings;

static inline void pose_findings_clear(pose_findings *found) {
  *found = (pose_findings){0};
}
static inline void pose_findings_merge(pose_findings *all, const pose_findings *some) {
  (void)all;
  (void)some;
}

#endif
