/* Every clip of the data folder to every format that holds it, and back: reading the file gives the same
 * muscles, bit for bit, or the same pose. Muscles go to a rig each, in turn; bones to their own skeleton and
 * to a rig each. Clips of more frames than some are written at a lower rate, unless SINEW_TEST_LONG is set.
 * What fails and, with SINEW_TEST_VERBOSE, the worst of each format is told as a table. */
#include "support/bake.h"
#include "support/data.h"
#include "trip.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMATS = 6, MOST_FRAMES = 200, PATHS = 128 };

/* Of each measure: text has 6 decimals of a degree, a float of 180 degrees 4e-6 either way, and errors add up
 * along a chain. */
static const double most[TRIP_MEASURES] = {
    [TRIP_BITS] = 0,         [TRIP_TURN_DEG] = 1e-4,   [TRIP_PLACE] = 1e-5,
    [TRIP_HUMAN_DEG] = 1e-4, [TRIP_HIPS_PLACE] = 5e-5, [TRIP_THREE_DEG] = 0.1};

typedef struct worst {
  double value;
  char of[256];
} worst;

typedef struct matrix {
  sinew_context *context;
  char *folder;
  sinew_rig *rigs[PATHS];
  const char *rig_names[PATHS];
  uint32_t rig_count, turn;
  worst worst[FORMATS][TRIP_MEASURES];
  uint32_t gone[FORMATS], refused[FORMATS];
} matrix;

static const char *name_of(const char *path) {
  return strrchr(path, '/') + 1;
}

static bool is_long(void) {
  return getenv("SINEW_TEST_LONG") != NULL;
}

/* ---- the table ------------------------------------------------------------------------------------------
 */

static void note(matrix *m, const trip_result *r, sinew_format format, const char *what) {
  m->gone[format]++;
  for (int i = 0; i < TRIP_MEASURES; i++) {
    if (!r->compared[i]) continue;
    worst *w = &m->worst[format][i];
    cr_expect(r->worst[i] <= most[i], "%s as %s: %s %.3g, at most %.3g: frame %llu of %llu, %s %s", what,
              sinew_format_name(format), trip_measure_name[i], r->worst[i], most[i],
              (unsigned long long)r->frame[i], (unsigned long long)r->frames, r->name[i], r->error.message);
    if (w->of[0] && r->worst[i] <= w->value) continue;
    w->value = r->worst[i];
    snprintf(w->of, sizeof w->of, "%s", what);
  }
}

static void tell(const matrix *m, const char *title) {
  if (!getenv("SINEW_TEST_VERBOSE")) return;
  for (uint32_t f = 0; f < FORMATS; f++) {
    if (m->gone[f] + m->refused[f] == 0) continue;
    fprintf(stderr, "%s %s: %u files, %u refused\n", title, sinew_format_name(f), m->gone[f], m->refused[f]);
    for (int i = 0; i < TRIP_MEASURES; i++)
      if (m->worst[f][i].of[0])
        fprintf(stderr, "    %s: %.3g, %s\n", trip_measure_name[i], m->worst[f][i].value, m->worst[f][i].of);
  }
}

/* ---- files ----------------------------------------------------------------------------------------------
 */

static void open_matrix(matrix *m) {
  static const char *const kinds[][2] = {{"humanoid/metas", ".meta"},
                                         {"humanoid/truth", ".meta"},
                                         {"humanoid/avatars", ".meta"},
                                         {"humanoid/avatars", ".asset"},
                                         {"humanoid/avatars", ".prefab"},
                                         {"rigs", ".glb"},
                                         {"rigs", ".vrm"}};
  memset(m, 0, sizeof *m);
  m->context = test_open_context(NULL, 2);
  m->folder = test_folder_make();
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t count;
    char **paths = test_data_list(kinds[i][0], kinds[i][1], &count);
    for (size_t k = 0; k < count && m->rig_count < PATHS; k++) {
      sinew_error error;
      if (sinew_rig_open(paths[k], NULL, &m->rigs[m->rig_count], &error) != SINEW_OK) continue;
      m->rig_names[m->rig_count++] = name_of(paths[k]);
    }
  }
  cr_assert(m->rig_count >= 20, "%u rigs", m->rig_count);
}

static void close_matrix(matrix *m) {
  for (uint32_t i = 0; i < m->rig_count; i++) sinew_rig_close(m->rigs[i]);
  sinew_context_close(m->context);
  test_folder_remove(m->folder);
}

static trip trip_of(const matrix *m, const sinew_clip *clip, const sinew_rig *rig, sinew_format format) {
  return (trip){.context = m->context,
                .clip = clip,
                .rig = rig,
                .folder = m->folder,
                .most_frames = is_long() ? 0 : MOST_FRAMES,
                .options = {.format = format, .mesh = SINEW_MESH_NONE}};
}

/* Some of what single formats may be told, in turn. */
static void vary(matrix *m, sinew_bake_options *options) {
  static const char *const orders[] = {NULL, "XYZ", "ZYX", "YXZ"};
  const uint32_t turn = m->turn++;
  options->bvh_order = orders[turn % 4];
  options->bvh_metres = turn % 3 == 1;
  options->npz_xyz = turn % 5 == 4;
}

