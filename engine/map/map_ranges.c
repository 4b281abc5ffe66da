#include "map/map_ranges.h"

#include "base/error.h"
#include "rig/human.h"

#include <string.h>

enum { SHOWN_BYTES = 80 };

static const char *const twist_names[MAP_TWIST_COUNT] = {
    [MAP_TWIST_ARM] = "arm",
    [MAP_TWIST_FORE_ARM] = "foreArm",
    [MAP_TWIST_UPPER_LEG] = "upperLeg",
    [MAP_TWIST_LEG] = "leg",
};

/* ---- reading ------------------------------------------------------------------------------------------- */

static int find_muscle(const char *name) {
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++)
    if (strcmp(human_muscles[muscle].attribute, name) == 0) return muscle;
  return -1;
}

static int find_twist(const char *name) {
  for (int twist = 0; twist < MAP_TWIST_COUNT; twist++)
    if (strcmp(twist_names[twist], name) == 0) return twist;
  return -1;
}

static sinew_result take_range(const json_t *value, int muscle, map_ranges *out, sinew_error *error) {
  const char *name = human_muscles[muscle].attribute;
  const json_t *least = json_array_get(value, 0), *most = json_array_get(value, 1);
  SINEW_CHECK(json_array_size(value) == 2 && json_is_number(least) && json_is_number(most), error,
              SINEW_ERROR_SYNTAX, "ranges.%s is not [least, most] in degrees", name);
  out->min_deg[muscle] = json_number_value(least) + 0.0; /* -0 becomes 0, as it would when written */
  out->max_deg[muscle] = json_number_value(most) + 0.0;
  SINEW_CHECK(out->min_deg[muscle] >= -180 && out->min_deg[muscle] <= 0 && out->max_deg[muscle] >= 0 &&
                  out->max_deg[muscle] <= 180,
              error, SINEW_ERROR_SYNTAX, "ranges.%s is %g to %g degrees, expected -180 to 0 and 0 to 180",
              name, out->min_deg[muscle], out->max_deg[muscle]);
  out->has_range[muscle] = true;
  return SINEW_OK;
}

static sinew_result take_twist(const json_t *value, int twist, map_ranges *out, sinew_error *error) {
  SINEW_CHECK(json_is_number(value), error, SINEW_ERROR_SYNTAX, "twist.%s is no number", twist_names[twist]);
  out->twist[twist] = json_number_value(value) + 0.0;
  SINEW_CHECK(out->twist[twist] >= 0 && out->twist[twist] <= 1, error, SINEW_ERROR_SYNTAX,
              "twist.%s is %g, expected a share of 0 to 1", twist_names[twist], out->twist[twist]);
  out->has_twist[twist] = true;
  return SINEW_OK;
}

sinew_result map_ranges_read(const json_t *ranges, const json_t *twist, map_ranges *out, sinew_error *error) {
  const char *key;
  json_t *value;
  char shown[SHOWN_BYTES];
  *out = (map_ranges){0};
  SINEW_CHECK(!ranges || json_is_object(ranges), error, SINEW_ERROR_SYNTAX, "ranges is no object");
  SINEW_CHECK(!twist || json_is_object(twist), error, SINEW_ERROR_SYNTAX, "twist is no object");
  json_object_foreach((json_t *)ranges, key, value) {
    const int muscle = find_muscle(key);
    error_printable(key, strlen(key), shown, sizeof shown);
    SINEW_CHECK(muscle >= 0, error, SINEW_ERROR_SYNTAX, "ranges.%s is no muscle", shown);
    SINEW_TRY(take_range(value, muscle, out, error));
  }
  json_object_foreach((json_t *)twist, key, value) {
    const int found = find_twist(key);
    error_printable(key, strlen(key), shown, sizeof shown);
    SINEW_CHECK(found >= 0, error, SINEW_ERROR_SYNTAX, "twist.%s is none of arm, foreArm, upperLeg, leg",
                shown);
    SINEW_TRY(take_twist(value, found, out, error));
  }
  return SINEW_OK;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* The member's opening before its first entry, what stands between two before the others. */
static void begin_entry(const char *member, const char *name, bool *any, json_out *out) {
  if (!*any) {
    json_literal(out, ",\n  ");
    json_out_string(out, member);
    json_literal(out, ": {");
  }
  json_literal(out, *any ? ",\n    " : "\n    ");
  json_out_string(out, name);
  json_literal(out, ": ");
  *any = true;
}

void map_ranges_write(const map_ranges *ranges, json_out *out) {
  bool any = false;
  for (int muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    if (!ranges->has_range[muscle]) continue;
    begin_entry("ranges", human_muscles[muscle].attribute, &any, out);
    json_literal(out, "[");
    json_number(out, ranges->min_deg[muscle]);
    json_literal(out, ", ");
    json_number(out, ranges->max_deg[muscle]);
    json_literal(out, "]");
  }
  if (any) json_literal(out, "\n  }");
  any = false;
  for (int twist = 0; twist < MAP_TWIST_COUNT; twist++) {
    if (!ranges->has_twist[twist]) continue;
    begin_entry("twist", twist_names[twist], &any, out);
    json_number(out, ranges->twist[twist]);
  }
  if (any) json_literal(out, "\n  }");
}
