/* The stance of every public rig and recording. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/motion_reader.h"
#include "rig/quat.h"
#include "stance/align.h"
#include "stance/named_map.h"
#include "stance/stance.h"
#include "support/data.h"

typedef struct found_body {
  stance st;
  turned_body body; /* in T-pose, in the body frame */
  arena memory;
} found_body;

static void place(const skeleton *s, const int32_t *map, found_body *f) {
  double(*matrix)[3][4] = arena_alloc(&f->memory, s->node_count, sizeof *matrix);
  cr_assert(matrix && turned_body_alloc(s, map, &f->memory, &f->body));
  memcpy(f->body.align, f->st.align_q, sizeof f->body.align);
  const local_pose rest = {f->st.rest_t, f->st.rest_q, f->st.rest_s};
  turned_body_take(&f->body, &rest, matrix);
  memcpy(f->body.local, f->st.tpose_q, s->node_count * sizeof *f->body.local);
  turned_body_place(&f->body);
}

static double off(const found_body *f, int from, int to, double x, double y, double z) {
  double way[3];
  if (!(bone_way(&f->body, from, to, way) > 0)) return 0;
  return way_degrees(way, (double[3]){x, y, z});
}

static void expect_tpose(const found_body *f, const char *path) {
  for (int side = 0; side < 2; side++) {
    const double out = side ? -1 : 1;
    cr_expect_lt(off(f, HUMAN_LEFT_UPPER_ARM + side, HUMAN_LEFT_LOWER_ARM + side, out, 0, 0), 5.001, "%s",
                 path);
    cr_expect_lt(off(f, HUMAN_LEFT_LOWER_ARM + side, HUMAN_LEFT_HAND + side, out, 0, 0), 5.001, "%s", path);
    cr_expect_lt(off(f, HUMAN_LEFT_UPPER_LEG + side, HUMAN_LEFT_LOWER_LEG + side, 0, -1, 0), 5.001, "%s",
                 path);
    cr_expect_lt(off(f, HUMAN_LEFT_LOWER_LEG + side, HUMAN_LEFT_FOOT + side, 0, -1, 0), 5.001, "%s", path);
    double way[3];
    if (bone_way(&f->body, HUMAN_LEFT_FOOT + side, HUMAN_LEFT_TOES + side, way) > 0)
      cr_expect_gt(way[2], 0.2, "%s: foot %d points to %g %g %g", path, side, way[0], way[1], way[2]);
  }
  cr_expect_lt(off(f, HUMAN_HIPS, HUMAN_HEAD, 0, 1, 0), 25, "%s", path);
  body_axes axes;
  cr_assert(body_measure(&f->body, &axes), "%s", path);
  cr_expect_gt(axes.forward[2], 0.93, "%s faces %g %g %g", path, axes.forward[0], axes.forward[1],
               axes.forward[2]);
  const double height =
      (bone_place(&f->body, HUMAN_HEAD)[1] - lowest_foot(&f->body, (double[3]){0, 1, 0})) * f->st.unit_m;
  cr_expect(height > 0.9 && height < 2.2, "%s is %g m high", path, height);
}

/* What each file gave, for who sets SINEW_TEST_REPORT. */
static void report(const char *path, const found_body *f) {
  if (!getenv("SINEW_TEST_REPORT")) return;
  static const char *const origins[] = {"rest", "bind", "frame"};
  const stance *st = &f->st;
  const char *name = strrchr(path, '/');
  double most = 0;
  int worst = 0;
  for (int b = 0; b < HUMAN_BONE_COUNT; b++)
    if (st->turn_deg[b] > most) most = st->turn_deg[b], worst = b;
  fprintf(stderr,
          "%-44s %-5s %5llu arm %5.1f %5.1f leg %5.1f %5.1f most %5.1f %-16s unit %-6g%s align %6.3f %6.3f "
          "%6.3f %6.3f "
          "ground %6.3f reach %5.3f hips_y %.3f\n",
          name + 1, origins[st->origin], (unsigned long long)st->frame + 1,
          st->turn_deg[HUMAN_LEFT_UPPER_ARM], st->turn_deg[HUMAN_LEFT_LOWER_ARM],
          st->turn_deg[HUMAN_LEFT_UPPER_LEG], st->turn_deg[HUMAN_LEFT_LOWER_LEG], most,
          human_bones[worst].name, st->unit_m, st->unit_inferred ? "*" : " ", st->align_q[0], st->align_q[1],
          st->align_q[2], st->align_q[3], st->ground_m, st->reach_m, st->tpose_hips_t[1]);
  for (uint32_t i = 0; i < st->warning_count; i++) fprintf(stderr, "    %s\n", st->warnings[i]);
}

static uint32_t check_folder(const char *folder, const char *suffix) {
  size_t count;
  char **paths = test_data_list(folder, suffix, &count);
  uint32_t bodies = 0;
  for (size_t i = 0; i < count; i++) {
    motion_file *file;
    sinew_error error;
    int32_t map[HUMAN_BONE_COUNT];
    found_body f = {0};
    if (read_motion_file(paths[i], NULL, &file, &error) != SINEW_OK) continue;
    if (named_map(file->skeleton, map) && !strstr(paths[i], "mochi")) {
      bodies++;
      cr_assert_eq(stance_find(file->skeleton, map, file->motions, file->motion_count, NULL, &f.st, &error),
                   SINEW_OK, "%s: %s", paths[i], error.message);
      place(file->skeleton, map, &f);
      report(paths[i], &f);
      expect_tpose(&f, paths[i]);
      arena_release(&f.memory);
      stance_release(&f.st);
    }
    motion_file_close(file);
  }
  return bodies;
}

Test(stance_data, every_rig) {
  NEED_DATA();
  cr_expect_eq(check_folder("rigs", ".glb") + check_folder("rigs", ".vrm") + check_folder("rigs", ".vrma"),
               12);
}

Test(stance_data, every_recording) {
  NEED_DATA();
  cr_expect_eq(check_folder("bvh", ".bvh"), 24);
}
