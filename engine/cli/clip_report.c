#include "clip_report.h"

#include "clip_settings.h"
#include "console.h"
#include "json_line.h"
#include "muscle_report.h"
#include "name_list.h"
#include "printable.h"

#include <string.h>

/* By the joints of the file; other formats are read back as the bytes they are. */
static bool is_measured(const sinew_bake_report *bake) {
  const char *format = bake->format ? bake->format : "";
  return bake->verified && (strcmp(format, "glb") == 0 || strcmp(format, "vrma") == 0);
}

static void say_measured(const sinew_bake_report *bake) {
  char corner[48] = "";
  if (bake->box_count) snprintf(corner, sizeof corner, ", worst corner %.1e m", bake->worst_corner_m);
  const char *joint = bake->worst_joint_name;
  say("verified: worst joint %.1e m (%s, frame %llu)%s, %.1e m allowed", bake->worst_joint_m,
      !joint   ? "none"
      : *joint ? joint
               : "a node without a name",
      (unsigned long long)bake->worst_frame, corner, bake->allowed_m);
}

void clip_report_say(const clip_report *report) {
  const sinew_bake_report *bake = report->bake;
  const uint32_t tracks = bake->sampled_tracks + bake->constant_tracks;
  char frames[32], bytes[32], moving[96] = "";
  if (tracks) /* of nodes: a file of muscles alone has none */
    snprintf(moving, sizeof moving, " %u track%s (%u sampled, %u constant),", tracks, tracks == 1 ? "" : "s",
             bake->sampled_tracks, bake->constant_tracks);
  say("%s: %s frame%s at %g fps,%s %s bytes", report->output, grouped_digits(bake->frame_count, frames),
      bake->frame_count == 1 ? "" : "s", bake->rate_hz, moving, grouped_digits(bake->byte_count, bytes));
  if (strcmp(bake->way, "delta") == 0)
    say("bones to bones by delta, the hips' way times %.4g%s", bake->hips_ratio,
        bake->hips_ratio > 3 || bake->hips_ratio < 1.0 / 3
            ? ": one body's hips stand hardly above its feet, look at it"
            : "");
  else if (strcmp(bake->way, "own") == 0)
    say("on its own skeleton");
  if (bake->dropped_moves)
    say("movement: %u node%s below the hips move%s in the parent: not carried over", bake->dropped_moves,
        bake->dropped_moves == 1 ? "" : "s", bake->dropped_moves == 1 ? "s" : "");
  if (bake->dropped_scales)
    say("scale: %u node%s scaled over time: not carried over", bake->dropped_scales,
        bake->dropped_scales == 1 ? " is" : "s are");
  muscle_report_say(&bake->muscles);
  if (report->tells_limits) limit_report_say(&bake->limits);
  if (bake->mesh_kept) say("mesh: the character's own");
  if (bake->quantized) say("quantized: rotations as 16-bit integers");
  if (bake->box_count) say("mesh: %u boxes", bake->box_count);
  if (!bake->verified)
    say("not verified");
  else if (is_measured(bake))
    say_measured(bake);
  else
    say("verified: read back, byte for byte");
}

static json_t *names_of_kind(const sinew_clip *clip, sinew_curve_kind kind) {
  json_t *names = or_die(json_array());
  sinew_curve_info curve;
  for (uint32_t i = 0; sinew_clip_get_curve(clip, i, &curve); i++)
    if (curve.kind == kind) json_add(names, json_of_text(curve.attribute ? curve.attribute : ""));
  return names;
}

static json_t *warnings_of(const sinew_clip *clip) {
  json_t *warnings = or_die(json_array());
  const char *warning;
  for (uint32_t i = 0; (warning = sinew_clip_warning(clip, i)); i++)
    json_add(warnings, json_of_text(warning));
  return warnings;
}

