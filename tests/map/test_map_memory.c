/* Every allocation of a map fails in turn: the code says so, and nothing is kept. */
#include "base/heap.h"
#include "map/made_body.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static int left; /* allocations until the one that fails */
static int live; /* blocks that nobody has freed */

static void *failing_alloc(void *user, size_t byte_count, size_t alignment) {
  (void)user;
  if (left-- == 0) return NULL;
  live++;
  return aligned_alloc(alignment, byte_count);
}
static void counting_free(void *user, void *block, size_t byte_count) {
  (void)user;
  (void)byte_count;
  live--;
  free(block);
}
static const sinew_allocator failing = {failing_alloc, counting_free, NULL};

/* clang-format off */
static const made_joint body[] = {
  {"hips", NULL, "hips", "Hips"}, {"spine", "hips", "spine1", "Spine"}, {"chest", "spine", "spine5", "Chest"}, {"head", "chest", "head", "Head"},
  {"#UpperArm", "chest", "upperarm", "#UpperArm"}, {"#LowerArm", "#UpperArm", "lowerarm", "#LowerArm"}, {"#Hand", "#LowerArm", "hand", "#Hand"},
  {"#UpperLeg", "hips", "upperleg", "#UpperLeg"}, {"#LowerLeg", "#UpperLeg", "lowerleg", "#LowerLeg"}, {"#Foot", "#LowerLeg", "foot", "#Foot"}, {"#Toes", "#Foot", "toes", "#Toes"}, {0}};
/* clang-format on */

typedef sinew_result run(const skeleton *s, sinew_error *error);

static sinew_result find_map(const skeleton *s, sinew_error *error) {
  human_map map;
  const sinew_result result = human_map_find(s, NULL, 0, NULL, &map, error);
  if (result != SINEW_OK)
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) cr_expect_eq(map.node_of_bone[bone], -1);
  human_map_release(&map);
  return result;
}

static sinew_result read_map(const skeleton *s, sinew_error *error) {
  static const char text[] = "{\"sinew_map\": 1, \"bones\": {\"Chest\": \"chest\", \"Head\": {\"node\": 3}}}";
  const read_source source = {text, strlen(text), read_limits_complete(NULL)};
  map_file given;
  human_map map;
  const sinew_result read = map_file_read(&source, &given, error);
  if (read != SINEW_OK) return read;
  const sinew_result found = human_map_find(s, NULL, 0, &given, &map, error);
  map_file_release(&given);
  human_map_release(&map);
  return found;
}

static void check_every_failure(run *of, const skeleton *s, const char *label) {
  int count = 0;
  for (;; count++) {
    sinew_error error = {0};
    sinew_result result;
    left = count, live = 0;
    {
      HEAP_SCOPE(&failing);
      result = of(s, &error);
    }
    cr_assert_eq(live, 0, "%s: %d blocks are left after failure %d", label, live, count);
    if (left >= 0) {
      cr_expect_eq(result, SINEW_OK, "%s: %s", label, error.message);
      break;
    }
    cr_assert_eq(result, SINEW_ERROR_MEMORY, "%s: failure %d gives '%s'", label, count, error.message);
    cr_assert(error.message[0]);
  }
  cr_expect(count >= 5, "%s allocates %d times", label, count);
}

/* So many nodes that no two of the search's arrays share a chunk of an arena. */
static skeleton *large(const char *kind, bool named) {
  enum { NODES = 3000 };
  const made_side sides = {"left", "right"};
  skeleton *s = made_body(body, sides, kind);
  skeleton_node *nodes = test_keep(NODES, sizeof *nodes);
  memcpy(nodes, s->nodes, s->node_count * sizeof *nodes);
  for (uint32_t i = s->node_count; i < NODES; i++)
    nodes[i] = (skeleton_node){.name = "", .q = {0, 0, 0, 1}, .s = {1, 1, 1}, .source_index = i};
  s->nodes = nodes;
  s->node_count = NODES;
  if (strcmp(kind, "vrm1") == 0) made_expect(body, sides, s, s->node_of_bone);
  for (uint32_t i = 0; i < NODES && !named; i++) nodes[i].name = "";
  return s;
}

Test(map_memory, failures_are_told) {
  check_every_failure(find_map, large("gltf", true), "names");
  check_every_failure(find_map, large("gltf", false), "structure");
  check_every_failure(find_map, large("vrm1", true), "a stated map");
  check_every_failure(read_map, large("gltf", true), "a given map");
}
