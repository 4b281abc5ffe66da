#include "format_choice.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { FORMAT_END = SINEW_FORMAT_CSV + 1 };

bool format_of_name(const char *name, sinew_format *format) {
  for (uint32_t i = 0; i < FORMAT_END; i++) {
    const char *known = sinew_format_name(i);
    if (!known || strcmp(name, known) != 0) continue;
    *format = (sinew_format)i;
    return true;
  }
  return false;
}

bool format_of_path(const char *path, sinew_format *format) {
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  if (!dot || dot == name) return false;
  for (uint32_t i = 0; i < FORMAT_END; i++) {
    const char *known = sinew_format_name(i);
    if (!known || strcasecmp(dot + 1, known) != 0) continue;
    *format = (sinew_format)i;
    return true;
  }
  return false;
}

const char *format_list(const char *before, char buffer[FORMAT_LIST_BYTES]) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < FORMAT_END; i++)
    if (sinew_format_name(i)) last = i;
  size_t length = 0;
  buffer[0] = 0;
  for (uint32_t i = 0; i <= last && length < FORMAT_LIST_BYTES; i++) {
    if (!sinew_format_name(i)) continue;
    const char *joint = length == 0 ? "" : i == last ? " or " : ", ";
    length += (size_t)snprintf(buffer + length, FORMAT_LIST_BYTES - length, "%s%s%s", joint, before,
                               sinew_format_name(i));
  }
  return buffer;
}

bool format_choose(const arguments *given, sinew_format *format) {
  char list[FORMAT_LIST_BYTES];
  sinew_format by_suffix;
  const bool has_suffix = given->output && format_of_path(given->output, &by_suffix);
  *format = given->to ? given->to_format : has_suffix ? by_suffix : SINEW_FORMAT_GLB;
  if (given->output && !given->to && !has_suffix)
    usage_error(COMMAND_CONVERT, "-o wants a file name that ends in %s, not '%s'", format_list(".", list),
                given->output);
  else if (given->to && has_suffix && by_suffix != given->to_format)
    usage_error(COMMAND_CONVERT, "--to says %s, and -o '%s': one of them is wrong",
                sinew_format_name(given->to_format), given->output);
  else
    return true;
  return false;
}

bool format_holds_bones(sinew_format format) {
  return format != SINEW_FORMAT_ANIM && format != SINEW_FORMAT_CSV;
}

bool format_holds_muscles(sinew_format format) {
  return format == SINEW_FORMAT_ANIM || format == SINEW_FORMAT_CSV || format == SINEW_FORMAT_NPZ;
}

typedef struct format_use {
  bool given;
  option_id id;
  sinew_format only;
} format_use;

static bool single_formats_fit(const arguments *given, sinew_format format) {
  const format_use uses[] = {
      {given->quantize, OPTION_QUANTIZE, SINEW_FORMAT_GLB},
      {given->mesh != SINEW_MESH_DEFAULT, OPTION_MESH, SINEW_FORMAT_GLB},
      {given->order != NULL, OPTION_ORDER, SINEW_FORMAT_BVH},
      {given->unit, OPTION_UNIT, SINEW_FORMAT_BVH},
      {given->rest, OPTION_REST, SINEW_FORMAT_BVH},
      {given->rotations, OPTION_ROTATIONS, SINEW_FORMAT_NPZ},
      {given->tdof, OPTION_TDOF, SINEW_FORMAT_ANIM},
  };
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    if (!uses[i].given || format == uses[i].only) continue;
    usage_error(COMMAND_CONVERT, "--%s is for %s files, and %s is written", options[uses[i].id].name,
                sinew_format_name(uses[i].only), sinew_format_name(format));
    return false;
  }
  return true;
}

bool format_options_fit(const arguments *given, sinew_format format) {
  if (!single_formats_fit(given, format)) return false;
  if (given->tdof && given->mirror) {
    usage_error(COMMAND_CONVERT, "--tdof and --mirror do not go together: translations cannot be mirrored");
    return false;
  }
  if (given->via == SINEW_VIA_MUSCLE || format_holds_muscles(format)) return true;
  const char *found = given->limb_given ? "limb" : given->clip_rig ? "clip-rig" : NULL;
  if (!found) return true;
  usage_error(
      COMMAND_CONVERT,
      "--%s says how muscles are found from bones, and none are: it wants --via muscle, or --to anim, "
      "csv or npz",
      found);
  return false;
}

bool format_fits_bones(const arguments *given, sinew_format format, const char *source) {
  if (given->via == SINEW_VIA_MUSCLE || !format_holds_bones(format)) return true;
  const bool counted = format_holds_muscles(format);
  const char *found = given->mirror                              ? "mirror"
                      : given->limits == LIMITS_CLAMP            ? "limits clamp"
                      : given->limits == LIMITS_WARN && !counted ? "limits warn"
                                                                 : NULL;
  if (!found) return true;
  usage_error(COMMAND_CONVERT, "%s is a clip of bones, and --%s is done to muscles: it wants --via muscle",
              source, found);
  return false;
}
