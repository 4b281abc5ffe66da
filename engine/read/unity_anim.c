#include "base/error.h"
#include "read/reader.h"
#include "read/unity_curves.h"

#include <math.h>
#include <string.h>

enum { ANIMATION_CLIP_CLASS = 74 };

/* ---- one clip ---------------------------------------------------------------------------------------------
 */

enum top_field {
  TOP_NAME,
  TOP_LEGACY,
  TOP_FLOAT_CURVES,
  TOP_EDITOR_CURVES,
  TOP_SAMPLE_RATE,
  TOP_SETTINGS,
  TOP_TRANSFORM_FIRST, /* curves of bones by path: no humanoid data */
  TOP_TRANSFORM_LAST = TOP_TRANSFORM_FIRST + 4,
  TOP_BEFORE_SETTINGS_FIRST, /* what the editor writes between the rate and the settings, and never without
                                these */
  TOP_BEFORE_SETTINGS_LAST = TOP_BEFORE_SETTINGS_FIRST + 2,
  TOP_COUNT,
  TOP_UNKNOWN = TOP_COUNT
};
static const char *const top_names[TOP_COUNT] = {"m_Name",           "m_Legacy",
                                                 "m_FloatCurves",    "m_EditorCurves",
                                                 "m_SampleRate",     "m_AnimationClipSettings",
                                                 "m_RotationCurves", "m_CompressedRotationCurves",
                                                 "m_EulerCurves",    "m_PositionCurves",
                                                 "m_ScaleCurves",    "m_WrapMode",
                                                 "m_Bounds",         "m_ClipBindingConstant"};

typedef struct clip_reader {
  scan *s;
  const read_source *source;
  arena *memory;
  sinew_error *error;
  curve_reader curves;
  scan_document document;
  sinew_clip clip;
  unsigned seen;          /* bit per top_field */
  unsigned settings_seen; /* bit per number and flag of read_setting */
  enum top_field last;
  bool legacy;
  bool has_transforms;
  scan_field editor_field; /* m_EditorCurves, read only when m_FloatCurves has nothing of an Animator */
  scan_mark editor_mark;
  scan_field stop_field;
  bool has_stop;
} clip_reader;

static enum top_field find_top(const scan_field *field) {
  for (int i = 0; i < TOP_COUNT; i++)
    if (scan_field_is(field, top_names[i])) return (enum top_field)i;
  return TOP_UNKNOWN;
}

static sinew_result read_name(clip_reader *r, const scan_field *field) {
  const char *text;
  size_t length;
  SINEW_TRY(scan_text(r->s, field, &text, &length));
  if (length == 0) {
    text = "clip";
    length = 4;
  }
  r->clip.name = arena_text(r->memory, text, length);
  SINEW_CHECK(r->clip.name, r->error, SINEW_ERROR_MEMORY, "no memory for the clip's name");
  return SINEW_OK;
}

/* Times and rates are float32 in the editor: read as such, the stop time equals the last key's to the bit. */
static sinew_result read_finite(scan *s, const scan_field *field, double *value) {
  float number = 0;
  SINEW_TRY(scan_float(s, field, &number));
  *value = (double)number;
  if (isfinite(number)) return SINEW_OK;
  return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "%.*s is not a finite number", (int)field->name_length,
                         field->name);
}

static sinew_result read_rate(clip_reader *r, const scan_field *field) {
  SINEW_TRY(read_finite(r->s, field, &r->clip.rate_hz));
  if (r->clip.rate_hz > 0) return SINEW_OK;
  return scan_fail_value(r->s, SINEW_ERROR_SYNTAX, field, "m_SampleRate is %g, expected more than 0",
                         r->clip.rate_hz);
}

static sinew_result check_once(clip_reader *r, const scan_field *field, const char *name, size_t index) {
  if (r->settings_seen & 1u << index)
    return scan_fail_key(r->s, SINEW_ERROR_SYNTAX, field, "%s stands twice in a clip's settings", name);
  r->settings_seen |= 1u << index;
  return SINEW_OK;
}

