/* Every system call of a whole conversion fails in turn: what is said names the file and the system's reason,
 * nothing stays open, and the output is whole or not there. Interruptions and short transfers change no byte.
 */
#include "base/os.h"
#include "fault/whole_run.h"
#include "output/plane_store.h"
#include "support/bake.h"
#include "support/os_faults.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static uint64_t undisturbed(whole_run *run) {
  cr_assert_eq(run_whole(run), SINEW_OK, "%s", run->error.message);
  uint64_t hash = run_take_output(run);
  cr_assert_neq(hash, 0);
  return hash;
}

/* A call that fails after all is in place, or that has nothing left to lose, may go unnoticed. */
static bool may_succeed(void) {
  return os_fault.failed_kind == CALL_CLOSE;
}

static void expect_told(const whole_run *run, sinew_result result, int reason, int call) {
  const char *kind = os_call_name(os_fault.failed_kind);
  cr_expect_eq(result, SINEW_ERROR_IO, "call %d, %s: code %d, %s", call, kind, result, run->error.message);
  cr_expect_eq(run->error.code, result);
  cr_expect(strstr(run->error.message, strerror(reason)), "call %d, %s: '%s' without the reason", call, kind,
            run->error.message);
  cr_expect_str_eq(run->error.path, run_path_of(run, run->step), "call %d, %s: '%s'", call, kind,
                   run->error.message);
}

/* Returns the kinds of calls that failed, as bits. */
static unsigned walk_options(run_input input, sinew_bake_options options, int reason, bool fails_on) {
  whole_run run;
  run_setup(&run, input);
  run.options = options;
  const uint64_t whole = undisturbed(&run);
  unsigned kinds = 0;
  for (int call = 0;; call++) {
    cr_assert_lt(call, 100000);
    const int free_before = os_lowest_free_descriptor();
    os_faults_use(call, reason);
    os_fault.no_flush = true;
    os_fault.fails_on = fails_on;
    const sinew_result result = run_whole(&run);
    os_faults_end();
    cr_expect_eq(os_lowest_free_descriptor(), free_before, "call %d: a descriptor stays open", call);
    if (os_fault.failed_kind < 0) break;
    kinds |= 1u << os_fault.failed_kind;
    if (result != SINEW_OK) expect_told(&run, result, reason, call);
    const bool in_place = result == SINEW_OK || strstr(run.error.message, "in place");
    cr_expect(result != SINEW_OK || may_succeed(), "call %d, %s went unnoticed", call,
              os_call_name(os_fault.failed_kind));
    cr_expect_eq(run_take_output(&run), in_place ? whole : 0, "call %d, %s", call,
                 os_call_name(os_fault.failed_kind));
    cr_expect_eq(test_folder_count(run.folder), 0u, "call %d, %s: something is left", call,
                 os_call_name(os_fault.failed_kind));
  }
  cr_expect_eq(run_take_output(&run), whole);
  cr_expect_eq(undisturbed(&run), whole, "the next run");
  run_teardown(&run);
  return kinds;
}

static unsigned walk(run_input input, int reason, bool fails_on) {
  return walk_options(input, (sinew_bake_options){0}, reason, fails_on);
}

static const int reasons[] = {EIO, ENOSPC, EDQUOT, EMFILE};

Test(call_faults, of_files) {
  const unsigned met = 1u << CALL_OPEN | 1u << CALL_CLOSE | 1u << CALL_FSTAT | 1u << CALL_PREAD |
                       1u << CALL_PWRITE | 1u << CALL_FSYNC | 1u << CALL_RENAME;
  const uint64_t map_above_bytes = os_map_above_bytes;
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    for (int on = 0; on < 2; on++) {
      os_map_above_bytes = on ? map_above_bytes : 0; /* mapped as a large file is, and read as a small one */
      const unsigned kinds = walk(RUN_FILES, reasons[i], on);
      cr_expect_eq(kinds & met, met);
      cr_expect(kinds & 1u << (on ? CALL_READ : CALL_MMAP));
    }
  os_map_above_bytes = map_above_bytes;
}

Test(call_faults, of_pipes) {
  for (int on = 0; on < 2; on++) cr_expect(walk(RUN_PIPES, EIO, on) & 1u << CALL_READ);
}

static void walk_bones(run_input input) {
  const uint64_t map_above_bytes = os_map_above_bytes;
  for (int on = 0; on < 2; on++) {
    os_map_above_bytes = on ? map_above_bytes : 0;
    cr_expect(walk(input, on ? ENOSPC : EIO, on) & 1u << (on ? CALL_READ : CALL_MMAP));
  }
  os_map_above_bytes = map_above_bytes;
}
Test(call_faults, of_bones_on_a_character) {
  walk_bones(RUN_DELTA);
}
Test(call_faults, of_bones_on_themselves) {
  walk_bones(RUN_OWN);
}

