/* A damaged glTF is refused or read, whatever is damaged: every cut, every byte changed, every number
 * replaced, and every allocation failing. */
#include "readers/made_gltf.h"
#include "base/heap.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char human[] =
    "'extensions':{'VRMC_vrm':{'specVersion':'1.0','meta':{'name':'Hero'},'humanoid':{'humanBones':{"
    "'hips':{'node':1},'leftThumbMetacarpal':{'node':0}}}}},";

static sinew_result try_bytes(const unsigned char *bytes, size_t count) {
  sinew_error error;
  motion_file *file;
  const sinew_result result = gltf_read(bytes, count, NULL, NULL, &file, &error);
  cr_assert((result == SINEW_OK) == (file != NULL));
  if (file)
    gltf_walk(file);
  else
    cr_assert(error.message[0] && error.code == result && result != SINEW_ERROR_VERIFY &&
                  result != SINEW_ERROR_IO,
              "code %d", (int)result);
  motion_file_close(file);
  return result;
}

Test(gltf_robust, every_cut) {
  const made_glb good = gltf_but("'scene':0,", human);
  unsigned char *bytes = test_keep(good.byte_count, 1);
  memcpy(bytes, good.bytes, good.byte_count);
  cr_assert_eq(try_bytes(bytes, good.byte_count), SINEW_OK);
  for (size_t count = 0; count < good.byte_count; count++) {
    cr_expect_neq(try_bytes(good.bytes, count), SINEW_OK, "cut at %zu", count);
    if (count < 12) continue;
    /* a header that agrees with the cut lets what stands behind it be seen */
    const uint32_t length = (uint32_t)count;
    memcpy(bytes + 8, &length, sizeof length);
    cr_expect_neq(try_bytes(bytes, count), SINEW_OK, "cut at %zu", count);
  }
}

Test(gltf_robust, every_byte_changed) {
  const made_glb good = gltf_but("'scene':0,", human);
  unsigned char *bytes = test_keep(good.byte_count, 1);
  memcpy(bytes, good.bytes, good.byte_count);
  size_t opened = 0, refused = 0;
  for (size_t at = 0; at < good.byte_count; at++) {
    const unsigned char was = good.bytes[at];
    const unsigned char patches[6] = {0, 0xff, was ^ 1, was ^ 0x80, (unsigned char)(was + 1), '9'};
    for (int i = 0; i < 6; i++) {
      bytes[at] = patches[i];
      if (try_bytes(bytes, good.byte_count) == SINEW_OK)
        opened++;
      else
        refused++;
    }
    bytes[at] = was;
  }
  cr_expect(opened > 1000 && refused > 1000, "%zu opened, %zu refused", opened, refused);
}

Test(gltf_robust, every_number_replaced) {
  static const char *const numbers[] = {
      "-1",  "0",    "1",  "2",  "4",          "255",        "65536", "1e11",
      "0.5", "null", "[]", "{}", "2147483647", "4294967296", "true",  "9223372036854775807"};
  unsigned char bin[GLTF_BIN_BYTES];
  gltf_bin(bin);
  for (const char *at = gltf_json; *at; at++) {
    if (at == gltf_json || *at < '0' || *at > '9' || (at[-1] >= '0' && at[-1] <= '9')) continue;
    const char *end = at;
    while (*end >= '0' && *end <= '9') end++;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      char json[4096];
      cr_assert_lt(strlen(gltf_json) + 32, sizeof json);
      snprintf(json, sizeof json, "%.*s%s%s", (int)(at - gltf_json), gltf_json, numbers[i], end);
      const made_glb glb = made_from(json, bin, sizeof bin);
      try_bytes(glb.bytes, glb.byte_count);
    }
    test_keep_release();
  }
}

static int allowed;
static int permit(size_t byte_count) {
  (void)byte_count;
  return allowed-- > 0;
}

Test(gltf_robust, every_allocation_may_fail) {
  const made_glb good =
      gltf_but("'buffers':[{'byteLength':360}]",
               "'extensions':{'VRM':{'humanoid':{'humanBones':[{'bone':'wing','node':1}]}}},"
               "'buffers':[{'byteLength':360}]");
  int failed = 0;
  for (;; failed++) {
    cr_assert_lt(failed, 1000);
    allowed = failed;
    heap_permit = permit;
    motion_file *file;
    sinew_error error;
    const sinew_result result = gltf_read(good.bytes, good.byte_count, "x.glb", NULL, &file, &error);
    heap_permit = NULL;
    motion_file_close(file);
    if (result == SINEW_OK) break;
    cr_assert_eq(result, SINEW_ERROR_MEMORY, "allocation %d: code %d", failed, (int)result);
  }
  cr_expect_geq(failed, 5); /* two handles and three arenas */
}

/* Every limit on memory is enough or is named. */
Test(gltf_robust, little_memory) {
  const made_glb good = gltf_but("'scene':0,", human);
  bool opened = false;
  for (uint64_t limit = 1; limit < (1 << 20); limit += limit / 16 + 1) {
    const sinew_read_options options = {.memory_bytes = limit};
    motion_file *file;
    sinew_error error;
    const sinew_result result = gltf_read(good.bytes, good.byte_count, NULL, &options, &file, &error);
    motion_file_close(file);
    opened = result == SINEW_OK;
    cr_assert(opened || result == SINEW_ERROR_MEMORY, "%llu: %s", (unsigned long long)limit, error.message);
  }
  cr_expect(opened);
}
