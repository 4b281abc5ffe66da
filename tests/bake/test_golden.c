/* One hash per profile and form of what the sample becomes: over instruction sets, worker counts, runs and
 * compilers. The numbers change only when the output is meant to change; then they are printed by this test
 * and replaced here. scripts/emulated.sh reads the constants with names too: `sinew convert --fps 2812.5`
 * writes these bytes on every CPU. */
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the clip of muscles on its rig */
static const uint64_t golden_fma = UINT64_C(0x25f68b284460f9ce);
static const uint64_t golden_nofma = UINT64_C(0x5536c5af237c80ff);
/* walk.bvh: the character of walker.glb plays it */
static const uint64_t delta_fma = UINT64_C(0x78e691ea4dd0cdbf);
static const uint64_t delta_nofma = UINT64_C(0xa8c2b451d772c42a);
/* walk.bvh on its own skeleton */
static const uint64_t own_fma = UINT64_C(0xe4f5e768ceb8109f);
static const uint64_t own_nofma = UINT64_C(0x51a44fd3da789719);

typedef struct golden_row {
  const char *what;
  const char *clip;
  const char *rig; /* NULL: the clip's own skeleton */
  bool quantize;
  sinew_mesh mesh;
  uint64_t fma, nofma;
} golden_row;

static const char walk[] = "walk.anim", walker[] = "walker.fbx.meta", bones[] = "walk.bvh",
                  character[] = "walker.glb";

/* The forms that are asked for by options. */
static const golden_row golden[] = {
    {"quantized", walk, walker, true, SINEW_MESH_NONE, UINT64_C(0x9734677df36d44b9),
     UINT64_C(0x72e23d628a08cc0b)},
    {"boxes", walk, walker, false, SINEW_MESH_BOXES, UINT64_C(0xd6a34de1cc88f52e),
     UINT64_C(0xffef80a7746d0d97)},
    {"quantized boxes", walk, walker, true, SINEW_MESH_BOXES, UINT64_C(0xe50ce36939b69de4),
     UINT64_C(0x6dace133b2301282)},
    {"muscles on the character", walk, character, false, SINEW_MESH_KEEP, UINT64_C(0x228d666529ddfb0f),
     UINT64_C(0xa3ee42f7e258cd19)},
    {"quantized bones on the character", bones, character, true, SINEW_MESH_KEEP,
     UINT64_C(0xc5ae73feb98e3cce), UINT64_C(0x2e3839fbc25403ec)},
    {"bones on the rig, boxes", bones, walker, false, SINEW_MESH_BOXES, UINT64_C(0x6202a1c8433fc81f),
     UINT64_C(0xd6a094044e805862)},
    {"quantized bones on their own skeleton", bones, NULL, true, SINEW_MESH_NONE,
     UINT64_C(0x48f91ab78a7790d2), UINT64_C(0x69595193a1965d2b)},
};

static const char *sample_file(const char *name) {
  char path[128];
  snprintf(path, sizeof path, "scripts/sample/%s", name);
  return test_source(path);
}

/* 3,001 frames: several batches of blocks, and a last block that is not full */
static uint64_t bake_hash(const golden_row *row, const char *isa, uint32_t threads, const char *folder,
                          const char **profile) {
  sinew_context *context = test_open_context(isa, threads);
  sinew_clip_file *file = test_open_clip(sample_file(row->clip));
  sinew_rig *rig = row->rig ? test_open_rig(sample_file(row->rig)) : NULL;
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  sinew_bake_options options = {.rate_hz = 2812.5,
                                .quantize = row->quantize,
                                .mesh = row->mesh,
                                .source_name = row->clip,
                                .no_verify = threads != 2};
  char path[1024], text[1024];
  snprintf(path, sizeof path, "%s/walk.glb", folder);
  sinew_error error;
  sinew_bake_report report;
  cr_assert(sinew_bake(context, clip, rig, &options, path, &report, &error) == SINEW_OK, "%s",
            sinew_error_text(&error, text, sizeof text));
  cr_assert(report.frame_count > 2900, "%llu frames", (unsigned long long)report.frame_count);
  size_t byte_count;
  char *bytes = test_read_file(path, &byte_count);
  cr_assert(bytes && byte_count == report.byte_count);
  uint64_t hash = test_hash(bytes, byte_count);
  free(bytes);
  *profile = strcmp(sinew_context_profile(context), "fma") == 0 ? "fma" : "nofma";
  if (rig) sinew_rig_close(rig);
  sinew_clip_file_close(file);
  sinew_context_close(context);
  return hash;
}

static void expect_one_hash(const golden_row *row) {
  char *folder = test_folder_make();
  static const uint32_t threads[] = {1, 2, 8};
  const char *isa;
  for (uint32_t i = 0; (isa = sinew_isa_available(i)); i++)
    for (size_t t = 0; t < 3; t++) {
      const char *profile;
      uint64_t hash = bake_hash(row, isa, threads[t], folder, &profile);
      uint64_t expected = strcmp(profile, "fma") == 0 ? row->fma : row->nofma;
      cr_expect(hash == expected, "%s: %s with %u workers: 0x%016llx, the golden hash of %s is 0x%016llx",
                row->what, isa, threads[t], (unsigned long long)hash, profile, (unsigned long long)expected);
    }
  test_folder_remove(folder);
}

Test(golden, one_hash_per_profile, .timeout = 300) {
  const golden_row plain[] = {
      {"float", walk, walker, false, SINEW_MESH_NONE, golden_fma, golden_nofma},
      {"bones on the character", bones, character, false, SINEW_MESH_KEEP, delta_fma, delta_nofma},
      {"bones on their own skeleton", bones, NULL, false, SINEW_MESH_NONE, own_fma, own_nofma},
  };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) expect_one_hash(&plain[i]);
  for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) expect_one_hash(&golden[i]);
}
