/* A Unity Avatar (class 90) in a text file: an asset of its own, or one document of a prefab. */
#include "read/unity_avatar.h"
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { AVATAR_CLASS = 90, ANIMATION_CLIP_CLASS = 74, WARNING_BYTES = 256 };

void avatar_warn(unity_avatar *a, const char *format, ...) {
  rig_description *d = a->description;
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
  const char *kept = arena_text(a->memory, text, strlen(text));
  if (kept) d->warnings[d->warning_count++] = kept;
}

/* ---- maps by their rules ----------------------------------------------------------------------------- */

/* A message's name of a map or list. */
static scan_quote name_of(const scan_field *field) {
  return scan_show(field->name, field->name_length);
}

static sinew_result check_complete(unity_avatar *a, const scan_field *map, const scan_place *place,
                                   const avatar_rule *rules, unsigned seen) {
  for (unsigned i = 0; rules[i].name; i++) {
    if (rules[i].optional || seen & 1u << i) continue;
    if (a->scan->ended && scan_at_file_end(a->scan))
      return scan_fail(a->scan, SINEW_ERROR_SYNTAX, a->scan->end,
                       "the file is cut short: it ends inside %s, without %s yet", name_of(map).text,
                       rules[i].name);
    return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, place, "%s has no %s", name_of(map).text,
                           rules[i].name);
  }
  return SINEW_OK;
}

static sinew_result read_field(unity_avatar *a, const scan_field *field, const avatar_rule *rules,
                               unsigned *seen, void *target) {
  for (unsigned i = 0; rules[i].name; i++) {
    if (!scan_field_is(field, rules[i].name)) continue;
    if (*seen & 1u << i)
      return scan_fail_key(a->scan, SINEW_ERROR_SYNTAX, field, "%s stands twice", rules[i].name);
    *seen |= 1u << i;
    return rules[i].read(a, field, (char *)target + rules[i].target);
  }
  scan_skip(a->scan, field);
  return SINEW_OK;
}

static sinew_result read_fields(unity_avatar *a, size_t column, const avatar_rule *rules, unsigned *seen,
                                void *target) {
  scan_field field;
  for (bool found;;) {
    SINEW_TRY(scan_field_next(a->scan, column, &field, &found));
    if (!found) return SINEW_OK;
    SINEW_TRY(read_field(a, &field, rules, seen, target));
  }
}

sinew_result avatar_read_entered(unity_avatar *a, const scan_field *map, const scan_block *block,
                                 const avatar_rule *rules, void *target) {
  scan_place place = scan_place_of(a->scan, map);
  unsigned seen = 0;
  if (block->kind == SCAN_LIST)
    return scan_fail(a->scan, SINEW_ERROR_SYNTAX, a->scan->content, "%s is a list, expected 'key: value'",
                     name_of(map).text);
  if (block->kind == SCAN_MAP) SINEW_TRY(read_fields(a, block->column, rules, &seen, target));
  return check_complete(a, map, &place, rules, seen);
}

sinew_result avatar_read_map(unity_avatar *a, const scan_field *map, const avatar_rule *rules, void *target) {
  scan_block block;
  SINEW_TRY(scan_enter(a->scan, map, &block));
  return avatar_read_entered(a, map, &block, rules, target);
}

sinew_result avatar_read_item(unity_avatar *a, const scan_field *list, size_t list_column,
                              const avatar_rule *rules, void *target) {
  scan *s = a->scan;
  unsigned seen = 0;
  if (s->ended || s->column <= list_column)
    return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "an empty item in the list %s", name_of(list).text);
  scan_place place = scan_here(s);
  SINEW_TRY(read_fields(a, s->column, rules, &seen, target));
  return check_complete(a, list, &place, rules, seen);
}

/* ---- the Avatar -------------------------------------------------------------------------------------- */

static sinew_result read_share(unity_avatar *a, const scan_field *field, void *share) {
  double *value = share;
  SINEW_TRY(scan_double(a->scan, field, value));
  if (*value >= 0 && *value <= 1) return SINEW_OK;
  return scan_fail_value(a->scan, SINEW_ERROR_SYNTAX, field, "%s is %g, expected 0 to 1", name_of(field).text,
                         *value);
}

