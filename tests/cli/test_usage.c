/* The command line itself: commands, options, their values, help, version, exit code 2. */
#include "args.h"
#include "cli_run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(usage, .init = cli_enter, .fini = cli_leave);

/* Exit code 2, nothing on stdout, exactly one line on stderr that holds the words. */
static void refused(cli_run run, const char *words) {
  cr_expect_eq(run.code, 2, "exit code %d, expected 2: %s", run.code, run.err);
  cr_expect_str_eq(run.out, "");
  cr_expect_eq(line_count(run.err), 1u, "one line expected: %s", run.err);
  cr_expect(strstr(run.err, words), "'%s' expected in: %s", words, run.err);
  cr_expect_eq(strncmp(run.err, "sinew: ", 7), 0, "%s", run.err);
}

Test(usage, nothing_given) {
  const cli_run run = cli(NULL, NULL);
  cr_expect_eq(run.code, 2);
  cr_expect_str_eq(run.out, "");
  cr_expect(strstr(run.err, "usage: sinew COMMAND"));
  for (int id = 0; id < COMMAND_COUNT; id++) cr_expect(strstr(run.err, commands[id].name));
}

Test(usage, unknown_words) {
  refused(cli("frobnicate", NULL), "unknown command 'frobnicate'; try 'sinew help'");
  refused(cli("--frobnicate", NULL), "unknown option '--frobnicate'; try 'sinew help'");
  refused(cli("help", "frobnicate", NULL), "unknown command 'frobnicate'; try 'sinew help'");
  refused(cli("convert", "a.anim", "--frob", NULL), "unknown option '--frob'; try 'sinew help convert'");
  refused(cli("convert", "-x", "a.anim", NULL), "unknown option '-x'");
  refused(cli("rig", "--fps", "30", "a.meta", NULL), "unknown option '--fps'");
  refused(cli("selftest", "-q", NULL), "unknown option '-q'");
  refused(cli("\033[1mred", NULL), "unknown command '?[1mred'");
}

Test(usage, names_are_spelled_out) {
  refused(cli("convert", "a.anim", "--ri", "r.meta", NULL), "unknown option '--ri'");
  refused(cli("convert", "a.anim", "--no-ver", NULL), "unknown option '--no-ver'");
  refused(cli("convert", "a.anim", "--fp=3", NULL), "unknown option '--fp=3'");
}

Test(usage, values_missing_or_unwanted) {
  refused(cli("convert", "a.anim", "--rig", NULL), "option '--rig' wants a value");
  refused(cli("convert", "a.anim", "-o", NULL), "option '-o' wants a value");
  refused(cli("convert", "a.anim", "--json=1", NULL), "option '--json' takes no value");
}

Test(usage, positionals) {
  refused(cli("convert", "--rig", "r.meta", NULL), "convert wants CLIP...");
  refused(cli("rig", NULL), "rig wants RIG");
  refused(cli("rig", "a.meta", "b.meta", NULL), "rig does not take 'b.meta'");
  refused(cli("selftest", "now", NULL), "selftest does not take 'now'");
}

Test(usage, options_that_exclude_each_other) {
  refused(cli("convert", "a.anim", "--rig", "r.meta", "-q", "-v", NULL), "-q and -v exclude each other");
  refused(cli("convert", "a.anim", "--rig", "r.meta", "-o", "x.glb", "--outdir", "d", NULL),
          "-o and --outdir exclude each other");
}

Test(usage, numbers_are_read_strictly) {
  static const char *const bad_fps[] = {"",          "0",   "-1",    "+1",   "1e7", "1000001",
                                        "1000000.1", "nan", "inf",   "0x10", "30 ", " 30",
                                        "30fps",     "3,5", "1e400", "1e",   ".",   "1e-400"};
  for (size_t i = 0; i < sizeof bad_fps / sizeof *bad_fps; i++)
    refused(cli("convert", "a.anim", "--rig", "r.meta", "--fps", bad_fps[i], NULL),
            "--fps wants a number above 0");
  static const char *const bad_threads[] = {"",   "0", "-1", "1025", "2.5", "4x", "99999999999999999999",
                                            "0x4"};
  for (size_t i = 0; i < sizeof bad_threads / sizeof *bad_threads; i++)
    refused(cli("convert", "a.anim", "--rig", "r.meta", "-j", bad_threads[i], NULL),
            "--threads wants a number from 1 to 1024");
  refused(cli("rig", "r.meta", "--rig-scale", "0", NULL), "--rig-scale wants a number above 0");
  refused(cli("rig", "r.meta", "--rig-scale", "inf", NULL), "--rig-scale wants a number above 0");
  refused(cli("rig", "r.meta", "--rig-scale", "1e10", NULL),
          "--rig-scale wants a number above 0 and at most 1e9, not '1e10'");
}

