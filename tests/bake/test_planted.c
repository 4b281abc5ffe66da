/* Mistakes planted into the writing side must not get past the verification, and must leave nothing behind.
 */
#include "base/os.h"
#include "stage/context.h"
#include "support/bake.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const sinew_kernels *real;

static void pack_swapped(const float *quat, uint64_t flips, float *xyzw) {
  real->pack_quat(quat, flips, xyzw);
  for (int f = 0; f < SINEW_BLOCK; f++) {
    float y = xyzw[f * 4 + 1];
    xyzw[f * 4 + 1] = xyzw[f * 4 + 2];
    xyzw[f * 4 + 2] = y;
  }
}

static void pack_mirrored(const float *quat, uint64_t flips, float *xyzw) {
  real->pack_quat(quat, flips, xyzw);
  for (int f = 0; f < SINEW_BLOCK; f++) xyzw[f * 4 + 2] = -xyzw[f * 4 + 2];
}

static void pack_one_frame_wrong(const float *quat, uint64_t flips, float *xyzw) {
  real->pack_quat(quat, flips, xyzw);
  memcpy(xyzw + 4 * 7, xyzw + 4 * 20, 4 * sizeof *xyzw);
}

static void pack_hips_mirrored(const float *planes, float *xyz) {
  real->pack_vec3(planes, xyz);
  for (int f = 0; f < SINEW_BLOCK; f++) xyz[f * 3] = -xyz[f * 3] + 0.01f;
}

/* Moves the node whose name starts with "Left" and that has children to another parent, in the JSON as it is
 * written. */
static bool parent_was_changed;
static ssize_t write_wrong_parent(int fd, const void *bytes, size_t count, off_t offset) {
  if (offset != 0 || parent_was_changed) return pwrite(fd, bytes, count, offset);
  char *head = malloc(count);
  memcpy(head, bytes, count);
  uint32_t length;
  memcpy(&length, head + 12, sizeof length);
  json_t *root = json_loadb(head + 20, length, 0, NULL);
  cr_assert(root);
  json_t *nodes = json_object_get(root, "nodes"), *node;
  size_t i, from = SIZE_MAX, to = SIZE_MAX;
  json_array_foreach(nodes, i, node) {
    size_t children = json_array_size(json_object_get(node, "children"));
    if (children >= 3 && from == SIZE_MAX) from = i;
    if (children >= 1 && from != SIZE_MAX && i > from + 3) to = i;
  }
  cr_assert(from != SIZE_MAX && to != SIZE_MAX);
  /* the two nodes' child lists change places where that makes no cycle: give the first child of one to the
   * other */
  json_t *list = json_object_get(json_array_get(nodes, from), "children");
  size_t pick = SIZE_MAX;
  for (size_t c = 0; c < json_array_size(list); c++) {
    size_t child = (size_t)json_integer_value(json_array_get(list, c));
    bool above = false; /* the new parent must not hang below the node that moves */
    for (size_t n = to; !above;) {
      above = n == child;
      size_t parent = SIZE_MAX;
      json_array_foreach(nodes, i, node) {
        json_t *kids = json_object_get(node, "children");
        for (size_t k = 0; k < json_array_size(kids); k++)
          if ((size_t)json_integer_value(json_array_get(kids, k)) == n) parent = i;
      }
      if (parent == SIZE_MAX) break;
      n = parent;
    }
    if (!above) pick = c;
  }
  cr_assert(pick != SIZE_MAX);
  json_array_append(json_object_get(json_array_get(nodes, to), "children"), json_array_get(list, pick));
  json_array_remove(list, pick);
  char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9) | JSON_PRESERVE_ORDER);
  size_t size = strlen(text);
  cr_assert(size <= length, "the changed JSON has %zu bytes, room for %u", size, length);
  memset(head + 20, ' ', length);
  memcpy(head + 20, text, size);
  parent_was_changed = true;
  ssize_t done = pwrite(fd, head, count, offset);
  free(text);
  free(head);
  json_decref(root);
  return done;
}

/* One time between the first and the last, still after the one before it; and every node by another name. */
static ssize_t write_wrong_time(int fd, const void *bytes, size_t count, off_t offset) {
  float times[33];
  if (count != sizeof times) return pwrite(fd, bytes, count, offset);
  memcpy(times, bytes, sizeof times);
  times[20] -= 0.01f;
  return pwrite(fd, times, count, offset);
}
static ssize_t write_wrong_names(int fd, const void *bytes, size_t count, off_t offset) {
  if (offset != 0) return pwrite(fd, bytes, count, offset);
  char *head = malloc(count), *at = head;
  memcpy(head, bytes, count);
  static const char key[] = "{\"name\":\"";
  while ((at = memmem(at, (size_t)(head + count - at), key, strlen(key)))) *(at += strlen(key)) ^= 1;
  ssize_t done = pwrite(fd, head, count, offset);
  free(head);
  return done;
}

