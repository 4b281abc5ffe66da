#include "clip_parts.h"

#include "console.h"

#include <stdio.h>
#include <string.h>

/* Muscles that belong together, the left ones first; what stands in the middle has one side. */
typedef struct body_part {
  const char *all;
  const char *sides[2];
  uint32_t first[2];
  uint32_t count; /* of one side; of a part in the middle, first[1] is unused */
} body_part;

static const body_part parts_of_body[] = {
    {"spine", {"spine", NULL}, {0, 0}, 3},
    {"chest", {"chest", NULL}, {3, 0}, 3},
    {"upper chest", {"upper chest", NULL}, {6, 0}, 3},
    {"neck", {"neck", NULL}, {9, 0}, 3},
    {"head", {"head", NULL}, {12, 0}, 3},
    {"eyes", {"left eye", "right eye"}, {15, 17}, 2},
    {"jaw", {"jaw", NULL}, {19, 0}, 2},
    {"legs", {"left leg", "right leg"}, {21, 29}, 8},
    {"arms", {"left arm", "right arm"}, {37, 46}, 9},
    {"fingers", {"left fingers", "right fingers"}, {55, 75}, 20},
};

void clip_parts_find(const sinew_clip *clip, clip_parts *parts) {
  *parts = (clip_parts){0};
  sinew_curve_info curve;
  for (uint32_t i = 0; sinew_clip_get_curve(clip, i, &curve); i++) {
    parts->of_kind[curve.kind]++;
    if (curve.muscle >= 0) parts->muscle[curve.muscle] = true;
  }
}

/* ---- one line ----------------------------------------------------------------------------------------- */

typedef struct line {
  char *text;
  size_t length;
} line;

static void add_absent(line *out, const char *name, uint32_t count) {
  out->length += (size_t)snprintf(out->text + out->length, CLIP_PARTS_BYTES - out->length, "%sno %s (%u)",
                                  out->length ? ", " : "", name, count);
}

static void add_share(line *out, const char *name, uint32_t missing, uint32_t count) {
  out->length += (size_t)snprintf(out->text + out->length, CLIP_PARTS_BYTES - out->length, "%s%u of %u %s",
                                  out->length ? ", " : "", missing, count, name);
}

static uint32_t missing_of(const clip_parts *parts, uint32_t first, uint32_t count) {
  uint32_t missing = 0;
  for (uint32_t i = 0; i < count; i++) missing += !parts->muscle[first + i];
  return missing;
}

static void add_part(line *out, const clip_parts *parts, const body_part *part) {
  const int side_count = part->sides[1] ? 2 : 1;
  uint32_t missing[2] = {0, 0};
  for (int i = 0; i < side_count; i++) missing[i] = missing_of(parts, part->first[i], part->count);
  if (side_count == 2 && missing[0] == part->count && missing[1] == part->count) {
    add_absent(out, part->all, 2 * part->count);
    return;
  }
  for (int i = 0; i < side_count; i++) {
    char name[48];
    /* "left finger muscles" */
    const size_t length = strlen(part->sides[i]);
    const bool plural = part->sides[i][length - 1] == 's';
    snprintf(name, sizeof name, "%.*s muscles", (int)(plural ? length - 1 : length), part->sides[i]);
    if (missing[i] == part->count)
      add_absent(out, part->sides[i], part->count);
    else if (missing[i])
      add_share(out, name, missing[i], part->count);
  }
}

static void add_curves(line *out, const char *name, const char *curves, uint32_t present, uint32_t count) {
  if (present == 0)
    add_absent(out, name, count);
  else if (present < count)
    add_share(out, curves, count - present, count);
}

const char *clip_parts_missing(const clip_parts *parts, char text[CLIP_PARTS_BYTES]) {
  line out = {text, 0};
  *text = 0;
  if (missing_of(parts, 0, SINEW_MUSCLE_COUNT) == SINEW_MUSCLE_COUNT)
    add_absent(&out, "muscles", SINEW_MUSCLE_COUNT);
  else
    for (size_t i = 0; i < sizeof parts_of_body / sizeof *parts_of_body; i++)
      add_part(&out, parts, &parts_of_body[i]);
  add_curves(&out, "root", "root curves", parts->of_kind[SINEW_CURVE_ROOT], CLIP_ROOT_CURVES);
  add_curves(&out, "goals", "goal curves", parts->of_kind[SINEW_CURVE_GOAL], CLIP_GOAL_CURVES);
  if (out.length == 0) strcpy(text, "nothing");
  return text;
}

json_t *clip_parts_json(const clip_parts *parts) {
  json_t *object = or_die(json_object()), *muscles = or_die(json_array());
  for (uint32_t i = 0; i < SINEW_MUSCLE_COUNT; i++)
    if (!parts->muscle[i]) json_add(muscles, json_of_text(sinew_muscle_name(i)));
  json_put(object, "muscles", muscles);
  const uint32_t root = parts->of_kind[SINEW_CURVE_ROOT], goals = parts->of_kind[SINEW_CURVE_GOAL];
  json_put(object, "root", json_of_count(root < CLIP_ROOT_CURVES ? CLIP_ROOT_CURVES - root : 0));
  json_put(object, "goals", json_of_count(goals < CLIP_GOAL_CURVES ? CLIP_GOAL_CURVES - goals : 0));
  return object;
}
