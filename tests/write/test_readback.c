/* A clip written through the layout comes back at the computed places; and every mistake a writer could make,
 * planted into the file, shows as joints that are off by more than verification's tolerance. */
#include "verify/verify.h"
#include "write/followed.h"
#include "write/synthetic.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 50 };
static const double tolerance = 1e-5; /* of the body's height */

static void must(sinew_result result, const sinew_error *error) {
  cr_assert(result == SINEW_OK, "%s", error->message);
}

/* The largest distance between the file's joints and the computed ones. */
static double worst_distance(const synthetic_clip *clip, const char *path) {
  sinew_error error = {0};
  verify_file *file;
  int fd = open(path, O_RDONLY);
  cr_assert(fd >= 0);
  must(verify_open(fd, &file, &error), &error);
  cr_assert(verify_node_count(file) == SYNTHETIC_NODES);
  cr_assert(verify_frame_count(file) == clip->plan.frame_count);
  uint32_t nodes[SYNTHETIC_NODES];
  for (uint32_t i = 0; i < SYNTHETIC_NODES; i++) nodes[i] = i;
  double worst = 0;
  for (uint64_t frame = 0; frame < clip->plan.frame_count; frame++) {
    double found[SYNTHETIC_NODES][3], expected[SYNTHETIC_NODES][3];
    must(verify_positions(file, nodes, SYNTHETIC_NODES, frame, 1, &found[0][0], &error), &error);
    if (frame % 7 == 0) followed_expect(file, nodes, SYNTHETIC_NODES, frame, 1, UINT64_MAX, &found[0][0], SINEW_OK, NULL);
    synthetic_positions(clip, frame, expected);
    for (int i = 0; i < SYNTHETIC_NODES; i++)
      worst = fmax(worst, hypot(hypot(found[i][0] - expected[i][0], found[i][1] - expected[i][1]),
                                found[i][2] - expected[i][2]));
  }
  verify_close(file);
  close(fd);
  return worst;
}

Test(readback, joints_come_back_where_they_were_computed) {
  const char *folder = scratch_folder();
  static const uint64_t frame_counts[] = {1, 2, 64, 65, 300};
  for (size_t i = 0; i < sizeof frame_counts / sizeof *frame_counts; i++) {
    synthetic_clip clip;
    glb_layout layout;
    sinew_error error = {0};
    char path[600];
    snprintf(path, sizeof path, "%s/%llu.glb", folder, (unsigned long long)frame_counts[i]);
    synthetic_open(&clip, frame_counts[i]);
    cr_assert(synthetic_write(&clip, &clip.plan, path, &layout, &error), "%s", error.message);
    double worst = worst_distance(&clip, path);
    cr_log_info("%llu frames: worst joint %.3g m", (unsigned long long)frame_counts[i], worst);
    cr_expect(worst <= 1e-6);
    glb_layout_release(&layout);
  }
  scratch_remove(folder);
}

/* 16-bit rotations: half a step of 1/32767 a component along chains of six joints, on a body of 1.7 m. */
Test(readback, quantized_joints_come_back_nearly) {
  const char *folder = scratch_folder();
  for (int still = 0; still < 2; still++) {
    synthetic_clip clip;
    glb_layout layout;
    sinew_error error = {0};
    char path[600];
    snprintf(path, sizeof path, "%s/%d.glb", folder, still);
    synthetic_open(&clip, 300);
    clip.plan.quantized = true;
    for (int i = 0; still && i < SYNTHETIC_TRACKS; i++) clip.tracks[i].constant = true;
    cr_assert(synthetic_write(&clip, &clip.plan, path, &layout, &error), "%s", error.message);
    cr_expect(layout.time_count == (still ? 2 : 300));
    for (uint32_t i = 1; i < SYNTHETIC_TRACKS; i++)
      cr_expect(layout.track_offset[i] % 4 == 0, "track %u starts at %llu", i,
                (unsigned long long)layout.track_offset[i]);
    if (still) clip.plan.frame_count = 2; /* as many as the file shows */
    double worst = worst_distance(&clip, path);
    cr_log_info("quantized: worst joint %.3g m", worst);
    cr_expect(worst <= 5e-4 * clip.height_m && worst > 1e-6, "%g m", worst);
    glb_layout_release(&layout);
  }
  scratch_remove(folder);
}

