/* Angles lost, summed in whatever order: the same bits, and what a plain sum gives. */
#include "retarget/turn_loss.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { BLOCKS = 7, FRAMES = 6 * SINEW_BLOCK + 11, BONES = 3 };

static float angles[HUMAN_BONE_COUNT][BLOCKS][SINEW_BLOCK];

/* Bone 0: nothing lost. Bone 1: any, the largest thrice. Bone 2: from nothing to a half turn. */
static void make_angles(void) {
  uint32_t state = 5;
  for (int i = 0; i < BLOCKS * SINEW_BLOCK; i++) {
    state = state * 1664525u + 1013904223u;
    angles[1][i / SINEW_BLOCK][i % SINEW_BLOCK] = (float)((state >> 8) * 0x1p-24 * 0.3);
    angles[2][i / SINEW_BLOCK][i % SINEW_BLOCK] = (float)(M_PI * pow(0.9, i % 200));
  }
  angles[1][2][7] = angles[1][1][60] = angles[1][4][0] = 0.5f;
  for (int f = FRAMES; f < BLOCKS * SINEW_BLOCK; f++)
    for (int bone = 0; bone < BONES; bone++)
      angles[bone][f / SINEW_BLOCK][f % SINEW_BLOCK] = NAN; /* no frames: not to be read */
}

static void add(turn_loss *loss, int block) {
  const uint32_t frames = block == BLOCKS - 1 ? FRAMES % SINEW_BLOCK : SINEW_BLOCK;
  for (int bone = 0; bone < BONES; bone++)
    turn_loss_add(loss, bone, angles[bone][block], (uint64_t)block * SINEW_BLOCK, frames);
}

Test(turn_loss, sums_and_largest) {
  turn_loss loss = {0};
  make_angles();
  for (int block = 0; block < BLOCKS; block++) add(&loss, block);
  for (int bone = 0; bone < BONES; bone++) {
    double sum = 0;
    for (int f = 0; f < FRAMES; f++) sum += (double)angles[bone][f / SINEW_BLOCK][f % SINEW_BLOCK];
    cr_expect_eq(loss.bone[bone].frame_count, FRAMES);
    cr_expect_float_eq(turn_loss_mean_rad(&loss.bone[bone]), sum / FRAMES, 0.5e-9);
  }
  cr_expect(loss.bone[0].most_rad == 0 && loss.bone[0].most_frame == 0 && loss.bone[0].sum_nrad == 0);
  cr_expect(loss.bone[1].most_rad == 0.5f && loss.bone[1].most_frame == SINEW_BLOCK + 60, "the earliest");
  cr_expect(loss.bone[2].most_rad == (float)M_PI && loss.bone[2].most_frame == 0);
  cr_expect(loss.bone[3].frame_count == 0 && turn_loss_mean_rad(&loss.bone[3]) == 0);
}

Test(turn_loss, any_order_has_the_same_bits) {
  static const int orders[][BLOCKS] = {{6, 5, 4, 3, 2, 1, 0}, {3, 0, 6, 1, 5, 2, 4}, {4, 2, 1, 0, 3, 6, 5}};
  turn_loss want = {0};
  make_angles();
  for (int block = 0; block < BLOCKS; block++) add(&want, block);
  for (int order = 0; order < 3; order++) {
    turn_loss all = {0}, pieces[3] = {0};
    for (int i = 0; i < BLOCKS; i++) add(&pieces[i % (order + 1)], orders[order][i]);
    for (int i = 2; i >= 0; i--) turn_loss_merge(&all, &pieces[i]);
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
      const bone_loss *a = &all.bone[bone], *b = &want.bone[bone];
      cr_expect(a->frame_count == b->frame_count && a->sum_nrad == b->sum_nrad &&
                    a->most_rad == b->most_rad && a->most_frame == b->most_frame,
                "order %d, bone %d", order, bone);
    }
  }
}
