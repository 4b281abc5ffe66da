/* Rig files: one broken one per rule, and what a sound one must bring back to the last bit. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read/reader.h"
#include "readers/made_avatar.h"
#include "rig/synthetic.h"
#include "write/rig_json.h"

typedef struct rule {
  const char *after, *from, *to;
  sinew_result code;
  const char *message;
} rule;

#define SYNTAX SINEW_ERROR_SYNTAX
#define UNSUPPORTED SINEW_ERROR_UNSUPPORTED
#define RIG SINEW_ERROR_RIG

static const rule rules[] = {
    /* JSON */
    {NULL, "{\"sinewRig\":1,", "{\"sinewRig\":1", SYNTAX, "no sound JSON: "},
    {NULL, "\"warnings\":[]}", "\"warnings\":[]}}", SYNTAX, "no sound JSON: end of file expected"},
    {NULL, "\"warnings\":[]}", "\"warnings\":[]", SYNTAX, "no sound JSON: "},
    {NULL, "\"name\":\"made\"", "\"name\":\"ma\xff\x64\"", SYNTAX,
     "no sound JSON: unable to decode byte 0xff"},
    {NULL, "\"name\":\"made\"", "\"name\":\"\\u0000\"", SYNTAX, "no sound JSON: "},
    {NULL, "\"name\":\"made\"", "\"name\":\"a\",\"name\":\"b\"", SYNTAX,
     "no sound JSON: duplicate object key"},
    {NULL, "\"height\":", "\"height\":1e999,\"x\":", SYNTAX, "no sound JSON: real number overflow"},
    {NULL, "\"height\":", "\"height\":NaN,\"x\":", SYNTAX, "no sound JSON: "},
    /* version and members */
    {NULL, "\"sinewRig\":1", "\"sinewRing\":1", UNSUPPORTED, "JSON without 'sinewRig'"},
    {NULL, "\"sinewRig\":1", "\"sinewRig\":\"1\"", SYNTAX, "sinewRig is no whole number"},
    {NULL, "\"sinewRig\":1", "\"sinewRig\":2", UNSUPPORTED, "a rig file of version 2, expected 1"},
    {NULL, "\"armTwist\"", "\"armTwists\"", SYNTAX, "'armTwists' is no member of a rig file of version 1"},
    {NULL, "\"armTwist\":0.5,", "", SYNTAX, "armTwist is missing"},
    {NULL, "\"name\":\"made\"", "\"name\":5", SYNTAX, "name is no text"},
    {NULL, "\"unitScale\":1", "\"unitScale\":0", SYNTAX, "unitScale is 0, expected 1e-12 to 1e+09"},
    {NULL, "\"unitScale\":1", "\"unitScale\":\"m\"", SYNTAX, "unitScale is no number"},
    {NULL, "\"unitInferred\":false", "\"unitInferred\":0", SYNTAX, "unitInferred is neither true nor false"},
    {NULL, "\"height\":1", "\"height\":-1", SYNTAX, "expected 1e-09 to 1e+12"},
    {NULL, "\"humanScale\":1.", "\"humanScale\":0.000", RIG, "the human scale is "},
    {NULL, "\"rootT\":[", "\"rootT\":[0,", SYNTAX, "rootT is no list of 3 numbers"},
    {NULL, "\"rootT\":[", "\"rootT\":[true,0,0],\"x\":[", SYNTAX, "'x' is no member"},
    {NULL, "\"hipsRestQ\":[0,", "\"hipsRestQ\":[-2.5,", SYNTAX, "hipsRestQ is -2.5, expected -2 to 2"},
    {NULL, "\"hipsRestQ\":[0,", "\"hipsRestQ\":[null,", SYNTAX, "hipsRestQ is no number"},
    {NULL, "\"hipsRestQ\":[0,", "\"hipsRestQ\":[0.1,", SYNTAX, "hipsRestQ has length 1.00498756, expected 1"},
    {NULL, "\"hipsRestQ\":[0,", "\"hipsRestQ\":[3,", SYNTAX, "hipsRestQ is 3, expected -2 to 2"},
    {NULL, "\"legTwist\":0.5", "\"legTwist\":1.5", SYNTAX, "legTwist is 1.5, expected 0 to 1"},
    {NULL, "\"feetSpacing\":0", "\"feetSpacing\":-1", SYNTAX, "feetSpacing is -1, expected 0 to 1"},
    {NULL, "\"warnings\":[]", "\"warnings\":{}", SYNTAX, "warnings is no list of at most 64 texts"},
    {NULL, "\"warnings\":[]", "\"warnings\":[1]", SYNTAX, "warnings holds something that is no text"},
    /* nodes */
    {NULL, "\"nodes\":[", "\"nodes\":[{\"name\":\"x\"},", SYNTAX, "nodes[0].parent is missing"},
    {NULL, "\"nodes\":[", "\"nodes\":[5,", SYNTAX, "nodes[0]. is no object"},
    {NULL, "\"parent\":0", "\"parent\":1", SYNTAX, "nodes[1].parent is no node before it"},
    {NULL, "\"parent\":0", "\"parent\":-2", SYNTAX, "nodes[1].parent is -2, expected -1 to 2147483647"},
    {NULL, "\"parent\":0", "\"parent\":0.5", SYNTAX, "nodes[1].parent is no whole number"},
    {NULL, "\"parent\":0", "\"parent\":99999999999", SYNTAX, "nodes[1].parent is 99999999999"},
    {"\"name\":\"Hips\"", "\"q\":[0", "\"q\":[0.01", SYNTAX, "nodes[1].q has length"},
    {"\"name\":\"Hips\"", "\"s\":[1", "\"s\":[0", SYNTAX, "nodes[1].s has a zero"},
    {"\"name\":\"Hips\"", "\"s\":[1", "\"s\":[1.000001", RIG, "expected one factor above 0"},
    {"\"name\":\"Hips\"", "\"s\":[1,1,1]", "\"s\":[-1,-1,-1]", RIG, "expected one factor above 0"},
    {"\"name\":\"model\"", "\"t\":[0", "\"t\":[1e13", SYNTAX,
     "nodes[0].t is 1e+13, expected -1e+12 to 1e+12"},
    {"\"name\":\"model\"", "\"s\":[1,1,1]", "\"s\":[1e12,1e12,1e12]", RIG,
     "beyond what can be computed with"},
    {"\"name\":\"Hips\"", "\"s\":[1,1,1]", "\"s\":[1,1,1],\"e\":1", SYNTAX, "nodes[1]: 'e' is no member"},
    {"\"name\":\"model\"", "\"s\":[1,1,1]", "\"s\":[1e-10,1e-10,1e-10]", RIG,
     "the nodes above the hips scale by 1e-10"},
    {"\"name\":\"Hips\"", "\"s\":[1,1,1]", "\"s\":[1,1,1],\"source\":7", SYNTAX,
     "nodes[1].source stands in some nodes and not in all"},
    {"\"name\":\"model\"", "\"s\":[1,1,1]", "\"s\":[1,1,1],\"source\":7", SYNTAX,
     "nodes[1].source stands in some nodes and not in all"},
    {"\"name\":\"model\"", "\"s\":[1,1,1]", "\"s\":[1,1,1],\"source\":-1", SYNTAX,
     "nodes[0].source is -1, expected 0 to 2147483647"},
    {NULL, "\"translationDof\":", "\"alignQ\":[0,1,0,1],\"translationDof\":", SYNTAX, "alignQ has length"},
    {NULL, "\"parent\":0", "\"parent\":-1", SINEW_OK, ""}, /* two roots are a rig of the compiler's too */
    /* bones */
    {"\"bones\"", "\"bone\":\"Hips\"", "\"bone\":\"Hip\"", SYNTAX, "bones[0].bone is no human bone's name"},
    {"\"bones\"", "\"bone\":\"LeftUpperLeg\"", "\"bone\":\"Hips\"", SYNTAX,
     "bones[1].bone stands twice in the list"},
    {"\"bones\"", "\"node\":1,", "\"node\":17,", SYNTAX, "bones[0].node is 17, expected one of 17 nodes"},
    {"\"bones\"", "\"node\":1,", "\"node\":2,", RIG, "is mapped to two human bones"},
    {"\"bones\"", "\"node\":1,", "\"node\":0,", SINEW_OK, ""},
    {"\"bone\":\"LeftFoot\"", "\"node\":", "\"node\":0,\"n\":", SYNTAX, "bones[5]: 'n' is no member"},
    {"\"bones\"", "\"restQ\":[0", "\"restQ\":[1", SYNTAX, "bones[0].restQ has length"},
    {"\"bones\"", "\"preQ\":", "\"preQ\":[0,0,0,0],\"p\":", SYNTAX, "bones[0]: 'p' is no member"},
    {"\"bones\"", "\"sgn\":[1", "\"sgn\":[0.5", SYNTAX, "bones[0].sgn has a number that is neither 1 nor -1"},
    {"\"bones\"", "\"sgn\":[1", "\"sgn\":[2", SYNTAX, "bones[0].sgn is 2, expected -1 to 1"},
    {"\"bones\"", "\"minRad\":[0", "\"minRad\":[-0.1", SYNTAX, "limits an axis that has no muscle"},
    {"\"bone\":\"Spine\"", "\"minRad\":[-", "\"minRad\":[", SYNTAX, "expected -3.14159 to 0"},
    {"\"bone\":\"Spine\"", "\"maxRad\":[", "\"maxRad\":[9,0,0],\"m\":[", SYNTAX, "'m' is no member"},
    {"\"bone\":\"Spine\"", "\"length\":0", "\"length\":9e12,\"l\":0", SYNTAX, "'l' is no member"},
    {"\"bones\"", "\"mass\":0", "\"mass\":1", SYNTAX, "bones[0].mass is 1.1454"},
    {"\"bones\"", "\"mass\":0.14", "\"mass\":0.15", SYNTAX,
     "the masses of the bones add up to 1.01, expected 1"},
    {"\"bones\"", "\"bone\":\"Head\"", "\"bone\":\"Neck\"", RIG, "required human bone Head is not mapped"},
};

