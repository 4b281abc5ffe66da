/* The layout of an .npz and its records. What others read in it is npz.py's. */
#include "write/made_npz.h"
#include "write/npy_header.h"
#include "write/synthetic.h"
#include "write/zip_entry.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *path_in(const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", scratch_folder(), name);
  return path;
}

/* ---- sizes -------------------------------------------------------------------------------------------- */

static void expect_sound(const npz_plan *plan) {
  npz_layout layout;
  uint64_t at = 0;
  cr_assert_eq(npz_layout_build(plan, &layout, NULL), SINEW_OK);
  for (int i = 0; i < NPZ_NAMES; i++) {
    const npz_member *member = &layout.members[i];
    if (!member->file_name) continue;
    cr_expect_eq(member->head_offset, at, "%s", member->file_name);
    cr_expect_eq(member->data_offset % ZIP_ALIGNMENT, 0, "%s", member->file_name);
    cr_expect_gt(member->data_offset, member->head_offset);
    cr_expect_eq(member->header_byte_count % 64, 0);
    cr_expect_eq(member->data == NULL, i >= NPZ_LOCAL_ROTATIONS);
    at = member->data_offset + member->data_byte_count;
  }
  cr_expect_eq(layout.directory_offset, at);
  cr_expect_eq(layout.file_byte_count, at + layout.directory_byte_count);
  npz_layout_release(&layout);
}

Test(npz, every_choice_has_its_places) {
  static const uint64_t frames[] = {1, 2, 63, 64, 65, 100000, UINT64_C(40) << 30};
  made_npz made;
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
    for (int choice = 0; choice < 32; choice++) {
      made_npz_open(&made, frames[i]);
      made.plan.three_components = choice & 1;
      made.plan.has_positions = choice & 2;
      made.plan.has_local_positions = choice & 4;
      made.plan.has_muscles = choice & 8;
      made.plan.root_joint = choice & 16 ? 1 : 0;
      expect_sound(&made.plan);
    }
}

Test(npz, only_what_is_asked_is_there) {
  made_npz made;
  npz_layout layout;
  made_npz_open(&made, 10);
  cr_assert_eq(npz_layout_build(&made.plan, &layout, NULL), SINEW_OK);
  cr_expect(!npz_has(&layout, NPZ_REST_SCALES) && !npz_has(&layout, NPZ_ROOT_LOCAL_POSITIONS));
  cr_expect(!npz_has(&layout, NPZ_MUSCLES) && !npz_has(&layout, NPZ_POSITIONS));
  cr_expect_eq(layout.members[NPZ_LOCAL_ROTATIONS].row_bytes, MADE_NPZ_JOINTS * 16);
  npz_layout_release(&layout);
  made.nodes[3].s[1] = 0.5;
  made.plan.root_joint = 2;
  made.plan.three_components = true;
  cr_assert_eq(npz_layout_build(&made.plan, &layout, NULL), SINEW_OK);
  cr_expect(npz_has(&layout, NPZ_REST_SCALES) && npz_has(&layout, NPZ_ROOT_LOCAL_POSITIONS));
  cr_expect_eq(layout.members[NPZ_LOCAL_ROTATIONS].row_bytes, MADE_NPZ_JOINTS * 12);
  npz_layout_release(&layout);
}

