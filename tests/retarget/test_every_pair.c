/* Every clip of bones of the data folder on every human skeleton there, by delta: that they map and convert, how many
 * bones they have in common, and how alike arms and legs lie; pairs.tsv holds what is expected of each pair. And there
 * and back again. */
#include "base/error.h"
#include "map/map.h"
#include "segment_match.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Not human, or of no length: refused, which other tests see to. */
static const char *const others[] = {"Mesh2Motion_rig-fox.glb", "bevyengine_Fox.glb",       "raysan5_greenman.glb",
                                     "bulgat_RobotExpressive.glb", "mochi-neko_results.bvh", "mochi-neko_sample.bvh",
                                     "jbrd_test_bvh.bvh",          "burtonageo_test_simple.bvh",
                                     "VictorS-67_rotation_first_root.bvh"};

typedef struct body {
  const char *path, *name;
  sinew_clip_file *clips; /* NULL: a skeleton alone */
  sinew_rig *rig;
} body;

typedef struct bodies {
  body *items;
  size_t count;
} bodies;

static bool is_other(const char *name) {
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    if (strcmp(others[i], name) == 0) return true;
  return false;
}

static void open_body(bodies *all, const char *path) {
  const char *name = strrchr(path, '/') + 1;
  if (is_other(name)) return;
  sinew_error error = {0};
  body *b = &all->items[all->count++];
  *b = (body){.path = path, .name = name};
  cr_assert(sinew_rig_open(path, NULL, &b->rig, &error) == SINEW_OK, "%s: %s", name, error.message);
  const sinew_result result = sinew_clip_file_open(path, NULL, &b->clips, &error);
  cr_assert(result == SINEW_OK || result == SINEW_ERROR_UNSUPPORTED, "%s: %s", name, error.message);
}

static bodies open_all(void) {
  static const char *const kinds[][2] = {{"rigs", ".glb"}, {"rigs", ".vrm"}, {"rigs", ".vrma"}, {"bvh", ".bvh"}};
  bodies all = {.items = calloc(256, sizeof *all.items)};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    size_t count;
    char **paths = test_data_list(kinds[i][0], kinds[i][1], &count);
    for (size_t k = 0; k < count && all.count < 256; k++) open_body(&all, paths[k]);
  }
  return all;
}

static void close_all(bodies *all) {
  for (size_t i = 0; i < all->count; i++) {
    sinew_clip_file_close(all->items[i].clips);
    sinew_rig_close(all->items[i].rig);
  }
  free(all->items);
}

static bool has_motion(const body *b) {
  return b->clips && sinew_clip_file_count(b->clips) > 0;
}

static bake_plan *plan_pair(const sinew_clip *clip, const body *target) {
  sinew_error error = {0};
  bake_plan *plan = malloc(sizeof *plan);
  cr_assert(bake_plan_build(sinew_kernels_select(NULL), clip, target->rig, NULL, plan, &error) == SINEW_OK,
            "%s on %s: %s", clip->name, target->name, error.message);
  return plan;
}

static void drop_plan(bake_plan *plan) {
  bake_plan_release(plan);
  free(plan);
}

static uint32_t bones_in_common(const bake_plan *plan) {
  uint32_t count = 0;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    count += plan->clip->body->map->node_of_bone[bone] >= 0 && plan->rig->node_of_bone[bone] >= 0;
  return count;
}

/* ---- the table ------------------------------------------------------------------------------------------ */

/* SINEW_TEST_WRITE_PAIRS names a file to write a new table to. */
typedef struct pair_table {
  FILE *expected, *made;
  uint32_t rows;
} pair_table;

static void check_row(pair_table *table, const char *row) {
  if (table->made) fprintf(table->made, "%s\n", row);
  char wanted[512];
  do {
    if (!fgets(wanted, sizeof wanted, table->expected)) {
      cr_expect(0, "pairs.tsv ends before '%s'", row);
      return;
    }
    wanted[strcspn(wanted, "\n")] = 0;
  } while (wanted[0] == '#');
  cr_expect_str_eq(row, wanted);
  table->rows++;
}

static void check_pair(pair_table *table, const body *source, const body *target) {
  bake_plan *plan = plan_pair(sinew_clip_file_clip(source->clips, 0), target);
  const segment_match match = segment_match_find(plan);
  cr_expect(match.arms >= 0.98 && match.legs >= 0.98, "%s on %s: arms %.4f, legs %.4f, the worst segment %.4f",
            source->name, target->name, match.arms, match.legs, match.worst);
  char row[512];
  snprintf(row, sizeof row, "%s\t%s\t%u\t%.3f\t%.3f", source->name, target->name, bones_in_common(plan), match.arms,
           match.legs);
  check_row(table, row);
  drop_plan(plan);
}

Test(every_pair, every_clip_on_every_rig) {
  NEED_DATA();
  bodies all = open_all();
  const char *made = getenv("SINEW_TEST_WRITE_PAIRS");
  pair_table table = {fopen(test_source("tests/retarget/pairs.tsv"), "r"), made ? fopen(made, "w") : NULL, 0};
  cr_assert(table.expected, "pairs.tsv cannot be read");
  for (size_t s = 0; s < all.count; s++)
    for (size_t t = 0; t < all.count && has_motion(&all.items[s]); t++)
      check_pair(&table, &all.items[s], &all.items[t]);
  cr_expect(table.rows > 900, "%u pairs", table.rows);
  fclose(table.expected);
  if (table.made) fclose(table.made);
  close_all(&all);
}

/* ---- there and back again --------------------------------------------------------------------------------- */

static bool same_bones(const sinew_rig *a, const sinew_rig *b) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if ((a->node_of_bone[bone] >= 0) != (b->node_of_bone[bone] >= 0)) return false;
  return true;
}

static void expect_return(const sinew_context *context, const char *folder, const body *a, const body *b) {
  char path[512];
  sinew_error error = {0};
  sinew_clip_file *there;
  const sinew_clip *clip = sinew_clip_file_clip(a->clips, 0);
  const sinew_bake_options options = {.mesh = SINEW_MESH_DEFAULT}; /* a skin tells the stance */
  snprintf(path, sizeof path, "%s/there.glb", folder);
  cr_assert(sinew_bake(context, clip, b->rig, &options, path, NULL, &error) == SINEW_OK, "%s on %s: %s",
            a->name, b->name, error.message);
  cr_assert(sinew_clip_file_open(path, NULL, &there, &error) == SINEW_OK, "%s", error.message);
  bake_plan *plan = plan_pair(sinew_clip_file_clip(there, 0), a);
  int bone;
  const double miss_deg = rotation_miss_deg(plan, clip, &bone);
  cr_expect(miss_deg <= 0.01, "%s to %s and back: %s is off by %.3g degrees", a->name, b->name,
            human_bones[bone].name, miss_deg);
  drop_plan(plan);
  sinew_clip_file_close(there);
  unlink(path);
}

Test(every_pair, there_and_back_again) {
  NEED_DATA();
  bodies all = open_all();
  char *folder = test_folder_make();
  sinew_context *context = test_open_context(NULL, 1);
  uint32_t count = 0;
  for (size_t a = 0; a < all.count; a++)
    for (size_t b = 0; b < all.count && has_motion(&all.items[a]); b++) {
      if (!same_bones(all.items[a].rig, all.items[b].rig)) continue;
      expect_return(context, folder, &all.items[a], &all.items[b]);
      count++;
    }
  cr_expect(count > 30, "%u pairs have the same bones", count);
  sinew_context_close(context);
  test_folder_remove(folder);
  close_all(&all);
}