static sinew_result read_setting(clip_reader *r, const scan_field *field) {
  sinew_clip_settings *set = &r->clip.settings;
  const struct {
    const char *name;
    double *number;
  } numbers[] = {{"m_StartTime", &set->start_time_s},
                 {"m_StopTime", &set->stop_time_s},
                 {"m_OrientationOffsetY", &set->orientation_offset_y_deg},
                 {"m_Level", &set->level},
                 {"m_CycleOffset", &set->cycle_offset}};
  const struct {
    const char *name;
    bool *flag;
  } flags[] = {{"m_LoopTime", &set->loop_time},
               {"m_LoopBlend", &set->loop_blend},
               {"m_LoopBlendOrientation", &set->loop_blend_orientation},
               {"m_LoopBlendPositionY", &set->loop_blend_position_y},
               {"m_LoopBlendPositionXZ", &set->loop_blend_position_xz},
               {"m_KeepOriginalOrientation", &set->keep_original_orientation},
               {"m_KeepOriginalPositionY", &set->keep_original_position_y},
               {"m_KeepOriginalPositionXZ", &set->keep_original_position_xz},
               {"m_HeightFromFeet", &set->height_from_feet},
               {"m_Mirror", &set->mirror}};
  const size_t number_count = sizeof numbers / sizeof numbers[0];
  for (size_t i = 0; i < number_count; i++) {
    if (!scan_field_is(field, numbers[i].name)) continue;
    SINEW_TRY(check_once(r, field, numbers[i].name, i));
    if (numbers[i].number == &set->stop_time_s) {
      r->has_stop = true;
      r->stop_field = *field;
    }
    return read_finite(r->s, field, numbers[i].number);
  }
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
    if (!scan_field_is(field, flags[i].name)) continue;
    SINEW_TRY(check_once(r, field, flags[i].name, number_count + i));
    return scan_flag(r->s, field, flags[i].flag);
  }
  scan_skip(r->s, field);
  return SINEW_OK;
}

static sinew_result read_settings(clip_reader *r, const scan_field *top) {
  scan_block block;
  SINEW_TRY(scan_enter(r->s, top, &block));
  if (block.kind == SCAN_LIST)
    return scan_fail(r->s, SINEW_ERROR_SYNTAX, r->s->content, "a list, expected the settings' 'key: value'");
  scan_field field;
  bool found = block.kind == SCAN_MAP;
  while (found) {
    SINEW_TRY(scan_field_next(r->s, block.column, &field, &found));
    if (found) SINEW_TRY(read_setting(r, &field));
  }
  if (!r->has_stop && r->s->ended && scan_at_file_end(r->s))
    return scan_fail_key(r->s, SINEW_ERROR_SYNTAX, top,
                         "the file is cut short: it ends inside m_AnimationClipSettings, before m_StopTime");
  if (r->has_stop && r->clip.settings.stop_time_s < r->clip.settings.start_time_s)
    return scan_fail_value(r->s, SINEW_ERROR_SYNTAX, &r->stop_field,
                           "m_StopTime is %.9g, before m_StartTime, %.9g", r->clip.settings.stop_time_s,
                           r->clip.settings.start_time_s);
  return SINEW_OK;
}

/* Whether a list that is passed over has anything in it. */
static bool pass_list(scan *s, const scan_field *field) {
  uint64_t line = s->line;
  bool filled = field->value == field->value_end;
  scan_skip(s, field);
  return filled && s->line > line + 1;
}

static sinew_result read_top(clip_reader *r, const scan_field *field) {
  enum top_field top = find_top(field);
  if (top != TOP_UNKNOWN) {
    if (r->seen & 1u << top)
      return scan_fail_key(r->s, SINEW_ERROR_SYNTAX, field, "%s stands twice in a clip", top_names[top]);
    r->seen |= 1u << top;
  }
  r->last = top;
  switch (top) {
  case TOP_NAME:
    return read_name(r, field);
  case TOP_LEGACY:
    return scan_flag(r->s, field, &r->legacy);
  case TOP_FLOAT_CURVES:
    return unity_read_curves(&r->curves, field);
  case TOP_SAMPLE_RATE:
    return read_rate(r, field);
  case TOP_SETTINGS:
    return read_settings(r, field);
  case TOP_EDITOR_CURVES:
    r->editor_field = *field;
    r->editor_mark = (scan_mark){r->s->next, r->s->line};
    break;
  default:
    if (top >= TOP_TRANSFORM_FIRST && top <= TOP_TRANSFORM_LAST) {
      r->has_transforms |= pass_list(r->s, field);
      return SINEW_OK;
    }
  }
  scan_skip(r->s, field);
  return SINEW_OK;
}

/* ---- what makes a clip whole ------------------------------------------------------------------------------
 * The editor writes the rate, bounds, bindings and settings behind the curves, and more behind those. So a
 * file cut anywhere in or behind its curves lacks m_SampleRate, or ends inside a block that is read here, or
 * on a number without a line end, or holds a field that never stands without the settings that should follow
 * it. */