static sinew_result read_flag(unity_avatar *a, const scan_field *field, void *flag) {
  return scan_flag(a->scan, field, flag);
}

static sinew_result read_scale(unity_avatar *a, const scan_field *field, void *human) {
  avatar_human *out = human;
  out->scale_place = scan_place_of(a->scan, field);
  return scan_double(a->scan, field, &out->scale);
}

static sinew_result read_hand_data(unity_avatar *a, const scan_field *field, void *integers) {
  static const avatar_rule rules[] = {{"m_HandBoneIndex", avatar_read_integers, 0, false}, {0}};
  return avatar_read_map(a, field, rules, integers);
}

static sinew_result read_hand(unity_avatar *a, const scan_field *field, void *integers) {
  static const avatar_rule rules[] = {{"data", read_hand_data, 0, false}, {0}};
  return avatar_read_map(a, field, rules, integers);
}

#define AT(member) offsetof(avatar_human, member)
static const avatar_rule human_rules[] = {{"m_RootX", avatar_read_transform, AT(root), false},
                                          {"m_Skeleton", avatar_read_skeleton, AT(skeleton), false},
                                          {"m_SkeletonPose", avatar_read_pose, AT(pose), false},
                                          {"m_LeftHand", read_hand, AT(hand_bones[0]), true},
                                          {"m_RightHand", read_hand, AT(hand_bones[1]), true},
                                          {"m_HumanBoneIndex", avatar_read_integers, AT(body_bones), false},
                                          {"m_HumanBoneMass", avatar_read_numbers, AT(mass), false},
                                          {"m_Scale", read_scale, 0, false},
                                          {"m_ArmTwist", read_share, AT(arm_twist), false},
                                          {"m_ForeArmTwist", read_share, AT(fore_arm_twist), false},
                                          {"m_UpperLegTwist", read_share, AT(upper_leg_twist), false},
                                          {"m_LegTwist", read_share, AT(leg_twist), false},
                                          {"m_ArmStretch", read_share, AT(arm_stretch), false},
                                          {"m_LegStretch", read_share, AT(leg_stretch), false},
                                          {"m_FeetSpacing", read_share, AT(feet_spacing), false},
                                          {"m_HasLeftHand", read_flag, AT(has_hand[0]), true},
                                          {"m_HasRightHand", read_flag, AT(has_hand[1]), true},
                                          {"m_HasTDoF", read_flag, AT(has_translation_dof), true},
                                          {0}};
#undef AT

static sinew_result read_human_data(unity_avatar *a, const scan_field *field, void *human) {
  return avatar_read_map(a, field, human_rules, human);
}

static sinew_result read_human(unity_avatar *a, const scan_field *field, void *human) {
  static const avatar_rule rules[] = {{"data", read_human_data, 0, false}, {0}};
  avatar_human *out = human;
  out->place = scan_place_of(a->scan, field);
  out->has_hand[0] = out->has_hand[1] = true;
  return avatar_read_map(a, field, rules, human);
}

#define AT(member) offsetof(unity_avatar, member)
static sinew_result read_constant(unity_avatar *a, const scan_field *field, void *avatar) {
  static const avatar_rule rules[] = {
      {"m_AvatarSkeleton", avatar_read_skeleton, AT(skeleton), false},
      {"m_AvatarSkeletonPose", avatar_read_pose, AT(pose), false},
      {"m_Human", read_human, AT(human), false},
      {"m_HumanSkeletonIndexArray", avatar_read_integers, AT(human_nodes), false},
      {0}};
  return avatar_read_map(a, field, rules, avatar);
}

static sinew_result read_name(unity_avatar *a, const scan_field *field, void *avatar) {
  unity_avatar *out = avatar;
  const char *text;
  size_t length;
  SINEW_TRY(scan_text(a->scan, field, &text, &length));
  out->name = arena_text(a->memory, text, length);
  SINEW_CHECK(out->name, a->error, SINEW_ERROR_MEMORY, "no memory for a name of %zu bytes", length);
  return SINEW_OK;
}

