#include "clip_inspect.h"

#include "clip_parts.h"
#include "clip_settings.h"
#include "console.h"
#include "name_list.h"
#include "printable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Everything that is told of one clip. */
typedef struct clip_facts {
  const sinew_clip *clip;
  sinew_clip_info info;
  clip_parts parts;
  uint64_t stepped_keys;
  uint64_t weighted_keys;
  uint32_t constant_curves;
  sinew_clip_ranges ranges;
  bool sampled;
  sinew_error why_not; /* unless sampled */
} clip_facts;

static void find_facts(const clip_inspection *inspection, const sinew_clip *clip, clip_facts *facts) {
  memset(facts, 0, sizeof *facts);
  facts->clip = clip;
  sinew_clip_get_info(clip, &facts->info);
  clip_parts_find(clip, &facts->parts);
  sinew_curve_info curve;
  for (uint32_t i = 0; sinew_clip_get_curve(clip, i, &curve); i++) {
    facts->stepped_keys += curve.stepped_keys;
    facts->weighted_keys += curve.weighted_keys;
    facts->constant_curves += curve.constant;
  }
  facts->sampled = sinew_clip_measure(inspection->context, clip, inspection->rate_hz, &facts->ranges,
                                      &facts->why_not) == SINEW_OK;
}

static const char *const kind_names[] = {
    [SINEW_CURVE_MUSCLE] = "muscle", [SINEW_CURVE_ROOT] = "root", [SINEW_CURVE_GOAL] = "goal",
    [SINEW_CURVE_MOTION] = "motion", [SINEW_CURVE_TDOF] = "tdof", [SINEW_CURVE_FOREIGN] = "foreign"};

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

/* ---- lines -------------------------------------------------------------------------------------------- */

static void say_counts(const clip_facts *facts) {
  const sinew_clip_info *info = &facts->info;
  const uint32_t *of_kind = facts->parts.of_kind;
  char keys[32], stepped[32], weighted[32], frames[32];
  const uint64_t frame_count = sinew_clip_frame_count(facts->clip, 0);
  say("  time            %g s to %g s, %g s long", info->start_s, info->stop_s, info->stop_s - info->start_s);
  say("  frames          %s at %g per second", grouped_digits(frame_count, frames), info->rate_hz);
  say("  curves          %u: %u muscles, %u root, %u goals, %u motion, %u TDoF, %u foreign; %u constant",
      info->curve_count, of_kind[SINEW_CURVE_MUSCLE], of_kind[SINEW_CURVE_ROOT], of_kind[SINEW_CURVE_GOAL],
      of_kind[SINEW_CURVE_MOTION], of_kind[SINEW_CURVE_TDOF], of_kind[SINEW_CURVE_FOREIGN],
      facts->constant_curves);
  say("  keys            %s, of which %s stepped and %s weighted", grouped_digits(info->key_count, keys),
      grouped_digits(facts->stepped_keys, stepped), grouped_digits(facts->weighted_keys, weighted));
  char missing[CLIP_PARTS_BYTES];
  say("  missing         %s", clip_parts_missing(&facts->parts, missing));
}

/* A clip of bones has neither curves nor muscles. */
static void say_bones(const clip_facts *facts) {
  const sinew_clip_info *info = &facts->info;
  char frames[32];
  say("  time            %g s to %g s, %g s long", info->start_s, info->stop_s, info->stop_s - info->start_s);
  say("  frames          %s at %g per second", grouped_digits(sinew_clip_frame_count(facts->clip, 0), frames),
      info->rate_hz);
  say("  skeleton        %s of %u nodes%s", info->skeleton_kind, info->node_count,
      info->is_human ? ", a human body" : "");
  const char *warning;
  for (uint32_t i = 0; (warning = sinew_clip_warning(facts->clip, i)); i++)
    say("  warning         %s", warning);
}

static void say_names(const clip_facts *facts, sinew_curve_kind kind, const char *title) {
  if (!facts->parts.of_kind[kind]) return;
  name_list names = {0};
  sinew_curve_info curve;
  for (uint32_t i = 0; sinew_clip_get_curve(facts->clip, i, &curve); i++)
    if (curve.kind == kind) name_list_add(&names, curve.attribute);
  say("  %-16s%s", title, name_list_text(&names));
}

/* The larger of how far a muscle reaches below -1 and above 1, as a value. */
static double farthest(const sinew_muscle_range *range) {
  return -range->least > range->most ? range->least : range->most;
}