static text rig_text(const rig_description *description) {
  sinew_rig *rig;
  sinew_error error;
  json_out out = {0};
  text t = {0};
  cr_assert_eq(rig_compile(description, 0, &rig, &error), SINEW_OK, "%s", error.message);
  rig_json_write(rig, &out);
  cr_assert_not(out.failed);
  text_add(&t, "%.*s", (int)out.byte_count, out.bytes);
  json_release(&out);
  sinew_rig_close(rig);
  return t;
}

static text small_text(void) {
  synthetic_options options = {0};
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    options.missing[b] = !human_bones[b].required && b != HUMAN_NECK;
    options.unmapped[b] = b == HUMAN_NECK;
  }
  return rig_text(synthetic_rig(&options));
}

static sinew_result open_text(const char *bytes, size_t length, const sinew_rig_options *options,
                              sinew_rig **rig, sinew_error *error) {
  guarded g = guard_bytes(bytes, length);
  sinew_result result = sinew_rig_open_memory(g.bytes, g.length, "made", options, rig, error);
  guard_free(&g);
  return result;
}

Test(rig_json_rules, each_says_what) {
  text base = small_text();
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    const rule *r = &rules[i];
    unsigned line;
    text t = text_replace(base.bytes, r->after, r->from, r->to, &line);
    sinew_rig *rig;
    sinew_error error = {0};
    sinew_result result = open_text(t.bytes, t.length, NULL, &rig, &error);
    cr_expect_eq(result, r->code, "rule %zu (%s): code %d, \"%s\"", i, r->message, result, error.message);
    cr_expect_not_null(strstr(error.message, r->message), "rule %zu: \"%s\" lacks \"%s\"", i, error.message,
                       r->message);
    cr_expect_eq(rig != NULL, r->code == SINEW_OK);
    if (strstr(r->message, "no sound JSON")) /* jansson may stand a line further when it notices */
      cr_expect(error.has_place && error.line >= line && error.line <= line + 1,
                "rule %zu: line %u, wanted %u", i, error.line, line);
    sinew_rig_close(rig);
    text_free(&t);
  }
  text_free(&base);
}

