/* Every file of readers/bad: what the program says and leaves, what it takes, and that the library says the
 * same. */
#include "cli_run.h"
#include "readers/made_gltf.h"
#include "readers/text.h"
#include "sinew.h"
#include "support/bake.h"
#include "support/data.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

TestSuite(bad_files, .init = cli_enter, .fini = cli_leave);

/* SANITIZED: whether the sanitizers' own memory and time come on top */
static const double cpu_limit_s = 1;
static const size_t peak_limit_bytes = 64 << 20;

typedef struct bad_file {
  char path[400];
  const char *code; /* "syntax" */
  const char *text; /* behind the path; NULL: any */
} bad_file;

typedef struct bad_list {
  bad_file *files;
  size_t count;
} bad_list;

/* The rows of expected.tsv whose file stands in `folder`. */
static bad_list expected(const char *folder) {
  size_t byte_count;
  char *bytes = test_read_file(test_source("tests/readers/bad/expected.tsv"), &byte_count);
  cr_assert(bytes);
  char *rows = test_keep(byte_count + 1, 1), *rest;
  memcpy(rows, bytes, byte_count);
  free(bytes);
  bad_list list = {test_keep(line_count(rows), sizeof(bad_file)), 0};
  for (char *line = strtok_r(rows, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *code = strchr(line, '\t'), *message = code ? strchr(code + 1, '\t') : NULL;
    cr_assert(message, "a row without its columns: %s", line);
    *code++ = *message++ = 0;
    const size_t length = strlen(folder);
    if (strncmp(line, folder, length) != 0 || line[length] != '/') continue;
    bad_file *file = &list.files[list.count++];
    *file = (bad_file){.code = code, .text = message};
    snprintf(file->path, sizeof file->path, "%s/%s", test_source("tests/readers/bad"), line);
  }
  return list;
}

/* ---- the program
 * --------------------------------------------------------------------------------------------------- */

static void expect_quiet_refusal(const cli_run *run, const bad_file *file) {
  char line[2048];
  snprintf(line, sizeof line, "sinew: %s%s\n", file->path, file->text ? file->text : ":");
  cr_expect_eq(run->code, 1, "%s: exit code %d", file->path, run->code);
  if (file->text)
    cr_expect_str_eq(run->err, line);
  else
    cr_expect(line_count(run->err) == 1 && strncmp(run->err, line, strlen(line) - 1) == 0, "%s", run->err);
  cr_expect_str_eq(run->out, "", "%s", file->path);
  cr_expect_eq(test_folder_count("."), 0u, "%s left a file", file->path);
  cr_expect_lt(run->cpu_s, cpu_limit_s, "%s took %g s", file->path, run->cpu_s);
  if (!SANITIZED)
    cr_expect_lt(run->peak_bytes, peak_limit_bytes, "%s took %zu bytes", file->path, run->peak_bytes);
}

static void clips_through_the_program(const char *folder, size_t least) {
  bad_list list = expected(folder);
  cr_expect_geq(list.count, least);
  for (size_t i = 0; i < list.count; i++) {
    const cli_run run = cli("convert", list.files[i].path, "--rig", sample_rig(), "-o", "out.glb", NULL);
    expect_quiet_refusal(&run, &list.files[i]);
  }
}

Test(bad_files, clips_through_the_program, .timeout = 300) {
  clips_through_the_program("anim", 100);
}
Test(bad_files, csvs_through_the_program, .timeout = 300) {
  clips_through_the_program("csv", 40);
}

Test(bad_files, rigs_through_the_program, .timeout = 300) {
  bad_list list = expected("rig");
  cr_expect_geq(list.count, 60u);
  for (size_t i = 0; i < list.count; i++) {
    const cli_run run = cli("rig", list.files[i].path, NULL);
    expect_quiet_refusal(&run, &list.files[i]);
    const cli_run same = cli("convert", sample_clip(), "--rig", list.files[i].path, "-o", "out.glb", NULL);
    expect_quiet_refusal(&same, &list.files[i]);
  }
}

/* By its first word, as the program tells it from other text. */
static bool looks_like_bvh(const bad_file *file) {
  static const char mark[] = "HIERARCHY";
  size_t byte_count, at = 0;
  char *bytes = test_read_file(file->path, &byte_count);
  cr_assert(bytes, "%s", file->path);
  if (byte_count > 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) at = 3;
  while (at < byte_count && strchr(" \t\r\n\v\f", bytes[at]) && bytes[at]) at++;
  const bool looks = byte_count - at >= sizeof mark && strncasecmp(bytes + at, mark, sizeof mark - 1) == 0 &&
                     strchr(" \t\r\n", bytes[at + sizeof mark - 1]);
  free(bytes);
  return looks;
}

Test(bad_files, bvhs_through_the_program, .timeout = 300) {
  bad_list list = expected("bvh");
  cr_expect_geq(list.count, 100u);
  for (size_t i = 0; i < list.count; i++) {
    const cli_run run = cli("inspect", list.files[i].path, NULL);
    expect_quiet_refusal(&run, &list.files[i]);
    bad_file file = list.files[i];
    if (!looks_like_bvh(&file)) file.text = NULL; /* refused as text of another kind */
    const cli_run clip = cli("convert", file.path, "-o", "out.glb", NULL);
    expect_quiet_refusal(&clip, &file);
    const cli_run rig = cli("convert", sample_bones(), "--rig", file.path, "-o", "out.glb", NULL);
    expect_quiet_refusal(&rig, &file);
  }
}

/* Each breaks another part of the JSON; the file's own tests hold the readers to more. */
static const struct {
  const char *from, *to;
  const char *message;
} bad_gltfs[] = {
    {"'version':'2.0'", "'version':'1.0'", "asset.version: is '1.0', expected 2.0"},
    {"'scene':0,", "'scene':01,", "byte 56: no sound JSON: invalid token near '0'"},
    {"'children':[0,2]", "'children':[0,9]", "nodes[1].children[1]: is 9, the file has 4 nodes"},
    {"'children':[0,2]", "'children':[0,1]", "nodes[1].children[1]: is the node itself"},
    {"{'name':'arm'}", "{'name':'arm','children':[1]}",
     "nodes[0]: hangs in a circle: no root stands above it"},
    {"'translation':[0,1,0.5]", "'translation':[0,null,0]", "nodes[0].translation[1]: is no number"},
    {"{'sampler':1,'target':{'node':1,'path':'translation'}}",
     "{'sampler':0,'target':{'node':1,'path':'rotation'}}",
     "animations[0].channels[1].target: the rotation of node 1 is moved by a channel before it"},
};

Test(bad_files, gltfs_through_the_program) {
  for (size_t i = 0; i < sizeof bad_gltfs / sizeof *bad_gltfs; i++) {
    const made_glb glb = gltf_but(bad_gltfs[i].from, bad_gltfs[i].to);
    FILE *out = fopen("bad.glb", "wb");
    cr_assert(out && fwrite(glb.bytes, 1, glb.byte_count, out) == glb.byte_count && fclose(out) == 0);
    char line[512];
    snprintf(line, sizeof line, "sinew: bad.glb: %s\n", bad_gltfs[i].message);
    const cli_run runs[] = {cli("convert", "bad.glb", "-o", "out.glb", NULL),
                            cli("convert", "bad.glb", "--rig", sample_character(), "-o", "out.glb", NULL),
                            cli("convert", sample_bones(), "--rig", "bad.glb", "-o", "out.glb", NULL),
                            cli("rig", "bad.glb", NULL)};
    for (int k = 0; k < 4; k++) {
      cr_expect_eq(runs[k].code, 1, "%d", runs[k].code);
      cr_expect_str_eq(runs[k].err, line);
      cr_expect_str_eq(runs[k].out, "");
    }
    cr_expect_eq(test_folder_count("."), 1u, "the bad file alone is there");
  }
}

/* ---- the library
 * --------------------------------------------------------------------------------------------------- */

static sinew_result code_named(const char *name) {
  static const char *const names[] = {"ok",    "argument", "memory", "io",     "syntax",   "unsupported",
                                      "limit", "rig",      "pose",   "verify", "cancelled"};
  int code = 0;
  while (strcmp(names[code], name) != 0)
    cr_assert_lt(++code, SINEW_ERROR_CANCELLED, "no code is called %s", name);
  return (sinew_result)code;
}

static void expect_error(sinew_result result, sinew_error *error, const bad_file *file, size_t byte_count) {
  char line[2048], wanted[2048];
  const bool in_bytes = result == SINEW_ERROR_SYNTAX || result == SINEW_ERROR_UNSUPPORTED;
  cr_expect_eq(result, code_named(file->code), "%s: code %d", file->path, result);
  cr_expect_eq(error->code, result, "%s", file->path);
  cr_expect(error->has_place || !in_bytes, "%s: no place", file->path);
  cr_expect(!in_bytes || error->byte <= byte_count, "%s: byte %llu", file->path,
            (unsigned long long)error->byte);
  snprintf(wanted, sizeof wanted, "%s%s", file->path, file->text);
  if (!error->path[0]) snprintf(error->path, sizeof error->path, "%s", file->path); /* a bake knows no file */
  cr_expect_str_eq(sinew_error_text(error, line, sizeof line), wanted);
}

static void read_guarded(const bad_file *file, guarded *g) {
  size_t byte_count;
  char *bytes = test_read_file(file->path, &byte_count);
  cr_assert(bytes, "%s", file->path);
  *g = guard_bytes(bytes, byte_count);
  free(bytes);
}

static void clips_through_the_library(const char *folder) {
  sinew_context *context = test_open_context(NULL, 1);
  sinew_rig *rig = test_open_rig(sample_rig());
  bad_list list = expected(folder);
  for (size_t i = 0; i < list.count; i++) {
    guarded g;
    read_guarded(&list.files[i], &g);
    sinew_clip_file *file = NULL;
    sinew_error error = {0};
    sinew_result result =
        sinew_clip_file_open_memory(g.bytes, g.length, list.files[i].path, NULL, &file, &error);
    cr_expect_eq(result == SINEW_OK, file != NULL, "%s", list.files[i].path);
    if (file)
      result = sinew_bake(context, sinew_clip_file_clip(file, 0), rig, NULL, "out.glb", NULL, &error);
    expect_error(result, &error, &list.files[i], g.length);
    sinew_clip_file_close(file);
    guard_free(&g);
  }
  cr_expect_eq(test_folder_count("."), 0u);
  sinew_rig_close(rig);
  sinew_context_close(context);
}

Test(bad_files, clips_through_the_library) {
  clips_through_the_library("anim");
}
Test(bad_files, csvs_through_the_library) {
  clips_through_the_library("csv");
}

Test(bad_files, rigs_through_the_library) {
  bad_list list = expected("rig");
  for (size_t i = 0; i < list.count; i++) {
    guarded g;
    read_guarded(&list.files[i], &g);
    sinew_rig *rig = (sinew_rig *)1;
    sinew_error error = {0};
    sinew_result result = sinew_rig_open_memory(g.bytes, g.length, list.files[i].path, NULL, &rig, &error);
    cr_expect_null(rig, "%s", list.files[i].path);
    expect_error(result, &error, &list.files[i], g.length);
    guard_free(&g);
  }
}

Test(bad_files, bvhs_through_the_library) {
  bad_list list = expected("bvh");
  for (size_t i = 0; i < list.count; i++) {
    guarded g;
    read_guarded(&list.files[i], &g);
    sinew_bvh *bvh = (sinew_bvh *)1;
    sinew_error error = {0};
    sinew_result result = sinew_bvh_open_memory(g.bytes, g.length, list.files[i].path, NULL, &bvh, &error);
    cr_expect_null(bvh, "%s", list.files[i].path);
    expect_error(result, &error, &list.files[i], g.length);
    guard_free(&g);
  }
}

/* A file without a row would never be read. */
Test(bad_files, every_file_has_its_row) {
  static const char *const folders[] = {"anim", "bvh", "csv", "rig"};
  for (int i = 0; i < 4; i++) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", test_source("tests/readers/bad"), folders[i]);
    cr_expect_eq(test_folder_count(path), expected(folders[i]).count, "%s", path);
  }
}
