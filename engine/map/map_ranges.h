/* What a map file says of a rig's muscles beside its bones:
 * "ranges": {"Left Arm Down-Up": [-60, 100], ...}, degrees from the muscle at -1 to the muscle at 1, the
 * names as clips have them (sinew_muscle_name); "twist": {"arm": 0.5, "foreArm": 0.5, "upperLeg": 0.5, "leg":
 * 0.5}, the share of its twist that a limb bone keeps. What is left out stays as it is without. */
#ifndef SINEW_MAP_MAP_RANGES_H
#define SINEW_MAP_MAP_RANGES_H

#include "sinew.h"
#include "write/json_out.h"

#include <jansson.h>

enum { MAP_TWIST_ARM, MAP_TWIST_FORE_ARM, MAP_TWIST_UPPER_LEG, MAP_TWIST_LEG, MAP_TWIST_COUNT };

typedef struct map_ranges {
  bool has_range[SINEW_MUSCLE_COUNT]; /* false: unsaid, the rest is 0 */
  double min_deg[SINEW_MUSCLE_COUNT]; /* -180..0 */
  double max_deg[SINEW_MUSCLE_COUNT]; /* 0..180 */
  bool has_twist[MAP_TWIST_COUNT];
  double twist[MAP_TWIST_COUNT]; /* 0..1 */
} map_ranges;

/* The values of the file's two members; NULL: it has none. Errors: SYNTAX. */
sinew_result map_ranges_read(const json_t *ranges, const json_t *twist, map_ranges *out, sinew_error *error);
/* The members after those before them, ",\n  \"ranges\": {...}"; nothing where nothing is said. Numbers are
 * the shortest that read back as the same double. */
void map_ranges_write(const map_ranges *ranges, json_out *out);

#endif
