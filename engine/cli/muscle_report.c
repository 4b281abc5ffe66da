#include "muscle_report.h"

#include "console.h"
#include "name_list.h"

#include <stdio.h>
#include <string.h>

/* ---- bones that became muscles ---------------------------------------------------------------------------
 */

static const char *avatar_text(const char *avatar) {
  if (!avatar) return "an avatar";
  if (strcmp(avatar, "rig") == 0) return "the avatar of --rig";
  if (strcmp(avatar, "clip rig") == 0) return "the avatar of --clip-rig";
  return "an avatar made of the body found in the file";
}

/* The bone that loses most; -1: none loses anything. mean_deg: over the bones that do. */
static int worst_bone(const sinew_muscle_report *report, double *mean_deg) {
  int worst = -1, count = 0;
  *mean_deg = 0;
  for (int bone = 0; bone < SINEW_HUMAN_BONE_COUNT; bone++) {
    if (!(report->most_lost_deg[bone] > 0)) continue;
    *mean_deg += report->mean_lost_deg[bone];
    count++;
    if (worst < 0 || report->most_lost_deg[bone] > report->most_lost_deg[worst]) worst = bone;
  }
  if (count) *mean_deg /= count;
  return worst;
}

static void say_lost(const sinew_muscle_report *report) {
  double mean_deg;
  const int worst = worst_bone(report, &mean_deg);
  if (worst < 0)
    say("muscles: of %s; they hold the bones as they are", avatar_text(report->avatar));
  else
    say("muscles: of %s; they hold the bones to %.2g degrees on average, %.2g at worst (%s, frame %llu)",
        avatar_text(report->avatar), mean_deg, report->most_lost_deg[worst], sinew_bone_name((uint32_t)worst),
        (unsigned long long)report->most_lost_frame[worst]);
}

/* "rest: 3 bones stand elsewhere in their parents than in the avatar: Head, Neck, Jaw" */
static void say_bones(uint64_t bones, const char *subject, const char *one, const char *many) {
  if (!bones) return;
  name_list names = {0};
  for (uint32_t bone = 0; bone < SINEW_HUMAN_BONE_COUNT; bone++)
    if (bones >> bone & 1) name_list_add(&names, sinew_bone_name(bone));
  const uint32_t count = names.count;
  say("%s: %u bone%s %s: %s", subject, count, count == 1 ? "" : "s", count == 1 ? one : many,
      name_list_text(&names));
}

void muscle_report_say(const sinew_muscle_report *report) {
  if (!report->from_bones) return;
  say_lost(report);
  say_bones(report->place_differs, "rest", "stands elsewhere in its parent than in the avatar",
            "stand elsewhere in their parents than in the avatar");
  say_bones(report->between_differs, "between", "hangs from a node that rests otherwise than in the avatar",
            "hang from nodes that rest otherwise than in the avatar");
  say_bones(report->between_turns, "between", "hangs from a node that turns: taken into the bone",
            "hang from nodes that turn: taken into the bones");
  say_bones(report->moves, "movement", "below the hips moves in its parent: muscles cannot hold it",
            "below the hips move in their parents: muscles cannot hold it");
  say_bones(report->custom_ranges, "ranges", "has muscle ranges of the avatar's own",
            "have muscle ranges of the avatar's own");
}

static json_t *bones_json(uint64_t bones) {
  json_t *names = or_die(json_array());
  for (uint32_t bone = 0; bone < SINEW_HUMAN_BONE_COUNT; bone++)
    if (bones >> bone & 1) json_add(names, json_of_text(sinew_bone_name(bone)));
  return names;
}

static json_t *lost_json(const sinew_muscle_report *report) {
  json_t *lost = or_die(json_object());
  for (uint32_t bone = 0; bone < SINEW_HUMAN_BONE_COUNT; bone++) {
    if (!(report->most_lost_deg[bone] > 0)) continue;
    json_t *of_bone = or_die(json_object());
    json_put(of_bone, "meanDeg", json_of_number(report->mean_lost_deg[bone]));
    json_put(of_bone, "mostDeg", json_of_number(report->most_lost_deg[bone]));
    json_put(of_bone, "frame", json_of_count(report->most_lost_frame[bone]));
    json_put(lost, sinew_bone_name(bone), of_bone);
  }
  return lost;
}

json_t *muscle_report_json(const sinew_muscle_report *report) {
  if (!report->from_bones) return json_null();
  json_t *object = or_die(json_object());
  json_put(object, "avatar", json_of_text(report->avatar));
  json_put(object, "placeDiffers", bones_json(report->place_differs));
  json_put(object, "betweenDiffers", bones_json(report->between_differs));
  json_put(object, "betweenTurns", bones_json(report->between_turns));
  json_put(object, "moves", bones_json(report->moves));
  json_put(object, "customRanges", bones_json(report->custom_ranges));
  json_put(object, "lost", lost_json(report));
  return object;
}

/* ---- muscles beyond their range --------------------------------------------------------------------------
 */

static uint32_t beyond_worst_first(const sinew_limit_report *report, uint32_t list[SINEW_MUSCLE_COUNT]) {
  uint32_t count = 0;
  for (uint32_t muscle = 0; muscle < SINEW_MUSCLE_COUNT; muscle++) {
    if (!report->frames_beyond[muscle]) continue;
    uint32_t place = count++;
    for (; place && report->most[list[place - 1]] < report->most[muscle]; place--)
      list[place] = list[place - 1];
    list[place] = muscle;
  }
  return count;
}

void limit_report_say(const sinew_limit_report *report) {
  uint32_t list[SINEW_MUSCLE_COUNT];
  const uint32_t count = beyond_worst_first(report, list);
  if (!count) {
    say("limits: no muscle leaves -1..1");
    return;
  }
  char text[512] = "";
  size_t length = 0;
  for (uint32_t i = 0; i < count && i < NAME_LIST_SHOWN; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%s (%.3g, %llu frame%s)",
                               i ? ", " : "", sinew_muscle_name(list[i]), report->most[list[i]],
                               (unsigned long long)report->frames_beyond[list[i]],
                               report->frames_beyond[list[i]] == 1 ? "" : "s");
  if (count > NAME_LIST_SHOWN)
    snprintf(text + length, sizeof text - length, " and %u more", count - NAME_LIST_SHOWN);
  say("limits: %u muscle%s %s -1..1%s: %s", count, count == 1 ? "" : "s", count == 1 ? "leaves" : "leave",
      report->clamped ? ", held to it" : "", text);
}

json_t *limit_report_json(const sinew_limit_report *report) {
  uint32_t list[SINEW_MUSCLE_COUNT];
  const uint32_t count = beyond_worst_first(report, list);
  json_t *object = or_die(json_object()), *muscles = or_die(json_object());
  for (uint32_t i = 0; i < count; i++) {
    json_t *of_muscle = or_die(json_object());
    json_put(of_muscle, "framesBeyond", json_of_count(report->frames_beyond[list[i]]));
    json_put(of_muscle, "most", json_of_number(report->most[list[i]]));
    json_put(muscles, sinew_muscle_name(list[i]), of_muscle);
  }
  json_put(object, "clamped", json_boolean(report->clamped));
  json_put(object, "muscles", muscles);
  return object;
}
