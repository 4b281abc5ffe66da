#include "read/fbx_meta.h"
#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ANIMATION_HUMANOID = 3, WARNING_BYTES = 256 };

/* ---- messages ---------------------------------------------------------------------------------------------
 */

sinew_result meta_fail(const fbx_meta *m, sinew_result code, const meta_place *place, const char *format,
                       ...) {
  char message[sizeof m->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return error_set_at(m->error, code, place->byte, place->line < UINT32_MAX ? (uint32_t)place->line : 0,
                      place->column, "%s", message);
}

void meta_warn(fbx_meta *m, const char *format, ...) {
  rig_description *d = m->description;
  const uint32_t room = sizeof d->warnings / sizeof d->warnings[0];
  if (d->warning_count == room) {
    d->warnings[room - 1] = "more was repaired or ignored than is listed here";
    return;
  }
  char text[WARNING_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *kept = arena_text(m->memory, text, strlen(text));
  if (kept) d->warnings[d->warning_count++] = kept;
}

/* ---- humanDescription -------------------------------------------------------------------------------------
 */

typedef struct description_state {
  bool seen_human;
  bool seen_skeleton;
  bool seen_dof;
  bool last_is_list;
} description_state;

static sinew_result read_share(scan *s, const scan_field *field, double *share) {
  SINEW_TRY(scan_double(s, field, share));
  if (*share >= 0 && *share <= 1) return SINEW_OK;
  return scan_fail_value(s, SINEW_ERROR_SYNTAX, field, "%.*s is %g, expected 0 to 1", (int)field->name_length,
                         field->name, *share);
}

static sinew_result read_list(fbx_meta *m, scan *s, const scan_field *field, bool *seen,
                              sinew_result (*read)(fbx_meta *, scan *, const scan_field *)) {
  if (*seen)
    return scan_fail_key(s, SINEW_ERROR_SYNTAX, field, "%.*s stands twice in humanDescription",
                         (int)field->name_length, field->name);
  *seen = true;
  return read(m, s, field);
}

static sinew_result read_description_field(fbx_meta *m, scan *s, const scan_field *field,
                                           description_state *state) {
  rig_description *d = m->description;
  const struct {
    const char *name;
    double *share;
  } shares[] = {{"armTwist", &d->arm_twist},
                {"foreArmTwist", &d->fore_arm_twist},
                {"upperLegTwist", &d->upper_leg_twist},
                {"legTwist", &d->leg_twist},
                {"armStretch", &d->arm_stretch},
                {"legStretch", &d->leg_stretch},
                {"feetSpacing", &d->feet_spacing}};
  bool human = scan_field_is(field, "human"), skeleton = scan_field_is(field, "skeleton");
  state->last_is_list = human || skeleton;
  if (human) return read_list(m, s, field, &state->seen_human, meta_read_human);
  if (skeleton) return read_list(m, s, field, &state->seen_skeleton, meta_read_skeleton);
  for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
    if (scan_field_is(field, shares[i].name)) return read_share(s, field, shares[i].share);
  if (scan_field_is(field, "hasTranslationDoF")) {
    state->seen_dof = true;
    return scan_flag(s, field, &d->has_translation_dof);
  }
  scan_skip(s, field);
  return SINEW_OK;
}

/* Behind its lists and shares a description always goes on, and the importer's own fields follow: a file that
 * ends before hasTranslationDoF, or right behind a list, has lost something. */
static sinew_result read_description(fbx_meta *m, scan *s, const scan_field *top) {
  scan_block block;
  SINEW_TRY(scan_enter(s, top, &block));
  if (block.kind == SCAN_LIST)
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "humanDescription is a list, expected 'key: value'");
  description_state state = {0};
  scan_field field;
  bool found = block.kind == SCAN_MAP;
  while (found) {
    SINEW_TRY(scan_field_next(s, block.column, &field, &found));
    if (found) SINEW_TRY(read_description_field(m, s, &field, &state));
  }
  if (s->ended && scan_at_file_end(s) && (state.last_is_list || !state.seen_dof))
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->end, "the file is cut short: it ends inside humanDescription");
  return SINEW_OK;
}

/* ---- the importer -----------------------------------------------------------------------------------------
 */

typedef struct importer_state {
  bool seen_description;
  bool has_type;
  int64_t animation_type;
} importer_state;

static sinew_result read_importer(fbx_meta *m, scan *s, const scan_field *top, importer_state *state) {
  scan_block block;
  SINEW_TRY(scan_enter(s, top, &block));
  scan_field field;
  bool found = block.kind == SCAN_MAP;
  while (found) {
    SINEW_TRY(scan_field_next(s, block.column, &field, &found));
    if (!found) break;
    if (scan_field_is(&field, "humanDescription")) {
      if (state->seen_description)
        return scan_fail_key(s, SINEW_ERROR_SYNTAX, &field, "humanDescription stands twice");
      state->seen_description = true;
      SINEW_TRY(read_description(m, s, &field));
    } else if (scan_field_is(&field, "animationType")) {
      state->has_type = true;
      SINEW_TRY(scan_int(s, &field, &state->animation_type));
    } else {
      scan_skip(s, &field);
    }
  }
  return SINEW_OK;
}