Test(usage, instruction_sets) {
  refused(cli("convert", "a.anim", "--rig", "r.meta", "--isa", "sse9", NULL),
          "--isa wants avx512, avx2, sse4");
  refused(cli("convert", "a.anim", "--rig", "r.meta", "--isa", "", NULL), "--isa wants");
  setenv("SINEW_ISA", "sse9", 1);
  const cli_run run = cli("--version", NULL);
  cr_expect_eq(run.code, 2);
  cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
}

Test(usage, version_says_what_is_chosen_and_why) {
  unsetenv("SINEW_ISA");
  cli_run run = cli("--version", NULL);
  cr_expect_eq(run.code, 0);
  cr_expect_str_eq(run.err, "");
  cr_expect_eq(strncmp(run.out, "sinew 0.1.0\nisa ", 16), 0, "%s", run.out);
  cr_expect(strstr(run.out, "(best of this CPU)\nprofile "), "%s", run.out);
  const bool has_better_than_sse4 = strstr(run.out, "isa avx") != NULL;
  setenv("SINEW_ISA", "sse4", 1);
  run = cli("-V", NULL);
  cr_expect_eq(run.code, 0);
  cr_expect(strstr(run.out, "isa sse4"), "%s", run.out);
  if (has_better_than_sse4) cr_expect(strstr(run.out, "lowered by SINEW_ISA"), "%s", run.out);
}

Test(usage, help_lists_every_row_and_the_parser_takes_it) {
  for (int id = 0; id < COMMAND_COUNT; id++) {
    const cli_run help = cli("help", commands[id].name, NULL);
    cr_expect_eq(help.code, 0);
    cr_expect_str_eq(help.err, "");
    cr_expect(strstr(help.out, "Examples:"), "%s", help.out);
    const cli_run same = cli(commands[id].name, "--help", NULL);
    cr_expect_eq(same.code, 0);
    cr_expect_str_eq(same.out, help.out);
    for (int row = 0; row < OPTION_COUNT; row++) {
      const option_row *option = &options[row];
      const bool taken = option->commands & (1u << id);
      char form[64], name[64], letter[8];
      snprintf(form, sizeof form, "--%s%s%s  ", option->name, option->value ? " " : "",
               option->value ? option->value : "");
      cr_expect_eq(strstr(help.out, form) != NULL, taken, "help %s, '%s'", commands[id].name, form);
      snprintf(name, sizeof name, "--%s", option->name);
      snprintf(letter, sizeof letter, "-%c", option->letter);
      cr_expect_eq(strstr(cli(commands[id].name, name, NULL).err, "unknown option") == NULL, taken);
      if (option->letter)
        cr_expect_eq(strstr(cli(commands[id].name, letter, NULL).err, "unknown option") == NULL, taken);
    }
  }
}

Test(usage, help_overview) {
  const cli_run run = cli("help", NULL);
  cr_expect_eq(run.code, 0);
  cr_expect_str_eq(run.err, "");
  cr_expect_str_eq(cli("--help", NULL).out, run.out);
  cr_expect_str_eq(cli("-h", NULL).out, run.out);
  for (int id = 0; id < COMMAND_COUNT; id++) {
    cr_expect(strstr(run.out, commands[id].name));
    cr_expect(strstr(run.out, commands[id].summary));
  }
  for (int row = 0; row < OPTION_COUNT; row++)
    if (options[row].commands & OPTION_BARE) cr_expect(strstr(run.out, options[row].name));
}

Test(usage, output_is_refused_before_anything_is_read) {
  refused(cli("convert", "none.anim", "--rig", "none.meta", "-o", "walk.gltf", NULL), "ends in .glb");
  refused(cli("convert", "none.anim", "--rig", "none.meta", "-o", ".glb", NULL), "ends in .glb");
  refused(cli("convert", "a.anim", "b.anim", "--rig", "none.meta", "-o", "x.glb", NULL),
          "there are 2 inputs");
  cr_expect_eq(mkdir("folder.glb", 0777), 0);
  refused(cli("convert", "a.anim", "--rig", "none.meta", "-o", "folder.glb", NULL),
          "'folder.glb' is a folder");
}

Test(usage, stdout_that_refuses) {
  const char *devices[] = {"/dev/full", "-"};
  for (int i = 0; i < 2; i++) {
    const cli_run run = cli_to(devices[i], "help", NULL);
    cr_expect_eq(run.code, 1, "stdout '%s': exit code %d", devices[i], run.code);
    cr_expect(strstr(run.err, "sinew: cannot write to standard output: "), "%s", run.err);
    cr_expect_eq(line_count(run.err), 1u, "%s", run.err);
  }
}
