/* A file against freshly computed poses, piece by piece as its pieces are written, whichever thread comes by.
 * The order is: open, pieces in any order and side by side, each with a worker of its own, their findings
 * merged, judged once. */
#ifndef SINEW_STAGE_BAKE_CHECKER_H
#define SINEW_STAGE_BAKE_CHECKER_H

#include "stage/joint_compare.h"
#include "stage/mesh_check.h"

enum { CHECK_PIECE_BLOCKS = 16, CHECK_PIECE_FRAMES = CHECK_PIECE_BLOCKS * SINEW_BLOCK };

/* Zeroed: nothing is amiss. */
typedef struct check_findings {
  worst_joint joint;
  worst_corner corner;
} check_findings;

/* What one thread works in. It may serve one checker after another, and grows to the largest. */
typedef struct check_worker {
  arena memory;
  pose_room room;
  pose_scratch scratch;
  pose_block pose;
  verify_run *run;
  double *places; /* [joint][3][64] of the file, glTF's frame */
} check_worker;

/* Read-only once opened: threads share it. */
typedef struct bake_checker {
  const bake_plan *plan;
  verify_file *file;
  verify_joints *places; /* of the joints' nodes */
  joint_compare joints;
} bake_checker;

/* A zeroed worker is closed. Errors: MEMORY. */
sinew_result check_worker_open(check_worker *worker, sinew_error *error);
void check_worker_close(check_worker *worker);

/* fd: the file in its full size, written but for the pieces behind the first; a piece is written before it is
 * checked. The plan outlives the checker. Checks the file's form, its clock and its names. On
 * errors nothing is left to close. Errors: VERIFY, IO, MEMORY. */
sinew_result bake_checker_open(const bake_plan *plan, int fd, bake_checker *checker, sinew_error *error);
void bake_checker_close(bake_checker *checker);

/* Every joint of the output at each of the piece's frames, and where the first or the last frame of all is
 * among them, every node and each corner of the boxes at it. What is worse than what `findings` hold is put
 * into them. Thread-safe for workers that differ. Errors: VERIFY, IO, MEMORY, POSE. */
sinew_result bake_checker_piece(const bake_checker *checker, uint64_t piece, check_worker *worker,
                                check_findings *findings, sinew_error *error);
/* Which piece was merged first makes no difference. */
void check_findings_merge(check_findings *all, const check_findings *some);

/* Fills the report's verified, worst_*, allowed_m. Errors: VERIFY (names joint, frame, distance). */
sinew_result bake_checker_judge(const bake_checker *checker, const check_findings *findings,
                                sinew_bake_report *report, sinew_error *error);

#endif
