/* Every byte comes from the caller's allocator and returns to it. The linker wraps the C library's allocating
 * functions for all of this program's own code, the engine's included, so that a call past the allocator is
 * seen; what shared libraries (the JSON parser, OpenMP) take for themselves is not. */
#include "base/heap.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what goes past the allocator
 * -------------------------------------------------------------------------- */

static atomic_size_t libc_calls;

/* The linker's names: __wrap_x is called for x, __real_x is the library's own. */
#define WRAPPED(type, name, parameters, arguments)                                                           \
  type __real_##name parameters;                                                                             \
  type __wrap_##name parameters;                                                                             \
  type __wrap_##name parameters {                                                                            \
    libc_calls++;                                                                                            \
    return __real_##name arguments;                                                                          \
  }
WRAPPED(void *, malloc, (size_t size), (size))
WRAPPED(void *, calloc, (size_t count, size_t size), (count, size))
WRAPPED(void *, realloc, (void *block, size_t size), (block, size))
WRAPPED(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WRAPPED(int, posix_memalign, (void **block, size_t alignment, size_t size), (block, alignment, size))
WRAPPED(char *, strdup, (const char *text), (text))
WRAPPED(char *, strndup, (const char *text, size_t size), (text, size))

/* ---- a counting allocator
 * ------------------------------------------------------------------------------------ */

typedef struct ledger {
  atomic_size_t asked; /* times */
  atomic_size_t live;  /* blocks */
  atomic_size_t live_bytes;
  atomic_size_t wrong; /* calls that break the contract */
  atomic_long allowed; /* allocations that succeed from now on */
  size_t misalign_by;
} ledger;

static void *ledger_alloc(void *user, size_t byte_count, size_t alignment) {
  ledger *l = user;
  l->asked++;
  if (alignment != 64 || byte_count == 0 || byte_count % 64 != 0) l->wrong++;
  if (l->allowed-- <= 0) return NULL;
  /* the size stands in front, to be compared when the block comes back */
  unsigned char *start = __real_aligned_alloc(64, byte_count + 128);
  if (!start) return NULL;
  memset(start, 0xd7, byte_count + 128);
  memcpy(start, &byte_count, sizeof byte_count);
  l->live++;
  l->live_bytes += byte_count;
  return start + 64 + l->misalign_by;
}

static void ledger_free(void *user, void *block, size_t byte_count) {
  ledger *l = user;
  unsigned char *start = (unsigned char *)block - l->misalign_by - 64;
  size_t stored;
  memcpy(&stored, start, sizeof stored);
  if (stored != byte_count) l->wrong++;
  for (size_t i = 0; i < 32; i++)
    if (start[64 + l->misalign_by + byte_count + i] != 0xd7) l->wrong++; /* written past its end */
  l->live--;
  l->live_bytes -= byte_count;
  free(start);
}

static sinew_allocator ledger_open(ledger *l) {
  *l = (ledger){.allowed = 1000000};
  return (sinew_allocator){ledger_alloc, ledger_free, l};
}

static void expect_settled(const ledger *l, const char *what) {
  cr_expect(l->asked > 0, "%s asks the allocator for nothing", what);
  cr_expect(l->live == 0 && l->live_bytes == 0, "%s: %zu blocks, %zu bytes did not come back", what,
            (size_t)l->live, (size_t)l->live_bytes);
  cr_expect(l->wrong == 0, "%s: %zu calls break the contract", what, (size_t)l->wrong);
}

static const char *clip_path(void) {
  return test_source("scripts/sample/walk.anim");
}
static const char *rig_path(void) {
  return test_source("scripts/sample/walker.fbx.meta");
}

/* ---- the tests
 * --------------------------------------------------------------------------------------------------- */

Test(allocator, the_wrapping_sees_the_engine) {
  size_t before = libc_calls;
  sinew_clip_file *file = test_open_clip(clip_path());
  cr_expect(libc_calls > before, "the engine's calls of the C library are not seen: the test proves nothing");
  sinew_clip_file_close(file);
}

/* The options and the allocator struct are gone before the handle is closed. */
static sinew_result open_clip(ledger *l, sinew_clip_file **file, sinew_error *error) {
  sinew_allocator allocator = {ledger_alloc, ledger_free, l};
  sinew_read_options options = {.allocator = &allocator};
  sinew_result result = sinew_clip_file_open(clip_path(), &options, file, error);
  memset(&allocator, 0xee, sizeof allocator);
  return result;
}

static sinew_result open_rig(ledger *l, sinew_rig **rig, sinew_error *error) {
  sinew_allocator allocator = {ledger_alloc, ledger_free, l};
  sinew_rig_options options = {.read = {.allocator = &allocator}};
  sinew_result result = sinew_rig_open(rig_path(), &options, rig, error);
  memset(&allocator, 0xee, sizeof allocator);
  return result;
}

static sinew_result open_context(ledger *l, uint32_t threads, sinew_context **context, sinew_error *error) {
  sinew_allocator allocator = {ledger_alloc, ledger_free, l};
  sinew_context_options options = {.thread_count = threads, .allocator = &allocator};
  sinew_result result = sinew_context_open(&options, context, error);
  memset(&allocator, 0xee, sizeof allocator);
  return result;
}

Test(allocator, clips_and_rigs) {
  ledger clips, rigs;
  ledger_open(&clips);
  ledger_open(&rigs);
  sinew_error error;
  sinew_clip_file *file;
  sinew_rig *rig;
  size_t before = libc_calls;
  cr_assert_eq(open_clip(&clips, &file, &error), SINEW_OK);
  cr_assert_eq(open_rig(&rigs, &rig, &error), SINEW_OK);
  cr_expect(clips.live > 0 && rigs.live > 0);
  sinew_clip_file_close(file);
  sinew_rig_close(rig);
  cr_expect_eq(libc_calls, before, "%zu blocks past the allocator", (size_t)libc_calls - before);
  expect_settled(&clips, "a clip file");
  expect_settled(&rigs, "a rig");
}

/* Rows: borrowed they are no memory of anyone's, copied they are the file's, and a player's that outlives it.
 */
static void rows_and_a_player(bool copy) {
  enum { FRAMES = 1000 };
  ledger l, other;
  sinew_allocator allocator = ledger_open(&l);
  const sinew_read_options options = {.allocator = &allocator};
  static float values[FRAMES * SINEW_MUSCLE_COUNT];
  const sinew_row_clip rows = {.rate_hz = 30,
                               .frame_count = FRAMES,
                               .values = values,
                               .column_count = SINEW_MUSCLE_COUNT,
                               .copy = copy};
  ledger_open(&other);
  sinew_error error;
  sinew_context *context;
  sinew_clip_file *file;
  sinew_player *player;
  sinew_rig *rig = test_open_rig(rig_path());
  size_t before = libc_calls;
  cr_assert_eq(open_context(&other, 1, &context, &error), SINEW_OK);
  cr_assert_eq(sinew_clip_from_rows(&rows, &options, &file, &error), SINEW_OK);
  memset(&allocator, 0xee, sizeof allocator);
  cr_expect(copy == (l.live_bytes > sizeof values), "%zu bytes", (size_t)l.live_bytes);
  cr_assert_eq(sinew_player_open(context, sinew_clip_file_clip(file, 0), rig, NULL, &player, &error),
               SINEW_OK);
  sinew_clip_file_close(file);
  cr_expect(copy == (l.live_bytes > sizeof values), "the player keeps the rows");
  sinew_context_close(context);
  sinew_player_close(player);
  cr_expect_eq(libc_calls, before, "%zu blocks past the allocator", (size_t)libc_calls - before);
  expect_settled(&l, "rows");
  expect_settled(&other, "a player of rows");
  sinew_rig_close(rig);
}

Test(allocator, rows) {
  rows_and_a_player(false);
  rows_and_a_player(true);
}

/* Bytes that come through a pipe are read into memory first. */
Test(allocator, a_stream) {
  ledger l;
  sinew_allocator allocator = ledger_open(&l);
  sinew_read_options options = {.allocator = &allocator};
  sinew_error error;
  sinew_clip_file *file;
  size_t before = libc_calls;
  cr_expect_neq(sinew_clip_file_open("/proc/self/status", &options, &file, &error), SINEW_OK);
  cr_expect_eq(libc_calls, before);
  expect_settled(&l, "a stream");
}

static sinew_result bake(sinew_context *context, const sinew_clip *clip, const sinew_rig *rig, bool verify,
                         sinew_error *error) {
  char *folder = test_folder_make(), path[1100];
  snprintf(path, sizeof path, "%s/walk.glb", folder);
  sinew_bake_options options = {.rate_hz = 1000, .no_verify = !verify};
  size_t before = libc_calls;
  sinew_result result = sinew_bake(context, clip, rig, &options, path, NULL, error);
  cr_expect_eq(libc_calls, before, "%zu blocks past the allocator", (size_t)libc_calls - before);
  test_folder_remove(folder);
  return result;
}

static void bake_and_play(uint32_t threads, bool verify) {
  ledger l;
  ledger_open(&l);
  sinew_error error;
  sinew_context *context;
  sinew_clip_file *file = test_open_clip(clip_path());
  sinew_rig *rig = test_open_rig(rig_path());
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  size_t before = libc_calls;
  cr_assert_eq(open_context(&l, threads, &context, &error), SINEW_OK);
  cr_expect_eq(libc_calls, before);
  cr_assert(bake(context, clip, rig, verify, &error) == SINEW_OK, "%s", error.message);
  cr_expect_eq(l.live, 1, "a bake leaves %zu blocks beside the context's", (size_t)l.live);
  sinew_player *player;
  before = libc_calls;
  cr_assert_eq(sinew_player_open(context, clip, rig, NULL, &player, &error), SINEW_OK);
  sinew_context_close(context);
  cr_expect(l.live > 0);
  sinew_player_close(player);
  cr_expect_eq(libc_calls, before);
  expect_settled(&l, "a bake");
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
}

/* the workers that verify a file allocate as well */
Test(allocator, bakes_and_players, .timeout = 60) {
  bake_and_play(1, false);
  bake_and_play(1, true);
  bake_and_play(4, true);
}

static void inspect(const char *path, const char *what) {
  ledger l;
  sinew_allocator allocator = ledger_open(&l);
  sinew_rig_options options = {.read = {.allocator = &allocator}};
  sinew_error error;
  sinew_inspection *inspection;
  size_t before = libc_calls;
  cr_assert(sinew_inspect(path, &options, &inspection, &error) == SINEW_OK, "%s", error.message);
  sinew_inspection_close(inspection);
  cr_expect_eq(libc_calls, before, "%s: %zu blocks past the allocator", what, (size_t)libc_calls - before);
  expect_settled(&l, what);
}

Test(allocator, inspections_and_measures) {
  ledger l;
  ledger_open(&l);
  sinew_error error;
  sinew_context *context;
  sinew_clip_file *file = test_open_clip(clip_path());
  sinew_rig *rig = test_open_rig(rig_path());
  cr_assert_eq(open_context(&l, 2, &context, &error), SINEW_OK);
  static sinew_clip_ranges ranges;
  size_t before = libc_calls;
  cr_expect_eq(sinew_clip_measure(context, sinew_clip_file_clip(file, 0), 0, &ranges, &error), SINEW_OK);
  cr_expect_eq(libc_calls, before);
  char *folder = test_folder_make(), path[1100];
  snprintf(path, sizeof path, "%s/walk.glb", folder);
  cr_assert_eq(sinew_bake(context, sinew_clip_file_clip(file, 0), rig, NULL, path, NULL, &error),
               SINEW_OK);
  sinew_context_close(context);
  expect_settled(&l, "a measure");
  inspect(clip_path(), "an inspected clip");
  inspect(rig_path(), "an inspected rig");
  inspect(path, "an inspected GLB");
  snprintf(path, sizeof path, "%s/rest.bvh", folder);
  FILE *bvh = fopen(path, "wb");
  cr_assert(bvh && fputs("HIERARCHY ROOT a { OFFSET 0 1 0 CHANNELS 1 Xrotation } MOTION Frames: 2 Frame Time: 1\n1\n2\n",
                         bvh) >= 0 && fclose(bvh) == 0);
  inspect(path, "an inspected BVH");
  test_folder_remove(folder);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
}

/* ---- an allocator that has nothing left, that errs, that lacks a function
 * ------------------------------------------ */

Test(allocator, running_out_anywhere_gives_everything_back, .timeout = 120) {
  ledger l;
  sinew_error error;
  sinew_clip_file *file;
  sinew_rig *rig;
  sinew_context *context;
  sinew_result result = SINEW_ERROR_MEMORY;
  for (long allowed = 0; result != SINEW_OK && allowed < 5000; allowed++) {
    ledger_open(&l);
    l.allowed = allowed;
    result = open_clip(&l, &file, &error);
    cr_expect(result == SINEW_OK || (result == SINEW_ERROR_MEMORY && !file));
    sinew_clip_file_close(file);
    expect_settled(&l, "a clip file cut short");
  }
  cr_expect_eq(result, SINEW_OK);
  result = SINEW_ERROR_MEMORY;
  for (long allowed = 0; result != SINEW_OK && allowed < 100; allowed++) {
    const sinew_allocator allocator = ledger_open(&l);
    static const float values[102];
    const sinew_row_clip rows = {
        .rate_hz = 1, .frame_count = 1, .values = values, .column_count = 102, .copy = true};
    l.allowed = allowed;
    result = sinew_clip_from_rows(&rows, &(sinew_read_options){.allocator = &allocator}, &file, &error);
    cr_expect(result == SINEW_OK || (result == SINEW_ERROR_MEMORY && !file));
    sinew_clip_file_close(file);
    expect_settled(&l, "rows cut short");
  }
  cr_expect_eq(result, SINEW_OK);
  result = SINEW_ERROR_MEMORY;
  for (long allowed = 0; result != SINEW_OK && allowed < 5000; allowed++) {
    ledger_open(&l);
    l.allowed = allowed;
    result = open_rig(&l, &rig, &error);
    cr_expect(result == SINEW_OK || (result == SINEW_ERROR_MEMORY && !rig));
    sinew_rig_close(rig);
    expect_settled(&l, "a rig cut short");
  }
  cr_expect_eq(result, SINEW_OK);
  ledger_open(&l);
  l.allowed = 0;
  cr_expect_eq(open_context(&l, 1, &context, &error), SINEW_ERROR_MEMORY);
  cr_expect_null(context);
}

Test(allocator, bakes_cut_short, .timeout = 240) {
  ledger l;
  ledger_open(&l);
  sinew_error error;
  sinew_context *context;
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk_cut.anim"));
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker_cut.fbx.meta"));
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  cr_assert_eq(open_context(&l, 2, &context, &error), SINEW_OK);
  sinew_result result = SINEW_ERROR_MEMORY;
  long allowed = 0;
  for (; result != SINEW_OK && allowed < 5000; allowed++) {
    l.allowed = allowed;
    result = bake(context, clip, rig, true, &error);
    cr_expect(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%d: %s", result, error.message);
    cr_expect_eq(l.live, 1, "%zu blocks after a bake with %ld", (size_t)l.live, allowed);
  }
  cr_expect_eq(result, SINEW_OK);
  cr_expect(allowed > 20, "%ld allocations", allowed);
  sinew_context_close(context);
  expect_settled(&l, "bakes cut short");
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
}

Test(allocator, misaligned_memory_is_given_back) {
  ledger l;
  ledger_open(&l);
  l.misalign_by = 16;
  sinew_error error;
  sinew_context *context;
  cr_expect_eq(open_context(&l, 1, &context, &error), SINEW_ERROR_MEMORY);
  expect_settled(&l, "misaligned memory");
}

Test(allocator, half_an_allocator_is_refused) {
  sinew_allocator none = {0}, no_free = {.alloc = ledger_alloc};
  sinew_error error;
  sinew_clip_file *file;
  sinew_rig *rig;
  sinew_context *context;
  cr_expect_eq(sinew_clip_file_open(clip_path(), &(sinew_read_options){.allocator = &none}, &file, &error),
               SINEW_ERROR_ARGUMENT);
  cr_expect(strstr(error.message, "no alloc function"), "%s", error.message);
  cr_expect_eq(
      sinew_rig_open(rig_path(), &(sinew_rig_options){.read = {.allocator = &no_free}}, &rig, &error),
      SINEW_ERROR_ARGUMENT);
  cr_expect(strstr(error.message, "no free function"), "%s", error.message);
  cr_expect_eq(sinew_context_open(&(sinew_context_options){.allocator = &none}, &context, &error),
               SINEW_ERROR_ARGUMENT);
  cr_expect(!file && !rig && !context);
}

/* ---- whose allocator
 * ------------------------------------------------------------------------------------------------ */

/* A call inside another's callback brings its own allocator and leaves the outer one in place. */
typedef struct nested {
  ledger inner;
  bool opened;
} nested;
static bool open_inside(void *user, uint64_t done, uint64_t count) {
  (void)done;
  (void)count;
  nested *n = user;
  sinew_clip_file *file;
  n->opened = open_clip(&n->inner, &file, NULL) == SINEW_OK;
  sinew_clip_file_close(file);
  sinew_clip_file_close(test_open_clip(clip_path()));
  return true;
}

Test(allocator, a_call_inside_a_call) {
  ledger outer;
  nested n = {0};
  ledger_open(&outer);
  ledger_open(&n.inner);
  sinew_error error;
  sinew_context *context;
  sinew_clip_file *file = test_open_clip(clip_path());
  sinew_rig *rig = test_open_rig(rig_path());
  cr_assert_eq(open_context(&outer, 2, &context, &error), SINEW_OK);
  char *folder = test_folder_make(), path[1100];
  snprintf(path, sizeof path, "%s/walk.glb", folder);
  sinew_bake_options options = {.rate_hz = 3000, .progress = open_inside, .user = &n};
  cr_expect_eq(sinew_bake(context, sinew_clip_file_clip(file, 0), rig, &options, path, NULL, &error),
               SINEW_OK);
  cr_expect(n.opened);
  sinew_context_close(context);
  expect_settled(&outer, "the outer call");
  expect_settled(&n.inner, "the inner call");
  test_folder_remove(folder);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
}

Test(allocator, a_grown_block_moves_to_the_allocator_of_the_moment) {
  ledger a, b;
  sinew_allocator first = ledger_open(&a), second = ledger_open(&b);
  char *block;
  {
    HEAP_SCOPE(&first);
    block = heap_alloc(3, 1);
    memcpy(block, "abc", 3);
    {
      HEAP_SCOPE(&second);
      char *grown = heap_grow(block, 3, 300, 1);
      cr_assert(grown && memcmp(grown, "abc\0", 4) == 0);
      block = grown;
    }
    cr_expect(a.live == 0 && b.live == 1);
  }
  heap_free(block);
  heap_free(NULL);
  expect_settled(&a, "the first");
  expect_settled(&b, "the second");
}