static sinew_result check_whole(clip_reader *r) {
  scan *s = r->s;
  bool file_end = scan_at_file_end(s);
  const char *cut = NULL;
  if (!(r->seen & 1u << TOP_SAMPLE_RATE))
    cut = "m_SampleRate";
  else if (!(r->seen & 1u << TOP_NAME))
    cut = "m_Name";
  if (cut)
    return error_set_at(r->error, SINEW_ERROR_SYNTAX, (uint64_t)(s->line_start - s->begin),
                        s->line < UINT32_MAX ? (uint32_t)s->line : 0, 0, "the clip has no %s%s", cut,
                        file_end ? ": the file is cut short" : ", which every clip has");
  bool before_settings = r->last >= TOP_BEFORE_SETTINGS_FIRST && r->last <= TOP_BEFORE_SETTINGS_LAST;
  bool fallback = r->last == TOP_EDITOR_CURVES && r->curves.curve_count == 0;
  if (file_end && ((before_settings && !(r->seen & 1u << TOP_SETTINGS)) || fallback))
    return error_set_at(r->error, SINEW_ERROR_SYNTAX, (uint64_t)(s->line_start - s->begin),
                        s->line < UINT32_MAX ? (uint32_t)s->line : 0, 0,
                        "the file is cut short: it ends behind %s", top_names[r->last]);
  return SINEW_OK;
}

static sinew_result read_fallback(clip_reader *r) {
  if (r->curves.curve_count || !(r->seen & 1u << TOP_EDITOR_CURVES)) return SINEW_OK;
  scan_mark behind = {r->s->next, r->s->line};
  bool ended = r->s->ended;
  scan_return(r->s, r->editor_mark);
  SINEW_TRY(unity_read_curves(&r->curves, &r->editor_field));
  scan_return(r->s, behind);
  r->s->ended = ended;
  return SINEW_OK;
}

/* Names a clip without humanoid curves; SINEW_OK when it has some. */
static sinew_result check_kind(clip_reader *r) {
  if (r->curves.humanoid_count) return SINEW_OK;
  const char *kind = "it has no curves";
  if (r->legacy)
    kind = "it is a legacy clip (m_Legacy: 1)";
  else if (r->has_transforms)
    kind = "it is a generic clip: its curves move transforms by path";
  else if (r->curves.curve_count)
    kind = "its Animator curves are no humanoid's";
  else if (r->curves.other_count)
    kind = "its curves move other components";
  scan_quote name = scan_show(r->clip.name, strlen(r->clip.name));
  return error_set_at(r->error, SINEW_ERROR_UNSUPPORTED, r->document.byte,
                      r->document.line < UINT32_MAX ? (uint32_t)r->document.line : 0, 1,
                      "clip '%s' is not humanoid: %s", name.text, kind);
}

static sinew_result fill_clip(clip_reader *r) {
  sinew_clip *clip = &r->clip;
  SINEW_TRY(unity_take_curves(&r->curves, clip));
  double last_s = clip->settings.start_time_s;
  for (uint32_t i = 0; i < clip->curve_count; i++) {
    double time_s = (double)clip->time_s[clip->curves[i].first_key + clip->curves[i].key_count - 1];
    last_s = time_s > last_s ? time_s : last_s;
  }
  if (!r->has_stop) clip->settings.stop_time_s = last_s;
  clip->start_s = clip->settings.start_time_s;
  clip->stop_s = clip->settings.stop_time_s;
  clip_finish(clip);
  return SINEW_OK;
}

/* The document's root: `AnimationClip:` and what stands below it. *humanoid is false for other clips, which
 * error then names. */
static sinew_result read_clip(clip_reader *r, bool *humanoid) {
  scan *s = r->s;
  scan_field root, field;
  bool found;
  *humanoid = false;
  SINEW_TRY(scan_field_next(s, 0, &root, &found));
  if (!found || !scan_field_is(&root, "AnimationClip"))
    return error_set_at(r->error, SINEW_ERROR_SYNTAX, r->document.byte,
                        r->document.line < UINT32_MAX ? (uint32_t)r->document.line : 0, 1,
                        "a document of class 74 without 'AnimationClip:'%s",
                        !found && scan_at_file_end(s) ? ": the file is cut short" : "");
  scan_block block;
  SINEW_TRY(scan_enter(s, &root, &block));
  found = block.kind == SCAN_MAP;
  while (found) {
    SINEW_TRY(scan_field_next(s, block.column, &field, &found));
    if (found) SINEW_TRY(read_top(r, &field));
  }
  if (!s->ended)
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "found '%s' behind the clip, expected '---'",
                     scan_show(s->content, (size_t)(s->line_end - s->content)).text);
  SINEW_TRY(check_whole(r));
  SINEW_TRY(read_fallback(r));
  if (check_kind(r) != SINEW_OK) return SINEW_OK;
  *humanoid = true;
  return fill_clip(r);
}