static void say_beyond(const sinew_clip_ranges *ranges) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < SINEW_MUSCLE_COUNT; i++) count += ranges->muscles[i].frames_beyond > 0;
  char some[32], all[32];
  say("  beyond +-1      %u muscle%s, in %s of %s frame%s", count, plural(count),
      grouped_digits(ranges->frames_beyond, some), grouped_digits(ranges->frame_count, all),
      plural(ranges->frame_count));
  for (uint32_t i = 0; i < SINEW_MUSCLE_COUNT; i++) {
    const sinew_muscle_range *range = &ranges->muscles[i];
    if (range->frames_beyond)
      say("    %-30s as far as %.6g, %s frame%s", sinew_muscle_name(i), farthest(range),
          grouped_digits(range->frames_beyond, some), plural(range->frames_beyond));
    if (range->frames_not_finite)
      say("    %-30s not finite in %s frame%s", sinew_muscle_name(i),
          grouped_digits(range->frames_not_finite, some), plural(range->frames_not_finite));
  }
}

static void say_ranges(const clip_facts *facts) {
  const sinew_clip_ranges *ranges = &facts->ranges;
  double least = INFINITY, most = -INFINITY;
  for (uint32_t i = 0; i < SINEW_MUSCLE_COUNT; i++) {
    if (!ranges->muscles[i].present) continue;
    if (ranges->muscles[i].least < least) least = ranges->muscles[i].least;
    if (ranges->muscles[i].most > most) most = ranges->muscles[i].most;
  }
  char frames[32];
  if (least <= most) {
    say("  muscles         %.6g to %.6g, sampled over %s frame%s at %g per second", least, most,
        grouped_digits(ranges->frame_count, frames), plural(ranges->frame_count), ranges->rate_hz);
    say_beyond(ranges);
  }
  if (ranges->root_key_count)
    say("  root rotation   of unit length within %.2g at %s key%s, the farthest off at %g s",
        ranges->root_unit_off, grouped_digits(ranges->root_key_count, frames), plural(ranges->root_key_count),
        ranges->root_unit_off_at_s);
}

static void say_curve(const clip_facts *facts, const sinew_curve_info *curve) {
  char name[SHORT_NAME_BYTES], keys[32], sampled[64] = "", notes[128] = "";
  size_t length = 0;
  if (facts->sampled && curve->muscle >= 0) {
    const sinew_muscle_range *range = &facts->ranges.muscles[curve->muscle];
    snprintf(sampled, sizeof sampled, " %11.5g %11.5g", range->least, range->most);
  }
  if (curve->constant) length += (size_t)snprintf(notes, sizeof notes, "  constant");
  if (curve->stepped_keys)
    length += (size_t)snprintf(notes + length, sizeof notes - length, "  %llu stepped",
                               (unsigned long long)curve->stepped_keys);
  if (curve->weighted_keys)
    snprintf(notes + length, sizeof notes - length, "  %llu weighted",
             (unsigned long long)curve->weighted_keys);
  /* the last columns are filled only where something stands there */
  say("    %-32s%-8s%10s %11.5g %11.5g%*s%s", short_name(curve->attribute, name), kind_names[curve->kind],
      grouped_digits(curve->key_count, keys), curve->least_key, curve->most_key, *notes ? 24 : 0, sampled,
      notes);
}

static void say_table(const clip_facts *facts) {
  say("  %-34s%-8s%10s %11s %11s %11s %11s", "curve", "kind", "keys", "least key", "most key", "sampled",
      "to");
  sinew_curve_info curve;
  for (uint32_t i = 0; sinew_clip_get_curve(facts->clip, i, &curve); i++) say_curve(facts, &curve);
}

