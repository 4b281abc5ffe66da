/* A damaged GLB is refused or told, whatever is damaged: every cut, every byte changed in six ways, numbers
 * of the JSON replaced, and every allocation failing. */
#include "inspect/made_glb.h"
#include "inspect/walk_glb.h"
#include "base/heap.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens a copy whose end is the end of its memory. */
static sinew_result open_exact(const unsigned char *bytes, size_t count) {
  unsigned char *copy = malloc(count ? count : 1);
  memcpy(copy, bytes, count);
  sinew_glb *glb;
  sinew_error error = {0};
  const sinew_result result = sinew_glb_open_memory(copy, count, "damaged.glb", NULL, &glb, &error);
  free(copy);
  cr_assert((result == SINEW_OK) == (glb != NULL));
  if (glb)
    walk_glb(glb);
  else
    cr_assert(error.message[0] && error.code == result && result != SINEW_ERROR_VERIFY, "code %d",
              (int)result);
  sinew_glb_close(glb);
  return result;
}

Test(glb_robust, every_cut) {
  const made_glb good = made_but(NULL, NULL);
  cr_assert_eq(open_exact(good.bytes, good.byte_count), SINEW_OK);
  for (size_t count = 0; count < good.byte_count; count++)
    cr_expect_neq(open_exact(good.bytes, count), SINEW_OK, "cut at %zu", count);
}

/* A header that agrees with the cut lets what stands behind it be seen. */
Test(glb_robust, every_cut_with_a_header_to_match) {
  const made_glb good = made_but(NULL, NULL);
  unsigned char *bytes = test_keep(good.byte_count, 1);
  memcpy(bytes, good.bytes, good.byte_count);
  for (size_t count = 12; count < good.byte_count; count++) {
    const uint32_t length = (uint32_t)count;
    memcpy(bytes + 8, &length, sizeof length);
    cr_expect_neq(open_exact(bytes, count), SINEW_OK, "cut at %zu", count);
  }
}

Test(glb_robust, every_byte_changed) {
  const made_glb good = made_but(NULL, NULL);
  unsigned char *bytes = test_keep(good.byte_count, 1);
  memcpy(bytes, good.bytes, good.byte_count);
  size_t opened = 0, refused = 0;
  for (size_t at = 0; at < good.byte_count; at++) {
    const unsigned char was = good.bytes[at];
    const unsigned char patches[6] = {0, 0xff, was ^ 1, was ^ 0x80, (unsigned char)(was + 1), '9'};
    for (int i = 0; i < 6; i++) {
      bytes[at] = patches[i];
      if (open_exact(bytes, good.byte_count) == SINEW_OK)
        opened++;
      else
        refused++;
    }
    bytes[at] = was;
  }
  cr_expect(opened > 1000 && refused > 1000, "%zu opened, %zu refused", opened, refused);
}

Test(glb_robust, every_number_replaced) {
  static const char *const numbers[] = {
      "-1",    "0",   "1",    "2",    "4",  "255", "65536",      "2147483647",
      "1e300", "0.5", "null", "true", "[]", "{}",  "4294967296", "9223372036854775807"};
  unsigned char bin[MADE_BIN_BYTES];
  made_bin(bin);
  for (const char *at = made_json; *at; at++) {
    if (at == made_json || *at < '0' || *at > '9' || (at[-1] >= '0' && at[-1] <= '9')) continue;
    const char *end = at;
    while (*end >= '0' && *end <= '9') end++;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      char json[4096];
      cr_assert_lt(strlen(made_json) + 32, sizeof json);
      snprintf(json, sizeof json, "%.*s%s%s", (int)(at - made_json), made_json, numbers[i], end);
      const made_glb glb = made_from(json, bin, sizeof bin);
      open_exact(glb.bytes, glb.byte_count);
    }
    test_keep_release();
  }
}

static int allowed;
static int permit(size_t byte_count) {
  (void)byte_count;
  return allowed-- > 0;
}

Test(glb_robust, every_allocation_may_fail) {
  const made_glb good = made_but("'byteLength':228}", "'byteLength':228},{'byteLength':9,'uri':'x'}");
  int failed = 0;
  for (;; failed++) {
    cr_assert_lt(failed, 1000);
    allowed = failed;
    heap_permit = permit;
    sinew_glb *glb;
    sinew_error error = {0};
    const sinew_result result =
        sinew_glb_open_memory(good.bytes, good.byte_count, "x.glb", NULL, &glb, &error);
    heap_permit = NULL;
    sinew_glb_close(glb);
    if (result == SINEW_OK) break;
    cr_assert_eq(result, SINEW_ERROR_MEMORY, "allocation %d: code %d", failed, (int)result);
  }
  cr_expect_geq(failed, 3); /* the handle and both arenas */
}
