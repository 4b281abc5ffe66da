#include "map/reasons.h"
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- bones in words ------------------------------------------------------------------------------------ */

static bool is_left(int bone) {
  return strncmp(human_bones[bone].name, "Left", 4) == 0;
}
static bool is_right(int bone) {
  return strncmp(human_bones[bone].name, "Right", 5) == 0;
}

/* "LeftUpperArm" as "left upper arm", from the letter on that is given. */
static void spell(const char *name, size_t from, char *text, size_t size) {
  size_t used = 0;
  for (const char *at = name + from; *at && used + 3 < size; at++) {
    const bool capital = *at >= 'A' && *at <= 'Z';
    if (capital && at > name + from) text[used++] = ' ';
    text[used++] = capital ? (char)(*at - 'A' + 'a') : *at;
  }
  text[used] = 0;
}

const char *map_bone_words(int bone, char *text, size_t size) {
  char words[64];
  spell(human_bones[bone].name, 0, words, sizeof words);
  snprintf(text, size, "the %.40s", words);
  return text;
}

/* ---- reasons ------------------------------------------------------------------------------------------- */

static const char *structural_reason(int bone) {
  switch (bone) {
  case HUMAN_HIPS:
    return "the joint that legs and trunk hang below";
  case HUMAN_SPINE:
    return "the first joint of the trunk above the hips";
  case HUMAN_CHEST:
    return "a joint of the trunk between the spine and the arms, or the one the arms hang from";
  case HUMAN_UPPER_CHEST:
    return "the joint of the trunk that the arms hang from";
  case HUMAN_NECK:
    return "the first joint above the arms, below the head";
  case HUMAN_HEAD:
    return "the joint that the way up from the arms leads to";
  case HUMAN_LEFT_SHOULDER:
  case HUMAN_RIGHT_SHOULDER:
    return "the joint between the trunk and the %s upper arm";
  case HUMAN_LEFT_UPPER_LEG:
  case HUMAN_RIGHT_UPPER_LEG:
    return "the first of the three long joints of the %s leg";
  case HUMAN_LEFT_LOWER_LEG:
  case HUMAN_RIGHT_LOWER_LEG:
    return "the second of the three long joints of the %s leg";
  case HUMAN_LEFT_FOOT:
  case HUMAN_RIGHT_FOOT:
    return "the third of the three long joints of the %s leg";
  case HUMAN_LEFT_TOES:
  case HUMAN_RIGHT_TOES:
    return "the joint behind the %s foot";
  case HUMAN_LEFT_UPPER_ARM:
  case HUMAN_RIGHT_UPPER_ARM:
    return "the first of the three long joints of the %s arm";
  case HUMAN_LEFT_LOWER_ARM:
  case HUMAN_RIGHT_LOWER_ARM:
    return "the second of the three long joints of the %s arm";
  case HUMAN_LEFT_HAND:
  case HUMAN_RIGHT_HAND:
    return "the third of the three long joints of the %s arm";
  default:
    return "a joint of the %s hand, by its place in the chain and across the palm";
  }
}

static const char *keep(human_map *map, const char *text) {
  return arena_text(&map->memory, text, strlen(text));
}

static const char *reason_of(const skeleton *s, human_map *map, int bone) {
  char name[160], text[MAP_SENTENCE];
  const char *raw = s->nodes[map->node_of_bone[bone]].name;
  switch (map->source[bone]) {
  case MAP_FILE:
    return "the file says so";
  case MAP_GIVEN:
    return "the given map says so";
  case MAP_NAME:
    snprintf(text, sizeof text, "named \"%s\"", error_printable(raw, strlen(raw), name, sizeof name));
    return keep(map, text);
  default: {
    const char *form = structural_reason(bone), *gap = strstr(form, "%s");
    if (!gap) return form;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(gap - form), form, is_right(bone) ? "right" : "left",
             gap + 2);
    return keep(map, text);
  }
  }
}

bool map_write_reasons(const skeleton *s, human_map *map) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) {
    if (map->node_of_bone[bone] < 0) continue;
    map->reason[bone] = reason_of(s, map, bone);
    if (!map->reason[bone]) return false;
  }
  return true;
}

/* ---- what is missing ----------------------------------------------------------------------------------- */

typedef struct missing_list {
  char item[HUMAN_BONE_COUNT][48];
  uint32_t count;
} missing_list;

static bool lacks(const int32_t *node_of_bone, int bone) {
  return human_bones[bone].required && node_of_bone[bone] < 0;
}

static void list_missing(const int32_t *node_of_bone, missing_list *list) {
  for (int i = 0; i < HUMAN_BONE_COUNT; i++) {
    const int bone = human_order[i], other = is_left(bone) ? bone + 1 : bone - 1;
    char *item = list->item[list->count];
    char words[40];
    if (!lacks(node_of_bone, bone)) continue;
    const bool sided = is_left(bone) || is_right(bone);
    if (sided && lacks(node_of_bone, other)) {
      if (is_right(bone)) continue;
      spell(human_bones[bone].name, 4, words, sizeof words);
      const bool foot = strcmp(words, "foot") == 0;
      snprintf(item, sizeof list->item[0], "both %s%s", foot ? "feet" : words, foot ? "" : "s");
    } else {
      map_bone_words(bone, item, sizeof list->item[0]);
    }
    list->count++;
  }
}

static void put(char *text, size_t size, size_t *used, const char *part) {
  const size_t length = strlen(part);
  if (*used + length >= size) return;
  memcpy(text + *used, part, length + 1);
  *used += length;
}

void map_missing_sentence(const int32_t *node_of_bone, const char *why, char *text, size_t size) {
  missing_list list = {.count = 0};
  size_t used = 0;
  list_missing(node_of_bone, &list);
  put(text, size, &used, "no human map: ");
  for (uint32_t i = 0; i < list.count; i++) {
    put(text, size, &used, i == 0 ? "" : i + 1 == list.count ? " and " : ", ");
    put(text, size, &used, list.item[i]);
  }
  const bool one =
      list.count == 1 && strncmp(list.item[0], "both", 4) != 0 && strcmp(list.item[0], "the hips") != 0;
  put(text, size, &used, one ? " is missing" : " are missing");
  if (why) put(text, size, &used, why);
}

bool map_warn(human_map *map, const char *format, ...) {
  char text[MAP_SENTENCE];
  va_list arguments;
  if (map->warning_count == MAP_WARNING_LIMIT) return true;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *kept = keep(map, text);
  if (!kept) return false;
  map->warnings[map->warning_count++] = kept;
  return true;
}
