/* Cut and changed inputs through the whole engine: each gives a clear error or a GLB that passes its
 * verification, and leaves nothing else behind. Under the sanitizers this is the net for every reader, the
 * rig compiler and the bake. */
#include "base/os.h"
#include "support/bake.h"
#include "support/data.h"
#include "support/step.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_PER_INPUT = 20 };

static const unsigned char changes[6] = {0x00, 0x01, 0x20, 0x7f, 0x80, 0xff};

typedef struct disturbed {
  sinew_context *context;
  sinew_clip_file *clip; /* whole; NULL while the clip is what is disturbed */
  sinew_rig *rig;        /* whole; NULL while the rig is */
  char *folder;
  char path[1024];
  size_t read_count;
  size_t refused_count;
  unsigned turn; /* which form the next output takes */
} disturbed;

/* Flushing to the disk is what a tmpfs makes cheap and a disk does not; nothing here depends on it. */
static int no_flush(int fd) {
  (void)fd;
  return 0;
}
static os_calls calls;

static void setup(disturbed *d) {
  calls = os_real;
  calls.fsync = no_flush;
  os = &calls;
  memset(d, 0, sizeof *d);
  d->context = test_open_context(NULL, 1);
  d->folder = test_folder_make();
  snprintf(d->path, sizeof d->path, "%s/out.glb", d->folder);
}

static void teardown(disturbed *d) {
  if (d->clip) sinew_clip_file_close(d->clip);
  if (d->rig) sinew_rig_close(d->rig);
  sinew_context_close(d->context);
  test_folder_remove(d->folder);
  os = &os_real;
}

static void expect_clear(const sinew_error *error, const char *what) {
  cr_assert(error->code != SINEW_OK && error->message[0], "%s: an error without words", what);
  for (const char *p = error->message; *p; p++)
    cr_assert((unsigned char)*p >= 0x20 && *p != 0x7f, "%s: a control character in '%s'", what,
              error->message);
  cr_assert(error->code != SINEW_ERROR_VERIFY, "%s: %s", what, error->message);
}

static void bake(disturbed *d, const sinew_clip *clip, const sinew_rig *rig, const char *what) {
  sinew_error error = {0};
  sinew_bake_report report;
  /* a changed rate or stop time may mean millions of frames: the error path is what is tested, not patience
   */
  if (sinew_clip_frame_count(clip, 0) > 100000) return;
  sinew_bake_options options = {.quantize = d->turn & 1,
                                .mesh = d->turn & 2 ? SINEW_MESH_BOXES : SINEW_MESH_NONE};
  d->turn++;
  sinew_result result = sinew_bake(d->context, clip, rig, &options, d->path, &report, &error);
  if (result == SINEW_OK) {
    cr_assert(report.verified, "%s", what);
    cr_assert(unlink(d->path) == 0, "%s: no file", what);
  } else {
    expect_clear(&error, what);
  }
}

static void try_input(disturbed *d, const char *bytes, size_t byte_count, const char *what) {
  sinew_error error = {0};
  alarm(SECONDS_PER_INPUT);
  sinew_result result;
  if (!d->clip) {
    sinew_clip_file *file;
    result = sinew_clip_file_open_memory(bytes, byte_count, "disturbed.anim", NULL, &file, &error);
    if (result == SINEW_OK) {
      for (uint32_t i = 0; i < sinew_clip_file_count(file); i++)
        bake(d, sinew_clip_file_clip(file, i), d->rig, what);
      sinew_clip_file_close(file);
    }
  } else {
    sinew_rig *rig;
    result = sinew_rig_open_memory(bytes, byte_count, "disturbed.fbx.meta", NULL, &rig, &error);
    if (result == SINEW_OK) {
      bake(d, sinew_clip_file_clip(d->clip, 0), rig, what);
      sinew_rig_close(rig);
    }
  }
  if (result == SINEW_OK) {
    d->read_count++;
  } else {
    d->refused_count++;
    expect_clear(&error, what);
  }
  alarm(0);
}

