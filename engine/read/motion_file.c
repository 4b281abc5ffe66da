/* A file of movement, opened as what its bytes say it is. */
#include "base/error.h"
#include "base/os.h"
#include "read/motion_reader.h"

#include <string.h>

bool is_fbx(const read_source *source) {
  static const char *const begins[] = {"Kaydara FBX Binary", "; FBX "};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
    const size_t length = strlen(begins[i]);
    if (source->byte_count >= length && memcmp(source->bytes, begins[i], length) == 0) return true;
  }
  return false;
}

#ifdef SINEW_FBX
static const char *const kinds = "a BVH, a glTF, an .npz or an FBX";
#else
static const char *const kinds = "a BVH, a glTF or an .npz";
sinew_result read_fbx(const read_source *source, motion_file *file, sinew_error *error) {
  (void)source, (void)file;
  return error_set_at(error, SINEW_ERROR_UNSUPPORTED, 0, 1, 1,
                      "an FBX, which this build does not read (it was made without -Dfbx=enabled)");
}
#endif

static sinew_result read_any(const read_source *source, const char *path, motion_file *file,
                             sinew_error *error) {
  if (is_bvh(source)) return read_bvh(source, file, error);
  if (is_gltf(source)) return read_gltf(source, path, file, error);
  if (is_npz(source)) return read_npz(source, file, error);
  if (is_fbx(source)) return read_fbx(source, file, error);
  return error_set_at(error, SINEW_ERROR_UNSUPPORTED, 0, 1, 1,
                      "no kind of movement that is read, expected %s", kinds);
}

sinew_result read_motion_memory(const void *bytes, size_t byte_count, const char *label,
                                const sinew_read_options *options, motion_file **file, sinew_error *error) {
  SINEW_CHECK(file, error, SINEW_ERROR_ARGUMENT, "file is NULL");
  *file = NULL;
  SINEW_CHECK(bytes || byte_count == 0, error, SINEW_ERROR_ARGUMENT, "bytes is NULL");
  const read_source source = {byte_count ? bytes : "", byte_count, read_limits_complete(options)};
  SINEW_TRY(heap_check_allocator(source.limits.allocator, error));
  HEAP_SCOPE(source.limits.allocator);
  if (byte_count > source.limits.file_bytes) {
    error_set(error, SINEW_ERROR_LIMIT, "has %zu bytes, the limit is %llu", byte_count,
              (unsigned long long)source.limits.file_bytes);
    return error_in_file(error, SINEW_ERROR_LIMIT, label);
  }
  motion_file *opened = heap_alloc(1, sizeof *opened);
  SINEW_CHECK(opened, error, SINEW_ERROR_MEMORY, "out of memory");
  opened->memory.byte_limit = source.limits.memory_bytes;
  const sinew_result result = read_any(&source, label, opened, error);
  if (result == SINEW_OK) {
    *file = opened;
    return SINEW_OK;
  }
  motion_file_close(opened);
  return error_in_file(error, result, label);
}

sinew_result read_motion_file(const char *path, const sinew_read_options *options, motion_file **file,
                              sinew_error *error) {
  SINEW_CHECK(file, error, SINEW_ERROR_ARGUMENT, "file is NULL");
  *file = NULL;
  SINEW_CHECK(path, error, SINEW_ERROR_ARGUMENT, "path is NULL");
  const sinew_read_options complete = read_limits_complete(options);
  SINEW_TRY(heap_check_allocator(complete.allocator, error));
  HEAP_SCOPE(complete.allocator);
  os_file bytes;
  SINEW_TRY(os_file_open(path, complete.file_bytes, &bytes, error));
  const sinew_result result = read_motion_memory(bytes.bytes, bytes.byte_count, path, options, file, error);
  os_file_close(&bytes);
  return result;
}