static const char *animation_type_name(int64_t type) {
  return type == 0 ? "without animation" : type == 1 ? "as legacy" : "as generic";
}

/* Says why a meta without a usable description is none. */
static sinew_result check_importer(fbx_meta *m, const importer_state *state) {
  bool human = false;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) human |= m->human[b].node_name != NULL;
  if (human && m->node_count) return SINEW_OK;
  meta_place start = {0, 1, 1};
  if (state->has_type && state->animation_type != ANIMATION_HUMANOID)
    return meta_fail(m, SINEW_ERROR_UNSUPPORTED, &start,
                     "the model is imported %s (animationType: %lld), expected a humanoid (3)",
                     animation_type_name(state->animation_type), (long long)state->animation_type);
  if (!state->seen_description)
    return meta_fail(m, SINEW_ERROR_UNSUPPORTED, &start, "this model's importer has no humanDescription%s",
                     state->has_type ? "" : " (nor an animationType: is the file cut short?)");
  if (!human)
    return meta_fail(
        m, SINEW_ERROR_UNSUPPORTED, &start,
        "humanDescription maps no bone: the mapping was automatic and is not stored in the file");
  return meta_fail(m, SINEW_ERROR_UNSUPPORTED, &start,
                   "humanDescription has no skeleton: it is not in the file, the rig needs its model");
}

/* ---- the file ---------------------------------------------------------------------------------------------
 */

static sinew_result no_importer(fbx_meta *m, const scan_field *other, bool meta) {
  meta_place start = {0, 1, 1};
  if (other->name_length)
    return meta_fail(m, SINEW_ERROR_UNSUPPORTED, &start,
                     "the .meta of a %s, expected a model's (ModelImporter)",
                     scan_show(other->name, other->name_length).text);
  return meta_fail(m, SINEW_ERROR_SYNTAX, &start, "%s",
                   meta ? "the file is cut short: it has no ModelImporter"
                        : "not a model's .meta file: it has no 'ModelImporter:'");
}

static bool names_importer(const scan_field *field) {
  static const char tail[] = "Importer";
  size_t length = sizeof tail - 1;
  return field->name_length >= length && memcmp(field->name + field->name_length - length, tail, length) == 0;
}

static sinew_result read_root(fbx_meta *m, scan *s) {
  importer_state state = {0};
  scan_document document;
  scan_field field, other = {0};
  bool found, importer = false, meta = false;
  scan_advance(s);
  if (!s->ended && *s->content == '%')
    scan_next_document(s, &document);
  else if (s->ended && !scan_at_file_end(s))
    scan_next_document(s, &document);
  for (;;) {
    SINEW_TRY(scan_field_next(s, 0, &field, &found));
    if (!found) break;
    if (scan_field_is(&field, "ModelImporter")) {
      if (importer) return scan_fail_key(s, SINEW_ERROR_SYNTAX, &field, "ModelImporter stands twice");
      importer = true;
      SINEW_TRY(read_importer(m, s, &field, &state));
      continue;
    }
    meta |= scan_field_is(&field, "fileFormatVersion");
    if (names_importer(&field)) other = field;
    scan_skip(s, &field);
  }
  return importer ? check_importer(m, &state) : no_importer(m, &other, meta);
}

static void set_defaults(rig_description *d) {
  *d = (rig_description){.kind = "fbx-meta",
                         .arm_twist = 0.5,
                         .fore_arm_twist = 0.5,
                         .upper_leg_twist = 0.5,
                         .leg_twist = 0.5,
                         .arm_stretch = 0.05,
                         .leg_stretch = 0.05};
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) d->node_of_bone[b] = -1;
}

sinew_result read_fbx_meta(const read_source *source, arena *memory, rig_description *description,
                           sinew_error *error) {
  sinew_error own = {0};
  fbx_meta m = {.source = source, .memory = memory, .error = &own, .description = description};
  scan s;
  set_defaults(description);
  scan_open(&s, source->bytes, source->byte_count, source->limits.name_bytes, &own);
  sinew_result result = unity_check_text(source->bytes, source->byte_count, &own);
  if (result == SINEW_OK) result = read_root(&m, &s);
  if (result == SINEW_OK) result = meta_bind(&m);
  scan_close(&s);
  heap_free(m.nodes);
  if (result != SINEW_OK && error) *error = own;
  return result;
}