Test(readback, blocks_of_any_size_give_the_same_positions) {
  const char *folder = scratch_folder();
  synthetic_clip clip;
  glb_layout layout;
  sinew_error error = {0};
  char path[600];
  enum { COUNT = 5000 };
  snprintf(path, sizeof path, "%s/long.glb", folder);
  synthetic_open(&clip, COUNT);
  cr_assert(synthetic_write(&clip, &clip.plan, path, &layout, &error), "%s", error.message);
  verify_file *file;
  int fd = open(path, O_RDONLY);
  must(verify_open(fd, &file, &error), &error);
  static const uint32_t nodes[2] = {9, 13};
  static double whole[COUNT][2][3], piece[777][2][3];
  must(verify_positions(file, nodes, 2, 0, COUNT, &whole[0][0][0], &error), &error);
  for (uint32_t first = 0; first < COUNT; first += 777) {
    uint32_t count = COUNT - first < 777 ? COUNT - first : 777;
    must(verify_positions(file, nodes, 2, first, count, &piece[0][0][0], &error), &error);
    cr_expect(memcmp(piece, whole[first], count * sizeof piece[0]) == 0, "frames from %u differ", first);
  }
  followed_expect(file, nodes, 2, 0, COUNT, UINT64_MAX, &whole[0][0][0], SINEW_OK, NULL);
  followed_expect(file, nodes, 2, 33, COUNT - 33, 1000, &whole[33][0][0], SINEW_OK, NULL);
  double time_s = 0;
  cr_expect(verify_frame_time(file, COUNT - 1, &time_s, NULL) == SINEW_OK);
  cr_expect(time_s == (double)(float)((COUNT - 1) / 30.0));
  cr_expect(verify_frame_time(file, COUNT, &time_s, NULL) == SINEW_ERROR_VERIFY);
  cr_expect_str_eq(verify_node_name(file, 8), "Fore \"Arm\" L");
  cr_expect(verify_positions(file, nodes, 2, COUNT - 1, 2, &piece[0][0][0], &error) == SINEW_ERROR_VERIFY);
  verify_close(file);
  close(fd);
  glb_layout_release(&layout);
  scratch_remove(folder);
}

/* ---- planted mistakes --------------------------------------------------------------------------------- */

typedef struct planted {
  const char *what;
  void (*in_rig)(synthetic_clip *as_written);                         /* changes what the JSON is made from */
  void (*in_keys)(float *key, size_t components, uint64_t key_index); /* changes each key of `track` */
  uint32_t track;
  int32_t swapped_with; /* tracks whose keys change places; -1: none */
} planted;

static void wrong_parent(synthetic_clip *clip) {
  clip->nodes[9].parent = 7;
}
static void parent_skips_node_between(synthetic_clip *clip) {
  clip->nodes[4].parent = 2;
}
static void rest_rotation_sign(synthetic_clip *clip) {
  clip->nodes[3].q[2] = -clip->nodes[3].q[2];
}
static void rest_rotation_conjugated(synthetic_clip *clip) {
  clip->nodes[3].q[3] = -clip->nodes[3].q[3];
}
static void rest_translation_mirrored(synthetic_clip *clip) {
  clip->nodes[7].t[0] = -clip->nodes[7].t[0];
}
static void rest_components_swapped(synthetic_clip *clip) {
  double x = clip->nodes[8].t[0];
  clip->nodes[8].t[0] = clip->nodes[8].t[1];
  clip->nodes[8].t[1] = x;
}
static void scale_lost(synthetic_clip *clip) {
  for (int i = 0; i < 3; i++) clip->nodes[4].s[i] = 1;
}
static void wrong_node(synthetic_clip *clip) {
  clip->tracks[3].node = 3;
}

static void swap_x_y(float *key, size_t components, uint64_t index) {
  (void)components, (void)index;
  float x = key[0];
  key[0] = key[1];
  key[1] = x;
}
static void w_first(float *key, size_t components, uint64_t index) {
  (void)components, (void)index;
  float w = key[3];
  memmove(key + 1, key, 3 * sizeof *key);
  key[0] = w;
}
static void mirror_x(float *key, size_t components, uint64_t index) {
  (void)components, (void)index;
  key[0] = -key[0];
}
static void mirror_z(float *key, size_t components, uint64_t index) {
  (void)components, (void)index;
  key[2] = -key[2];
}
static void conjugate(float *key, size_t components, uint64_t index) {
  (void)components, (void)index;
  for (int i = 0; i < 3; i++) key[i] = -key[i];
}
static void one_key_off(float *key, size_t components, uint64_t index) {
  (void)components;
  if (index != FRAMES - 1) return;
  key[1] += 1e-6F; /* times the root's scale: a tenth of a millimetre in one frame of one track */
}

