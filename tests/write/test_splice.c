/* JSON text walked and written again: what is found in it, and that what is not changed stays as it was. */
#include "write/json_splice.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_text text_of(const char *text) {
  return (json_text){text, strlen(text)};
}

static const char *shown(json_text text, json_span span) {
  static char buffer[4][256];
  static unsigned turn;
  char *out = buffer[turn++ % 4];
  snprintf(out, sizeof buffer[0], "%.*s", (int)(span.end - span.begin), text.bytes + span.begin);
  return out;
}

/* ---- walking ------------------------------------------------------------------------------------------ */

Test(splice, values_are_found_with_all_that_may_stand_in_them) {
  static const char *const values[] = {
      "{}", "[]", "[ [1, {\"a\":[]} ] , 2]", "\"a\\\"]}\\\\\"", "-1.5e+3", "true", "null", "{\"}\":\"]\"}"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    char source[200];
    snprintf(source, sizeof source, "{ \"x\" :\t%s\n, \"y\":[%s ,0]}  ", values[i], values[i]);
    const json_text text = text_of(source);
    json_member member, item;
    cr_assert(json_member_find(text, json_whole(text), "x", &member), "%s", source);
    cr_expect_str_eq(shown(text, member.value), values[i]);
    cr_expect_str_eq(shown(text, member.key), "\"x\"");
    cr_assert(json_member_find(text, json_whole(text), "y", &member));
    json_walk walk = json_walk_begin(text, member.value);
    cr_assert(json_walk_next(&walk, &item));
    cr_expect_str_eq(shown(text, item.value), values[i]);
    cr_assert(json_walk_next(&walk, &item));
    cr_expect_str_eq(shown(text, item.value), "0");
    cr_expect(!json_walk_next(&walk, &item));
  }
}

Test(splice, keys_are_compared_as_what_they_mean) {
  static const struct {
    const char *key, *name;
    bool same;
  } keys[] = {
      {"\"animations\"", "animations", true},
      {"\"anim\\u0061tions\"", "animations", true},
      {"\"\\u0061\\u006E\\u006e\"", "ann", true},
      {"\"a\\/b\\\\\\\"\\n\"", "a/b\\\"\n", true},
      {"\"animation\"", "animations", false},
      {"\"animationss\"", "animations", false},
      {"\"animations\\u0000\"", "animations", false},
      {"\"anim\\u0161tions\"", "animations", false},
      {"\"anim\xc3\xa4tions\"", "animations", false},
      {"\"\"", "animations", false},
      {"\"\"", "", true},
      {"\"\\u006\"", "n", false},
      {"\"\\\"", "\\", false},
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const json_text text = text_of(keys[i].key);
    cr_expect(json_key_is(text, (json_span){0, text.byte_count}, keys[i].name) == keys[i].same, "%s",
              keys[i].key);
  }
  cr_expect(!json_key_is(text_of(""), (json_span){0, 0}, ""));
}

Test(splice, a_byte_order_mark_is_no_part_of_the_value) {
  const json_text text = text_of("\xef\xbb\xbf \r\n{\"a\":1} \t");
  cr_expect_str_eq(shown(text, json_whole(text)), "{\"a\":1}");
  cr_expect(json_kind(text, json_whole(text)) == '{');
  cr_expect(json_kind(text_of("  "), json_whole(text_of("  "))) == 0);
}

Test(splice, depth_is_walked_without_recursion) {
  enum { DEPTH = 1 << 20 };
  char *deep = malloc(2 * DEPTH + 1);
  cr_assert(deep);
  memset(deep, '[', DEPTH);
  memset(deep + DEPTH, ']', DEPTH);
  deep[2 * DEPTH] = 0;
  const json_span whole = json_whole(text_of(deep));
  cr_expect(whole.begin == 0 && whole.end == 2 * DEPTH);
  free(deep);
}

static size_t walk_all(json_text text, json_span span, int depth) {
  size_t count = 0;
  json_member member;
  json_walk walk = json_walk_begin(text, span);
  while (json_walk_next(&walk, &member)) {
    cr_assert(member.value.begin < member.value.end && member.value.end <= text.byte_count);
    cr_assert(member.key.end <= text.byte_count);
    json_key_is(text, member.key, "a");
    count += 1 + (depth ? walk_all(text, member.value, depth - 1) : 0);
  }
  return count;
}

