/* Every limit of sinew_read_options: one below what an input needs, exactly that, and one above; and the
 * defaults. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/reader.h"
#include "readers/made_anim.h"
#include "readers/made_meta.h"
#include "support/bake.h"
#include "support/data.h"

typedef sinew_result (*read_fn)(const text *t, const sinew_read_options *limits, sinew_error *error);

static sinew_result read_clip(const text *t, const sinew_read_options *limits, sinew_error *error) {
  guarded g = guard_bytes(t->bytes, t->length);
  sinew_clip_file *file;
  sinew_result result = sinew_clip_file_open_memory(g.bytes, g.length, "made.anim", limits, &file, error);
  cr_expect_eq(result == SINEW_OK, file != NULL);
  sinew_clip_file_close(file);
  guard_free(&g);
  return result;
}

/* The description alone: a chain of nodes is no body. */
static sinew_result read_description(const text *t, const sinew_read_options *limits, sinew_error *error) {
  guarded g = guard_bytes(t->bytes, t->length);
  read_source source = {g.bytes, g.length, read_limits_complete(limits)};
  arena memory = {.byte_limit = source.limits.memory_bytes};
  rig_description description;
  sinew_result result = read_fbx_meta(&source, &memory, &description, error);
  arena_release(&memory);
  guard_free(&g);
  return result;
}

static sinew_result read_rig(const text *t, const sinew_read_options *limits, sinew_error *error) {
  sinew_rig *rig;
  const sinew_rig_options options = {.read = limits ? *limits : (sinew_read_options){0}};
  sinew_result result = sinew_rig_open_memory(t->bytes, t->length, "made.fbx.meta", &options, &rig, error);
  sinew_rig_close(rig);
  return result;
}

/* ---- around a limit --------------------------------------------------------------------------------------
 */

typedef struct limit_field {
  size_t offset;
  size_t size;
} limit_field;
#define FIELD(name)                                                                                          \
  (limit_field) {                                                                                            \
    offsetof(sinew_read_options, name), sizeof((sinew_read_options *)0)->name                                \
  }

static sinew_read_options limit_of(limit_field field, uint64_t value) {
  sinew_read_options limits = {0};
  const uint32_t narrow = (uint32_t)value;
  memcpy((char *)&limits + field.offset, field.size == sizeof value ? (const void *)&value : &narrow,
         field.size);
  return limits;
}

/* The input needs `need`: less is refused with the words, in that line (0: none), as much and more is not. */
static void around(read_fn read, const text *t, limit_field field, uint64_t need, sinew_result code,
                   uint32_t line, const char *words) {
  for (int off = -1; off <= 1; off++) {
    sinew_read_options limits = limit_of(field, need + (uint64_t)(int64_t)off);
    sinew_error error = {0};
    sinew_result result = read(t, &limits, &error);
    cr_expect_eq(result, off < 0 ? code : SINEW_OK, "%s: limit %+d: %s", words, off, error.message);
    if (off >= 0) continue;
    cr_expect_not_null(strstr(error.message, words), "\"%s\" lacks \"%s\"", error.message, words);
    cr_expect_eq(error.line, line, "%s: line %u", words, error.line);
  }
}

static uint64_t least_memory(read_fn read, const text *t) {
  uint64_t refused = 0, taken = UINT64_C(1) << 32;
  while (taken - refused > 1) {
    uint64_t middle = refused + (taken - refused) / 2;
    sinew_read_options limits = {.memory_bytes = middle};
    sinew_error error;
    if (read(t, &limits, &error) == SINEW_OK)
      taken = middle;
    else
      refused = middle;
  }
  return taken;
}

Test(limits, of_a_clip_file) {
  text t =
      text_edit(made_anim_base, 71, 70, "--- !u!74 &2\nAnimationClip:\n  m_Name: b\n  m_SampleRate: 1\n");
  around(read_clip, &t, FIELD(keys), 3, SINEW_ERROR_LIMIT, 42, "more than 2 keys in a clip, the limit");
  around(read_clip, &t, FIELD(curves), 2, SINEW_ERROR_LIMIT, 50, "more than 1 curves in a clip, the limit");
  around(read_clip, &t, FIELD(clips), 2, SINEW_ERROR_LIMIT, 71, "more than 1 clips in a file, the limit");
  around(read_clip, &t, FIELD(name_bytes), 16, SINEW_ERROR_LIMIT, 50, "a text of 16 bytes, the limit is 15");
  char words[64];
  snprintf(words, sizeof words, "has %zu bytes, the limit is %zu", t.length, t.length - 1);
  around(read_clip, &t, FIELD(file_bytes), t.length, SINEW_ERROR_LIMIT, 0, words);
  uint64_t memory = least_memory(read_clip, &t);
  cr_expect_lt(memory, 1u << 20);
  around(read_clip, &t, FIELD(memory_bytes), memory, SINEW_ERROR_MEMORY, 0, "memory");
  text_free(&t);
}

/* What counts is what is kept: a clip that fits keeps its right to be read, whatever stood before it. */
Test(limits, of_each_clip_by_itself) {
  text t = {0};
  text_add(&t, "%s", made_anim_base);
  text_add(&t, "%s", strstr(made_anim_base, "--- !u!74"));
  around(read_clip, &t, FIELD(keys), 3, SINEW_ERROR_LIMIT, 42, "more than 2 keys in a clip");
  around(read_clip, &t, FIELD(curves), 2, SINEW_ERROR_LIMIT, 50, "more than 1 curves in a clip");
  text_free(&t);
}

