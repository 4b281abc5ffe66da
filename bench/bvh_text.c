#include "bvh_text.h"
#include "base/heap.h"
#include "base/os.h"
#include "inputs.h"
#include "made_bvh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 4000 };

struct bvh_text {
  const char *name;
  char *bytes;
  size_t byte_count;
  uint64_t seen; /* frames: what came out, so that nothing is left undone */
};

/* ---- inputs ------------------------------------------------------------------------------------------- */

static char *real_text(size_t *byte_count) {
  os_file file;
  const char *path = input_real_bvh();
  if (!path || os_file_open(path, UINT64_C(1) << 30, &file, NULL) != SINEW_OK) return NULL;
  char *text = heap_alloc_unset(file.byte_count);
  if (text) memcpy(text, file.bytes, file.byte_count);
  *byte_count = file.byte_count;
  os_file_close(&file);
  return text;
}

/* ---- the case ----------------------------------------------------------------------------------------- */

/* False where it cannot be read. */
static bool read_all(bvh_text *text) {
  sinew_bvh *bvh;
  sinew_bvh_info info;
  sinew_error error;
  if (sinew_bvh_open_memory(text->bytes, text->byte_count, text->name, NULL, &bvh, &error) != SINEW_OK) {
    fprintf(stderr, "%s: %s\n", text->name, error.message);
    return false;
  }
  sinew_bvh_get_info(bvh, &info);
  text->seen += info.frame_count;
  sinew_bvh_close(bvh);
  return true;
}

static void run_scan(void *subject) {
  if (!read_all(subject)) abort(); /* it was read when the text was opened */
}

bvh_text *bvh_text_open(int input) {
  bvh_text *text = heap_alloc(1, sizeof *text);
  if (!text) return NULL;
  text->name = input == BVH_TEXT_MADE ? "text_bvh" : "text_bvh_real";
  text->bytes =
      input == BVH_TEXT_MADE ? made_bvh_text(FRAMES, &text->byte_count) : real_text(&text->byte_count);
  if (text->bytes && read_all(text)) return text;
  bvh_text_close(text);
  return NULL;
}

void bvh_text_close(bvh_text *text) {
  if (!text) return;
  heap_free(text->bytes);
  heap_free(text);
}

void bvh_text_case(bvh_text *text, bench_case *out) {
  *out = (bench_case){
      .name = text->name, .isa = "", .run = run_scan, .subject = text, .bytes = (double)text->byte_count};
}
