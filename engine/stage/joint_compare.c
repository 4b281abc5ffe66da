#include "stage/joint_compare.h"
#include "base/error.h"
#include "rig/quat.h"

#include <math.h>
#include <string.h>

void worst_joint_keep(worst_joint *worst, double distance_m, uint32_t node, uint64_t frame) {
  if (isnan(distance_m)) distance_m = INFINITY;
  if (distance_m > worst->distance_m ||
      (distance_m == worst->distance_m && distance_m > 0 && frame < worst->frame))
    *worst = (worst_joint){distance_m, node, frame};
}

/* ---- one joint ------------------------------------------------------------------------------------------
 */

static double distance_between(const double a[3], const double b[3]) {
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return sqrt(vec_dot(d, d));
}

static double beyond(double distance_m, double slack_m) {
  double excess = distance_m - slack_m;
  return excess > 0 || isnan(excess) ? excess : 0;
}

/* Joints are compared relative to the hips, and the hips by themselves less the rounding step of a float32
 * that far from the origin: a body a kilometre away is as right as one at the origin. */
static double hips_distance(const bake_plan *plan, const double file[3], const double own[3]) {
  /* the track holds the hips as their parent node sees them: that node's own place counts as well */
  double reach = plan->output.root_reach_m;
  for (int c = 0; c < 3; c++) reach = fmax(reach, fabs(own[c]));
  return beyond(distance_between(file, own), reach * 0x1p-22);
}

double joint_distance(const bake_plan *plan, const double found[3], const double own[3], double more_m) {
  double far_m = sqrt(vec_dot(own, own)) - plan->output.height_m;
  double slack_m = far_m > 0 ? far_m * bake_plan_bounds(plan).far_slack : 0;
  return beyond(distance_between(found, own), more_m + slack_m);
}

/* ---- one frame ------------------------------------------------------------------------------------------
 */

/* A block as the file has it and as it was computed. */
typedef struct compared_block {
  const double *places;
  const float *model;
  const pose_block *pose;
  uint64_t first_frame;
} compared_block;

static void place_of(const compared_block *block, uint32_t joint, uint32_t f, double place[3]) {
  for (uint32_t c = 0; c < 3; c++) place[c] = block->places[((size_t)joint * 3 + c) * SINEW_BLOCK + f];
}

static void compare_hips(const joint_compare *compare, const compared_block *block, uint32_t f,
                         worst_joint *worst) {
  double file[3], own[3];
  place_of(block, 0, f, file);
  for (uint32_t c = 0; c < 3; c++)
    own[c] = (double)block->pose->hips_t[c * SINEW_BLOCK + f] * (c == 0 ? -1 : 1);
  worst_joint_keep(worst, hips_distance(compare->plan, file, own), compare->plan->output.joint_node[0],
                   block->first_frame + f);
}

static void compare_others(const joint_compare *compare, const compared_block *block, uint32_t f,
                           worst_joint *worst) {
  double hips[3];
  place_of(block, 0, f, hips);
  const bake_output *output = &compare->plan->output;
  for (uint32_t joint = 1; joint < output->fk.joint_count; joint++) {
    const float *model = block->model + (size_t)joint * SINEW_MODEL_PLANES * SINEW_BLOCK + f;
    double own[3] = {-(double)model[0], (double)model[SINEW_BLOCK], (double)model[2 * SINEW_BLOCK]};
    double file[3];
    place_of(block, joint, f, file);
    for (int c = 0; c < 3; c++) file[c] -= hips[c];
    worst_joint_keep(worst, joint_distance(compare->plan, file, own, 0), output->joint_node[joint],
                     block->first_frame + f);
  }
}

/* ---- which frames matter --------------------------------------------------------------------------------
 */

/* Squares are compared less this share: far more than their rounding, far less than what tells two frames
 * apart. */
static const double square_margin = 1e-12;

static void square_hips(const compared_block *block, double squares[SINEW_BLOCK]) {
  const double *file = block->places;
  const float *own = block->pose->hips_t;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double x = file[f] + (double)own[f];
    double y = file[SINEW_BLOCK + f] - (double)own[SINEW_BLOCK + f];
    double z = file[2 * SINEW_BLOCK + f] - (double)own[2 * SINEW_BLOCK + f];
    squares[f] = x * x + y * y + z * z;
  }
}

/* Distances whose square is below this change nothing. Squares that are no number are below nothing; 0 is the
 * square of no distance worth keeping. */
static bool matters(double square, double least) {
  return square != 0 && !(square < least);
}

double joint_least_square(const worst_joint *worst) {
  return worst->distance_m * worst->distance_m * (1 - square_margin);
}

/* What is forgiven only shortens distances, so the squares bound them. Where nothing is, the largest square
 * of the block is its largest distance, and frames below it cannot be the worst. */
void joint_compare_block(const joint_compare *compare, const double *squares, const double *places,
                         const float *model, const pose_block *pose, uint32_t frames, uint64_t first_frame,
                         worst_joint *worst) {
  const compared_block block = {places, model, pose, first_frame};
  double hips[SINEW_BLOCK];
  square_hips(&block, hips);
  double largest = 0;
  for (uint32_t f = 0; f < frames && !compare->may_be_far; f++)
    largest = squares[f] > largest ? squares[f] : largest;
  for (uint32_t f = 0; f < frames; f++) {
    double least = joint_least_square(worst);
    /* in the order of the slots: of equal distances in one frame the first is kept */
    if (matters(hips[f], least)) compare_hips(compare, &block, f, worst);
    if (matters(squares[f], fmax(least, largest * (1 - square_margin))))
      compare_others(compare, &block, f, worst);
  }
}

/* ---- what can be far ------------------------------------------------------------------------------------
 */

/* The sum of the lengths from joint 0 down to each. */
static bool reaches_past(const bake_output *output, double *reach_m) {
  bool past = false;
  for (uint32_t i = 0; i < output->fk.joint_count; i++) {
    const sinew_fk_joint *joint = &output->fk.joints[i];
    const double offset[3] = {(double)joint->offset[0], (double)joint->offset[1], (double)joint->offset[2]};
    reach_m[i] = joint->parent >= 0 ? reach_m[joint->parent] + sqrt(vec_dot(offset, offset)) : 0;
    /* rotations that are not quite of unit length lengthen a chain by their rounding */
    past = past || !(reach_m[i] * (1 + 1e-3) < output->height_m) || joint->place;
  }
  return past;
}

sinew_result joint_compare_build(const bake_plan *plan, joint_compare *compare, sinew_error *error) {
  *compare = (joint_compare){.plan = plan};
  double *reach_m = heap_alloc(plan->output.fk.joint_count, sizeof *reach_m);
  SINEW_CHECK(reach_m, error, SINEW_ERROR_MEMORY, "out of memory for %u joints", plan->output.fk.joint_count);
  compare->may_be_far = reaches_past(&plan->output, reach_m);
  heap_free(reach_m);
  return SINEW_OK;
}