static void expect(const char *bytes, const sinew_rig_options *options, sinew_result code, const char *part) {
  sinew_rig *rig;
  sinew_error error = {0};
  sinew_result result = open_text(bytes, strlen(bytes), options, &rig, &error);
  cr_expect_eq(result, code, "%s: %d, \"%s\"", part, result, error.message);
  cr_expect_not_null(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
  sinew_rig_close(rig);
}

Test(rig_json_rules, other_json) {
  expect("{}", NULL, UNSUPPORTED, "JSON without 'sinewRig'");
  expect(" \n{\"asset\":{\"version\":\"2.0\"}}", NULL, UNSUPPORTED,
         "nodes: there are none: no skeleton"); /* a glTF */
  expect("{", NULL, SYNTAX, "no sound JSON");
  expect("{\"sinewRig\":1}", NULL, SYNTAX, "name is missing");
  text t = {0};
  for (int i = 0; i < 3000; i++) text_add(&t, "%s", i ? "[" : "{\"sinewRig\":");
  expect(t.bytes, NULL, SYNTAX, "no sound JSON: maximum parsing depth reached");
  text_free(&t);
}

Test(rig_json_rules, unit) {
  text t = small_text();
  sinew_rig_options options = {.unit_scale = 0.01};
  expect(t.bytes, &options, SINEW_ERROR_ARGUMENT,
         "unit_scale is 0.01, but a rig file is in metres: expected 0 or 1");
  options.unit_scale = 1;
  expect(t.bytes, &options, SINEW_OK, "");
  text_free(&t);
}

Test(rig_json_rules, more_warnings_than_a_rig_has) {
  text base = small_text();
  for (int count = 64; count <= 65; count++) {
    text list = {0};
    text_add(&list, "\"warnings\":[");
    for (int i = 0; i < count; i++) text_add(&list, "%s\"w\"", i ? "," : "");
    text_add(&list, "]");
    unsigned line;
    text t = text_replace(base.bytes, NULL, "\"warnings\":[]", list.bytes, &line);
    expect(t.bytes, NULL, count == 64 ? SINEW_OK : SYNTAX, count == 64 ? "" : "at most 64 texts");
    text_free(&t);
    text_free(&list);
  }
  text_free(&base);
}

/* 17 nodes, the longest way down 6, the longest name RightUpperLeg. */
Test(rig_json_rules, limits) {
  text t = small_text();
  const struct {
    sinew_read_options read;
    sinew_result code;
    const char *part;
  } limits[] = {
      {{.nodes = 18}, SINEW_OK, ""},
      {{.nodes = 17}, SINEW_OK, ""},
      {{.nodes = 16}, SINEW_ERROR_LIMIT, "17 nodes, the limit is 16"},
      {{.depth = 7}, SINEW_OK, ""},
      {{.depth = 6}, SINEW_OK, ""},
      {{.depth = 5}, SINEW_ERROR_LIMIT, "more than 5 nodes deep, the limit"},
      {{.name_bytes = 14}, SINEW_OK, ""},
      {{.name_bytes = 13}, SINEW_OK, ""},
      {{.name_bytes = 12}, SINEW_ERROR_LIMIT, "name has 13 bytes, the limit is 12"},
      {{.file_bytes = t.length + 1}, SINEW_OK, ""},
      {{.file_bytes = t.length}, SINEW_OK, ""},
      {{.file_bytes = t.length - 1}, SINEW_ERROR_LIMIT, "more than the limit of"},
      {{.memory_bytes = 1000}, SINEW_ERROR_MEMORY, "bytes of memory, the limit is 1000"},
      {{.memory_bytes = 1 << 20}, SINEW_OK, ""},
  };
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    sinew_rig_options options = {.read = limits[i].read};
    expect(t.bytes, &options, limits[i].code, limits[i].part);
  }
  text_free(&t);
}

