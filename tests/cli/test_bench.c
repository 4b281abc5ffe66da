/* `sinew bench`: that it runs, that what it says is complete and positive, that it leaves nothing behind.
 * Never how fast anything is. */
#include "cli_run.h"
#include "sinew.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(bench, .init = cli_enter, .fini = cli_leave, .timeout = 240);

static void all_positive(const json_t *object, const char *const *names) {
  for (; *names; names++) {
    const json_t *value = json_object_get(object, *names);
    cr_expect(json_is_number(value) && json_number_value(value) > 0, "%s", *names);
  }
}

static void kernels_are_complete(const json_t *list) {
  static const char *const names[] = {"musclesNs",      "jointsNs",     "poseNs",      "posesPerS",
                                      "arithmeticGops", "musclesShare", "jointsShare", NULL};
  uint32_t count = 0;
  for (const char *isa; (isa = sinew_isa_available(count)); count++) {
    const json_t *entry = json_array_get(list, count);
    cr_assert(json_is_string(json_object_get(entry, "isa")), "no entry %u", count);
    cr_expect_str_eq(json_string_value(json_object_get(entry, "isa")), isa);
    all_positive(entry, names);
  }
  cr_expect_eq(json_array_size(list), count);
}

Test(bench, json_is_complete) {
  setenv("TMPDIR", ".", 1);
  cli("--version", NULL); /* whatever a run itself leaves here */
  const size_t before = files_ending(".", "");
  const cli_run run = cli("bench", "--json", "-j", "2", NULL);
  cr_assert_eq(run.code, 0, "%s", run.err);
  cr_expect_str_eq(run.err, "");
  cr_expect_eq(line_count(run.out), 1u);
  json_t *object = json_loads(run.out, 0, NULL);
  cr_assert(object);
  cr_expect_str_eq(json_string_value(json_object_get(object, "sinew")), sinew_version());
  cr_expect_eq(json_integer_value(json_object_get(object, "bench")), 1);
  cr_expect(json_object_get(object, "cpu"));
  kernels_are_complete(json_object_get(object, "kernels"));
  const json_t *memory = json_object_get(object, "memory"), *clips = json_object_get(object, "clips");
  static const char *const memory_names[] = {"readGBPerS", "storeGBPerS",  "streamGBPerS",
                                             "musclesNs",  "musclesShare", NULL};
  static const char *const clip_names[] = {"clips",         "seconds",      "clipFrames",
                                           "clipTextBytes", "clipGlbBytes", "clipsPerHour",
                                           "framesPerS",    "bytesPerS",    NULL};
  all_positive(memory, memory_names);
  all_positive(clips, clip_names);
  cr_expect_eq(json_integer_value(json_object_get(clips, "threads")), 2);
  cr_expect_eq(json_integer_value(json_object_get(clips, "clipFrames")), 151);
  cr_expect_str_eq(json_string_value(json_object_get(clips, "folder")), ".");
  cr_expect_eq(files_ending(".", ""), before, "the folder of the clips stays");
  json_decref(object);
}

Test(bench, text_names_every_instruction_set) {
  setenv("TMPDIR", ".", 1);
  const cli_run run = cli("bench", "-j", "1", NULL);
  cr_assert_eq(run.code, 0, "%s", run.err);
  char word[32];
  for (uint32_t i = 0; sinew_isa_available(i); i++) {
    snprintf(word, sizeof word, "\n  %s ", sinew_isa_available(i));
    cr_expect(strstr(run.out, word), "%s", run.out);
  }
  cr_expect(strstr(run.out, "\n  1 thread: "), "%s", run.out);
  cr_expect(strstr(run.out, " clips an hour, "), "%s", run.out);
}

Test(bench, a_folder_that_is_not_there) {
  setenv("TMPDIR", "none", 1);
  const cli_run run = cli("bench", NULL);
  cr_expect_eq(run.code, 1);
  cr_expect_str_eq(run.out, "");
  cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
  cr_expect(strstr(run.err, "sinew: none: cannot make a folder in it: "), "%s", run.err);
}
