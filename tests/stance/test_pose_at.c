/* Poses of rows and tracks against the formulas written out. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "rig/quat.h"
#include "stance/made_skeleton.h"
#include "stance/pose_at.h"
#include "stance/turned_body.h"

Test(pose_at, sines_of_degrees) {
  for (int i = -7300; i <= 7300; i++) {
    const double degrees = i * 0.0987654321;
    double s, c;
    sine_of_degrees(degrees, &s, &c);
    cr_assert_lt(fabs(s - sin(degrees * 0.017453292519943295)), 3e-15);
    cr_assert_lt(fabs(c - cos(degrees * 0.017453292519943295)), 3e-15);
  }
  double s, c;
  sine_of_degrees(-270, &s, &c);
  cr_expect(s == 1 && c == 0);
  sine_of_degrees(1e30, &s, &c);
  cr_expect(isfinite(s) && isfinite(c));
}

Test(pose_at, rows_turn_in_the_order_written) {
  skeleton_node nodes[2] = {{.parent = -1, .q = {0, 0, 0, 1}, .s = {1, 1, 1}, .t = {5, 6, 7}},
                            {.parent = 0, .q = {0, 0, 0, 1}, .s = {1, 1, 1}, .t = {0, 1, 0}}};
  skeleton s = {.nodes = nodes, .node_count = 2};
  const motion_channel channels[] = {
      {0, MOTION_Y_ROTATION}, {0, MOTION_Z_ROTATION}, {0, MOTION_X_POSITION}, {1, MOTION_X_ROTATION}};
  const float row[] = {30, 90, 2, 90};
  const motion m = {.frame_count = 1, .channel_count = 4, .channels = channels, .rows = row};
  double t[2][3], q[2][4], scale[2][3], matrix[2][3][4], turns[2][4];
  local_pose pose = {t, q, scale};
  local_pose_row(&s, &m, 0, &pose);
  cr_expect(t[0][0] == 2 && t[0][1] == 6 && t[0][2] == 7,
            "a position stands in place of its axis of the rest");
  global_pose(&s, &pose, matrix, turns);
  /* Y is turned about Z to -X, then about Y by 30 degrees */
  cr_expect_float_eq(matrix[1][0][3], 2 - cos(30 * 0.017453292519943295), 1e-12);
  cr_expect_float_eq(matrix[1][1][3], 6, 1e-12);
  cr_expect_float_eq(matrix[1][2][3], 7 + sin(30 * 0.017453292519943295), 1e-12);
  double z[3] = {0, 0, 1}; /* X by 90: Z to -Y, Z by 90: -Y to X, Y by 30 */
  quat_rotate(turns[1], z, z);
  cr_expect_float_eq(z[0], cos(30 * 0.017453292519943295), 1e-12);
  cr_expect_float_eq(z[2], -sin(30 * 0.017453292519943295), 1e-12);
}

Test(pose_at, tracks_between_keys) {
  skeleton_node node = {.parent = -1, .q = {0, 0, 0, 1}, .s = {1, 1, 1}, .t = {9, 9, 9}};
  skeleton s = {.nodes = &node, .node_count = 1};
  const float half = (float)sqrt(0.5), time[] = {1, 2}, quats[] = {0, 0, 0, 1, 0, 0, -half, -half},
              moves[] = {0, 0, 0, 4, 8, 12};
  const float cubic[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, half, half, 0, 0, 0, 0};
  double t[1][3], q[1][4], scale[1][3];
  local_pose pose = {t, q, scale};
  motion_track tracks[] = {{0, MOTION_ROTATION, MOTION_LINEAR, 2, time, quats},
                           {0, MOTION_TRANSLATION, MOTION_LINEAR, 2, time, moves},
                           {0, MOTION_SCALE, MOTION_STEP, 2, time, moves}};
  motion m = {.track_count = 3, .tracks = tracks, .start_s = 1, .stop_s = 2, .rate_hz = 10};
  local_pose_time(&s, &m, 1.25, &pose);
  cr_expect_float_eq(2 * atan2(q[0][2], q[0][3]), 1.5707963267948966 / 4, 1e-7,
                     "the shorter way, at an even pace");
  cr_expect_float_eq(t[0][1], 2, 1e-12);
  cr_expect_eq(scale[0][1], 0);
  local_pose_time(&s, &m, 7, &pose);
  cr_expect_eq(t[0][2], 12);
  local_pose_time(&s, &m, -7, &pose);
  cr_expect_eq(t[0][2], 0);
  cr_expect_eq(pose_frame_count(&m), 11);
  local_pose_frame(&s, &m, 5, &pose);
  cr_expect_float_eq(t[0][0], 2, 1e-12);
  tracks[0] = (motion_track){0, MOTION_ROTATION, MOTION_CUBIC, 2, time, cubic};
  local_pose_time(&s, &m, 1.5, &pose);
  const double z = 0.5 * (double)half + 0.125 * 2, w = 0.5 + 0.5 * (double)half, n = sqrt(z * z + w * w);
  cr_expect_float_eq(q[0][2], z / n, 1e-12);
  cr_expect_float_eq(q[0][3], w / n, 1e-12);
}

Test(pose_at, a_made_motion_holds_the_rest) {
  const made_body made = {.kind = "bvh", .unit = 100, .arms_deg = 33, .turned = true};
  skeleton *s = made_skeleton(&made);
  motion *m = made_motion(s, 2);
  double t[64][3], q[64][4], scale[64][3];
  local_pose pose = {t, q, scale};
  local_pose_frame(s, m, 1, &pose);
  for (uint32_t i = 0; i < s->node_count; i++)
    cr_expect_lt(turn_degrees(q[i], s->nodes[i].q), 1e-3, "%s", s->nodes[i].name);
}