/* A file of more bytes than any rig of so many nodes is refused before its JSON is parsed. */
Test(rig_json_rules, a_file_too_long_for_its_nodes) {
  sinew_rig_options options = {.read = {.nodes = 1, .name_bytes = 1}};
  size_t most = 1 * (1 * 6 + 1024) + (1 << 20);
  for (size_t length = most - 1; length <= most + 1; length++) {
    char *bytes = malloc(length + 1);
    memset(bytes, ' ', length);
    memcpy(bytes, "{\"sinewRig\":3}", 14);
    bytes[length] = 0;
    expect(bytes, &options, length > most ? SINEW_ERROR_LIMIT : UNSUPPORTED,
           length > most ? "a rig of at most 1 nodes" : "version 3");
    free(bytes);
  }
}

/* ---- to the last bit -------------------------------------------------------------------------------------
 */

static void expect_bits(const void *a, const void *b, size_t size, const char *what) {
  cr_expect_eq(memcmp(a, b, size), 0, "%s", what);
}

#define SAME(member) expect_bits(&a->member, &b->member, sizeof a->member, #member)
static void expect_equal(const sinew_rig *a, const sinew_rig *b) {
  cr_expect_str_eq(a->hash, b->hash);
  cr_expect_str_eq(a->name, b->name);
  cr_assert_eq(a->node_count, b->node_count);
  for (uint32_t i = 0; i < a->node_count; i++) {
    cr_expect_str_eq(a->nodes[i].name, b->nodes[i].name);
    SAME(nodes[i].parent), SAME(nodes[i].t), SAME(nodes[i].q), SAME(nodes[i].s);
  }
  SAME(node_of_bone), SAME(unit_scale), SAME(unit_inferred), SAME(height_m), SAME(parent_bone),
      SAME(between_count);
  SAME(between), SAME(offset), SAME(rest_q), SAME(axes), SAME(custom_limits), SAME(share), SAME(mass);
  SAME(above_t), SAME(above_q), SAME(above_scale), SAME(human_scale_m), SAME(root_t), SAME(root_q),
      SAME(hips_rest_q);
  SAME(arm_twist), SAME(fore_arm_twist), SAME(upper_leg_twist), SAME(leg_twist), SAME(arm_stretch),
      SAME(leg_stretch);
  SAME(feet_spacing), SAME(has_translation_dof);
  cr_assert_eq(a->warning_count, b->warning_count);
  for (uint32_t i = 0; i < a->warning_count; i++) cr_expect_str_eq(a->warnings[i], b->warnings[i]);
}