static const planted mistakes[] = {
    {"a child under another parent", wrong_parent, NULL, 0, -1},
    {"a node in between left out", parent_skips_node_between, NULL, 0, -1},
    {"one sign of a rest rotation", rest_rotation_sign, NULL, 0, -1},
    {"a rest rotation conjugated", rest_rotation_conjugated, NULL, 0, -1},
    {"a rest translation not mirrored", rest_translation_mirrored, NULL, 0, -1},
    {"rest components swapped", rest_components_swapped, NULL, 0, -1},
    {"a scale lost", scale_lost, NULL, 0, -1},
    {"a track on another node", wrong_node, NULL, 0, -1},
    {"x and y of a rotation swapped", NULL, swap_x_y, 2, -1},
    {"x and y of the hips' translation swapped", NULL, swap_x_y, 0, -1},
    {"w before x y z", NULL, w_first, 5, -1},
    {"x of the hips' translation not mirrored", NULL, mirror_x, 0, -1},
    {"z of a rotation mirrored", NULL, mirror_z, 5, -1},
    {"x of a constant rotation mirrored", NULL, mirror_x, 6, -1},
    {"a rotation conjugated", NULL, conjugate, 8, -1},
    {"one key slightly off", NULL, one_key_off, 0, -1},
    {"two tracks in each other's place", NULL, NULL, 5, 7},
};

static void read_at(int fd, void *bytes, size_t count, uint64_t offset) {
  cr_assert(pread(fd, bytes, count, (off_t)offset) == (int64_t)count);
}
static void write_at(int fd, const void *bytes, size_t count, uint64_t offset) {
  cr_assert(pwrite(fd, bytes, count, (off_t)offset) == (int64_t)count);
}

static void plant_in_keys(const planted *mistake, const synthetic_clip *clip, const glb_layout *layout,
                          int fd) {
  size_t components = clip->tracks[mistake->track].path == GLB_ROTATION ? 4 : 3,
         bytes = components * sizeof(float);
  uint64_t key_count = clip->tracks[mistake->track].constant ? 1 : clip->plan.frame_count;
  for (uint64_t i = 0; i < key_count; i++) {
    float key[4];
    uint64_t at = layout->track_offset[mistake->track] + i * bytes;
    read_at(fd, key, bytes, at);
    mistake->in_keys(key, components, i);
    write_at(fd, key, bytes, at);
  }
}

static void exchange_tracks(const planted *mistake, const synthetic_clip *clip, const glb_layout *layout,
                            int fd) {
  float a[FRAMES * 4], b[FRAMES * 4];
  size_t bytes = clip->plan.frame_count * 4 * sizeof(float);
  uint64_t at_a = layout->track_offset[mistake->track], at_b = layout->track_offset[mistake->swapped_with];
  read_at(fd, a, bytes, at_a);
  read_at(fd, b, bytes, at_b);
  write_at(fd, b, bytes, at_a);
  write_at(fd, a, bytes, at_b);
}

Test(readback, each_planted_mistake_is_seen) {
  const char *folder = scratch_folder();
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    const planted *mistake = &mistakes[i];
    synthetic_clip clip, as_written;
    glb_layout layout;
    sinew_error error = {0};
    char path[600];
    snprintf(path, sizeof path, "%s/%zu.glb", folder, i);
    synthetic_open(&clip, FRAMES);
    synthetic_open(&as_written, FRAMES);
    if (mistake->in_rig) mistake->in_rig(&as_written);
    cr_assert(synthetic_write(&clip, &as_written.plan, path, &layout, &error), "%s", error.message);
    if (!mistake->in_rig) cr_assert(worst_distance(&clip, path) <= 1e-6);
    int fd = open(path, O_RDWR);
    cr_assert(fd >= 0);
    if (mistake->in_keys) plant_in_keys(mistake, &clip, &layout, fd);
    if (mistake->swapped_with >= 0) exchange_tracks(mistake, &clip, &layout, fd);
    close(fd);
    double worst = worst_distance(&clip, path);
    cr_log_info("%s: worst joint %.3g m", mistake->what, worst);
    cr_expect(worst > tolerance * clip.height_m, "%s: only %g m", mistake->what, worst);
    glb_layout_release(&layout);
  }
  scratch_remove(folder);
}
