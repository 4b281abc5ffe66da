#include "read/bone_clips.h"
#include "base/error.h"
#include "motion/motion_rate.h"
#include "read/file_stem.h"
#include "read/kept_model.h"
#include "stance/figure.h"

#include <stdio.h>
#include <string.h>

bool is_bones(const read_source *source) {
  return is_bvh(source) || is_gltf(source) || is_npz(source) || is_fbx(source);
}

/* ---- names ----------------------------------------------------------------------------------------------
 */

static bool is_taken(const sinew_clip_file *file, uint32_t before, const char *name) {
  for (uint32_t i = 0; i < before; i++)
    if (strcmp(file->clips[i].name, name) == 0) return true;
  return false;
}

/* A file's clips are told apart by name: one without, or with another's, gets its number. */
static const char *name_of(sinew_clip_file *file, uint32_t index, const char *stem) {
  const char *own = file->bones->motions[index].name;
  if (!own[0] && file->clip_count == 1) return stem;
  if (own[0] && !is_taken(file, index, own)) return own;
  const size_t size = strlen(own) + 32;
  char *name = arena_alloc(&file->memory, size, 1);
  if (!name) return NULL;
  snprintf(name, size, "%s%s%u", own, own[0] ? "." : "clip", index);
  return name;
}

/* ---- clips ----------------------------------------------------------------------------------------------
 */

static void fill_clip(sinew_clip *clip, const motion *from, const clip_body *body) {
  clip->body = body;
  clip->motion = from;
  clip->rate_hz = motion_rate_find(from);
  clip->start_s = from->start_s;
  clip->stop_s = from->stop_s;
  clip->settings.start_time_s = clip->start_s;
  clip->settings.stop_time_s = clip->stop_s;
  clip_finish(clip);
}

static sinew_result fill_clips(sinew_clip_file *file, const char *label, sinew_error *error) {
  const uint32_t count = file->bones->motion_count;
  sinew_clip *clips = arena_alloc(&file->memory, count, sizeof *clips);
  const char *stem = file_stem(label, &file->memory);
  SINEW_CHECK(clips && stem, error, SINEW_ERROR_MEMORY, "out of memory for %u clips", count);
  file->clips = clips;
  file->clip_count = count;
  for (uint32_t i = 0; i < count; i++) {
    fill_clip(&clips[i], &file->bones->motions[i], &file->body);
    clips[i].name = name_of(file, i, stem);
    SINEW_CHECK(clips[i].name, error, SINEW_ERROR_MEMORY, "out of memory for the clips' names");
  }
  return SINEW_OK;
}

/* ---- the body -------------------------------------------------------------------------------------------
 */

static uint32_t add_warnings(const char **all, uint32_t count, const char *const *some, uint32_t some_count) {
  for (uint32_t i = 0; i < some_count; i++) all[count++] = some[i];
  return count;
}

static sinew_result gather_warnings(sinew_clip_file *file, sinew_error *error) {
  const skeleton *s = file->bones->skeleton;
  const figure *found = file->figure;
  const uint32_t most =
      s->warning_count + 1 + (found ? found->map.warning_count + found->stance.warning_count : 0);
  const char **all = arena_alloc(&file->memory, most, sizeof *all);
  SINEW_CHECK(all, error, SINEW_ERROR_MEMORY, "out of memory for %u warnings", most);
  uint32_t count = add_warnings(all, 0, s->warnings, s->warning_count);
  if (found) {
    count = add_warnings(all, count, found->map.warnings, found->map.warning_count);
    count = add_warnings(all, count, found->stance.warnings, found->stance.warning_count);
  }
  if (!file->body.unit_known)
    all[count++] = "no human body to measure and no unit stated: taken as 1 m per unit (--unit-scale)";
  file->body.warnings = all;
  file->body.warning_count = count;
  return SINEW_OK;
}

/* Nothing is wrong with a skeleton that is no human body's: it keeps its own bones, and says why when it is
 * to move others. */
static sinew_result find_body(const read_source *source, sinew_clip_file *file, sinew_error *error) {
  clip_body *body = &file->body;
  const skeleton *s = file->bones->skeleton;
  const sinew_figure_options *wanted = source->limits.figure;
  const double unit_m = wanted && wanted->unit_scale > 0 ? wanted->unit_scale : s->unit_m;
  *body = (clip_body){.skeleton = s, .unit_m = unit_m != 0 ? unit_m : 1, .unit_known = unit_m != 0};
  const sinew_result result = figure_open(file->bones, &source->limits, &file->figure, &body->why);
  const bool asked = wanted && (wanted->map_path || wanted->tpose_frame);
  if (result != SINEW_OK && (result != SINEW_ERROR_RIG || asked)) {
    if (error) *error = body->why;
    return result;
  }
  if (result == SINEW_OK) {
    body->figure = file->figure;
    body->map = &file->figure->map;
    body->stance = &file->figure->stance;
    body->unit_m = body->stance->unit_m;
    body->unit_known = true;
  }
  if (body->unit_m != 1) return gather_warnings(file, error); /* what is kept stays in metres */
  const char *why;
  SINEW_TRY(kept_model_open(source, s, &file->memory, &file->model, &why, error));
  body->model = file->model;
  return gather_warnings(file, error);
}

sinew_result read_bone_clips(const read_source *source, const char *label, sinew_clip_file *file,
                             sinew_error *error) {
  SINEW_TRY(
      read_motion_memory(source->bytes, source->byte_count, label, &source->limits, &file->bones, error));
  SINEW_CHECK(file->bones->motion_count > 0, error, SINEW_ERROR_UNSUPPORTED,
              "a skeleton without movement, expected a clip");
  SINEW_TRY(find_body(source, file, error));
  return fill_clips(file, label, error);
}
