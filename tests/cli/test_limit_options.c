/* The options that bound what is read: their values, their defaults in the help, and the border of each. */
#include "args.h"
#include "cli_run.h"
#include "read/reader.h"
#include "support/bake.h"

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(limit_options, .init = cli_enter, .fini = cli_leave);

typedef struct limit_case {
  option_id id;
  size_t offset;
  bool wide;
} limit_case;
#define CASE(id, field)                                                                                      \
  { id, offsetof(sinew_read_options, field), sizeof((sinew_read_options *)0)->field == sizeof(uint64_t) }

static const limit_case cases[] = {
    CASE(OPTION_MAX_FILE_BYTES, file_bytes), CASE(OPTION_MAX_MEMORY_BYTES, memory_bytes),
    CASE(OPTION_MAX_CURVES, curves),         CASE(OPTION_MAX_KEYS, keys),
    CASE(OPTION_MAX_CLIPS, clips),           CASE(OPTION_MAX_NODES, nodes),
    CASE(OPTION_MAX_DEPTH, depth),           CASE(OPTION_MAX_NAME_BYTES, name_bytes),
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

static uint64_t limit_get(const sinew_read_options *limits, const limit_case *c) {
  const char *field = (const char *)limits + c->offset;
  uint64_t wide;
  uint32_t narrow;
  memcpy(&wide, field, c->wide ? sizeof wide : 0);
  memcpy(&narrow, field, sizeof narrow);
  return c->wide ? wide : narrow;
}

static void limit_set(sinew_read_options *limits, const limit_case *c, uint64_t value) {
  char *field = (char *)limits + c->offset;
  const uint32_t narrow = (uint32_t)value;
  memcpy(field, c->wide ? (const void *)&value : &narrow, c->wide ? sizeof value : sizeof narrow);
}

Test(limit_options, help_states_the_defaults) {
  const sinew_read_options defaults = read_limits_complete(NULL);
  for (int i = 0; i < CASE_COUNT; i++) {
    char words[64];
    snprintf(words, sizeof words, "(default: %llu)", (unsigned long long)limit_get(&defaults, &cases[i]));
    cr_expect(strstr(options[cases[i].id].help, words), "--%s: '%s' lacks '%s'", options[cases[i].id].name,
              options[cases[i].id].help, words);
  }
}

Test(limit_options, numbers_are_read_strictly) {
  static const char *const bad[] = {"",
                                    "0",
                                    "-1",
                                    "+1",
                                    "1.5",
                                    "1e3",
                                    "4k",
                                    "0x10",
                                    " 5",
                                    "5 ",
                                    "9223372036854775808",
                                    "18446744073709551616"};
  for (int i = 0; i < CASE_COUNT; i++) {
    char name[64], words[160];
    snprintf(name, sizeof name, "--%s", options[cases[i].id].name);
    snprintf(words, sizeof words, "%s wants a whole number from 1 to %s,", name,
             cases[i].wide ? "9223372036854775807" : "4294967295");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
      const cli_run run = cli("convert", "a.anim", "--rig", "r.meta", name, bad[k], NULL);
      cr_expect_eq(run.code, 2, "%s '%s'", name, bad[k]);
      cr_expect(strstr(run.err, words), "%s", run.err);
    }
    const cli_run run = cli("convert", "a.anim", "--rig", "r.meta", name, "4294967296", NULL);
    cr_expect_eq(run.code, cases[i].wide ? 1 : 2, "%s: %s", name, run.err);
  }
}

/* ---- the border ------------------------------------------------------------------------------------------
 */

static bool opens(const char *clip_path, const char *rig_path, const sinew_read_options *limits) {
  sinew_clip_file *file = NULL;
  sinew_rig *rig = NULL;
  const sinew_rig_options rig_options = {.read = *limits};
  bool all = !clip_path || sinew_clip_file_open(clip_path, limits, &file, NULL) == SINEW_OK;
  all = sinew_rig_open(rig_path, &rig_options, &rig, NULL) == SINEW_OK && all;
  sinew_clip_file_close(file);
  sinew_rig_close(rig);
  return all;
}

/* The least value with which the library opens the files. */
static uint64_t least(const limit_case *c, const char *clip_path, const char *rig_path) {
  const sinew_read_options defaults = read_limits_complete(NULL);
  uint64_t refused = 0, taken = limit_get(&defaults, c);
  while (taken - refused > 1) {
    const uint64_t middle = refused + (taken - refused) / 2;
    sinew_read_options limits = {0};
    limit_set(&limits, c, middle);
    if (opens(clip_path, rig_path, &limits))
      taken = middle;
    else
      refused = middle;
  }
  return taken;
}

static void expect_border(const cli_run *run, const limit_case *c, int off) {
  const char *name = options[c->id].name;
  cr_expect_eq(run->code, off < 0, "--%s, limit %+d: %s", name, off, run->err);
  if (off >= 0) return;
  cr_expect(strstr(run->err, "limit") || strstr(run->err, "memory"), "--%s: %s", name, run->err);
  cr_expect_eq(line_count(run->err), 1u, "%s", run->err);
  cr_expect_str_eq(run->out, "");
  cr_expect_eq(test_folder_count("."), 0u, "--%s", name);
}

static void number_text(char text[24], uint64_t value) {
  snprintf(text, 24, "%llu", (unsigned long long)value);
}

Test(limit_options, borders_of_convert) {
  static const char *const names[] = {"one", "two", "three"};
  char pack[] = "/tmp/sinew-pack-XXXXXX.anim", name[64], value[24];
  const int fd = mkstemps(pack, 5);
  cr_assert_geq(fd, 0);
  close(fd);
  put_clip(pack, names, 3, 1);
  for (int i = 0; i < CASE_COUNT; i++) {
    const uint64_t border = least(&cases[i], pack, sample_rig());
    cr_expect_gt(border, 1u, "--%s has a border here", options[cases[i].id].name);
    snprintf(name, sizeof name, "--%s", options[cases[i].id].name);
    for (int off = -1; off <= 1; off++) {
      number_text(value, border + (uint64_t)(int64_t)off);
      const cli_run run = cli("convert", pack, "--rig", sample_rig(), "-q", "--no-verify", "--outdir", "out",
                              name, value, NULL);
      expect_border(&run, &cases[i], off);
      if (off >= 0) cr_expect_eq(files_ending("out", ".glb"), 3u);
    }
    cr_assert_eq(system("rm -rf out"), 0);
  }
  unlink(pack);
}

Test(limit_options, borders_of_rig) {
  char name[64], value[24];
  int taken = 0;
  for (int i = 0; i < CASE_COUNT; i++) {
    if (!(options[cases[i].id].commands & 1u << COMMAND_RIG)) continue;
    const uint64_t border = least(&cases[i], NULL, sample_rig());
    cr_expect_gt(border, 1u, "--%s has a border here", options[cases[i].id].name);
    snprintf(name, sizeof name, "--%s", options[cases[i].id].name);
    for (int off = -1; off <= 1; off++) {
      number_text(value, border + (uint64_t)(int64_t)off);
      const cli_run run = cli("rig", sample_rig(), name, value, NULL);
      expect_border(&run, &cases[i], off);
    }
    taken++;
  }
  cr_expect_eq(taken, 5);
}