static const avatar_rule avatar_rules[] = {{"m_Name", read_name, 0, true},
                                           {"m_Avatar", read_constant, 0, false},
                                           {"m_TOS", avatar_read_paths, AT(paths), false},
                                           {0}};
#undef AT

/* The document's root: `Avatar:` and what stands below it. */
static sinew_result read_avatar(unity_avatar *a, const scan_document *document) {
  scan *s = a->scan;
  scan_field root;
  bool found;
  SINEW_TRY(scan_field_next(s, 0, &root, &found));
  if (!found || !scan_field_is(&root, "Avatar")) {
    scan_place place = {document->byte, document->line, 1};
    return scan_fail_place(s, SINEW_ERROR_SYNTAX, &place, "a document of class 90 without 'Avatar:'%s",
                           !found && scan_at_file_end(s) ? ": the file is cut short" : "");
  }
  SINEW_TRY(avatar_read_map(a, &root, avatar_rules, a));
  if (s->ended) return SINEW_OK;
  return scan_fail(s, SINEW_ERROR_SYNTAX, s->content, "found '%s' behind the Avatar, expected '---'",
                   scan_show(s->content, (size_t)(s->line_end - s->content)).text);
}

/* ---- the file ---------------------------------------------------------------------------------------- */

typedef struct file_count { /* what else stands in it */
  uint32_t documents;
  uint32_t clips;
  uint32_t avatars;
} file_count;

static sinew_result no_avatar(unity_avatar *a, const file_count *count) {
  scan_place start = {0, 1, 1};
  if (count->documents == 0)
    return scan_fail_place(a->scan, SINEW_ERROR_SYNTAX, &start,
                           "not a Unity text file: it has no '--- !u!' document line");
  if (count->clips)
    return scan_fail_place(a->scan, SINEW_ERROR_UNSUPPORTED, &start,
                           "an animation clip, expected a rig: a model's .fbx.meta, an Avatar, a rig file, a VRM, "
                           "GLB, glTF or BVH");
  return scan_fail_place(a->scan, SINEW_ERROR_UNSUPPORTED, &start,
                         "no Avatar inside (%u document%s, none of class 90): prefabs refer to their "
                         "model's Avatar as a rule, give the model's .fbx.meta",
                         count->documents, count->documents == 1 ? "" : "s");
}

static sinew_result read_documents(unity_avatar *a) {
  scan_document document;
  file_count count = {0};
  while (scan_next_document(a->scan, &document)) {
    count.documents += document.class_id != 0;
    count.clips += document.class_id == ANIMATION_CLIP_CLASS;
    if (document.class_id != AVATAR_CLASS || document.stripped) continue;
    if (count.avatars++ == 0) SINEW_TRY(read_avatar(a, &document));
  }
  if (count.avatars == 0) return no_avatar(a, &count);
  if (count.avatars > 1)
    avatar_warn(a, "the file holds %u Avatars: the first, '%s', is taken", count.avatars,
                scan_show(a->name ? a->name : "", a->name ? strlen(a->name) : 0).text);
  return SINEW_OK;
}

bool is_unity_documents(const read_source *source) {
  sinew_error error;
  scan s;
  scan_document document;
  scan_open(&s, source->bytes, source->byte_count, source->limits.name_bytes, &error);
  bool found = scan_next_document(&s, &document) && document.class_id != 0;
  scan_close(&s);
  return found;
}

sinew_result read_unity_avatar(const read_source *source, arena *memory, rig_description *description,
                               sinew_error *error) {
  sinew_error own = {0};
  scan s;
  *description = (rig_description){0};
  unity_avatar *a = heap_alloc(1, sizeof *a);
  SINEW_CHECK(a, error, SINEW_ERROR_MEMORY, "out of memory");
  *a = (unity_avatar){
      .source = source, .memory = memory, .scan = &s, .error = &own, .description = description};
  scan_open(&s, source->bytes, source->byte_count, source->limits.name_bytes, &own);
  sinew_result result = unity_check_text(source->bytes, source->byte_count, &own);
  if (result == SINEW_OK) result = read_documents(a);
  if (result == SINEW_OK) result = avatar_bind(a);
  scan_close(&s);
  avatar_release(a);
  heap_free(a);
  if (result != SINEW_OK && error) *error = own;
  return result;
}
