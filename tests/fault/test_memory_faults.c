/* Every allocation of a whole conversion fails in turn, alone and with all that follow: the code says so,
 * nothing is kept, nothing is left in the folder, and the next run gives the same bytes. */
#include "base/heap.h"
#include "fault/whole_run.h"
#include "output/plane_store.h"
#include "support/bake.h"
#include "support/step.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- who allocates ---------------------------------------------------------------------------------------
 */

static int left;      /* allocations until the failing one */
static bool fails_on; /* from the first failure on, or that one alone */
static bool failed;
static size_t live; /* blocks of the counting allocator that nobody has freed */

static bool permitted(void) {
  if (left > 0) {
    left--;
    return true;
  }
  if (failed && !fails_on) return true;
  failed = true;
  return false;
}

static int permit(size_t byte_count) {
  (void)byte_count;
  return permitted();
}

static void *counting_alloc(void *user, size_t byte_count, size_t alignment) {
  (void)user;
  live++;
  return aligned_alloc(alignment, byte_count);
}
static void counting_free(void *user, void *block, size_t byte_count) {
  (void)user;
  (void)byte_count;
  live--;
  free(block);
}
static const sinew_allocator counting = {counting_alloc, counting_free, NULL};

/* The JSON parser of the verification has an allocator of its own. */
enum { JSON_HEAD = 16 };
static size_t json_budget; /* bytes it may hold */
static size_t json_live;

static void *json_alloc(size_t byte_count) {
  if (!permitted() || byte_count > json_budget - json_live) return NULL;
  char *block = malloc(byte_count + JSON_HEAD);
  memcpy(block, &byte_count, sizeof byte_count);
  json_live += byte_count;
  return block + JSON_HEAD;
}
static void json_free(void *block) {
  if (!block) return;
  size_t byte_count;
  memcpy(&byte_count, (char *)block - JSON_HEAD, sizeof byte_count);
  json_live -= byte_count;
  free((char *)block - JSON_HEAD);
}

/* ---- walks -----------------------------------------------------------------------------------------------
 */

static sinew_result run_failing(whole_run *run, int allocation) {
  left = allocation;
  failed = false;
  live = 0;
  heap_permit = permit;
  const sinew_result result = run_whole(run);
  heap_permit = NULL;
  cr_expect_eq(live, 0u, "allocation %d: %zu blocks are kept", allocation, live);
  return result;
}

static void expect_out_of_memory(const whole_run *run, sinew_result result, const char *what, size_t which) {
  cr_expect_eq(result, SINEW_ERROR_MEMORY, "%s %zu: code %d, %s", what, which, result, run->error.message);
  cr_expect(run->error.code == result && run->error.message[0], "%s %zu: no words", what, which);
  cr_expect_eq(test_folder_count(run->folder), 0u, "%s %zu: something is left", what, which);
}

static void expect_whole(whole_run *run, sinew_result result, uint64_t whole, const char *what,
                         size_t which) {
  cr_expect_eq(result, SINEW_OK, "%s %zu: %s", what, which, run->error.message);
  cr_expect_eq(run_take_output(run), whole, "%s %zu", what, which);
}

static uint64_t setup(whole_run *run, run_input input, sinew_bake_options options) {
  run_setup(run, input);
  run->options = options;
  run->allocator = &counting;
  cr_assert_eq(run_whole(run), SINEW_OK, "%s", run->error.message);
  return run_take_output(run);
}

/* Every allocation of the project's own, or every so-and-so-manieth. */
static void walk_by(run_input input, sinew_bake_options options, size_t least, size_t step) {
  for (int on = 0; on < 2; on++) {
    whole_run run;
    const uint64_t whole = setup(&run, input, options);
    unsigned steps = 0;
    size_t count = 0;
    fails_on = on;
    for (;; count += step) {
      cr_assert_lt(count, 100000u);
      const sinew_result result = run_failing(&run, (int)count);
      if (!failed) {
        expect_whole(&run, result, whole, "without a failure, allocations:", count);
        break;
      }
      steps |= 1u << run.step;
      expect_out_of_memory(&run, result, "allocation", count);
      expect_whole(&run, run_whole(&run), whole, "after allocation", count);
    }
    cr_expect_geq(count, least, "%zu allocations", count);
    const unsigned of_rig = input == RUN_OWN ? 0 : 1u << RUN_RIG;
    cr_expect_eq(steps, 1u << RUN_CONTEXT | of_rig | 1u << RUN_CLIP | 1u << RUN_BAKE);
    run_teardown(&run);
  }
}

static void walk(run_input input, sinew_bake_options options, size_t least) {
  walk_by(input, options, least, 1);
}