static void round_trip(const rig_description *description, double unit) {
  sinew_rig *rig, *again;
  sinew_error error;
  cr_assert_eq(rig_compile(description, unit, &rig, &error), SINEW_OK, "%s", error.message);
  json_out out = {0}, second = {0};
  rig_json_write(rig, &out);
  cr_assert_eq(open_text(out.bytes, out.byte_count, NULL, &again, &error), SINEW_OK, "%s", error.message);
  expect_equal(rig, again);
  cr_expect_str_eq(again->kind, "rig-file");
  rig_json_write(again, &second);
  cr_expect(out.byte_count == second.byte_count && memcmp(out.bytes, second.bytes, out.byte_count) == 0);
  json_release(&out);
  json_release(&second);
  sinew_rig_close(rig);
  sinew_rig_close(again);
}

Test(rig_json_bits, made_up_bodies) {
  for (unsigned seed = 0; seed < 24; seed++) {
    synthetic_options options = {
        .seed = seed,
        .turned = seed & 1,
        .between = seed & 2,
        .asymmetric = seed & 4,
        .root_scale = seed & 8 ? 1.0 / 3 : 0,
        .file_scale = seed & 8 ? 100 : 0,
        .root_q = {seed & 8 ? -0.7 : 0, 0, 0.01 * seed, 1},
        .missing = {[HUMAN_LEFT_EYE] = true, [HUMAN_CHEST] = seed & 16, [HUMAN_UPPER_CHEST] = seed & 16}};
    rig_description *d = synthetic_rig(&options);
    d->arm_twist = 1.0 / 3;
    d->limit[HUMAN_HEAD] = (rig_limit){true, {-10.1, -20.2, -30.3}, {40.4, 50.5, 60.6}};
    d->nodes[1].t[0] = -0.0; /* a sign that must not get lost */
    d->nodes[5].s[1] = 1.1;  /* folded, with a warning */
    d->nodes[9].name = "\x01 \"q\\ \x7f \xe5\xb7\xa6";
    round_trip(d, seed % 3 == 2 ? 0.3 : 0);
  }
}

/* Numbers at the ends of what a node can hold. */
Test(rig_json_bits, odd_numbers) {
  static const double odd[] = {DBL_MIN, DBL_TRUE_MIN, 5e11, -5e11, 0.1, 1.0 / 3, 9007199254740993.0 / 1e6,
                               -0.0,    1e-300};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    rig_description *d = synthetic_rig(NULL);
    uint32_t node = d->node_count - 1; /* the last bone: nothing hangs from it */
    d->node_of_bone[HUMAN_RIGHT_TOES] = -1;
    d->nodes[node].t[2] = odd[i];
    if (odd[i] != 0) d->nodes[node].s[0] = odd[i];
    round_trip(d, 1);
  }
}

