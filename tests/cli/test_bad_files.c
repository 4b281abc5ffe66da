/* Every file of readers/bad: what the program says and leaves, what it takes, and that the library says the
 * same. */
#include "cli_run.h"
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

TestSuite(bad_files, .init = cli_enter, .fini = cli_leave);

/* SANITIZED: whether the sanitizers' own memory and time come on top */
static const double cpu_limit_s = 1;
static const size_t peak_limit_bytes = 64 << 20;

typedef struct bad_file {
  char path[400];
  const char *code; /* "syntax" */
  const char *text; /* behind the path */
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
  snprintf(line, sizeof line, "sinew: %s%s\n", file->path, file->text);
  cr_expect_eq(run->code, 1, "%s: exit code %d", file->path, run->code);
  cr_expect_str_eq(run->err, line);
  cr_expect_str_eq(run->out, "", "%s", file->path);
  cr_expect_eq(test_folder_count("."), 0u, "%s left a file", file->path);
  cr_expect_lt(run->cpu_s, cpu_limit_s, "%s took %g s", file->path, run->cpu_s);
  if (!SANITIZED)
    cr_expect_lt(run->peak_bytes, peak_limit_bytes, "%s took %zu bytes", file->path, run->peak_bytes);
}

Test(bad_files, clips_through_the_program, .timeout = 300) {
  bad_list list = expected("anim");
  cr_expect_geq(list.count, 100u);
  for (size_t i = 0; i < list.count; i++) {
    const cli_run run = cli("convert", list.files[i].path, "--rig", sample_rig(), "-o", "out.glb", NULL);
    expect_quiet_refusal(&run, &list.files[i]);
  }
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

Test(bad_files, bvhs_through_the_program, .timeout = 300) {
  bad_list list = expected("bvh");
  cr_expect_geq(list.count, 100u);
  for (size_t i = 0; i < list.count; i++) {
    const cli_run run = cli("inspect", list.files[i].path, NULL);
    expect_quiet_refusal(&run, &list.files[i]);
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

Test(bad_files, clips_through_the_library) {
  sinew_context *context = test_open_context(NULL, 1);
  sinew_rig *rig = test_open_rig(sample_rig());
  bad_list list = expected("anim");
  for (size_t i = 0; i < list.count; i++) {
    guarded g;
    read_guarded(&list.files[i], &g);
    sinew_clip_file *file = NULL;
    sinew_error error = {0};
    sinew_result result =
        sinew_clip_file_open_memory(g.bytes, g.length, list.files[i].path, NULL, &file, &error);
    cr_expect_eq(result == SINEW_OK, file != NULL, "%s", list.files[i].path);
    if (file)
      result = sinew_bake_glb(context, sinew_clip_file_clip(file, 0), rig, NULL, "out.glb", NULL, &error);
    expect_error(result, &error, &list.files[i], g.length);
    sinew_clip_file_close(file);
    guard_free(&g);
  }
  cr_expect_eq(test_folder_count("."), 0u);
  sinew_rig_close(rig);
  sinew_context_close(context);
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
  static const char *const folders[] = {"anim", "bvh", "rig"};
  for (int i = 0; i < 3; i++) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", test_source("tests/readers/bad"), folders[i]);
    cr_expect_eq(test_folder_count(path), expected(folders[i]).count, "%s", path);
  }
}