Test(memory_faults, of_files_with_verification, .timeout = 120) {
  walk(RUN_FILES, (sinew_bake_options){0}, 30);
}
Test(memory_faults, of_quantized_boxes, .timeout = 120) {
  walk(RUN_FILES, (sinew_bake_options){.quantize = true, .mesh = SINEW_MESH_BOXES}, 30);
}
Test(memory_faults, of_pipes, .timeout = 120) {
  walk(RUN_PIPES, (sinew_bake_options){.no_verify = true}, 20);
}
Test(memory_faults, of_memory, .timeout = 120) {
  walk(RUN_MEMORY, (sinew_bake_options){.no_verify = true}, 20);
}
Test(memory_faults, of_rows, .timeout = 120) {
  walk(RUN_ROWS, (sinew_bake_options){.rate_hz = 50}, 20);
}
Test(memory_faults, of_bones_on_a_character, .timeout = 900) {
  walk(RUN_DELTA, (sinew_bake_options){0}, 60);
}
Test(memory_faults, of_bones_on_joints_alone, .timeout = 900) {
  walk(RUN_DELTA, (sinew_bake_options){.mesh = SINEW_MESH_BOXES, .in_place = true, .quantize = true}, 60);
}
Test(memory_faults, of_a_biped_fixed, .timeout = 900) {
  walk(RUN_FIXED, (sinew_bake_options){.no_verify = true}, 60);
}
Test(memory_faults, of_bones_on_themselves, .timeout = 900) {
  walk(RUN_OWN, (sinew_bake_options){0}, 40);
}

/* ---- every format -----------------------------------------------------------------------------------------
 */

static void walk_formats(run_input input, sinew_bake_options options, size_t least) {
  for (uint32_t format = 0; sinew_format_name(format); format++) {
    options.format = (sinew_format)format;
    walk_by(input, options, least, test_step());
  }
}

Test(memory_faults, of_muscles_in_every_format, .timeout = 900) {
  walk_formats(RUN_FILES, (sinew_bake_options){.mirror = true, .limits = SINEW_LIMITS_CLAMP}, 30);
}
Test(memory_faults, of_bones_in_every_format, .timeout = 900) {
  walk_formats(RUN_DELTA, (sinew_bake_options){0}, 60);
}
Test(memory_faults, of_bones_by_muscles_in_every_format, .timeout = 900) {
  walk_formats(RUN_DELTA, (sinew_bake_options){.via = SINEW_VIA_MUSCLE, .mirror = true}, 60);
}
Test(memory_faults, of_own_bones_in_every_format, .timeout = 900) {
  walk_formats(RUN_OWN, (sinew_bake_options){0}, 40);
}
Test(memory_faults, of_translations_as_muscles, .timeout = 900) {
  walk(RUN_DELTA, (sinew_bake_options){.format = SINEW_FORMAT_ANIM, .tdof = true}, 60);
}

Test(memory_faults, of_spooled_clips, .timeout = 900) {
  plane_store_memory_bytes = 0;
  walk(RUN_FILES, (sinew_bake_options){.format = SINEW_FORMAT_ANIM}, 30);
  walk(RUN_FILES, (sinew_bake_options){.format = SINEW_FORMAT_CSV}, 30);
}

/* One that fails for a moment may be made good by asking again; it is never called a fault of the file. */
Test(memory_faults, of_the_json_parser_once, .timeout = 900) {
  enum { DENSE = 100, STRIDE = 7 }; /* the tree repeats itself */
  whole_run run;
  const uint64_t whole = setup(&run, RUN_MEMORY, (sinew_bake_options){0});
  json_set_alloc_funcs(json_alloc, json_free);
  json_budget = SIZE_MAX;
  size_t count = 0;
  for (fails_on = false;; count += count < DENSE ? 1 : STRIDE) {
    cr_assert_lt(count, 100000u);
    left = (int)count;
    failed = false;
    const sinew_result result = run_whole(&run);
    if (result == SINEW_OK)
      expect_whole(&run, result, whole, "JSON allocation", count);
    else
      expect_out_of_memory(&run, result, "JSON allocation", count);
    cr_expect_eq(json_live, 0u, "JSON allocation %zu: %zu bytes are kept", count, json_live);
    if (!failed) break;
  }
  cr_expect_gt(count, 100u);
  json_set_alloc_funcs(malloc, free);
  run_teardown(&run);
}

/* Whatever there is, from nothing on. */
Test(memory_faults, of_the_json_parser_by_bytes, .timeout = 900) {
  enum { STEP = 4096 };
  whole_run run;
  const uint64_t whole = setup(&run, RUN_MEMORY, (sinew_bake_options){0});
  json_set_alloc_funcs(json_alloc, json_free);
  size_t refused = 0;
  for (json_budget = 0, left = INT_MAX;; json_budget += STEP) {
    const sinew_result result = run_whole(&run);
    cr_expect_eq(json_live, 0u, "%zu bytes: %zu are kept", json_budget, json_live);
    if (result == SINEW_OK) break;
    expect_out_of_memory(&run, result, "bytes", json_budget);
    refused++;
    cr_assert_lt(refused, 10000u);
  }
  cr_expect_gt(refused, 4u);
  cr_expect_eq(run_take_output(&run), whole);
  json_set_alloc_funcs(malloc, free);
  run_teardown(&run);
}
