#include "clip_report.h"

#include "console.h"
#include "json_line.h"
#include "printable.h"

#include <stdio.h>
#include <string.h>

void clip_report_say(const clip_report *report) {
  const sinew_bake_report *bake = report->bake;
  char frames[32], bytes[32];
  say("%s: %s frame%s at %g fps, %u sampled and %u constant tracks, %s bytes", report->output,
      grouped_digits(bake->frame_count, frames), bake->frame_count == 1 ? "" : "s", bake->rate_hz,
      bake->sampled_tracks, bake->constant_tracks, grouped_digits(bake->byte_count, bytes));
  if (bake->verified)
    say("verified: worst joint %.1e m (%s, frame %llu)", bake->worst_joint_m,
        bake->worst_joint_name ? bake->worst_joint_name : "none", (unsigned long long)bake->worst_frame);
  else
    say("not verified");
}

typedef struct setting {
  const char *json_name;
  const char *text;
  const char *unit; /* NULL: a flag */
  double number;
  bool flag;
} setting;

enum { SETTING_COUNT = 15 };

static void settings_list(const sinew_clip_settings *s, setting out[SETTING_COUNT]) {
  const setting all[SETTING_COUNT] = {
      {"startTimeS", "start", " s", s->start_time_s, false},
      {"stopTimeS", "stop", " s", s->stop_time_s, false},
      {"orientationOffsetYDeg", "orientation offset", " deg", s->orientation_offset_y_deg, false},
      {"level", "level", "", s->level, false},
      {"cycleOffset", "cycle offset", "", s->cycle_offset, false},
      {"loopTime", "loop time", NULL, 0, s->loop_time},
      {"loopBlend", "loop blend", NULL, 0, s->loop_blend},
      {"loopBlendOrientation", "loop blend orientation", NULL, 0, s->loop_blend_orientation},
      {"loopBlendPositionY", "loop blend position y", NULL, 0, s->loop_blend_position_y},
      {"loopBlendPositionXZ", "loop blend position xz", NULL, 0, s->loop_blend_position_xz},
      {"keepOriginalOrientation", "keep original orientation", NULL, 0, s->keep_original_orientation},
      {"keepOriginalPositionY", "keep original position y", NULL, 0, s->keep_original_position_y},
      {"keepOriginalPositionXZ", "keep original position xz", NULL, 0, s->keep_original_position_xz},
      {"heightFromFeet", "height from feet", NULL, 0, s->height_from_feet},
      {"mirror", "mirror", NULL, 0, s->mirror},
  };
  memcpy(out, all, sizeof all);
}

static json_t *names_of_kind(const sinew_clip *clip, sinew_curve_kind kind) {
  json_t *names = or_die(json_array());
  sinew_curve_info curve;
  for (uint32_t i = 0; sinew_clip_get_curve(clip, i, &curve); i++)
    if (curve.kind == kind) json_add(names, json_of_text(curve.attribute ? curve.attribute : ""));
  return names;
}

