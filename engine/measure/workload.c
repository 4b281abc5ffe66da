#include "measure/workload.h"
#include "base/error.h"
#include "measure/made_clip.h"

const char *workload_part_name(workload_part part) {
  static const char *const names[WORKLOAD_PART_COUNT] = {
      [WORKLOAD_ROWS] = "rows",     [WORKLOAD_SAMPLE] = "sample",     [WORKLOAD_CHECK] = "check",
      [WORKLOAD_MUSCLE] = "muscle", [WORKLOAD_XYZW] = "xyzw",         [WORKLOAD_FK] = "fk",
      [WORKLOAD_BODY] = "body",     [WORKLOAD_MATRICES] = "matrices", [WORKLOAD_FK_BODY] = "fk_body",
      [WORKLOAD_HIPS] = "hips",     [WORKLOAD_SIGNS] = "signs",       [WORKLOAD_PACK] = "pack",
      [WORKLOAD_PACK16] = "pack16", [WORKLOAD_PIPELINE] = "pipeline",
  };
  return names[part];
}

static sinew_result take_curves(const sinew_clip *clip, workload *w, sinew_error *error) {
  bool wanted[SINEW_PLANE_COUNT];
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++) wanted[plane] = true;
  return clip_segments_build(clip, wanted, &w->segments, error);
}

static sinew_result take_made_curves(workload *w, sinew_error *error) {
  size_t byte_count;
  const made_clip_shape dense = {.frames = 601, .key_stride = 1, .rate_hz = 60};
  char *text = made_clip_text(dense, &byte_count);
  SINEW_CHECK(text, error, SINEW_ERROR_MEMORY, "out of memory");
  const sinew_read_options same_memory = {.allocator = heap_current()};
  sinew_clip_file *file;
  sinew_result result = sinew_clip_file_open_memory(text, byte_count, "made", &same_memory, &file, error);
  if (result == SINEW_OK) result = take_curves(sinew_clip_file_clip(file, 0), w, error);
  sinew_clip_file_close(file);
  heap_free(text);
  return result;
}

static bool alloc_planes(workload *w) {
  arena *memory = &w->memory;
  const muscle_rig *c = &w->constants;
  const size_t bones = c->bone_count;
  w->scratch.planes = arena_alloc(memory, (size_t)SINEW_PLANE_COUNT * SINEW_BLOCK, sizeof(float));
  w->scratch.model = arena_alloc(memory, bones * SINEW_MODEL_PLANES * SINEW_BLOCK, sizeof(float));
  w->scratch.body = arena_alloc(memory, (size_t)7 * SINEW_BLOCK, sizeof(float));
  w->pose.local = arena_alloc(memory, bones * 4 * SINEW_BLOCK, sizeof(float));
  w->pose.places = arena_alloc(memory, (size_t)3 * SINEW_BLOCK, sizeof(float));
  w->pose.hips_t = arena_alloc(memory, (size_t)3 * SINEW_BLOCK, sizeof(float));
  w->pose.hips_q = arena_alloc(memory, (size_t)4 * SINEW_BLOCK, sizeof(float));
  w->rows = arena_alloc(memory, (size_t)SINEW_BLOCK * WORKLOAD_ROW, sizeof(float));
  w->packed = arena_alloc(memory, bones * 12 * SINEW_BLOCK, sizeof(float));
  return w->scratch.planes && w->scratch.model && w->scratch.body && w->pose.local && w->pose.places &&
         w->pose.hips_t && w->pose.hips_q && w->rows && w->packed;
}

/* A clip may lack curves: then the made values stand. */
static void fill_planes(workload *w) {
  for (int f = 0; f < SINEW_BLOCK; f++) w->scratch.time_s[f] = f / 60.0;
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++)
    for (int f = 0; f < SINEW_BLOCK; f++)
      w->scratch.planes[plane * SINEW_BLOCK + f] = (float)made_clip_value(plane, w->scratch.time_s[f]);
  workload_run(w, WORKLOAD_SAMPLE);
  for (int f = 0; f < SINEW_BLOCK; f++)
    for (int plane = 0; plane < WORKLOAD_ROW; plane++)
      w->rows[f * WORKLOAD_ROW + plane] = w->scratch.planes[plane * SINEW_BLOCK + f];
}