void clip_inspect_say(const clip_inspection *inspection) {
  const uint32_t count = sinew_clip_file_count(inspection->file);
  char bytes[32];
  sinew_clip_info first;
  sinew_clip_get_info(sinew_clip_file_clip(inspection->file, 0), &first);
  const bool of_bones = count > 0 && first.kind == SINEW_CLIP_BONES;
  say("%s: %u %sclip%s%s, %s bytes", inspection->path, count, of_bones ? "" : "humanoid ", plural(count),
      of_bones ? " of bones" : "", grouped_digits(inspection->byte_count, bytes));
  for (uint32_t i = 0; i < count && console_intact(); i++) {
    clip_facts facts;
    find_facts(inspection, sinew_clip_file_clip(inspection->file, i), &facts);
    say("clip %s", facts.info.name ? facts.info.name : "");
    if (facts.info.kind == SINEW_CLIP_BONES) {
      say_bones(&facts);
      continue;
    }
    say_counts(&facts);
    if (facts.sampled)
      say_ranges(&facts);
    else
      say("  muscles         not sampled: %s", facts.why_not.message);
    say_names(&facts, SINEW_CURVE_TDOF, "TDoF");
    say_names(&facts, SINEW_CURVE_FOREIGN, "foreign");
    char text[CLIP_SETTINGS_BYTES];
    say("  settings        %s", clip_settings_numbers(&facts.info.settings, text));
    say("  flags set       %s", clip_settings_flags(&facts.info.settings, text));
    if (inspection->verbose) say_table(&facts);
  }
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static json_t *counts_json(const clip_facts *facts) {
  json_t *object = or_die(json_object());
  json_put(object, "all", json_of_count(facts->info.curve_count));
  for (uint32_t kind = 0; kind <= SINEW_CURVE_FOREIGN; kind++)
    json_put(object, kind_names[kind], json_of_count(facts->parts.of_kind[kind]));
  json_put(object, "constant", json_of_count(facts->constant_curves));
  return object;
}

static json_t *ranges_json(const sinew_clip_ranges *ranges) {
  json_t *object = or_die(json_object()), *muscles = or_die(json_array());
  json_put(object, "fps", json_of_number(ranges->rate_hz));
  json_put(object, "frames", json_of_count(ranges->frame_count));
  json_put(object, "framesBeyond", json_of_count(ranges->frames_beyond));
  for (uint32_t i = 0; i < SINEW_MUSCLE_COUNT; i++) {
    const sinew_muscle_range *range = &ranges->muscles[i];
    if (!range->present) continue;
    json_t *row = or_die(json_object());
    json_put(row, "muscle", json_of_text(sinew_muscle_name(i)));
    json_put(row, "least", json_of_number(range->least));
    json_put(row, "most", json_of_number(range->most));
    json_put(row, "framesBeyond", json_of_count(range->frames_beyond));
    json_put(row, "framesNotFinite", json_of_count(range->frames_not_finite));
    json_add(muscles, row);
  }
  json_put(object, "muscles", muscles);
  return object;
}

static json_t *root_json(const clip_facts *facts) {
  if (!facts->sampled || !facts->ranges.root_key_count) return json_null();
  json_t *object = or_die(json_object());
  json_put(object, "keys", json_of_count(facts->ranges.root_key_count));
  json_put(object, "unitOff", json_of_number(facts->ranges.root_unit_off));
  json_put(object, "atS", json_of_number(facts->ranges.root_unit_off_at_s));
  return object;
}

static json_t *table_json(const sinew_clip *clip) {
  json_t *table = or_die(json_array());
  sinew_curve_info curve;
  for (uint32_t i = 0; sinew_clip_get_curve(clip, i, &curve); i++) {
    json_t *row = or_die(json_object());
    json_put(row, "attribute", json_of_text(curve.attribute));
    json_put(row, "kind", json_of_text(kind_names[curve.kind]));
    json_put(row, "keys", json_of_count(curve.key_count));
    json_put(row, "least", json_of_number(curve.least_key));
    json_put(row, "most", json_of_number(curve.most_key));
    json_put(row, "constant", json_boolean(curve.constant));
    json_put(row, "steppedKeys", json_of_count(curve.stepped_keys));
    json_put(row, "weightedKeys", json_of_count(curve.weighted_keys));
    json_add(table, row);
  }
  return table;
}

static json_t *clip_json(const clip_facts *facts) {
  const sinew_clip_info *info = &facts->info;
  json_t *object = or_die(json_object());
  json_put(object, "name", json_of_text(info->name));
  json_put(object, "startS", json_of_number(info->start_s));
  json_put(object, "stopS", json_of_number(info->stop_s));
  json_put(object, "durationS", json_of_number(info->stop_s - info->start_s));
  json_put(object, "fps", json_of_number(info->rate_hz));
  json_put(object, "frames", json_of_count(sinew_clip_frame_count(facts->clip, 0)));
  if (info->kind == SINEW_CLIP_BONES) {
    json_put(object, "skeleton", json_of_text(info->skeleton_kind));
    json_put(object, "nodes", json_of_count(info->node_count));
    json_put(object, "human", json_boolean(info->is_human));
  }
  json_put(object, "keys", json_of_count(info->key_count));
  json_put(object, "steppedKeys", json_of_count(facts->stepped_keys));
  json_put(object, "weightedKeys", json_of_count(facts->weighted_keys));
  json_put(object, "curves", counts_json(facts));
  json_put(object, "missing", clip_parts_json(&facts->parts));
  json_put(object, "sampled", facts->sampled ? ranges_json(&facts->ranges) : json_null());
  json_put(object, "notSampled", facts->sampled ? json_null() : json_of_text(facts->why_not.message));
  json_put(object, "rootQ", root_json(facts));
  json_put(object, "settings", clip_settings_json(&info->settings));
  json_put(object, "table", table_json(facts->clip));
  return object;
}

void clip_inspect_fill(json_t *object, const clip_inspection *inspection) {
  json_t *clips = or_die(json_array());
  json_put(object, "bytes", json_of_count(inspection->byte_count));
  for (uint32_t i = 0; i < sinew_clip_file_count(inspection->file); i++) {
    clip_facts facts;
    find_facts(inspection, sinew_clip_file_clip(inspection->file, i), &facts);
    json_add(clips, clip_json(&facts));
  }
  json_put(object, "clips", clips);
}
