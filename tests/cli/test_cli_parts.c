/* The program's own small parts: option values, printable text, output names, the plan. */
#include "cli_run.h"
#include "clip_source.h"
#include "convert_plan.h"
#include "option_value.h"
#include "format_choice.h"
#include "output_name.h"
#include "printable.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(cli_parts, .init = cli_enter, .fini = cli_leave);

Test(cli_parts, real_values) {
  static const struct {
    const char *text;
    double value;
  } good[] = {{"30", 30},    {"29.97", 29.97}, {".5", .5},      {"5.", 5},
              {"1e3", 1000}, {"1E-2", .01},    {"10000", 10000}};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    double value = -1;
    cr_expect(value_real(good[i].text, 10000, &value), "%s", good[i].text);
    cr_expect_eq(value, good[i].value, "%s gives %.17g", good[i].text, value);
  }
  double untouched = 7;
  cr_expect_not(value_real("1e", 10, &untouched));
  cr_expect_eq(untouched, 7);
}

Test(cli_parts, printable_text) {
  static const struct {
    const char *text, *terminal, *json;
  } rows[] = {
      {"plain ä € 🦴", "plain ä € 🦴", "plain ä € 🦴"},
      {"\033[2Jx\n", "?[2Jx?", "\033[2Jx\n"},
      {"del\x7f", "del?", "del?"},
      {"c1 \xc2\x9b"
       "1m",
       "c1 ?1m", "c1 ?1m"},
      {"cut \xe2\x82", "cut ??", "cut ??"},
      {"overlong \xc0\xaf \xe0\x80\xaf", "overlong ?? ???", "overlong ?? ???"},
      {"surrogate \xed\xa0\x80", "surrogate ???", "surrogate ???"},
      {"beyond \xf4\x90\x80\x80", "beyond ????", "beyond ????"},
      {"\xff\xfe", "??", "??"},
      {"", "", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char *terminal = printable(rows[i].text), *json = json_safe(rows[i].text);
    cr_expect_str_eq(terminal, rows[i].terminal);
    cr_expect_str_eq(json, rows[i].json);
    free(terminal);
    free(json);
  }
  char buffer[32];
  cr_expect_str_eq(grouped_digits(0, buffer), "0");
  cr_expect_str_eq(grouped_digits(999, buffer), "999");
  cr_expect_str_eq(grouped_digits(33184, buffer), "33,184");
  cr_expect_str_eq(grouped_digits(18446744073709551615ull, buffer), "18,446,744,073,709,551,615");
}

static void named(const char *folder, const char *input, const char *clip, const char *expected) {
  char *path = output_path(folder, input, clip, "glb");
  cr_expect_str_eq(path, expected);
  free(path);
}

Test(cli_parts, output_names) {
  named(NULL, "walk.anim", NULL, "walk.glb");
  named(NULL, "in/deep.er/walk.anim", NULL, "walk.glb");
  named("out", "walk", NULL, "out/walk.glb");
  named("out/", "a.b.anim", NULL, "out/a.b.glb");
  named("/", ".anim", NULL, "/.anim.glb");
  named(NULL, "pack.anim", "idle", "pack_idle.glb");
  named(NULL, "pack.anim", "", "pack_clip.glb");
  named(NULL, "pack.anim", "../../etc/passwd", "pack__._.._etc_passwd.glb");
}

Test(cli_parts, clip_names_in_output_names) {
  named("d", "p.anim", "a/b\\c|d:e*f?g\"h<i>j", "d/p_a_b_c_d_e_f_g_h_i_j.glb");
  named("d", "p.anim", "tab\there\x7f", "d/p_tab_here_.glb");
  named("d", "p.anim", ".hidden.x", "d/p__hidden.x.glb");
  named("d", "p.anim", "bad\xffutf", "d/p_bad_utf.glb");
  named("d", "p.anim", "Gehen ä 走", "d/p_Gehen ä 走.glb");
}

Test(cli_parts, long_names_are_cut_at_a_character) {
  char clip[700] = "";
  for (int i = 0; i < 200; i++) strcat(clip, "走");
  char *path = output_path(NULL, "p.anim", clip, "glb");
  const size_t length = strlen(path);
  cr_expect_leq(length, 204u);
  cr_expect_gt(length, 200u);
  char *same = printable(path);
  cr_expect_str_eq(same, path, "no character is cut in two");
  cr_expect_str_eq(path + length - 4, ".glb");
  free(same);
  free(path);
}

Test(cli_parts, suffixes) {
  sinew_format format = SINEW_FORMAT_CSV;
  cr_expect(format_of_path("a.glb", &format));
  cr_expect_eq(format, SINEW_FORMAT_GLB);
  cr_expect(format_of_path("d.x/A.GLB", &format));
  cr_expect_not(format_of_path("d/.glb", &format));
  cr_expect_not(format_of_path("a.gltf", &format));
  cr_expect_not(format_of_path("a.glb/", &format));
  cr_expect_not(format_of_path("glb", &format));
  cr_expect_not(format_of_path("d.glb/a", &format));
  cr_expect_not(format_of_path("", &format));
  cr_expect_not(format_of_name("GLB", &format));
  cr_expect_not(format_of_name("", &format));
  for (uint32_t i = 0; i <= SINEW_FORMAT_CSV; i++) {
    const char *name = sinew_format_name(i);
    char path[32];
    if (!name) continue;
    snprintf(path, sizeof path, "x.y.%s", name);
    cr_expect(format_of_name(name, &format) && format == (sinew_format)i, "%s", name);
    cr_expect(format_of_path(path, &format) && format == (sinew_format)i, "%s", path);
    char *named_path = output_path("d", "walk.anim", NULL, name);
    cr_expect(strncmp(named_path, "d/walk.", 7) == 0 && strcmp(named_path + 7, name) == 0, "%s", named_path);
    free(named_path);
  }
}

Test(cli_parts, folders_are_made) {
  struct stat status;
  cr_expect(make_folders("a/b//c/"));
  cr_expect(stat("a/b/c", &status) == 0 && S_ISDIR(status.st_mode));
  cr_expect(make_folders("a/b"), "one that is there is fine");
  put_file("file", "");
  cr_expect_not(make_folders("file"));
  cr_expect_eq(errno, ENOTDIR);
  cr_expect_not(make_folders("file/below"));
  cr_expect_eq(errno, ENOTDIR);
}

Test(cli_parts, the_earliest_collision_is_found) {
  planned_clip clips[] = {
      {0, 0, "z.glb"}, {1, 0, "b.glb"}, {2, 0, "z.glb"}, {3, 0, "b.glb"}, {4, 0, "z.glb"}};
  convert_plan plan = {.clips = clips, .count = 5};
  size_t first, second;
  cr_expect(plan_collision(&plan, &first, &second));
  cr_expect_eq(first, 0u);
  cr_expect_eq(second, 2u);
  plan.count = 2;
  cr_expect_not(plan_collision(&plan, &first, &second));
}

Test(cli_parts, inputs_are_not_overwritten) {
  put_file("in.glb", "a clip in disguise");
  cr_assert_eq(symlink("in.glb", "alias.glb"), 0);
  planned_clip clips[] = {{0, 0, "new.glb"}, {1, 0, "alias.glb"}};
  const char *read[] = {"missing.anim", "in.glb"};
  const convert_plan plan = {.clips = clips, .count = 2};
  size_t clip, path;
  cr_expect(plan_overwrites(&plan, read, 2, &clip, &path));
  cr_expect_eq(clip, 1u);
  cr_expect_eq(path, 1u);
  cr_expect_not(plan_overwrites(&plan, read, 1, &clip, &path));
}

Test(cli_parts, sources_beyond_the_bound_are_read_again) {
  const char *before[] = {"idle", "run"}, *after[] = {"idle", "jump"};
  put_clip("pack.anim", before, 2, 1);
  char *paths[] = {"pack.anim"};
  source_list list;
  sinew_error error;
  sources_start(&list, paths, 1, 0, 0, NULL);
  sources_read(&list, 1);
  clip_source *source = &list.items[0];
  cr_assert_null(source->error);
  cr_expect_null(source->file, "nothing fits below a bound of 0");
  cr_expect_eq(source_enter(source, &error), SINEW_OK);
  cr_expect_eq(source_enter(source, &error), SINEW_OK);
  cr_expect_not_null(source->file);
  source_leave(source, true);
  cr_expect_not_null(source->file, "the other clip still uses it");
  source_leave(source, true);
  cr_expect_null(source->file);
  put_clip("pack.anim", after, 2, 1);
  cr_expect_eq(source_enter(source, &error), SINEW_ERROR_IO);
  cr_expect_str_eq(error.path, "pack.anim");
  cr_expect_null(source->file);
  sources_free(&list);
}

Test(cli_parts, sources_below_the_bound_stay_open) {
  const char *names[] = {"idle"};
  put_clip("a.anim", names, 1, 1);
  put_clip("b.anim", names, 1, 1);
  struct stat status;
  cr_assert_eq(stat("a.anim", &status), 0);
  char *paths[] = {"a.anim", "b.anim"};
  source_list list;
  sources_start(&list, paths, 2, (uint64_t)status.st_size, 0, NULL);
  sources_read(&list, 1);
  cr_expect_not_null(list.items[0].file);
  cr_expect_null(list.items[1].file);
  sources_free(&list);
}