static void expect_refused(const npz_plan *plan, sinew_result code, const char *part) {
  npz_layout layout;
  sinew_error error = {0};
  cr_expect_eq(npz_layout_build(plan, &layout, &error), code);
  cr_expect(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
  cr_expect_null(layout.memory.chunks);
}

Test(npz, what_cannot_be_is_refused) {
  made_npz made;
  made_npz_open(&made, UINT64_MAX);
  expect_refused(&made.plan, SINEW_ERROR_LIMIT, "too many for one file");
  made_npz_open(&made, 0);
  expect_refused(&made.plan, SINEW_ERROR_ARGUMENT, "no frames");
  made_npz_open(&made, 1);
  made.plan.root_joint = MADE_NPZ_JOINTS;
  expect_refused(&made.plan, SINEW_ERROR_ARGUMENT, "root joint 7 of 7");
  made_npz_open(&made, 1);
  made.plan.rate_hz = 0;
  expect_refused(&made.plan, SINEW_ERROR_ARGUMENT, "a rate of 0");
  made_npz_open(&made, 1);
  made.plan.node_count = 0;
  expect_refused(&made.plan, SINEW_ERROR_ARGUMENT, "0 joints");
}

static int allocations_left;

static int permit(size_t byte_count) {
  (void)byte_count;
  return allocations_left-- > 0;
}

Test(npz, each_allocation) {
  made_npz made;
  npz_layout layout;
  sinew_result result = SINEW_ERROR_MEMORY;
  made_npz_open(&made, 10);
  made.plan.has_muscles = true;
  int n = 0;
  for (; result != SINEW_OK; n++) {
    sinew_error error = {0};
    allocations_left = n;
    heap_permit = permit;
    result = npz_layout_build(&made.plan, &layout, &error);
    heap_permit = NULL;
    cr_assert(result == SINEW_OK || (result == SINEW_ERROR_MEMORY && error.message[0]));
    cr_assert(result == SINEW_OK || !layout.memory.chunks);
  }
  cr_expect_geq(n, 2);
  npz_layout_release(&layout);
}

/* ---- records ------------------------------------------------------------------------------------------ */

Test(npz, an_array_says_its_shape) {
  unsigned char header[NPY_HEADER_ROOM];
  const struct {
    npy_shape shape;
    const char *text;
  } cases[] = {
      {{'f', 4, 3, {10, 7, 4}}, "{'descr': '<f4', 'fortran_order': False, 'shape': (10, 7, 4), }"},
      {{'i', 4, 1, {5}}, "{'descr': '<i4', 'fortran_order': False, 'shape': (5,), }"},
      {{'f', 8, 0, {0}}, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }"},
      {{'U', UINT32_MAX, 3, {UINT64_MAX, UINT64_MAX, UINT64_MAX}},
       "{'descr': '<U4294967295', 'fortran_order': False, 'shape': (18446744073709551615, "
       "18446744073709551615, 18446744073709551615), }"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const size_t length = npy_header_print(&cases[i].shape, header);
    cr_expect_eq(length % 64, 0);
    cr_expect_eq((size_t)header[8] + 10, length);
    cr_expect_eq(memcmp(header, "\x93NUMPY\1\0", 8), 0);
    cr_expect_eq(memcmp(header + 10, cases[i].text, strlen(cases[i].text)), 0);
    cr_expect_eq(header[length - 1], '\n');
  }
}

static bool holds(const unsigned char *bytes, size_t count, uint64_t value) {
  return memmem(bytes, count, &value, sizeof value) != NULL;
}

Test(npz, numbers_past_32_bits_stand_in_fields_of_their_own) {
  unsigned char bytes[ZIP_HEAD_ROOM];
  const uint64_t large = UINT64_C(0x123456789a), limit = UINT32_MAX;
  zip_entry entry = {"a.npy", 0, limit - 1, 7};
  cr_expect_eq(zip_directory_header(&entry, bytes), 46 + 5);
  cr_expect_eq(bytes[4 + 2], 20);
  entry.byte_count = limit;
  cr_expect_eq(zip_directory_header(&entry, bytes), 46 + 5 + 4 + 16);
  cr_expect_eq(bytes[4 + 2], 45);
  entry.byte_count = large;
  size_t count = zip_local_header(&entry, bytes);
  cr_expect(holds(bytes, count, large));
  cr_expect_eq(count % ZIP_ALIGNMENT, 0);
  entry = (zip_entry){"a.npy", large, 5, 7};
  count = zip_directory_header(&entry, bytes);
  cr_expect_eq(count, 46 + 5 + 4 + 8);
  cr_expect(holds(bytes, count, large));
  count = zip_end(3, large, 100, bytes);
  cr_expect_eq(count, 56 + 20 + 22);
  cr_expect(holds(bytes, count, large) && holds(bytes, count, large + 100));
  cr_expect_eq(zip_end(3, limit - 1, 100, bytes), 22);
}

/* ---- bytes -------------------------------------------------------------------------------------------- */

static char *written(const made_npz *made, uint32_t blocks, bool backwards, size_t *count) {
  sinew_error error = {0};
  const char *path = path_in("made.npz");
  cr_assert_eq(made_npz_write(made, path, blocks, backwards, &error), SINEW_OK, "%s", error.message);
  char *bytes = test_read_file(path, count);
  cr_assert(bytes);
  return bytes;
}

Test(npz, pieces_do_not_show) {
  made_npz made;
  size_t whole_count, count;
  made_npz_open(&made, 1000);
  made.plan.has_positions = made.plan.has_muscles = true;
  char *whole = written(&made, 16, false, &whole_count);
  for (uint32_t blocks = 1; blocks < 8; blocks += 3) {
    char *bytes = written(&made, blocks, blocks > 1, &count);
    cr_expect(count == whole_count && memcmp(bytes, whole, count) == 0, "%u blocks", blocks);
    free(bytes);
  }
  free(whole);
}

Test(npz, sums_of_part_of_the_rows_are_no_file) {
  made_npz made;
  npz_layout layout;
  npz_sums sums;
  outfile file;
  sinew_error error = {0};
  made_npz_open(&made, 10);
  cr_assert_eq(npz_layout_build(&made.plan, &layout, NULL), SINEW_OK);
  npz_sums_open(&layout, &sums);
  cr_assert_eq(outfile_open(path_in("part.npz"), &file, &error), SINEW_OK);
  cr_expect_eq(npz_write_rest(&layout, &sums, &file, &error), SINEW_ERROR_ARGUMENT);
  cr_expect(strstr(error.message, "local_rotations.npy: 128 of 1248 bytes"), "%s", error.message);
  outfile_discard(&file);
  npz_layout_release(&layout);
}

/* ---- packing ------------------------------------------------------------------------------------------ */

Test(npz, nodes_without_planes_rest) {
  static _Alignas(64) float local[4][SINEW_BLOCK];
  float rows[SINEW_BLOCK][MADE_NPZ_JOINTS][4];
  const int32_t slots[MADE_NPZ_JOINTS] = {-1, -1, 0, -1, -1, -1, -1};
  const uint64_t flips = 2;
  made_npz made;
  made_npz_open(&made, 3);
  for (int f = 0; f < SINEW_BLOCK; f++) local[0][f] = 0.25F, local[1][f] = 0.5F, local[3][f] = -0.75F;
  npz_fill_rotations(&made.plan, 3, rows[0][0]);
  npz_pack_rotations(sinew_kernels_select(NULL), &made.plan, local[0], slots, &flips, 3, rows[0][0]);
  for (int f = 0; f < 3; f++) {
    const float sign = f == 1 ? -1 : 1;
    cr_expect(rows[f][0][0] == 1 && rows[f][1][1] == -1 && rows[f][3][3] == 1 && rows[f][6][2] == -1);
    cr_expect(rows[f][2][0] == 0.25F * sign && rows[f][2][1] == -0.5F * sign &&
              rows[f][2][3] == -0.75F * sign);
  }
  float three[3][MADE_NPZ_JOINTS][3];
  made.plan.three_components = true;
  npz_fill_rotations(&made.plan, 3, three[0][0]);
  npz_pack_rotations(sinew_kernels_select(NULL), &made.plan, local[0], slots, &flips, 3, three[0][0]);
  cr_expect(three[1][2][0] == -0.25F && three[1][2][1] == 0.5F && three[2][4][0] == 1);
}