Test(limits, of_names_in_pieces) {
  static const struct {
    const char *lines;
    uint64_t need;
    uint32_t line;
  } cases[] = {
      {"    attribute: \"a\\tlong\\tname\\tof\\tmore\\tthan\\tenough\"\n", 31, 35},
      {"    attribute: 'it''s a name of more than sixteen'\n", 32, 35},
      {"    attribute: a name that goes on\n      and on\n", 26, 36},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    text t = text_edit(made_anim_base, 35, 35, cases[i].lines);
    around(read_clip, &t, FIELD(name_bytes), cases[i].need, SINEW_ERROR_LIMIT, cases[i].line,
           "a text of more than ");
    text_free(&t);
  }
}

Test(limits, of_keys_in_memory) {
  made_options options = {.seed = 4, .key_version = 3, .documents = 1, .curves = 100, .keys = 200};
  text t = made_anim(&options);
  uint64_t memory = least_memory(read_clip, &t);
  cr_expect_gt(memory, 200000u, "thousands of keys take more than that");
  around(read_clip, &t, FIELD(memory_bytes), memory, SINEW_ERROR_MEMORY, 0, "memory");
  text_free(&t);
}

Test(limits, of_a_rig) {
  text t = text_edit(made_meta_base, 1, 0, "");
  around(read_description, &t, FIELD(nodes), 4, SINEW_ERROR_LIMIT, 44, "more than 3 nodes, the limit");
  around(read_description, &t, FIELD(depth), 4, SINEW_ERROR_LIMIT, 44, "more than 3 nodes deep, the limit");
  around(read_description, &t, FIELD(name_bytes), 12, SINEW_ERROR_LIMIT, 29,
         "a text of 12 bytes, the limit is 11");
  uint64_t memory = least_memory(read_description, &t);
  cr_expect_lt(memory, 1u << 20);
  around(read_description, &t, FIELD(memory_bytes), memory, SINEW_ERROR_MEMORY, 0, "no memory");
  text_free(&t);
}

Test(limits, of_a_rig_file) {
  size_t byte_count;
  text t = {0};
  t.bytes = test_read_file(test_source("scripts/sample/walker.fbx.meta"), &byte_count);
  t.length = byte_count;
  around(read_rig, &t, FIELD(file_bytes), t.length, SINEW_ERROR_LIMIT, 0, "more than the limit of ");
  text_free(&t);
}

/* ---- the defaults ----------------------------------------------------------------------------------------
 */

Test(limits, defaults_are_the_stated_ones) {
  const sinew_read_options zero = {0};
  for (int i = 0; i < 2; i++) {
    sinew_read_options d = read_limits_complete(i ? &zero : NULL);
    cr_expect_eq(d.file_bytes, UINT64_C(4294967296));
    cr_expect_eq(d.memory_bytes, UINT64_C(8589934592));
    cr_expect_eq(d.curves, 65536u);
    cr_expect_eq(d.keys, UINT64_C(268435456));
    cr_expect_eq(d.clips, 4096u);
    cr_expect_eq(d.nodes, 4096u);
    cr_expect_eq(d.depth, 256u);
    cr_expect_eq(d.name_bytes, 4096u);
  }
}

static void expect_default(read_fn read, text *t, bool fits, const char *words) {
  sinew_error error = {0};
  cr_expect_eq(read(t, NULL, &error), fits ? SINEW_OK : SINEW_ERROR_LIMIT, "%s: %s", words, error.message);
  if (!fits) cr_expect_not_null(strstr(error.message, words), "%s", error.message);
  text_free(t);
}

static text foreign_curves(int count) {
  text t = {0};
  text_add(&t, "--- !u!74 &1\nAnimationClip:\n  m_Name: many\n  m_FloatCurves:\n");
  for (int i = 0; i < count; i++)
    text_add(&t,
             "  - curve:\n      m_Curve:\n      - time: 0\n        value: 1\n        inSlope: 0\n        "
             "outSlope: 0\n"
             "    attribute: %s%d\n    path: \n    classID: 95\n",
             i ? "own " : "RootT.x\n    unused: ", i);
  text_add(&t, "  m_SampleRate: 30\n  m_Events: []\n");
  return t;
}

static text many_clips(int count) {
  text t = text_edit(made_anim_base, 1, 0, "");
  for (int i = 1; i < count; i++)
    text_add(&t, "--- !u!74 &%d\nAnimationClip:\n  m_Name: b\n  m_SampleRate: 1\n", i);
  return t;
}

static text wide_rig(int nodes) {
  text t = {0};
  text_add(&t,
           "ModelImporter:\n  humanDescription:\n    human:\n    - boneName: n1\n      humanName: Hips\n");
  text_add(&t, "    skeleton:\n");
  for (int i = 0; i < nodes; i++)
    text_add(&t,
             "    - name: n%d\n      parentName: %s\n      position: {x: 0, y: 0, z: 0}\n"
             "      rotation: {x: 0, y: 0, z: 0, w: 1}\n      scale: {x: 1, y: 1, z: 1}\n",
             i, i ? "n0" : "");
  text_add(&t, "    hasTranslationDoF: 0\n");
  return t;
}

Test(limits, defaults_hold) {
  for (int over = 0; over <= 1; over++) {
    text t = foreign_curves(65536 + over);
    expect_default(read_clip, &t, !over, "more than 65536 curves in a clip");
    t = many_clips(4096 + over);
    expect_default(read_clip, &t, !over, "more than 4096 clips in a file");
    t = wide_rig(4096 + over);
    expect_default(read_description, &t, !over, "more than 4096 nodes");
    t = made_meta_chain(255 + over); /* and the root above */
    expect_default(read_description, &t, !over, "more than 256 nodes deep");
    char name[4200];
    snprintf(name, sizeof name, "  m_Name: %0*d\n", 4096 + over, 1);
    t = text_edit(made_anim_base, 6, 6, name);
    expect_default(read_clip, &t, !over, "a text of 4097 bytes, the limit is 4096");
  }
}