/* ---- in 16-bit rotations and in the mesh ----------------------------------------------------------------
 */

static void pack16_swapped(const float *quat, uint64_t flips, int16_t *xyzw) {
  real->pack_quat16(quat, flips, xyzw);
  for (int f = 0; f < SINEW_BLOCK; f++) {
    int16_t y = xyzw[f * 4 + 1];
    xyzw[f * 4 + 1] = xyzw[f * 4 + 2];
    xyzw[f * 4 + 2] = y;
  }
}

static void pack16_one_frame_wrong(const float *quat, uint64_t flips, int16_t *xyzw) {
  real->pack_quat16(quat, flips, xyzw);
  memcpy(xyzw + 4 * 7, xyzw + 4 * 20, 4 * sizeof *xyzw);
}

/* The sample has 52 boxes; its mesh's three arrays are told apart by their sizes. */
enum { BOXES = 52, MATRICES_BYTES = BOXES * 64, VERTICES_BYTES = BOXES * 24 * 32 };

typedef enum mesh_mistake {
  NO_MISTAKE,
  MATRIX_OF_ANOTHER_BONE,
  MATRIX_NOT_INVERTED, /* its translation's sign */
  MATRIX_MIRRORED,
  JOINT_OF_ANOTHER_BOX,
  JOINT_BEYOND_THE_SKIN,
  CORNER_MOVED,
  CORNER_NOT_MIRRORED,
  WEIGHTS_SHORT_OF_ONE,
  MESH_MISTAKES
} mesh_mistake;
static mesh_mistake planned_mistake;
static unsigned mistakes_made;

static void spoil_matrices(float *m) { /* of box 20, an arm's or a leg's */
  float *own = m + 20 * 16;
  if (planned_mistake == MATRIX_OF_ANOTHER_BONE) memcpy(own, m + 21 * 16, 16 * sizeof *m);
  if (planned_mistake == MATRIX_NOT_INVERTED)
    for (int i = 12; i < 15; i++) own[i] = -own[i];
  if (planned_mistake == MATRIX_MIRRORED) own[12] = -own[12];
}

static void spoil_vertices(unsigned char *bytes) { /* of box 20's last corner */
  unsigned char *vertex = bytes + (20 * 24 + 23) * 32;
  float place[3];
  memcpy(place, vertex, sizeof place);
  if (planned_mistake == CORNER_MOVED) place[1] += 1e-3F;
  if (planned_mistake == CORNER_NOT_MIRRORED) place[0] = -place[0];
  memcpy(vertex, place, sizeof place);
  if (planned_mistake == JOINT_OF_ANOTHER_BOX) vertex[24] = 19;
  if (planned_mistake == JOINT_BEYOND_THE_SKIN) vertex[24] = BOXES;
  if (planned_mistake == WEIGHTS_SHORT_OF_ONE) vertex[28] = 254;
}

static ssize_t write_spoiled_mesh(int fd, const void *bytes, size_t count, off_t offset) {
  if (count != MATRICES_BYTES && count != VERTICES_BYTES) return pwrite(fd, bytes, count, offset);
  void *copy = malloc(count);
  memcpy(copy, bytes, count);
  if (count == MATRICES_BYTES)
    spoil_matrices(copy);
  else
    spoil_vertices(copy);
  mistakes_made += memcmp(copy, bytes, count) != 0;
  ssize_t done = pwrite(fd, copy, count, offset);
  free(copy);
  return done;
}

/* ---- baking -------------------------------------------------------------------------------------------- */

static sinew_bake_options options;

static sinew_result bake_with(const sinew_kernels *kernels, const char *folder, sinew_error *error) {
  sinew_context *context = test_open_context(NULL, 2);
  context->kernels = kernels;
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk.anim"));
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker.fbx.meta"));
  char path[1024];
  snprintf(path, sizeof path, "%s/walk.glb", folder);
  sinew_result result =
      sinew_bake(context, sinew_clip_file_clip(file, 0), rig, &options, path, NULL, error);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  sinew_context_close(context);
  return result;
}

static void expect_refusal(const sinew_kernels *kernels, const char *what) {
  char *folder = test_folder_make();
  sinew_error error = {0};
  sinew_result result = bake_with(kernels, folder, &error);
  cr_expect(result == SINEW_ERROR_VERIFY, "%s: result %d (%s)", what, result, error.message);
  cr_expect(strstr(error.message, "joint") != NULL, "%s: %s", what, error.message);
  cr_expect(test_folder_count(folder) == 0, "%s: something was left in the folder", what);
  test_folder_remove(folder);
}