sinew_result workload_open(const sinew_kernels *kernels, made_body_bones bones, const sinew_clip *clip,
                           workload *w, sinew_error *error) {
  *w = (workload){.kernels = kernels};
  sinew_result result = made_body(bones, &w->rig, error);
  if (result == SINEW_OK) result = muscle_rig_build(w->rig, &w->constants, error);
  if (result == SINEW_OK) result = clip ? take_curves(clip, w, error) : take_made_curves(w, error);
  if (result == SINEW_OK && !alloc_planes(w))
    result = error_set(error, SINEW_ERROR_MEMORY, "out of memory for a block's planes");
  if (result == SINEW_OK) {
    fill_planes(w);
    result = pose_check_planes(kernels, w->scratch.planes, 0, error);
  }
  if (result == SINEW_OK)
    workload_run(w, WORKLOAD_PIPELINE);
  else
    workload_close(w);
  return result;
}

void workload_close(workload *w) {
  arena_release(&w->memory);
  clip_segments_release(&w->segments);
  muscle_rig_release(&w->constants);
  sinew_rig_close(w->rig);
  *w = (workload){0};
}

static void pack_all(workload *w) {
  for (size_t slot = 0; slot < w->constants.bone_count; slot++)
    w->kernels->pack_quat(w->pose.local + slot * 4 * SINEW_BLOCK, w->flips[slot],
                          w->packed + slot * 4 * SINEW_BLOCK);
}

static void pack_all16(workload *w) {
  int16_t *packed = (int16_t *)w->packed;
  for (size_t slot = 0; slot < w->constants.bone_count; slot++)
    w->kernels->pack_quat16(w->pose.local + slot * 4 * SINEW_BLOCK, w->flips[slot],
                            packed + slot * 4 * SINEW_BLOCK);
}

void workload_pipeline(workload *w, const float *planes) {
  const sinew_kernels *k = w->kernels;
  const muscle_rig *c = &w->constants;
  float *com = w->scratch.body, *frame = com + 3 * SINEW_BLOCK;
  k->muscle(&c->muscle, planes, w->pose.local);
  k->fk(&c->fk_body, w->pose.local, NULL, NULL, w->scratch.model);
  k->body(&c->body, w->scratch.model, com, frame);
  k->hips(&c->body, planes, com, frame, w->pose.hips_t, w->pose.hips_q, w->pose.places, w->pose.local);
  k->fk(&c->fk, w->pose.local, w->pose.hips_t, w->pose.hips_q, w->scratch.model);
}

void workload_run(workload *w, workload_part part) {
  const sinew_kernels *k = w->kernels;
  const muscle_rig *c = &w->constants;
  float *planes = w->scratch.planes, *com = w->scratch.body, *frame = com + 3 * SINEW_BLOCK;
  uint32_t largest[SINEW_PLANE_COUNT];
  switch (part) {
  case WORKLOAD_ROWS:
    k->rows(w->rows, WORKLOAD_ROW, SINEW_BLOCK, WORKLOAD_ROW, planes);
    break;
  case WORKLOAD_SAMPLE:
    k->sample(w->segments.curves, w->segments.curve_count, w->scratch.time_s, planes);
    break;
  case WORKLOAD_CHECK:
    k->absmax(planes, SINEW_PLANE_COUNT, largest);
    break;
  case WORKLOAD_MUSCLE:
    k->muscle(&c->muscle, planes, w->pose.local);
    break;
  case WORKLOAD_XYZW:
    k->muscle(&c->muscle, planes, w->pose.local);
    pack_all(w);
    break;
  case WORKLOAD_FK:
    k->fk(&c->fk, w->pose.local, w->pose.hips_t, w->pose.hips_q, w->scratch.model);
    break;
  case WORKLOAD_MATRICES:
    k->matrices(w->scratch.model, c->bone_count, w->packed);
    break;
  case WORKLOAD_FK_BODY:
    k->fk(&c->fk_body, w->pose.local, NULL, NULL, w->scratch.model);
    break;
  case WORKLOAD_BODY:
    k->body(&c->body, w->scratch.model, com, frame);
    break;
  case WORKLOAD_HIPS:
    k->hips(&c->body, planes, com, frame, w->pose.hips_t, w->pose.hips_q, w->pose.places, w->pose.local);
    break;
  case WORKLOAD_SIGNS:
    k->signs(w->pose.local, c->bone_count, w->flips);
    break;
  case WORKLOAD_PACK:
    pack_all(w);
    break;
  case WORKLOAD_PACK16:
    pack_all16(w);
    break;
  case WORKLOAD_PIPELINE:
    workload_pipeline(w, planes);
    break;
  case WORKLOAD_PART_COUNT:
    break;
  }
}