void clip_report_json(const clip_report *report) {
  const sinew_bake_report *bake = report->bake;
  const bool measured = is_measured(bake);
  sinew_clip_info info;
  sinew_clip_get_info(report->clip, &info);
  json_t *object = json_begin();
  json_put(object, "input", json_of_text(report->input));
  json_put(object, "clip", json_of_text(info.name));
  json_put(object, "output", json_of_text(report->output));
  json_put(object, "ok", json_true());
  json_put(object, "format", json_of_text(bake->format));
  json_put(object, "frames", or_die(json_integer((json_int_t)bake->frame_count)));
  json_put(object, "fps", json_of_number(bake->rate_hz));
  json_put(object, "bytes", or_die(json_integer((json_int_t)bake->byte_count)));
  json_put(object, "sampledTracks", or_die(json_integer(bake->sampled_tracks)));
  json_put(object, "constantTracks", or_die(json_integer(bake->constant_tracks)));
  json_put(object, "verified", json_boolean(bake->verified));
  json_put(object, "worstJointM", measured ? json_of_number(bake->worst_joint_m) : json_null());
  json_put(object, "worstJoint", measured ? json_of_text(bake->worst_joint_name) : json_null());
  json_put(object, "worstFrame",
           measured ? or_die(json_integer((json_int_t)bake->worst_frame)) : json_null());
  json_put(object, "allowedM", measured ? json_of_number(bake->allowed_m) : json_null());
  json_put(object, "quantized", json_boolean(bake->quantized));
  json_put(object, "boxes", or_die(json_integer(bake->box_count)));
  json_put(object, "worstCornerM",
           measured && bake->box_count ? json_of_number(bake->worst_corner_m) : json_null());
  json_put(object, "way", json_of_text(bake->way));
  json_put(object, "hipsRatio", json_of_number(bake->hips_ratio));
  json_put(object, "meshKept", json_boolean(bake->mesh_kept));
  json_put(object, "warnings", warnings_of(report->clip));
  json_put(object, "droppedMoves", or_die(json_integer(bake->dropped_moves)));
  json_put(object, "droppedScales", or_die(json_integer(bake->dropped_scales)));
  json_put(object, "muscles", muscle_report_json(&bake->muscles));
  json_put(object, "limits", limit_report_json(&bake->limits));
  json_put(object, "isa", json_of_text(sinew_context_isa(report->context)));
  json_put(object, "profile", json_of_text(sinew_context_profile(report->context)));
  json_put(object, "tdofCurves", names_of_kind(report->clip, SINEW_CURVE_TDOF));
  json_put(object, "foreignCurves", names_of_kind(report->clip, SINEW_CURVE_FOREIGN));
  json_put(object, "settings", clip_settings_json(&info.settings));
  json_say(object);
}

static void note_curves(const char *input, const char *clip_name, const sinew_clip *clip,
                        sinew_curve_kind kind, uint32_t count, const char *what) {
  if (count == 0) return;
  name_list names = {0};
  sinew_curve_info curve;
  for (uint32_t i = 0; sinew_clip_get_curve(clip, i, &curve); i++)
    if (curve.kind == kind) name_list_add(&names, curve.attribute);
  note("%s: %s: %u %s curve%s kept, not applied: %s", input, clip_name, count, what, count == 1 ? "" : "s",
       name_list_text(&names));
}

static void note_settings(const char *input, const sinew_clip_info *info) {
  char text[CLIP_SETTINGS_BYTES];
  note("%s: %s: settings as stored, reported, not applied: %s", input, info->name,
       clip_settings_text(&info->settings, text));
}

void clip_report_notes(const char *input, const sinew_clip *clip, bool first, bool verbose) {
  sinew_clip_info info;
  sinew_clip_get_info(clip, &info);
  if (verbose && info.kind == SINEW_CLIP_BONES) {
    char keys[32];
    note("%s: %s: a clip of bones (%s, %u nodes%s), %s keys, %g s to %g s at %g fps", input, info.name,
         info.skeleton_kind, info.node_count, info.is_human ? ", a human body" : "",
         grouped_digits(info.key_count, keys), info.start_s, info.stop_s, info.rate_hz);
  } else if (verbose) {
    char keys[32];
    note("%s: %s: %u curves (%u muscles, %u root, %u goals, %u TDoF, %u foreign), %s keys, %g s to %g s at "
         "%g fps",
         input, info.name, info.curve_count, info.muscle_curves, info.root_curves, info.goal_curves,
         info.tdof_curves, info.foreign_curves, grouped_digits(info.key_count, keys), info.start_s,
         info.stop_s, info.rate_hz);
    note_settings(input, &info);
  }
  const char *warning;
  /* they are of the body, which the clips of a file have in common */
  for (uint32_t i = 0; first && (warning = sinew_clip_warning(clip, i)); i++) note("%s: %s", input, warning);
  note_curves(input, info.name, clip, SINEW_CURVE_TDOF, info.tdof_curves, "TDoF");
  note_curves(input, info.name, clip, SINEW_CURVE_FOREIGN, info.foreign_curves, "foreign");
}