Test(planted, the_unchanged_writer_passes) {
  char *folder = test_folder_make();
  sinew_error error = {0};
  cr_expect(bake_with(sinew_kernels_select(NULL), folder, &error) == SINEW_OK, "%s", error.message);
  cr_expect(test_folder_count(folder) == 1);
  test_folder_remove(folder);
}

Test(planted, a_swapped_component_is_found) {
  real = sinew_kernels_select(NULL);
  sinew_kernels wrong = *real;
  wrong.pack_quat = pack_swapped;
  expect_refusal(&wrong, "swapped y and z");
}

Test(planted, a_mirrored_axis_is_found) {
  real = sinew_kernels_select(NULL);
  sinew_kernels wrong = *real;
  wrong.pack_quat = pack_mirrored;
  expect_refusal(&wrong, "mirrored rotation axis");
  wrong = *real;
  wrong.pack_vec3 = pack_hips_mirrored;
  expect_refusal(&wrong, "mirrored hips");
}

Test(planted, one_wrong_frame_is_found) {
  real = sinew_kernels_select(NULL);
  sinew_kernels wrong = *real;
  wrong.pack_quat = pack_one_frame_wrong;
  expect_refusal(&wrong, "frame 7 holds frame 20");
}

Test(planted, a_wrong_parent_is_found) {
  os_calls calls = os_real;
  calls.pwrite = write_wrong_parent;
  os = &calls;
  parent_was_changed = false;
  expect_refusal(sinew_kernels_select(NULL), "wrong parent");
  os = &os_real;
  cr_expect(parent_was_changed);
}

static void expect_found(ssize_t (*write)(int, const void *, size_t, off_t), const char *reason) {
  os_calls calls = os_real;
  calls.pwrite = write;
  os = &calls;
  char *folder = test_folder_make();
  sinew_error error = {0};
  cr_expect_eq(bake_with(sinew_kernels_select(NULL), folder, &error), SINEW_ERROR_VERIFY, "%s",
               error.message);
  os = &os_real;
  cr_expect(strstr(error.message, reason), "%s", error.message);
  test_folder_remove(folder);
}

Test(planted, wrong_times_and_names_are_found) {
  expect_found(write_wrong_time, "frame 20 stands at 0.65");
  expect_found(write_wrong_names, "node 0 has another name than the rig's");
}

Test(planted, mistakes_in_16_bit_rotations_are_found) {
  real = sinew_kernels_select(NULL);
  sinew_kernels wrong = *real;
  options.quantize = true;
  wrong.pack_quat16 = pack16_swapped;
  expect_refusal(&wrong, "swapped y and z");
  wrong.pack_quat16 = pack16_one_frame_wrong;
  expect_refusal(&wrong, "frame 7 holds frame 20");
  char *folder = test_folder_make();
  sinew_error error = {0};
  cr_expect(bake_with(real, folder, &error) == SINEW_OK, "%s", error.message);
  test_folder_remove(folder);
}

Test(planted, mistakes_in_the_mesh_are_found) {
  static const char *const reasons[MESH_MISTAKES] = {
      [MATRIX_OF_ANOTHER_BONE] = "a corner of the box on joint",
      [MATRIX_NOT_INVERTED] = "a corner of the box",
      [MATRIX_MIRRORED] = "a corner of the box",
      [JOINT_OF_ANOTHER_BOX] = "a corner of the box",
      [JOINT_BEYOND_THE_SKIN] = "hangs on joint 52",
      [CORNER_MOVED] = "a corner of the box",
      [CORNER_NOT_MIRRORED] = "a corner of the box",
      [WEIGHTS_SHORT_OF_ONE] = "do not sum to 1",
  };
  os_calls calls = os_real;
  calls.pwrite = write_spoiled_mesh;
  os = &calls;
  options.mesh = SINEW_MESH_BOXES;
  for (int quantize = 0; quantize < 2; quantize++)
    for (planned_mistake = NO_MISTAKE; planned_mistake < MESH_MISTAKES; planned_mistake++) {
      char *folder = test_folder_make();
      sinew_error error = {0};
      options.quantize = quantize;
      mistakes_made = 0;
      sinew_result result = bake_with(sinew_kernels_select(NULL), folder, &error);
      const char *reason = reasons[planned_mistake];
      cr_expect(result == (reason ? SINEW_ERROR_VERIFY : SINEW_OK), "mistake %d: result %d (%s)",
                (int)planned_mistake, result, error.message);
      if (reason)
        cr_expect(strstr(error.message, reason), "mistake %d: %s", (int)planned_mistake, error.message);
      cr_expect(mistakes_made == (reason != NULL), "mistake %d was planted %u times", (int)planned_mistake,
                mistakes_made);
      cr_expect(test_folder_count(folder) == (reason ? 0 : 1));
      test_folder_remove(folder);
    }
  os = &os_real;
}