/* ---- the file ---------------------------------------------------------------------------------------------
 */

typedef struct clip_list {
  sinew_clip *clips;
  uint32_t count;
  uint32_t capacity;
} clip_list;

static sinew_result append(clip_list *list, const sinew_clip *clip, sinew_error *error) {
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity ? list->capacity * 2 : 1;
    sinew_clip *grown = heap_grow(list->clips, list->count, capacity, sizeof *grown);
    SINEW_CHECK(grown, error, SINEW_ERROR_MEMORY, "out of memory after %u clips", list->count);
    list->clips = grown;
    list->capacity = capacity;
  }
  list->clips[list->count++] = *clip;
  return SINEW_OK;
}

typedef struct file_reader {
  const read_source *source;
  arena *memory;
  scan scan;
  sinew_error *error;
  sinew_error not_humanoid; /* of the first clip that is none */
  uint32_t documents;
  uint32_t clips_met;
  clip_list list;
} file_reader;

static sinew_result read_document(file_reader *f, const scan_document *document) {
  if (f->clips_met++ >= f->source->limits.clips)
    return error_set_at(f->error, SINEW_ERROR_LIMIT, document->byte, (uint32_t)document->line, 1,
                        "more than %u clips in a file, the limit", f->source->limits.clips);
  clip_reader r = {.s = &f->scan,
                   .source = f->source,
                   .memory = f->memory,
                   .error = f->error,
                   .document = *document,
                   .last = TOP_UNKNOWN};
  unity_open_curves(&r.curves, &f->scan, f->source, f->memory);
  bool humanoid;
  sinew_result result = read_clip(&r, &humanoid);
  unity_close_curves(&r.curves);
  SINEW_TRY(result);
  if (humanoid) return append(&f->list, &r.clip, f->error);
  if (f->not_humanoid.code == SINEW_OK) f->not_humanoid = *f->error;
  return SINEW_OK;
}

static sinew_result read_documents(file_reader *f) {
  scan_document document;
  while (scan_next_document(&f->scan, &document)) {
    f->documents += document.class_id != 0;
    if (document.class_id == ANIMATION_CLIP_CLASS && !document.stripped)
      SINEW_TRY(read_document(f, &document));
  }
  if (f->list.count) return SINEW_OK;
  if (f->not_humanoid.code != SINEW_OK) {
    *f->error = f->not_humanoid;
    return f->error->code;
  }
  if (f->documents == 0)
    return error_set_at(f->error, SINEW_ERROR_SYNTAX, 0, 1, 1,
                        "not a Unity text file: it has no '--- !u!' document line");
  return error_set_at(f->error, SINEW_ERROR_UNSUPPORTED, 0, 1, 1,
                      "no animation clip inside (%u documents, none of class 74)", f->documents);
}

static sinew_result read_file(file_reader *f, sinew_clip **clips, uint32_t *clip_count) {
  SINEW_TRY(unity_check_text(f->source->bytes, f->source->byte_count, f->error));
  SINEW_TRY(read_documents(f));
  sinew_clip *kept = arena_alloc(f->memory, f->list.count, sizeof *kept);
  SINEW_CHECK(kept, f->error, SINEW_ERROR_MEMORY, "no memory for %u clips", f->list.count);
  memcpy(kept, f->list.clips, f->list.count * sizeof *kept);
  *clips = kept;
  *clip_count = f->list.count;
  return SINEW_OK;
}

sinew_result read_unity_anim(const read_source *source, arena *memory, sinew_clip **clips,
                             uint32_t *clip_count, sinew_error *error) {
  sinew_error own = {0};
  file_reader f = {.source = source, .memory = memory, .error = &own};
  scan_open(&f.scan, source->bytes, source->byte_count, source->limits.name_bytes, &own);
  sinew_result result = read_file(&f, clips, clip_count);
  scan_close(&f.scan);
  heap_free(f.list.clips);
  if (result != SINEW_OK && error) *error = own;
  return result;
}
