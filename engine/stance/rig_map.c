#include "base/error.h"
#include "map/map_file.h"
#include "base/number.h"
#include "stance/figure.h"
#include "write/outfile.h"

#include <math.h>

/* As the compiler of rigs has it. */
static const double rad_per_deg = 0.017453292519943295;

/* What a map file needs of a skeleton: names and the file's own indices. */
static sinew_result skeleton_of(const sinew_rig *rig, skeleton *s, sinew_error *error) {
  s->node_count = rig->node_count;
  s->nodes = arena_alloc(&s->memory, rig->node_count, sizeof *s->nodes);
  SINEW_CHECK(s->nodes, error, SINEW_ERROR_MEMORY, "out of memory for %u nodes", rig->node_count);
  for (uint32_t i = 0; i < rig->node_count; i++)
    s->nodes[i] = (skeleton_node){.name = rig->nodes[i].name,
                                  .parent = rig->nodes[i].parent,
                                  .source_index = rig->source_node ? rig->source_node[i] : i};
  return SINEW_OK;
}

/* ---- ranges ---------------------------------------------------------------------------------------------
 */

/* The degrees that compile to these radians: of those next to the quotient the ones with the shortest text;
 * the quotient itself where there are none, as of radians that never were degrees. */
static double degrees_of(double rad) {
  char text[40];
  const double quotient = rad / rad_per_deg;
  double degrees = fmin(fmax(quotient, -180), 180), near = quotient;
  size_t shortest = sizeof text;
  for (int back = 0; back < 2; back++) near = nextafter(near, -INFINITY);
  for (int step = 0; step < 5; step++, near = nextafter(near, (double)INFINITY)) {
    if (near * rad_per_deg != rad || fabs(near) > 180) continue;
    const size_t length = number_print_double(text, near);
    if (length < shortest) shortest = length, degrees = near;
  }
  return degrees;
}

/* What is not as it would be without being said. */
static void ranges_of(const sinew_rig *rig, map_ranges *ranges) {
  const double shares[MAP_TWIST_COUNT] = {rig->arm_twist, rig->fore_arm_twist, rig->upper_leg_twist,
                                          rig->leg_twist};
  *ranges = (map_ranges){0};
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    const human_muscle_entry *entry = &human_muscles[muscle];
    const rig_axes *axes = &rig->axes[entry->bone];
    if (rig->node_of_bone[entry->bone] < 0 || !rig->custom_limits[entry->bone]) continue;
    ranges->min_deg[muscle] = degrees_of(axes->min_rad[entry->axis]);
    ranges->max_deg[muscle] = degrees_of(axes->max_rad[entry->axis]);
    ranges->has_range[muscle] =
        ranges->min_deg[muscle] != entry->min_deg || ranges->max_deg[muscle] != entry->max_deg;
  }
  for (int twist = 0; twist < MAP_TWIST_COUNT; twist++) {
    ranges->has_twist[twist] = shares[twist] != figure_usual_twist;
    ranges->twist[twist] = shares[twist];
  }
}

static sinew_result write_file(const json_out *text, const char *path, sinew_error *error) {
  outfile file;
  SINEW_CHECK(!text->failed, error, SINEW_ERROR_MEMORY, "out of memory for the map's text");
  SINEW_TRY(outfile_open(path, &file, error));
  const sinew_result result = outfile_write(&file, text->bytes, text->byte_count, 0, error);
  if (result == SINEW_OK) return outfile_publish(&file, error);
  outfile_discard(&file);
  return result;
}

sinew_result sinew_rig_save_map(const sinew_rig *rig, const char *path, sinew_error *error) {
  SINEW_CHECK(rig && path, error, SINEW_ERROR_ARGUMENT, "rig and path must not be NULL");
  HEAP_SCOPE(heap_owner(rig));
  skeleton s = {0};
  json_out text = {0};
  map_ranges ranges;
  ranges_of(rig, &ranges);
  sinew_result result = skeleton_of(rig, &s, error);
  if (result == SINEW_OK) {
    map_file_write(&s, rig->node_of_bone, &ranges, &text);
    result = write_file(&text, path, error);
  }
  json_release(&text);
  arena_release(&s.memory);
  return result;
}
