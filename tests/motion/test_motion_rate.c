/* The frames a second of motions that state none: of the public clips, and of made keys. */
#include "motion/motion_rate.h"
#include "read/motion_reader.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  double rate_hz; /* of every clip in it */
} models[] = {
    {"bulgat_Soldier.glb", 30},
    {"gdquest-demos_mannequiny-0.3.0.glb", 30},
    {"SaschaWillems_CesiumMan.glb", 24},
    {"bevyengine_Fox.glb", 24},
    {"raysan5_greenman.glb", 24},
    {"bulgat_RobotExpressive.glb", 24},
    {"Mesh2Motion_m2m-sample-rig.glb", 12},
    {"pixiv_test.vrma", 30}, /* 7 poses half a second apart */
    {"saturday06_hips_spine_twisting.vrma", 30},
};

Test(motion_rate, public_clips) {
  NEED_DATA();
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    char path[100] = "rigs/";
    motion_file *file;
    sinew_error error;
    strcat(path, models[i].name);
    cr_assert_eq(read_motion_file(test_data(path), NULL, &file, &error), SINEW_OK, "%s", error.message);
    cr_assert_gt(file->motion_count, 0);
    for (uint32_t k = 0; k < file->motion_count; k++) {
      const double found = motion_rate_find(&file->motions[k]);
      cr_expect_eq(found, models[i].rate_hz, "%s %s: %g", models[i].name, file->motions[k].name, found);
    }
    motion_file_close(file);
  }
}

/* ---- made keys ---------------------------------------------------------------------------------------- */

enum { MOST = 4000 };

static double rate_of(const float *time_s, uint32_t count) {
  const motion_track track = {.path = MOTION_ROTATION, .key_count = count, .time_s = time_s};
  const motion m = {.name = "", .track_count = 1, .tracks = &track, .start_s = (double)time_s[0]};
  return motion_rate_find(&m);
}

static double rate_of_even(double rate_hz, double start_s, uint32_t count) {
  static float time_s[MOST];
  for (uint32_t k = 0; k < count; k++) time_s[k] = (float)(start_s + (double)k / rate_hz);
  return rate_of(time_s, count);
}

Test(motion_rate, even_keys) {
  static const double rates_hz[] = {10, 12, 24, 25, 29.97, 30, 48, 50, 59.94, 60, 90, 100, 120, 240, 1000};
  for (size_t i = 0; i < sizeof rates_hz / sizeof *rates_hz; i++)
    for (uint32_t count = 3; count <= MOST; count = count * 3 + 1) {
      const double found = rate_of_even(rates_hz[i], 1 / 24.0, count);
      cr_expect_lt(fabs(found - rates_hz[i]), 1.1e-3 * rates_hz[i], "%g Hz, %u keys: %.9g", rates_hz[i],
                   count, found);
      if (rates_hz[i] == floor(rates_hz[i])) cr_expect_eq(found, rates_hz[i], "%u keys: %.9g", count, found);
    }
  cr_expect_eq(rate_of_even(30 / 1.001, 0, MOST), 30 / 1.001);
  cr_expect_lt(fabs(rate_of_even(33.4, 0, MOST) - 33.4), 1e-4);
  cr_expect_lt(fabs(rate_of_even(33.4, 100, MOST) - 33.4), 1e-4);
}

Test(motion_rate, keys_with_gaps) {
  static float time_s[MOST];
  uint32_t frame = 0;
  for (uint32_t k = 0; k < MOST; k++) {
    time_s[k] = (float)frame / 30.0F;
    frame += 2 + (k * 7 % 5 % 2); /* steps of 2 and 3 frames */
  }
  cr_expect_eq(rate_of(time_s, MOST), 30);
  for (uint32_t k = 0; k < MOST; k++) time_s[k] = (float)k / 30.0F + (k % 20 == 7 ? 0.011F : 0.0F);
  cr_expect_eq(rate_of(time_s, MOST), 30, "one key in twenty between two frames");
}

Test(motion_rate, keys_without_a_step) {
  static float time_s[MOST];
  for (uint32_t k = 0; k < 200; k++) time_s[k] = sqrtf((float)k);
  cr_expect_eq(rate_of(time_s, 200), 30);
  cr_expect_eq(rate_of_even(2, 0, 20), 30, "poses");
  cr_expect_eq(rate_of_even(5000, 0, 20), 30, "noise");
  cr_expect_eq(rate_of(time_s, 1), 30, "one key");
  cr_expect_eq(motion_rate_find(NULL), 30);
  const motion none = {.name = ""}, stated = {.name = "", .rate_hz = 72.5};
  cr_expect_eq(motion_rate_find(&none), 30);
  cr_expect_eq(motion_rate_find(&stated), 72.5);
}
