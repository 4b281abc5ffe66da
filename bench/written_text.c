#include "written_text.h"
#include "measure/made_clip.h"
#include "measure/workload.h"
#include "write/anim_text.h"
#include "write/bvh_plan.h"
#include "write/csv_text.h"

#include <stdio.h>

enum { KEYS = 8192, CURVES = 4, ROWS = 512 };

static const double rate_hz = 60;

struct written_text {
  workload work;
  bvh_plan bvh;
  float *degrees; /* [bvh.channel_count][64] */
  float *columns; /* [CURVES][KEYS] */
  float *rows;    /* [SINEW_PLANE_COUNT][ROWS], as pieces of a file have them */
  text_out text;
};

static void run_angles(void *subject) {
  written_text *t = subject;
  bvh_planes(&t->bvh, t->work.kernels, t->work.pose.local, t->work.pose.places, t->degrees);
}
static void run_bvh(void *subject) {
  written_text *t = subject;
  text_out_clear(&t->text);
  bvh_lines(&t->bvh, t->degrees, SINEW_BLOCK, &t->text);
}

static void add_curve(written_text *t, const anim_facts *facts, int curve) {
  anim_times times = {0};
  anim_text_curve_begin(&t->text);
  if (anim_times_make(&times, facts, 0, KEYS))
    anim_text_keys(&t->text, &times, 0, KEYS, t->columns + (size_t)curve * KEYS, false, false);
  anim_times_release(&times);
  anim_text_curve_end(&t->text, "Spine Front-Back");
}
static void run_anim(void *subject) {
  written_text *t = subject;
  const anim_facts facts = {
      .name = "made", .rate_hz = rate_hz, .length_s = (KEYS - 1) / rate_hz, .frame_count = KEYS};
  text_out_clear(&t->text);
  for (int curve = 0; curve < CURVES; curve++) add_curve(t, &facts, curve);
}
static void run_csv(void *subject) {
  written_text *t = subject;
  const csv_facts facts = {rate_hz, (KEYS - 1) / rate_hz, KEYS};
  const float *columns[SINEW_PLANE_COUNT];
  for (size_t c = 0; c < SINEW_PLANE_COUNT; c++) columns[c] = t->rows + c * ROWS;
  text_out_clear(&t->text);
  csv_text_rows(&t->text, &facts, 0, ROWS, columns, SINEW_PLANE_COUNT);
}

/* ---- opening --------------------------------------------------------------------------------------------
 */

static bool open_bvh(written_text *t, sinew_error *error) {
  const workload *w = &t->work;
  int32_t slots[HUMAN_BONE_COUNT * 2], places[HUMAN_BONE_COUNT * 2];
  if (w->rig->node_count > HUMAN_BONE_COUNT * 2) return false;
  for (uint32_t node = 0; node < w->rig->node_count; node++) slots[node] = places[node] = -1;
  for (uint32_t slot = 0; slot < w->constants.bone_count; slot++)
    slots[w->rig->node_of_bone[w->constants.bone_of_slot[slot]]] = (int32_t)slot;
  places[w->rig->node_of_bone[HUMAN_HIPS]] = 0;
  const bvh_source source = {.nodes = w->rig->nodes,
                             .node_count = w->rig->node_count,
                             .slot_of_node = slots,
                             .place_of_node = places,
                             .rate_hz = rate_hz,
                             .frame_count = SINEW_BLOCK};
  return bvh_plan_build(w->kernels, &source, &(bvh_options){0}, &t->bvh, error) == SINEW_OK;
}

static void fill(float *values, int plane, int frames) {
  for (int f = 0; f < frames; f++) values[f] = (float)made_clip_value(plane, f / rate_hz);
}

static bool fill_columns(written_text *t) {
  t->degrees = heap_alloc((size_t)t->bvh.channel_count * SINEW_BLOCK, sizeof *t->degrees);
  t->columns = heap_alloc_unset((size_t)CURVES * KEYS * sizeof(float));
  t->rows = heap_alloc_unset((size_t)SINEW_PLANE_COUNT * ROWS * sizeof(float));
  if (!t->degrees || !t->columns || !t->rows) return false;
  for (int curve = 0; curve < CURVES; curve++)
    fill(t->columns + (size_t)curve * KEYS, SINEW_PLANE_MUSCLE + curve, KEYS);
  for (int plane = 0; plane < SINEW_PLANE_COUNT; plane++) fill(t->rows + (size_t)plane * ROWS, plane, ROWS);
  bvh_planes_begin(&t->bvh, t->degrees);
  run_angles(t);
  return true;
}

written_text *written_text_open(void) {
  written_text *t = heap_alloc(1, sizeof *t);
  sinew_error error = {.message = "out of memory"};
  if (!t) return NULL;
  if (workload_open(sinew_kernels_select(NULL), MADE_BODY_ALL, NULL, &t->work, &error) == SINEW_OK) {
    workload_run(&t->work, WORKLOAD_PIPELINE);
    if (open_bvh(t, &error) && fill_columns(t)) return t;
  }
  fprintf(stderr, "%s\n", error.message);
  written_text_close(t);
  return NULL;
}

void written_text_close(written_text *t) {
  if (!t) return;
  text_out_release(&t->text);
  bvh_plan_release(&t->bvh);
  workload_close(&t->work);
  heap_free(t->rows);
  heap_free(t->columns);
  heap_free(t->degrees);
  heap_free(t);
}

void written_text_case(written_text *t, written_case which, bench_case *out) {
  static const struct {
    const char *name;
    void (*run)(void *subject);
    double poses;
  } cases[WRITTEN_CASE_COUNT] = {{"write_angles", run_angles, SINEW_BLOCK},
                                 {"write_bvh_text", run_bvh, SINEW_BLOCK},
                                 {"write_anim_text", run_anim, 0},
                                 {"write_csv_text", run_csv, ROWS}};
  cases[which].run(t);
  *out = (bench_case){.name = cases[which].name,
                      .isa = "",
                      .run = cases[which].run,
                      .subject = t,
                      .poses = cases[which].poses,
                      .bytes = which == WRITTEN_ANGLES ? 0 : (double)t->text.byte_count};
}