/* Another number anywhere is another hash; what a bake does not depend on is none. */
Test(rig_json_bits, hash_tells_rigs_apart) {
  text base = small_text();
  sinew_rig *plain, *other;
  sinew_error error;
  cr_assert_eq(open_text(base.bytes, base.length, NULL, &plain, &error), SINEW_OK);
  cr_expect_eq(strlen(plain->hash), 32);
  static const struct {
    const char *after, *from, *to;
    bool same;
  } edits[] = {
      {NULL, "\"unitScale\":1", "\"unitScale\":2", true},
      {NULL, "\"unitInferred\":false", "\"unitInferred\":true", true},
      {NULL, "\"warnings\":[]", "\"warnings\":[\"w\"]", true},
      {NULL, "\"name\":\"made\"", "\"name\":\"mode\"", false},
      {NULL, "\"armTwist\":0.5", "\"armTwist\":0.5000000000000001", false},
      {NULL, "\"feetSpacing\":0", "\"feetSpacing\":1e-300", false},
      {NULL, "\"hipsRestQ\":[0,", "\"hipsRestQ\":[-0.0,", false},
      {NULL, "\"translationDof\":false", "\"translationDof\":true", false},
      {"\"nodes\"", "\"name\":\"Hips\"", "\"name\":\"Hops\"", false},
      {"\"name\":\"Hips\"", "\"q\":[0", "\"q\":[1e-9", false},
      {"\"bones\"", "\"sgn\":[1", "\"sgn\":[-1", false},
      {"\"bone\":\"Spine\"", "\"minRad\":[-0.6", "\"minRad\":[-0.5", false},
  };
  for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
    unsigned line;
    text t = text_replace(base.bytes, edits[i].after, edits[i].from, edits[i].to, &line);
    cr_assert_eq(open_text(t.bytes, t.length, NULL, &other, &error), SINEW_OK, "%zu: %s", i, error.message);
    cr_expect_eq(strcmp(plain->hash, other->hash) == 0, edits[i].same, "%zu: %s", i, edits[i].to);
    sinew_rig_close(other);
    text_free(&t);
  }
  sinew_rig_close(plain);
  text_free(&base);
}

Test(rig_json_bits, a_mark_and_white_space_in_front) {
  text base = small_text(), t = {0};
  sinew_rig *rig;
  sinew_error error;
  text_add(&t, "\xef\xbb\xbf \r\n\t%s\n", base.bytes);
  cr_expect_eq(open_text(t.bytes, t.length, NULL, &rig, &error), SINEW_OK, "%s", error.message);
  sinew_rig_close(rig);
  text_free(&t);
  text_free(&base);
}

/* ---- saving ----------------------------------------------------------------------------------------------
 */

Test(rig_save, whole_or_not_at_all) {
  char folder[] = "/tmp/sinew-test-XXXXXX", path[64];
  cr_assert(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/rig.json", folder);
  sinew_rig *rig, *again;
  sinew_error error;
  cr_assert_eq(rig_compile(synthetic_rig(NULL), 0, &rig, &error), SINEW_OK);
  cr_assert_eq(sinew_rig_save(rig, path, &error), SINEW_OK, "%s", error.message);
  cr_assert_eq(sinew_rig_save(rig, path, &error), SINEW_OK, "a rig file that is there is replaced: %s",
               error.message);
  cr_assert_eq(sinew_rig_open(path, NULL, &again, &error), SINEW_OK, "%s", error.message);
  expect_equal(rig, again);
  sinew_rig_close(again);
  cr_expect_eq(unlink(path), 0);
  cr_expect_eq(sinew_rig_save(rig, folder, &error), SINEW_ERROR_IO);
  cr_expect_eq(sinew_rig_save(rig, "/nonexistent/rig.json", &error), SINEW_ERROR_IO);
  cr_expect_str_eq(error.path, "/nonexistent/rig.json");
  cr_expect_eq(sinew_rig_save(rig, NULL, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_rig_save(NULL, path, &error), SINEW_ERROR_ARGUMENT);
  sinew_rig_close(rig);
  cr_expect_eq(rmdir(folder), 0, "nothing is left behind");
}