/* ---- every format -----------------------------------------------------------------------------------------
 */

static void walk_formats(run_input input, sinew_bake_options options, int reason, bool fails_on) {
  for (uint32_t format = 0; sinew_format_name(format); format++) {
    options.format = (sinew_format)format;
    const unsigned kinds = walk_options(input, options, reason, fails_on);
    cr_expect(kinds & 1u << CALL_PWRITE && kinds & 1u << CALL_PREAD, "%s", sinew_format_name(format));
  }
}

Test(call_faults, of_muscles_in_every_format, .timeout = 900) {
  walk_formats(RUN_FILES, (sinew_bake_options){.mirror = true, .limits = SINEW_LIMITS_CLAMP}, ENOSPC, true);
}
Test(call_faults, of_bones_in_every_format, .timeout = 900) {
  walk_formats(RUN_DELTA, (sinew_bake_options){0}, EIO, false);
}
Test(call_faults, of_bones_by_muscles_in_every_format, .timeout = 900) {
  walk_formats(RUN_DELTA, (sinew_bake_options){.via = SINEW_VIA_MUSCLE, .mirror = true}, EDQUOT, true);
}
Test(call_faults, of_own_bones_in_every_format, .timeout = 900) {
  walk_formats(RUN_OWN, (sinew_bake_options){0}, ENOSPC, false);
}

/* Columns of long clips lie in a file that has no name once it is open. */
static void walk_spooled(sinew_format format) {
  const sinew_bake_options options = {.format = format};
  plane_store_memory_bytes = 0;
  cr_expect(walk_options(RUN_FILES, options, ENOSPC, false) & 1u << CALL_UNLINK, "nothing was put aside");
  cr_expect(walk_options(RUN_OWN, options, EIO, false) & 1u << CALL_UNLINK, "nothing was put aside");
}
Test(call_faults, of_a_spooled_anim, .timeout = 900) {
  walk_spooled(SINEW_FORMAT_ANIM);
}
Test(call_faults, of_a_spooled_csv, .timeout = 900) {
  walk_spooled(SINEW_FORMAT_CSV);
}

/* When the temporary cannot even be removed, the first reason is the one that is told, and nothing has its
 * name. */
Test(call_faults, of_cleaning_up_as_well) {
  whole_run run;
  run_setup(&run, RUN_FILES);
  undisturbed(&run);
  os_faults_use(-1, ENOSPC);
  os_fault.no_flush = true;
  os_fault.also_failing = CALL_UNLINK;
  cr_expect_eq(run_whole(&run), SINEW_OK, "unlink is for failures: %s", run.error.message);
  const char *first = strchr(os_fault.log, 'p');
  cr_assert(first);
  const int write_call = (int)(first - os_fault.log);
  cr_expect_neq(run_take_output(&run), 0);
  os_faults_use(write_call, EDQUOT);
  os_fault.also_failing = CALL_UNLINK;
  cr_expect_eq(run_whole(&run), SINEW_ERROR_IO);
  os_faults_end();
  cr_expect(strstr(run.error.message, strerror(EDQUOT)), "%s", run.error.message);
  cr_expect_eq(run_take_output(&run), 0);
  cr_expect_eq(test_folder_count(run.folder), 1u, "the temporary, under its hidden name");
  run_teardown(&run);
}

static void expect_unchanged_options(run_input input, sinew_bake_options options, bool interrupted,
                                     bool short_transfers) {
  whole_run run;
  run_setup(&run, input);
  run.options = options;
  const uint64_t whole = undisturbed(&run);
  os_faults_use(-1, 0);
  os_fault.interrupted = interrupted;
  os_fault.short_transfers = short_transfers;
  const sinew_result result = run_whole(&run);
  os_faults_end();
  cr_expect_eq(result, SINEW_OK, "%s", run.error.message);
  cr_expect(!short_transfers || os_fault.call_count > 10000, "%d calls", os_fault.call_count);
  cr_expect_eq(run_take_output(&run), whole);
  cr_expect_eq(test_folder_count(run.folder), 0u);
  run_teardown(&run);
}

static void expect_unchanged(run_input input, bool interrupted, bool short_transfers) {
  expect_unchanged_options(input, (sinew_bake_options){0}, interrupted, short_transfers);
}

Test(call_faults, interruptions_and_short_transfers_change_no_format, .timeout = 900) {
  for (uint32_t format = 0; sinew_format_name(format); format++)
    expect_unchanged_options(RUN_FILES, (sinew_bake_options){.format = (sinew_format)format}, true, true);
}

Test(call_faults, interruptions_and_short_transfers_change_nothing) {
  for (int way = 1; way <= 3; way++) {
    expect_unchanged(RUN_FILES, way & 1, way & 2);
    expect_unchanged(RUN_PIPES, way & 1, way & 2);
  }
}