void clip_report_json(const clip_report *report) {
  const sinew_bake_report *bake = report->bake;
  sinew_clip_info info;
  sinew_clip_get_info(report->clip, &info);
  json_t *object = json_begin();
  json_put(object, "input", json_of_text(report->input));
  json_put(object, "clip", json_of_text(info.name));
  json_put(object, "output", json_of_text(report->output));
  json_put(object, "ok", json_true());
  json_put(object, "frames", or_die(json_integer((json_int_t)bake->frame_count)));
  json_put(object, "fps", json_of_number(bake->rate_hz));
  json_put(object, "bytes", or_die(json_integer((json_int_t)bake->byte_count)));
  json_put(object, "sampledTracks", or_die(json_integer(bake->sampled_tracks)));
  json_put(object, "constantTracks", or_die(json_integer(bake->constant_tracks)));
  json_put(object, "verified", json_boolean(bake->verified));
  json_put(object, "worstJointM", bake->verified ? json_of_number(bake->worst_joint_m) : json_null());
  json_put(object, "worstJoint", bake->verified ? json_of_text(bake->worst_joint_name) : json_null());
  json_put(object, "worstFrame",
           bake->verified ? or_die(json_integer((json_int_t)bake->worst_frame)) : json_null());
  json_put(object, "isa", json_of_text(sinew_context_isa(report->context)));
  json_put(object, "profile", json_of_text(sinew_context_profile(report->context)));
  json_put(object, "tdofCurves", names_of_kind(report->clip, SINEW_CURVE_TDOF));
  json_put(object, "foreignCurves", names_of_kind(report->clip, SINEW_CURVE_FOREIGN));
  setting settings[SETTING_COUNT];
  settings_list(&info.settings, settings);
  json_t *stored = or_die(json_object());
  for (int i = 0; i < SETTING_COUNT; i++)
    json_put(stored, settings[i].json_name,
             settings[i].unit ? json_of_number(settings[i].number) : json_boolean(settings[i].flag));
  json_put(object, "settings", stored);
  json_say(object);
}

/* "a, b, c, d and 12 more": enough to know which, never a screenful. */
static void note_curves(const char *input, const char *clip_name, const sinew_clip *clip,
                        sinew_curve_kind kind, uint32_t count, const char *what) {
  enum { SHOWN = 4, NAME_BYTES = 40 };
  if (count == 0) return;
  char names[SHOWN * (NAME_BYTES + 8)];
  size_t length = 0;
  uint32_t shown = 0;
  sinew_curve_info curve;
  for (uint32_t i = 0; shown < SHOWN && sinew_clip_get_curve(clip, i, &curve); i++) {
    if (curve.kind != kind || !curve.attribute) continue;
    int bytes = (int)strlen(curve.attribute);
    const bool cut = bytes > NAME_BYTES;
    if (cut)
      for (bytes = NAME_BYTES; bytes && ((unsigned char)curve.attribute[bytes] & 0xc0) == 0x80;) bytes--;
    length += (size_t)snprintf(names + length, sizeof names - length, "%s%.*s%s", shown ? ", " : "", bytes,
                               curve.attribute, cut ? "..." : "");
    shown++;
  }
  char more[32] = "";
  if (count > shown) snprintf(more, sizeof more, " and %u more", count - shown);
  note("%s: %s: %u %s curve%s kept, not applied: %s%s", input, clip_name, count, what, count == 1 ? "" : "s",
       names, more);
}

static void note_settings(const char *input, const sinew_clip_info *info) {
  setting settings[SETTING_COUNT];
  settings_list(&info->settings, settings);
  char text[1024];
  size_t length = 0;
  for (int i = 0; i < SETTING_COUNT; i++) {
    const char *comma = i ? ", " : "";
    if (settings[i].unit)
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %g%s", comma, settings[i].text,
                                 settings[i].number, settings[i].unit);
    else
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%s %s", comma, settings[i].text,
                                 settings[i].flag ? "yes" : "no");
  }
  note("%s: %s: settings as stored, reported, not applied: %s", input, info->name, text);
}

void clip_report_notes(const char *input, const sinew_clip *clip, bool verbose) {
  sinew_clip_info info;
  sinew_clip_get_info(clip, &info);
  if (verbose) {
    char keys[32];
    note("%s: %s: %u curves (%u muscles, %u root, %u goals, %u TDoF, %u foreign), %s keys, %g s to %g s at "
         "%g fps",
         input, info.name, info.curve_count, info.muscle_curves, info.root_curves, info.goal_curves,
         info.tdof_curves, info.foreign_curves, grouped_digits(info.key_count, keys), info.start_s,
         info.stop_s, info.rate_hz);
    note_settings(input, &info);
  }
  note_curves(input, info.name, clip, SINEW_CURVE_TDOF, info.tdof_curves, "TDoF");
  note_curves(input, info.name, clip, SINEW_CURVE_FOREIGN, info.foreign_curves, "foreign");
}
