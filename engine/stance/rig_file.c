/* The public way to a rig: a file or bytes, through its reader, to the compiler. */
#include "base/error.h"
#include "base/os.h"
#include "read/kept_model.h"
#include "read/motion_reader.h"
#include "stance/figure.h"

#include <math.h>
#include <string.h>

static sinew_result check_options(const sinew_rig_options *options, sinew_error *error) {
  if (!options) return SINEW_OK;
  SINEW_TRY(heap_check_allocator(options->read.allocator, error));
  SINEW_TRY(figure_check_options(options->read.figure, error));
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

/* A rig file says so; what its nodes are called may look like a glTF. */
static bool is_rig_json(const read_source *source) {
  static const char key[] = "\"sinewRig\"";
  return is_json(source) && memmem(source->bytes, source->byte_count, key, sizeof key - 1) != NULL;
}

/* A model: a skeleton whose body has to be found. */
static bool is_model(const read_source *source) {
  return is_bvh(source) || is_npz(source) || is_fbx(source) || (is_gltf(source) && !is_rig_json(source));
}

/* In a build that reads no FBX what stands beside one is what helps. */
static sinew_result check_fbx(const read_source *source, sinew_error *error) {
#ifdef SINEW_FBX
  (void)source, (void)error;
  return SINEW_OK;
#else
  if (!is_fbx(source)) return SINEW_OK;
  return error_set_at(error, SINEW_ERROR_UNSUPPORTED, 0, 1, 1,
                      "a model (FBX), expected a rig: the .fbx.meta that stands beside it, a glTF, a BVH, an "
                      "Avatar or a rig file");
#endif
}

/* Scales that differ more than this along their axes put joints where turns alone do not. */
static const double most_uneven = 0.01;

/* The character itself, for what is written on it. */
static sinew_result keep_model(const read_source *source, const figure *from, sinew_rig *rig,
                               sinew_error *error) {
  glb_model *model;
  const char *why;
  const sinew_result result =
      kept_model_open(source, from->file->skeleton, &rig->memory, &model, &why, error);
  if (result != SINEW_OK) {
    sinew_rig_close(rig);
    return result;
  }
  if (model && rig->unit_scale != 1)
    why = "its unit is given, and its file states metres";
  else if (model && rig->unevenness > most_uneven)
    why = "nodes above its bones scale the axes differently";
  if (why) rig_warn(rig, "the character cannot be kept, joints alone are written: %s", why);
  if (why) glb_model_close(model);
  if (!model || why) return SINEW_OK;
  for (uint32_t i = 0; i < model->warning_count; i++) rig_warn(rig, "%s", model->warnings[i]);
  rig->model = model;
  return SINEW_OK;
}

static sinew_result read_model(const read_source *source, double unit_scale, const char *label,
                               sinew_rig **rig, sinew_error *error) {
  const sinew_figure_options *given = source->limits.figure;
  sinew_figure_options options = given ? *given : (sinew_figure_options){0};
  sinew_read_options limits = source->limits;
  motion_file *file;
  figure *found;
  if (unit_scale != 0) options.unit_scale = unit_scale;
  limits.figure = &options;
  SINEW_TRY(read_motion_memory(source->bytes, source->byte_count, label, &limits, &file, error));
  sinew_result result = figure_open(file, &limits, &found, error);
  if (result != SINEW_OK) {
    motion_file_close(file);
    return result;
  }
  result = figure_rig(found, rig, error);
  if (result == SINEW_OK) result = keep_model(source, found, *rig, error);
  figure_close(found);
  if (result != SINEW_OK) *rig = NULL;
  return result;
}

static sinew_result read_any(const read_source *source, double unit_scale, const char *label, sinew_rig **rig,
                             sinew_error *error) {
  SINEW_TRY(check_fbx(source, error));
  if (is_model(source)) return read_model(source, unit_scale, label, rig, error);
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
  sinew_result result = read_any(&source, options ? options->unit_scale : 0, label, rig, error);
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