/* The bytes in a block of exactly their size, so that a sanitizer sees the first byte read past them. */
static void try_exact(disturbed *d, const char *bytes, size_t byte_count, const char *what) {
  char *exact = malloc(byte_count ? byte_count : 1);
  memcpy(exact, bytes, byte_count);
  try_input(d, exact, byte_count, what);
  free(exact);
}

static void try_every_byte(disturbed *d, char *bytes, size_t byte_count) {
  char what[64];
  for (size_t length = 0; length < byte_count; length++) {
    snprintf(what, sizeof what, "cut at %zu", length);
    try_exact(d, bytes, length, what);
  }
  for (size_t at = 0; at < byte_count; at += test_step())
    for (size_t c = 0; c < sizeof changes; c++) {
      char was = bytes[at];
      bytes[at] = (char)changes[c];
      snprintf(what, sizeof what, "byte %zu set to 0x%02x", at, changes[c]);
      if (bytes[at] != was) try_input(d, bytes, byte_count, what);
      bytes[at] = was;
    }
  cr_assert(test_folder_count(d->folder) == 0, "something was left in the folder");
  cr_assert(d->read_count > byte_count / 4 / test_step() && d->refused_count > byte_count,
            "%zu read, %zu refused", d->read_count, d->refused_count);
}

static uint64_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *state >> 33;
}

static void try_at_random(disturbed *d, char *bytes, size_t byte_count, unsigned cuts, unsigned patches) {
  char what[64];
  uint64_t state = 20240229;
  cuts /= (unsigned)test_step(), patches /= (unsigned)test_step();
  for (unsigned i = 0; i < cuts; i++) {
    size_t length = next_random(&state) % byte_count;
    snprintf(what, sizeof what, "cut at %zu", length);
    try_exact(d, bytes, length, what);
  }
  for (unsigned i = 0; i < patches; i++) {
    size_t at = next_random(&state) % byte_count;
    char was = bytes[at];
    bytes[at] = (char)next_random(&state);
    snprintf(what, sizeof what, "byte %zu set to 0x%02x", at, (unsigned char)bytes[at]);
    try_input(d, bytes, byte_count, what);
    bytes[at] = was;
  }
  cr_assert(test_folder_count(d->folder) == 0, "something was left in the folder");
}

static char *sample(const char *name, size_t *byte_count) {
  char relative[128];
  snprintf(relative, sizeof relative, "scripts/sample/%s", name);
  char *bytes = test_read_file(test_source(relative), byte_count);
  cr_assert(bytes);
  return bytes;
}

/* cuts 0: every length and every byte */
static void disturb(const char *name, bool is_clip, unsigned cuts, unsigned patches) {
  disturbed d;
  setup(&d);
  if (is_clip)
    d.rig = test_open_rig(test_source("scripts/sample/walker_cut.fbx.meta"));
  else
    d.clip = test_open_clip(test_source("scripts/sample/walk_cut.anim"));
  size_t byte_count;
  char *bytes = sample(name, &byte_count);
  if (cuts)
    try_at_random(&d, bytes, byte_count, cuts, patches);
  else
    try_every_byte(&d, bytes, byte_count);
  free(bytes);
  teardown(&d);
}

Test(disturbed, every_byte_of_a_small_clip, .timeout = 1200) {
  disturb("walk_cut.anim", true, 0, 0);
}
Test(disturbed, every_byte_of_a_small_rig, .timeout = 1200) {
  disturb("walker_cut.fbx.meta", false, 0, 0);
}
Test(disturbed, the_sample_clip_at_random, .timeout = 1200) {
  disturb("walk.anim", true, 2000, 20000);
}
Test(disturbed, the_sample_rig_at_random, .timeout = 1200) {
  disturb("walker.fbx.meta", false, 2000, 20000);
}