static void go(matrix *m, const sinew_clip *clip, const sinew_rig *rig, sinew_format format,
               const char *what) {
  trip t = trip_of(m, clip, rig, format);
  vary(m, &t.options);
  const trip_result r = trip_go(&t);
  if (r.result == SINEW_OK) {
    note(m, &r, format, what);
    return;
  }
  m->refused[format]++;
  cr_expect(0, "%s as %s: %s", what, sinew_format_name(format), r.error.message);
}

static void go_all(matrix *m, const sinew_clip *clip, const sinew_rig *rig, const char *name,
                   const char *rig_name) {
  char what[512];
  snprintf(what, sizeof what, "%s on %s", name, rig_name);
  for (uint32_t f = 0; f < FORMATS; f++) go(m, clip, rig, (sinew_format)f, what);
}

/* ---- muscles --------------------------------------------------------------------------------------------
 */

static void muscles_of(matrix *m, const char *path) {
  sinew_clip_file *file = test_open_clip(path);
  for (uint32_t i = 0; i < sinew_clip_file_count(file); i++) {
    const sinew_clip *clip = sinew_clip_file_clip(file, i);
    const uint32_t rig = m->turn / 11 % m->rig_count;
    go_all(m, clip, m->rigs[rig], name_of(path), m->rig_names[rig]);
    go(m, clip, NULL, SINEW_FORMAT_ANIM, name_of(path));
    go(m, clip, NULL, SINEW_FORMAT_CSV, name_of(path));
    m->turn += 3; /* the next rig, other options */
  }
  sinew_clip_file_close(file);
}

Test(every_format, clips_of_muscles, .timeout = 900) {
  NEED_DATA();
  matrix m;
  size_t count, more;
  open_matrix(&m);
  char **paths = test_data_list("humanoid/clips", ".anim", &count),
       **truth = test_data_list("humanoid/truth", ".anim", &more);
  for (size_t i = 0; i < count; i++) muscles_of(&m, paths[i]);
  for (size_t i = 0; i < more; i++) muscles_of(&m, truth[i]);
  cr_expect(count + more >= 39, "%zu files", count + more);
  tell(&m, "muscles to");
  close_matrix(&m);
}

/* ---- bones ----------------------------------------------------------------------------------------------
 */

/* Refused by what it is, in a sentence. */
static void expect_refused(matrix *m, const sinew_clip *clip, const sinew_rig *rig, sinew_format format,
                           const char *name) {
  const trip t = trip_of(m, clip, rig, format);
  const trip_result r = trip_go(&t);
  m->refused[format]++;
  cr_expect(r.result == SINEW_ERROR_RIG && strlen(r.error.message) > 20, "%s, no human, as %s: %d, '%s'",
            name, sinew_format_name(format), (int)r.result, r.error.message);
}

static void others(matrix *m, const sinew_clip *clip, const char *name) {
  static const sinew_format human[] = {SINEW_FORMAT_VRMA, SINEW_FORMAT_ANIM, SINEW_FORMAT_CSV},
                            any[] = {SINEW_FORMAT_GLB, SINEW_FORMAT_BVH, SINEW_FORMAT_NPZ};
  for (size_t i = 0; i < 3; i++) expect_refused(m, clip, NULL, human[i], name);
  for (uint32_t f = 0; f < FORMATS; f++) expect_refused(m, clip, m->rigs[0], (sinew_format)f, name);
  for (size_t i = 0; i < 3; i++) go(m, clip, NULL, any[i], name);
}

static void bones_of(matrix *m, const char *path, uint32_t *humans, uint32_t *count) {
  sinew_clip_file *file;
  sinew_error error;
  if (sinew_clip_file_open(path, NULL, &file, &error) != SINEW_OK) return; /* other tests tell of these */
  const uint32_t clips = sinew_clip_file_count(file);
  for (uint32_t i = 0; i < clips && (i < 3 || is_long()); i++) {
    const sinew_clip *clip = sinew_clip_file_clip(file, i);
    sinew_clip_info info;
    sinew_clip_get_info(clip, &info);
    ++*count;
    if (!info.is_human) {
      others(m, clip, name_of(path));
      continue;
    }
    ++*humans;
    const uint32_t rig = m->turn / 13 % m->rig_count;
    go_all(m, clip, NULL, name_of(path), "itself");
    go_all(m, clip, m->rigs[rig], name_of(path), m->rig_names[rig]);
    m->turn++;
  }
  sinew_clip_file_close(file);
}

Test(every_format, clips_of_bones, .timeout = 1800) {
  NEED_DATA();
  static const char *const kinds[][2] = {
      {"bvh", ".bvh"}, {"rigs", ".glb"}, {"rigs", ".vrma"}, {"humanoid/truth", ".glb"}};
  matrix m;
  uint32_t humans = 0, clips = 0;
  open_matrix(&m);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t count;
    char **paths = test_data_list(kinds[i][0], kinds[i][1], &count);
    for (size_t k = 0; k < count; k++) bones_of(&m, paths[k], &humans, &clips);
  }
  cr_expect(humans >= 30 && clips > humans, "%u human clips of %u", humans, clips);
  tell(&m, "bones to");
  close_matrix(&m);
}
