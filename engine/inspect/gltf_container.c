/* The asset, and what every part uses to read lists and keep texts. */
#include "base/error.h"
#include "inspect/gltf.h"
#include "verify/json_field.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- lists and texts ---------------------------------------------------------------------------------- */

sinew_result gltf_list_size(const json_t *object, const char *key, uint32_t *count, sinew_error *error) {
  const json_t *list = json_object_get(object, key);
  *count = 0;
  if (!list) return SINEW_OK;
  SINEW_CHECK(json_is_array(list), error, SINEW_ERROR_VERIFY, "%s is no array", key);
  SINEW_CHECK(json_array_size(list) > 0, error, SINEW_ERROR_VERIFY, "%s is an empty array", key);
  SINEW_CHECK(json_array_size(list) < INT32_MAX, error, SINEW_ERROR_VERIFY, "%s has too many items", key);
  *count = (uint32_t)json_array_size(list);
  return SINEW_OK;
}

sinew_result gltf_items(arena *memory, size_t count, size_t size, void *items, sinew_error *error) {
  void *block = arena_alloc(memory, count, size);
  memcpy(items, &block, sizeof block);
  SINEW_CHECK(block, error, SINEW_ERROR_MEMORY,
              "out of memory, or past its limit, for %zu items of %zu bytes", count, size);
  return SINEW_OK;
}

sinew_result gltf_text(gltf_reading *reading, const char *text, const char **copy, sinew_error *error) {
  *copy = text ? arena_text(&reading->glb->memory, text, strlen(text)) : NULL;
  SINEW_CHECK(*copy || !text, error, SINEW_ERROR_MEMORY, "out of memory, or past its limit, for names");
  return SINEW_OK;
}

static sinew_result warn_of_more(gltf_reading *reading, sinew_error *error) {
  sinew_glb *glb = reading->glb;
  char text[64];
  snprintf(text, sizeof text, "and %llu more", (unsigned long long)++glb->warnings_left_out);
  /* the digits may grow: the text is written anew each time its length does */
  char *last = (char *)glb->warnings[GLTF_WARNING_LIMIT];
  if (last && strlen(last) == strlen(text)) {
    memcpy(last, text, strlen(text));
    return SINEW_OK;
  }
  glb->info.warning_count = GLTF_WARNING_LIMIT + 1;
  return gltf_text(reading, text, &glb->warnings[GLTF_WARNING_LIMIT], error);
}

sinew_result gltf_warn(gltf_reading *reading, sinew_error *error, const char *format, ...) {
  sinew_glb *glb = reading->glb;
  if (glb->info.warning_count >= GLTF_WARNING_LIMIT) return warn_of_more(reading, error);
  char text[320];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  SINEW_TRY(gltf_text(reading, text, &glb->warnings[glb->info.warning_count], error));
  glb->info.warning_count++;
  return SINEW_OK;
}

/* ---- asset and extensions ----------------------------------------------------------------------------- */

/* What sinew wrote; anything else in extras is someone else's. */
static sinew_result read_extras(gltf_reading *reading, const json_t *extras, sinew_error *error) {
  sinew_glb_info *info = &reading->glb->info;
  const json_t *sinew = json_object_get(extras, "sinew");
  const char *version = json_string_value(json_is_object(sinew) ? json_object_get(sinew, "version") : sinew);
  if (!version) return SINEW_OK;
  if (json_is_object(sinew)) extras = sinew; /* beside a model's own */
  SINEW_TRY(gltf_text(reading, version, &info->sinew_version, error));
  SINEW_TRY(
      gltf_text(reading, json_string_value(json_object_get(extras, "source")), &info->source_name, error));
  SINEW_TRY(gltf_text(reading, json_string_value(json_object_get(extras, "profile")), &info->profile, error));
  const double rate_hz = json_number_value(json_object_get(extras, "rate"));
  info->rate_hz = isfinite(rate_hz) && rate_hz > 0 ? rate_hz : 0;
  return SINEW_OK;
}

static sinew_result check_names(const json_t *list, const char *key, uint32_t count, sinew_error *error) {
  for (uint32_t i = 0; i < count; i++)
    SINEW_CHECK(json_is_string(json_array_get(list, i)), error, SINEW_ERROR_VERIFY,
                "%s holds something that is no string", key);
  return SINEW_OK;
}

/* Those of extensionsUsed, each marked when extensionsRequired has it too; one that only the latter has
 * breaks the format. */
static sinew_result read_extensions(gltf_reading *reading, sinew_error *error) {
  static const char used_key[] = "extensionsUsed", required_key[] = "extensionsRequired";
  sinew_glb *glb = reading->glb;
  const json_t *used = json_object_get(reading->root, used_key);
  const json_t *required = json_object_get(reading->root, required_key);
  uint32_t used_count, required_count;
  SINEW_TRY(gltf_list_size(reading->root, used_key, &used_count, error));
  SINEW_TRY(gltf_list_size(reading->root, required_key, &required_count, error));
  SINEW_CHECK(used_count < 4096 && required_count<4096, error, SINEW_ERROR_LIMIT,
                                                  "uses %u extensions, the limit is 4095", used_count>
                                       required_count
                  ? used_count
                  : required_count);
  SINEW_TRY(check_names(used, used_key, used_count, error));
  SINEW_TRY(check_names(required, required_key, required_count, error));
  SINEW_TRY(gltf_items(&glb->memory, used_count, sizeof *glb->extensions, &glb->extensions, error));
  for (uint32_t i = 0; i < used_count; i++)
    SINEW_TRY(
        gltf_text(reading, json_string_value(json_array_get(used, i)), &glb->extensions[i].name, error));
  glb->info.extension_count = used_count;
  for (uint32_t i = 0; i < required_count; i++) {
    const char *name = json_string_value(json_array_get(required, i));
    uint32_t at = 0;
    while (at < used_count && strcmp(glb->extensions[at].name, name) != 0) at++;
    SINEW_CHECK(at < used_count, error, SINEW_ERROR_VERIFY,
                "extensionsRequired has one that extensionsUsed lacks");
    glb->extensions[at].required = true;
  }
  return SINEW_OK;
}

sinew_result gltf_read_asset(gltf_reading *reading, sinew_error *error) {
  SINEW_CHECK(json_is_object(reading->root), error, SINEW_ERROR_VERIFY, "the JSON is no object");
  json_place asset = {json_object_get(reading->root, "asset"), "asset", 0};
  SINEW_CHECK(json_is_object(asset.object), error, SINEW_ERROR_VERIFY, "there is no asset");
  const char *version, *generator;
  SINEW_TRY(field_text(asset, "version", &version, error));
  SINEW_CHECK(version && strncmp(version, "2.", 2) == 0, error, SINEW_ERROR_UNSUPPORTED,
              "asset.version is not 2.x");
  SINEW_TRY(field_text(asset, "generator", &generator, error));
  SINEW_TRY(gltf_text(reading, generator, &reading->glb->info.generator, error));
  SINEW_TRY(read_extras(reading, json_object_get(asset.object, "extras"), error));
  return read_extensions(reading, error);
}
