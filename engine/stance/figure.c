#include "stance/figure.h"

#include "base/error.h"
#include "motion/biped_fix.h"
#include "skeleton/biped.h"

#include <math.h>
#include <string.h>

sinew_result figure_check_options(const sinew_figure_options *options, sinew_error *error) {
  if (!options) return SINEW_OK;
  SINEW_CHECK(
      isfinite(options->unit_scale) && options->unit_scale >= 0 && options->unit_scale <= 1e9, error,
      SINEW_ERROR_ARGUMENT,
      "the figure's unit_scale is %g: expected metres per unit above 0 and at most 1e9, or 0 to infer it",
      options->unit_scale);
  SINEW_CHECK(options->tpose_frame >= 0, error, SINEW_ERROR_ARGUMENT,
              "tpose_frame is %lld: expected a frame from 1, or 0 to find the T-pose",
              (long long)options->tpose_frame);
  return SINEW_OK;
}

static sinew_result find_map(figure *f, const sinew_read_options *options, sinew_error *error) {
  const motion_file *file = f->file;
  const char *path = options && options->figure ? options->figure->map_path : NULL;
  map_file given;
  if (!path) return human_map_find(file->skeleton, file->motions, file->motion_count, NULL, &f->map, error);
  SINEW_TRY(map_file_open(path, options, &given, error));
  const sinew_result result = human_map_find(file->skeleton, file->motions, file->motion_count,
                                             given.has_bones ? &given : NULL, &f->map, error);
  f->ranges = given.ranges;
  map_file_release(&given);
  return result;
}

/* Told by its names and its odd parents; what they are made to be only on request. */
static sinew_result treat_biped(motion_file *file, bool fix, sinew_error *error) {
  skeleton *s = file->skeleton;
  if (!biped_is(s)) return SINEW_OK;
  if (fix) return biped_fix(file, error);
  SINEW_CHECK(
      skeleton_warn(s, "a 3ds Max Biped: legs hang from its spine or clavicles from its neck, props or twist "
                       "bones from elsewhere than their hand or arm; it can be fixed (fix biped)"),
      error, SINEW_ERROR_MEMORY, "out of memory for a warning");
  return SINEW_OK;
}

static sinew_result find(figure *f, const sinew_read_options *options, sinew_error *error) {
  const sinew_figure_options *given = options ? options->figure : NULL;
  const stance_options stands = {.frame = given ? given->tpose_frame - 1 : -1,
                                 .unit_m = given ? given->unit_scale : 0};
  SINEW_TRY(figure_check_options(given, error));
  SINEW_TRY(treat_biped(f->file, given && given->fix_biped, error));
  SINEW_TRY(find_map(f, options, error));
  return stance_find(f->file->skeleton, f->map.node_of_bone, f->file->motions, f->file->motion_count, &stands,
                     &f->stance, error);
}

sinew_result figure_open(motion_file *file, const sinew_read_options *options, figure **out,
                         sinew_error *error) {
  *out = NULL;
  figure *made = heap_alloc(1, sizeof *made);
  SINEW_CHECK(made, error, SINEW_ERROR_MEMORY, "out of memory");
  atomic_init(&made->holders, 1);
  made->file = file;
  const sinew_result result = find(made, options, error);
  if (result == SINEW_OK) {
    *out = made;
    return SINEW_OK;
  }
  made->file = NULL;
  figure_close(made);
  return result;
}

figure *figure_hold(figure *f) {
  atomic_fetch_add(&f->holders, 1);
  return f;
}

void figure_close(figure *f) {
  if (!f || atomic_fetch_sub(&f->holders, 1) != 1) return;
  human_map_release(&f->map);
  stance_release(&f->stance);
  motion_file_close(f->file);
  heap_free(f);
}
