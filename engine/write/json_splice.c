#include "write/json_splice.h"

#include <string.h>

/* ---- values ------------------------------------------------------------------------------------------- */

static size_t after_space(json_text text, size_t at) {
  while (at < text.byte_count && strchr(" \t\r\n", text.bytes[at]) && text.bytes[at]) at++;
  return at;
}

/* `at` is a quote's; the end is behind the closing one. */
static size_t string_end(json_text text, size_t at) {
  for (at++; at < text.byte_count; at++) {
    if (text.bytes[at] == '"') return at + 1;
    if (text.bytes[at] == '\\') at++;
  }
  return text.byte_count;
}

/* Brackets are counted, not matched: the parser has matched them. */
static size_t container_end(json_text text, size_t at) {
  size_t depth = 0;
  while (at < text.byte_count) {
    const char c = text.bytes[at];
    if (c == '"') {
      at = string_end(text, at);
      continue;
    }
    at++;
    if (c == '{' || c == '[') depth++;
    if ((c == '}' || c == ']') && --depth == 0) return at;
  }
  return text.byte_count;
}

static size_t value_end(json_text text, size_t at) {
  if (at >= text.byte_count) return text.byte_count;
  if (text.bytes[at] == '"') return string_end(text, at);
  if (text.bytes[at] == '{' || text.bytes[at] == '[') return container_end(text, at);
  while (at < text.byte_count && text.bytes[at] && !strchr(" \t\r\n,]}:", text.bytes[at])) at++;
  return at;
}

json_span json_whole(json_text text) {
  static const char mark[] = "\xef\xbb\xbf";
  const bool marked = text.byte_count >= 3 && memcmp(text.bytes, mark, 3) == 0;
  const size_t begin = after_space(text, marked ? 3 : 0);
  return (json_span){begin, value_end(text, begin)};
}

char json_kind(json_text text, json_span value) {
  return (char)(value.begin < value.end ? text.bytes[value.begin] : 0);
}

/* ---- members ------------------------------------------------------------------------------------------ */

json_walk json_walk_begin(json_text text, json_span container) {
  const char kind = json_kind(text, container);
  if ((kind != '{' && kind != '[') || container.end - container.begin < 2) return (json_walk){.text = text};
  return (json_walk){text, container.begin + 1, container.end - 1, kind == '{'};
}

/* The next value, without what stands before it. False where there is none. */
static bool next_value(json_walk *walk, json_span *value) {
  const size_t begin = after_space(walk->text, walk->at);
  const size_t end = begin < walk->end ? value_end(walk->text, begin) : begin;
  if (end > walk->end || end == begin) return false;
  *value = (json_span){begin, end};
  walk->at = end;
  return true;
}

/* False where another character stands there. */
static bool next_is(json_walk *walk, char mark) {
  const size_t at = after_space(walk->text, walk->at);
  if (at >= walk->end || walk->text.bytes[at] != mark) return false;
  walk->at = at + 1;
  return true;
}

bool json_walk_next(json_walk *walk, json_member *member) {
  *member = (json_member){0};
  if (walk->keyed && !(next_value(walk, &member->key) && next_is(walk, ':'))) return false;
  if (!next_value(walk, &member->value)) return false;
  if (!next_is(walk, ',')) walk->at = walk->end;
  return true;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The character that an escape stands for, where it is one of ASCII; else -1. *at moves behind it. */
static int unescape(json_text text, size_t *at, size_t end) {
  static const char shorts[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  if (*at + 1 >= end) return -1;
  const char c = text.bytes[*at + 1];
  const char *found = c ? strchr(shorts, c) : NULL;
  *at += 2;
  if (found) return meant[found - shorts];
  if (c != 'u' || end - *at < 4) return -1;
  int value = 0;
  for (int i = 0; i < 4; i++) {
    const int digit = hex_digit(text.bytes[*at + (size_t)i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  *at += 4;
  return value < 0x80 ? value : -1;
}

bool json_key_is(json_text text, json_span key, const char *name) {
  if (key.end - key.begin < 2) return false;
  size_t at = key.begin + 1;
  const size_t end = key.end - 1;
  for (; at < end; name++) {
    const int c = text.bytes[at] == '\\' ? unescape(text, &at, end) : (unsigned char)text.bytes[at++];
    if (c != (unsigned char)*name || !*name) return false;
  }
  return !*name;
}

bool json_member_find(json_text text, json_span object, const char *name, json_member *member) {
  json_walk walk = json_walk_begin(text, object);
  if (walk.keyed)
    while (json_walk_next(&walk, member))
      if (json_key_is(text, member->key, name)) return true;
  *member = (json_member){0};
  return false;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

void splice_copy(json_splice *splice, size_t end) {
  if (end <= splice->at) return;
  json_bytes(splice->out, splice->text.bytes + splice->at, end - splice->at);
  splice->at = end;
}

void splice_skip(json_splice *splice, size_t end) {
  if (end > splice->at) splice->at = end;
}

static size_t member_begin(const json_member *member) {
  return member->key.end ? member->key.begin : member->value.begin;
}

void splice_keep(json_splice *splice, splice_list *list, const json_member *member) {
  /* what was dropped before the first has left its comma standing, behind where it stood */
  if (!list->kept && list->dropped) splice_skip(splice, member_begin(member));
  list->kept = true;
  list->kept_end = member->value.end;
}

void splice_drop(json_splice *splice, splice_list *list, const json_member *member) {
  if (list->kept)
    splice_copy(splice, list->kept_end);
  else if (!list->dropped)
    splice_copy(splice, member_begin(member));
  splice_skip(splice, member->value.end);
  list->dropped = true;
}

void splice_append(json_splice *splice, splice_list *list, json_span container) {
  splice_copy(splice, list->kept ? list->kept_end : list->dropped ? 0 : container.begin + 1);
  if (list->kept) json_literal(splice->out, ",");
  list->kept = true;
  list->kept_end = splice->at;
}