/* The walker is given text that was parsed, but must not leave any other text either. */
Test(splice, a_walk_never_leaves_its_text) {
  static const char good[] = "{\"a\":[1,{\"b\":\"c\\u0041\"}],\"d\\\\\":{},\"e\":true}";
  const size_t count = sizeof good - 1;
  cr_expect(walk_all((json_text){good, count}, json_whole((json_text){good, count}), 4) == 6);
  for (size_t length = 0; length <= count; length++)
    for (size_t at = 0; at < length; at++)
      for (const char *byte = "\"\\{}[],: x"; *byte; byte++) {
        char *copy = malloc(length); /* its own block, so that a sanitizer sees each byte past it */
        cr_assert(copy);
        memcpy(copy, good, length);
        copy[at] = *byte;
        const json_text text = {copy, length};
        walk_all(text, json_whole(text), 4);
        free(copy);
      }
}

/* ---- writing ------------------------------------------------------------------------------------------ */

/* Members whose keys begin with x are dropped, those with v get the value 0; `more` are appended. */
static void expect_written(const char *source, const char *more, const char *expected) {
  const json_text text = text_of(source);
  json_out out = {0};
  json_splice splice = {text, &out, 0};
  splice_list list = {0};
  json_member member;
  const json_span whole = json_whole(text);
  json_walk walk = json_walk_begin(text, whole);
  while (json_walk_next(&walk, &member)) {
    const char first = text.bytes[member.key.begin + 1];
    if (first == 'x') {
      splice_drop(&splice, &list, &member);
      continue;
    }
    splice_keep(&splice, &list, &member);
    if (first != 'v') continue;
    splice_copy(&splice, member.value.begin);
    json_literal(&out, "0");
    splice_skip(&splice, member.value.end);
  }
  for (const char *p = more; *p; p++) {
    splice_append(&splice, &list, whole);
    json_literal(&out, (char[]){'"', *p, '"', ':', '1', 0});
  }
  splice_copy(&splice, text.byte_count);
  cr_expect(out.byte_count == strlen(expected) && memcmp(out.bytes, expected, out.byte_count) == 0,
            "%s with %s became %.*s, expected %s", source, more, (int)out.byte_count, out.bytes, expected);
  json_release(&out);
}

Test(splice, what_is_not_changed_stays_byte_for_byte) {
  expect_written(" {\"a\" : [1 ,2] ,\n\"v\":\t{\"k\": 3} , \"b\":\"\\u00e4\" } ", "",
                 " {\"a\" : [1 ,2] ,\n\"v\":\t0 , \"b\":\"\\u00e4\" } ");
}

Test(splice, members_leave_with_one_comma_each) {
  static const char *const cases[][3] = {
      {"{\"x\":1,\"a\":2}", "", "{\"a\":2}"},
      {"{ \"x\":1 , \"x2\":{} , \"a\":2 }", "", "{ \"a\":2 }"},
      {"{\"a\":1,\"x\":2}", "", "{\"a\":1}"},
      {"{\"a\":1 ,\"x\":2,\"x2\":3 }", "", "{\"a\":1 }"},
      {"{\"a\":1,\"x\":2,\"b\":3}", "", "{\"a\":1,\"b\":3}"},
      {"{\"a\":1,\"x\":2,\"x2\":2,\"v\":3,\"x3\":4,\"c\":5}", "", "{\"a\":1,\"v\":0,\"c\":5}"},
      {"{\"x\":1,\"a\":1,\"x2\":2}", "", "{\"a\":1}"},
      {"{\"x\":1}", "", "{}"},
      {"{\"x\":1,\"x2\":1}", "", "{}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_written(cases[i][0], cases[i][1], cases[i][2]);
}

Test(splice, members_are_added_behind_the_last) {
  static const char *const cases[][3] = {
      {"{}", "p", "{\"p\":1}"},
      {"{ }", "pq", "{\"p\":1,\"q\":1 }"},
      {"{\"a\":1 }", "p", "{\"a\":1,\"p\":1 }"},
      {"{\"a\":1,\"v\":2}", "pq", "{\"a\":1,\"v\":0,\"p\":1,\"q\":1}"},
      {"{\"a\":1,\"x\":2}", "p", "{\"a\":1,\"p\":1}"},
      {"{\"x\":2}", "pq", "{\"p\":1,\"q\":1}"},
      {"{\"x\":2,\"a\":1,\"x2\":0}", "p", "{\"a\":1,\"p\":1}"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_written(cases[i][0], cases[i][1], cases[i][2]);
}
