#include "map/name_words.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 24, WORD_BYTES = 48 };

typedef struct word {
  char text[WORD_BYTES]; /* small letters, or digits */
  bool number;
  bool glued; /* nothing but a capital parts it from the word before */
} word;

typedef struct word_list {
  word words[WORDS];
  unsigned count;
} word_list;

/* ---- splitting ---------------------------------------------------------------------------------------- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
/* Bytes past ASCII are letters. */
static bool is_letter(char c) {
  return is_capital(c) || (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}
static char small(char c) {
  return is_capital(c) ? (char)(c - 'A' + 'a') : c;
}

static bool begins_word(const char *at, const char *start) {
  const char c = at[0], before = at[-1];
  if (at == start) return true;
  if (!is_letter(before) && !is_digit(before)) return true;
  if (is_digit(c) != is_digit(before)) return true;
  if (!is_capital(c)) return false;
  return !is_capital(before) || (is_letter(at[1]) && !is_capital(at[1]));
}

static void split(const char *name, word_list *list) {
  size_t length = 0;
  list->count = 0;
  for (const char *at = name; *at; at++) {
    if (!is_letter(*at) && !is_digit(*at)) continue;
    if (at == name || begins_word(at, name)) {
      if (list->count == WORDS) return;
      word *w = &list->words[list->count++];
      *w = (word){.number = is_digit(*at), .glued = at > name && is_letter(at[-1])};
      length = 0;
    }
    if (length + 1 < WORD_BYTES) list->words[list->count - 1].text[length++] = small(*at);
  }
}

/* A namespace ends in a colon or a bar: "mixamorig:", "Armature|". */
static const char *without_namespace(const char *name) {
  const char *bare = name;
  for (const char *at = name; *at; at++)
    if ((*at == ':' || *at == '|') && at[1]) bare = at + 1;
  return bare;
}

/* ---- words -------------------------------------------------------------------------------------------- */

static bool is_one_of(const char *text, const char *const *list) {
  for (; *list; list++)
    if (strcmp(text, *list) == 0) return true;
  return false;
}

static const char *const fillers[] = {
    "armature",  "skeleton", "bone",  "bones", "jnt",    "jt",     "def",   "bip",    "cc",        "base",
    "mixamorig", "valve",    "biped", "rig",   "skel",   "sk",     "human", "avatar", "character", "b",
    "j",         "c",        "bn",    "bind",  "center", "centre", "m",     NULL};
static const char *const helpers[] = {
    "ik",     "fk",     "mch",    "org",        "ctrl",   "control",  "controller", "tweak",  "pole",
    "target", "twist",  "helper", "end",        "tip",    "nub",      "leaf",       "attach", "socket",
    "slot",   "prop",   "weapon", "jiggle",     "sec",    "cloth",    "hair",       "skirt",  "breast",
    "boob",   "tail",   "adjust", "dyn",        "phys",   "physics",  "collider",   "muscle", "mesh",
    "geo",    "half",   "share",  "corrective", "driver", "ear",      "brow",       "lip",    "lid",
    "cheek",  "tongue", "teeth",  "sleeve",     "ribbon", "backpack", "accessory",  "bust",   "marker",
    "pad",    "armor",  "armour", "wing",       "cape",   "belt",     "bag",        "gun",    "hat",
    "pivot",  "null",   "site",   "proxy",      NULL};
static const char *const lefts[] = {"left", "l", "lft", "lt", NULL};
static const char *const rights[] = {"right", "r", "rgt", "rt", NULL};
static const char *const glued_words[] = {
    "hand",    "foot",     "thigh",    "calf",     "shin",     "leg",      "arm",      "upleg",
    "forearm", "upperarm", "lowerarm", "shoulder", "clavicle", "collar",   "toe",      "toes",
    "ankle",   "knee",     "hip",      "elbow",    "wrist",    "eye",      "fingers",  "thumb",
    "index",   "middle",   "ring",     "pinky",    "toebase",  "upperleg", "lowerleg", NULL};

static name_side side_of(const char *text) {
  return is_one_of(text, lefts) ? NAME_LEFT : is_one_of(text, rights) ? NAME_RIGHT : NAME_CENTRE;
}

/* "leftupleg", "lhand": a side that no capital parts. Returns the letters that say so, 0: none. */
static size_t glued_side(const char *text, name_side *side) {
  static const struct {
    const char *text;
    name_side side;
    bool known_only; /* one letter begins other words too */
  } beginnings[] = {{"left", NAME_LEFT, false},
                    {"right", NAME_RIGHT, false},
                    {"l", NAME_LEFT, true},
                    {"r", NAME_RIGHT, true}};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    const size_t length = strlen(beginnings[i].text);
    if (strncmp(text, beginnings[i].text, length) != 0 || !text[length]) continue;
    if (beginnings[i].known_only && !is_one_of(text + length, glued_words)) continue;
    *side = beginnings[i].side;
    return length;
  }
  return 0;
}

/* Xsens calls vertebrae L5 and T12. */
static bool is_vertebra(const word_list *list) {
  return list->count == 2 && list->words[1].number && list->words[1].glued &&
         (strcmp(list->words[0].text, "l") == 0 || strcmp(list->words[0].text, "t") == 0);
}

static void append(char *base, const char *text) {
  const size_t used = strlen(base), length = strlen(text);
  if (used + length < NAME_BASE) memcpy(base + used, text, length + 1);
}

static bool is_filler(const word_list *list, unsigned i) {
  const word *w = &list->words[i];
  if (strcmp(w->text, "joint") == 0) return !w->glued;
  return is_one_of(w->text, fillers) && !(w->glued && strcmp(w->text, "base") == 0);
}

/* A number before any letters that count is of the whole: "Bip001 Spine1", "Character1_Hips". */
static void take_word(const word_list *list, unsigned i, name_words *out) {
  const word *w = &list->words[i];
  const name_side side = side_of(w->text);
  if (w->number) {
    if (*out->base) snprintf(out->digits, NAME_DIGITS, "%.*s", NAME_DIGITS - 1, w->text);
    return;
  }
  if (is_one_of(w->text, helpers)) out->helper = true;
  if (side && out->side == NAME_CENTRE) {
    out->side = side;
    return;
  }
  if (is_filler(list, i)) return;
  name_side glued;
  const size_t letters = out->side == NAME_CENTRE ? glued_side(w->text, &glued) : 0;
  if (letters) out->side = glued;
  append(out->base, w->text + letters);
}

name_words name_take_apart(const char *name, bool drop_last_number) {
  name_words out = {.side = NAME_CENTRE};
  word_list list;
  split(without_namespace(name), &list);
  if (drop_last_number && list.count > 1 && list.words[list.count - 1].number) list.count--;
  if (is_vertebra(&list)) {
    append(out.base, "vertebra");
    append(out.base, list.words[0].text);
    snprintf(out.digits, NAME_DIGITS, "%.*s", NAME_DIGITS - 1, list.words[1].text);
    return out;
  }
  for (unsigned i = 0; i < list.count; i++) take_word(&list, i, &out);
  if (!*out.base && list.count && !list.words[0].number && !side_of(list.words[0].text))
    append(out.base, list.words[0].text);
  return out;
}

bool name_last_number(const char *name, unsigned long *number) {
  const size_t length = strlen(name);
  size_t at = length;
  while (at > 0 && is_digit(name[at - 1])) at--;
  if (at == length || at == 0 || name[at - 1] != '_' || length - at > 9) return false;
  *number = 0;
  for (; at < length; at++) *number = *number * 10 + (unsigned long)(name[at] - '0');
  return true;
}
