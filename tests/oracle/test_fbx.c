/* FBX in a build with and without it: what is refused, limits, memory that runs out. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "read/motion_reader.h"
#include "support/data.h"

static const char binary_head[] = "Kaydara FBX Binary  \0\x1a";

#ifdef SINEW_FBX

Test(fbx, no_more_than_a_head) {
  motion_file *file;
  sinew_error error;
  const char *const heads[] = {binary_head, "; FBX 7.4.0 project file\n"};
  for (int i = 0; i < 2; i++) {
    const size_t length = i ? strlen(heads[i]) : sizeof binary_head;
    cr_expect_eq(read_motion_memory(heads[i], length, "head.fbx", NULL, &file, &error), SINEW_ERROR_SYNTAX);
    cr_expect(strstr(error.message, "assimp cannot read this FBX: "), "%s", error.message);
    cr_expect_str_eq(error.path, "head.fbx");
    cr_expect_null(strpbrk(error.message, "\r\n"), "%s", error.message);
    cr_expect_null(file);
  }
}

/* Two animations of nine nodes, the root that assimp adds among them. */
typedef struct made {
  char *bytes;
  size_t byte_count;
} made;

static made open_made(void) {
  made m;
  m.bytes = test_read_file(getenv("SINEW_TEST_FBX"), &m.byte_count);
  cr_assert(m.bytes, "%s", getenv("SINEW_TEST_FBX"));
  return m;
}

static sinew_result read_made(const made *m, const sinew_read_options *options, sinew_error *error) {
  motion_file *file;
  const sinew_result result = read_motion_memory(m->bytes, m->byte_count, "made.fbx", options, &file, error);
  cr_expect_eq(file != NULL, result == SINEW_OK);
  motion_file_close(file);
  return result;
}

Test(fbx, limits) {
  const made m = open_made();
  sinew_error error;
  static const struct {
    sinew_read_options enough, few;
    const char *words;
  } limits[] = {
      {{.nodes = 9}, {.nodes = 8}, "more than 8 nodes, the limit"},
      {{.depth = 6}, {.depth = 5}, "more than 5 nodes deep, the limit"},
      {{.clips = 2}, {.clips = 1}, "2 animations, the limit is 1"},
      {{.curves = 6}, {.curves = 5}, "more than 5 tracks, the limit"},
      {{.keys = 24}, {.keys = 23}, "more than 23 keys, the limit"},
      {{.name_bytes = 22}, {.name_bytes = 20}, "bytes, the limit is 20"},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    cr_expect_eq(read_made(&m, &limits[i].enough, &error), SINEW_OK, "%s", error.message);
    cr_expect_eq(read_made(&m, &limits[i].few, &error), SINEW_ERROR_LIMIT, "%zu", i);
    cr_expect(strstr(error.message, limits[i].words), "%s", error.message);
  }
  const sinew_read_options small = {.file_bytes = 100};
  cr_expect_eq(read_made(&m, &small, &error), SINEW_ERROR_LIMIT);
  free(m.bytes);
}

static int allowed;

static int permit(size_t byte_count) {
  (void)byte_count;
  return allowed-- > 0;
}

Test(fbx, memory_that_runs_out) {
  const made m = open_made();
  sinew_error error;
  sinew_result result = SINEW_ERROR_MEMORY;
  int count = 0;
  for (; result != SINEW_OK && count < 1000; count++) {
    heap_permit = permit;
    allowed = count;
    result = read_made(&m, NULL, &error);
    heap_permit = NULL;
    cr_expect(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%d: %s", count, error.message);
  }
  cr_expect(result == SINEW_OK && count > 5, "%d allocations", count);
  for (uint64_t bytes = 64; bytes <= 1 << 20; bytes *= 2) {
    const sinew_read_options options = {.memory_bytes = bytes};
    result = read_made(&m, &options, &error);
    cr_expect(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%s", error.message);
  }
  cr_expect_eq(result, SINEW_OK);
  free(m.bytes);
}

#else

Test(fbx, says_that_this_build_has_none) {
  motion_file *file;
  sinew_error error;
  const char *const heads[] = {binary_head, "; FBX 7.4.0 project file\n"};
  for (int i = 0; i < 2; i++) {
    const size_t length = i ? strlen(heads[i]) : sizeof binary_head;
    cr_expect_eq(read_motion_memory(heads[i], length, "head.fbx", NULL, &file, &error),
                 SINEW_ERROR_UNSUPPORTED);
    cr_expect_str_eq(error.message,
                     "an FBX, which this build does not read (it was made without -Dfbx=enabled)");
    cr_expect_null(file);
  }
}

#endif
