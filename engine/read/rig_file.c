/* The public way to a rig: a file or bytes, through its reader, to the compiler. */
#include "base/error.h"
#include "base/os.h"
#include "read/reader.h"

#include <math.h>

static sinew_result check_options(const sinew_rig_options *options, sinew_error *error) {
  if (!options) return SINEW_OK;
  SINEW_TRY(heap_check_allocator(options->read.allocator, error));
  SINEW_CHECK(isfinite(options->unit_scale) && options->unit_scale >= 0, error, SINEW_ERROR_ARGUMENT,
              "unit_scale is %g: expected metres per unit above 0, or 0 to infer it", options->unit_scale);
  return SINEW_OK;
}

/* The description lives only as long as the compiler reads it. */
static sinew_result read_and_compile(const read_source *source, double unit_scale, sinew_rig **rig,
                                     sinew_error *error) {
  arena memory = {.byte_limit = source->limits.memory_bytes};
  rig_description description = {0};
  sinew_result result = read_fbx_meta(source, &memory, &description, error);
  if (result == SINEW_OK) result = rig_compile(&description, unit_scale, rig, error);
  arena_release(&memory);
  return result;
}

sinew_result sinew_rig_open_memory(const void *bytes, size_t byte_count, const char *label,
                                   const sinew_rig_options *options, sinew_rig **rig, sinew_error *error) {
  SINEW_CHECK(rig, error, SINEW_ERROR_ARGUMENT, "no place for the rig: rig is NULL");
  *rig = NULL;
  SINEW_CHECK(bytes || byte_count == 0, error, SINEW_ERROR_ARGUMENT, "no bytes: bytes is NULL");
  SINEW_TRY(check_options(options, error));
  read_source source = {byte_count ? bytes : "", byte_count,
                        read_limits_complete(options ? &options->read : NULL)};
  HEAP_SCOPE(source.limits.allocator);
  if (byte_count > source.limits.file_bytes) {
    error_set(error, SINEW_ERROR_LIMIT, "the file has %zu bytes, more than the limit of %llu", byte_count,
              (unsigned long long)source.limits.file_bytes);
    return error_in_file(error, SINEW_ERROR_LIMIT, label);
  }
  sinew_result result = read_and_compile(&source, options ? options->unit_scale : 0, rig, error);
  return result == SINEW_OK ? result : error_in_file(error, result, label);
}

sinew_result sinew_rig_open(const char *path, const sinew_rig_options *options, sinew_rig **rig,
                            sinew_error *error) {
  SINEW_CHECK(rig, error, SINEW_ERROR_ARGUMENT, "no place for the rig: rig is NULL");
  *rig = NULL;
  SINEW_CHECK(path, error, SINEW_ERROR_ARGUMENT, "no file: path is NULL");
  SINEW_TRY(check_options(options, error));
  sinew_read_options complete = read_limits_complete(options ? &options->read : NULL);
  HEAP_SCOPE(complete.allocator);
  os_file file;
  SINEW_TRY(os_file_open(path, complete.file_bytes, &file, error));
  sinew_result result = sinew_rig_open_memory(file.bytes, file.byte_count, path, options, rig, error);
  os_file_close(&file);
  return result;
}
