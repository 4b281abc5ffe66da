/* The public way to a rig: a file or bytes, through its reader, to the compiler. */
#include "base/error.h"
#include "base/os.h"
#include "read/reader.h"

#include <math.h>
#include <string.h>

static sinew_result check_options(const sinew_rig_options *options, sinew_error *error) {
  if (!options) return SINEW_OK;
  SINEW_TRY(heap_check_allocator(options->read.allocator, error));
  SINEW_CHECK(isfinite(options->unit_scale) && options->unit_scale >= 0, error, SINEW_ERROR_ARGUMENT,
              "unit_scale is %g: expected metres per unit above 0 and at most 1e9, or 0 to infer it",
              options->unit_scale);
  return SINEW_OK;
}

/* The description lives only as long as the compiler reads it. */
static sinew_result read_and_compile(const read_source *source, double unit_scale, sinew_rig **rig,
                                     sinew_error *error) {
  arena memory = {.byte_limit = source->limits.memory_bytes};
  rig_description description = {0};
  sinew_result result = is_unity_documents(source) ? read_unity_avatar(source, &memory, &description, error)
                                                   : read_fbx_meta(source, &memory, &description, error);
  if (result == SINEW_OK) result = rig_compile(&description, unit_scale, rig, error);
  arena_release(&memory);
  return result;
}

static bool begins(const read_source *source, const char *with) {
  size_t length = strlen(with);
  return source->byte_count >= length && memcmp(source->bytes, with, length) == 0;
}

/* Files that hold a model, each called by its name. */
static sinew_result check_model(const read_source *source, sinew_error *error) {
  bool glb = begins(source, "glTF"), fbx = begins(source, "Kaydara FBX Binary") || begins(source, "; FBX ");
  if (!glb && !fbx) return SINEW_OK;
  return error_set_at(error, SINEW_ERROR_UNSUPPORTED, 0, 1, 1,
                      "a model (%s), expected a rig: %s an Avatar or a rig file", glb ? "GLB" : "FBX",
                      fbx ? "the .fbx.meta that stands beside it," : "a model's .fbx.meta,");
}

static sinew_result read_any(const read_source *source, double unit_scale, sinew_rig **rig,
                             sinew_error *error) {
  SINEW_TRY(check_model(source, error));
  if (!is_json(source)) return read_and_compile(source, unit_scale, rig, error);
  SINEW_CHECK(unit_scale == 0 || unit_scale == 1, error, SINEW_ERROR_ARGUMENT,
              "unit_scale is %g, but a rig file is in metres: expected 0 or 1", unit_scale);
  return read_rig_json(source, rig, error);
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
  sinew_result result = read_any(&source, options ? options->unit_scale : 0, rig, error);
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
