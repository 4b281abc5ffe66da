#include "base/error.h"
#include "base/os.h"
#include "read/bone_clips.h"
#include "read/muscle_csv.h"
#include "stance/figure.h"
#include "write/glb_model.h"

#include <string.h>
#include <strings.h>

/* A CSV whose names are no channels is told so by its own reader. */
static bool is_csv(const read_source *source, const char *label) {
  const size_t length = label ? strlen(label) : 0;
  return is_muscle_csv(source->bytes, source->byte_count) ||
         (length > 4 && strcasecmp(label + length - 4, ".csv") == 0);
}

static sinew_result read_into(sinew_clip_file *file, const char *bytes, size_t byte_count, const char *label,
                              const sinew_read_options *limits, sinew_error *error) {
  read_source source = {.bytes = bytes, .byte_count = byte_count, .limits = *limits};
  file->memory.byte_limit = limits->memory_bytes;
  if (is_bones(&source)) return read_bone_clips(&source, label, file, error);
  if (is_csv(&source, label)) return read_muscle_csv(&source, label, file, error);
  return read_unity_anim(&source, &file->memory, &file->clips, &file->clip_count, error);
}

sinew_result sinew_clip_file_open_memory(const void *bytes, size_t byte_count, const char *label,
                                         const sinew_read_options *options, sinew_clip_file **file,
                                         sinew_error *error) {
  SINEW_CHECK(file, error, SINEW_ERROR_ARGUMENT, "file is NULL");
  *file = NULL;
  SINEW_CHECK(bytes || byte_count == 0, error, SINEW_ERROR_ARGUMENT, "bytes is NULL");
  sinew_read_options complete = read_limits_complete(options);
  SINEW_TRY(heap_check_allocator(complete.allocator, error));
  HEAP_SCOPE(complete.allocator);
  if (byte_count > complete.file_bytes)
    return error_in_file(error,
                         error_set(error, SINEW_ERROR_LIMIT, "has %zu bytes, the limit is %llu", byte_count,
                                   (unsigned long long)complete.file_bytes),
                         label);
  sinew_clip_file *opened = heap_alloc(1, sizeof *opened);
  SINEW_CHECK(opened, error, SINEW_ERROR_MEMORY, "out of memory");
  sinew_result result = read_into(opened, byte_count ? bytes : "", byte_count, label, &complete, error);
  if (result != SINEW_OK) {
    sinew_clip_file_close(opened);
    return error_in_file(error, result, label);
  }
  *file = opened;
  return SINEW_OK;
}

sinew_result sinew_clip_file_open(const char *path, const sinew_read_options *options, sinew_clip_file **file,
                                  sinew_error *error) {
  SINEW_CHECK(file, error, SINEW_ERROR_ARGUMENT, "file is NULL");
  *file = NULL;
  SINEW_CHECK(path, error, SINEW_ERROR_ARGUMENT, "path is NULL");
  sinew_read_options complete = read_limits_complete(options);
  SINEW_TRY(heap_check_allocator(complete.allocator, error));
  HEAP_SCOPE(complete.allocator);
  os_file bytes;
  SINEW_TRY(os_file_open(path, complete.file_bytes, &bytes, error));
  sinew_result result =
      sinew_clip_file_open_memory(bytes.bytes, bytes.byte_count, path, options, file, error);
  os_file_close(&bytes);
  return result;
}

void sinew_clip_file_close(sinew_clip_file *file) {
  if (!file) return;
  for (uint32_t i = 0; i < file->clip_count; i++) clip_rows_release(file->clips[i].rows);
  glb_model_close(file->model);
  if (file->figure)
    figure_close(file->figure);
  else
    motion_file_close(file->bones);
  arena_release(&file->memory);
  heap_free(file);
}

uint32_t sinew_clip_file_count(const sinew_clip_file *file) {
  return file ? file->clip_count : 0;
}

const sinew_clip *sinew_clip_file_clip(const sinew_clip_file *file, uint32_t index) {
  return file && index < file->clip_count ? &file->clips[index] : NULL;
}
