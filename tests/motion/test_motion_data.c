/* Every clip of the data folder, every node at every frame, on every instruction set, at its own rate and at
 * others, against the plain sampler. */
#include "motion/plain_motion.h"
#include "read/motion_reader.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const double turn_tolerance = 1e-6;  /* of a matrix's numbers; a quaternion in float gives 4e-7 */
static const double place_tolerance = 1e-6; /* of the largest coordinate, and in metres */

typedef struct worst {
  double turn, place;
  uint64_t joint_frames;
} worst;

static double time_of(const sampled *s, uint64_t frame) {
  const motion *m = s->plan.motion;
  if (!m) return 0;
  return frame + 1 == s->plan.frame_count ? m->stop_s : m->start_s + (double)frame / s->plan.rate_hz;
}

static void compare_frame(const sampled *s, uint64_t frame, uint32_t lane, const char *label, worst *seen) {
  const double time_s = time_of(s, frame);
  for (uint32_t slot = 0; slot < s->plan.node_count; slot++) {
    const plain_pose pose = s->plan.rows.own_rate
                                ? plain_at_row(s->plan.skeleton, s->plan.motion, slot, frame)
                                : plain_at(s->plan.skeleton, s->plan.motion, slot, time_s);
    const double apart = plain_turn_apart(&pose, s->local, slot, lane);
    cr_assert(pose.doubtful || apart <= turn_tolerance, "%s: node %u turns %g off at frame %llu", label, slot,
              apart, (unsigned long long)frame);
    if (!pose.doubtful && apart > seen->turn) seen->turn = apart;
    double t[3];
    sampled_place(s, slot, lane, t);
    for (int i = 0; i < 3; i++) {
      const double wanted = (i == 0 ? -1 : 1) * s->plan.unit_m * pose.t[i], off = fabs(t[i] - wanted);
      cr_assert(off <= place_tolerance * fmax(1, fabs(wanted)), "%s: node %u stands %g off at frame %llu",
                label, slot, off, (unsigned long long)frame);
      if (off > seen->place) seen->place = off;
    }
    seen->joint_frames++;
  }
}

/* `step`: every so many blocks, and the last. */
static void compare_motion(const sinew_kernels *k, const skeleton *skel, const motion *m, double rate_hz,
                           uint64_t step, const char *label, worst *seen) {
  sampled s = sampled_open(k, skel, m, skel->unit_m > 0 ? skel->unit_m : 0.01, rate_hz);
  const uint64_t blocks = (s.plan.frame_count + SINEW_BLOCK - 1) / SINEW_BLOCK;
  for (uint64_t block = 0; block < blocks; block++) {
    if (block % step && block + 1 != blocks) continue;
    sampled_load(&s, block);
    for (uint32_t lane = 0; lane < SINEW_BLOCK; lane++) {
      const uint64_t frame = block * SINEW_BLOCK + lane;
      compare_frame(&s, frame < s.plan.frame_count ? frame : s.plan.frame_count - 1, lane, label, seen);
    }
  }
  sampled_close(&s);
}

static void compare_file(const char *path, worst *seen) {
  motion_file *file;
  sinew_error error = {0};
  if (read_motion_file(path, NULL, &file, &error) != SINEW_OK) return; /* the readers' tests say which */
  const char *label = strrchr(path, '/') + 1;
  const sinew_kernels *k;
  for (uint32_t isa = 0; (k = sinew_kernels_available(isa)); isa++)
    for (uint32_t i = 0; i < file->motion_count; i++) {
      const motion *m = &file->motions[i];
      const uint64_t step = isa == 0 ? 4 : 16;
      compare_motion(k, file->skeleton, m, 0, isa == 0 ? 1 : 8, label, seen);
      compare_motion(k, file->skeleton, m, 60, step, label, seen);
      compare_motion(k, file->skeleton, m, 23.7, step, label, seen);
    }
  if (!file->motion_count)
    compare_motion(sinew_kernels_available(0), file->skeleton, NULL, 0, 1, label, seen);
  motion_file_close(file);
}

static void compare_folder(const char *folder, const char *ending, size_t least) {
  size_t count;
  worst seen = {0};
  char **paths = test_data_list(folder, ending, &count);
  cr_assert_geq(count, least);
  for (size_t i = 0; i < count; i++) compare_file(paths[i], &seen);
  cr_log_info("%s %s: %llu joint-frames, turns within %g, places within %g m", folder, ending,
              (unsigned long long)seen.joint_frames, seen.turn, seen.place);
  cr_expect_gt(seen.joint_frames, 0);
}

Test(motion_data, bvh, .timeout = 300) {
  NEED_DATA();
  compare_folder("bvh", ".bvh", 25);
}
Test(motion_data, odd_bvh) {
  NEED_DATA();
  compare_folder("bvh-edge", ".bvh", 25);
}
Test(motion_data, glb, .timeout = 300) {
  NEED_DATA();
  compare_folder("rigs", ".glb", 9);
}
Test(motion_data, vrma, .timeout = 300) {
  NEED_DATA();
  compare_folder("rigs", ".vrma", 2);
}
