#include "write/synthetic.h"
#include "write/outfile.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the rig ------------------------------------------------------------------------------------------ */

static const rig_node rest[SYNTHETIC_NODES] = {
    {"Armature", -1, {0, 0.01, 0}, {-0.5, 0.5, 0.5, 0.5}, {100, 100, 100}},
    {"Hips", 0, {0, 0, 0.0098}, {0.5, -0.5, -0.5, 0.5}, {0.01, 0.01, 0.01}},
    {"Spine", 1, {0.01, 0.12, -0.01}, {0.1, 0.2, -0.05, 1}, {1, 1, 1}},
    {"Spine.twist", 2, {0, 0.11, 0.02}, {0.3, -0.1, 0.2, 1}, {1, 1, 1}},
    {"Chest", 3, {0, 0.13, 0}, {-0.2, 0.05, 0.1, 1}, {2, 2, 2}},
    {"Neck", 4, {0, 0.09, -0.01}, {0, 0, 0, 1}, {0.5, 0.5, 0.5}},
    {"Head", 5, {0, 0.1, 0.03}, {0.1, 0.1, 0.1, 1}, {1, 1, 1}},
    {"Arm.L", 4, {-0.08, 0.06, 0.01}, {0.4, 0.3, -0.6, 1}, {0.5, 0.5, 0.5}},
    {"Fore \"Arm\" L", 7, {-0.27, 0.01, 0}, {0.1, -0.5, 0.05, 1}, {1, 1, 1}},
    {"Hand.L", 8, {-0.25, 0, 0.02}, {0.3, 0.2, 0.1, 1}, {1, 1, 1}},
    {"Arm.R", 4, {0.08, 0.06, 0.01}, {0.2, -0.3, 0.7, 1}, {0.5, 0.5, 0.5}},
    {"Hand.R", 10, {0.5, -0.02, 0.01}, {-0.1, 0.3, 0.2, 1}, {1, 1, 1}},
    {"Leg.L", 1, {-0.1, -0.05, 0}, {0.9, 0.1, -0.1, 0.3}, {1, 1, 1}},
    {"Foot.L", 12, {0.02, 0.82, 0.03}, {0.5, 0.5, 0.1, 0.6}, {1, 1, 1}},
    {"Leg.R", 1, {0.1, -0.05, 0}, {0.9, -0.1, 0.1, 0.3}, {1, 1, 1}},
    {"Foot.R", 14, {-0.02, 0.82, 0.03}, {0.5, -0.5, -0.1, 0.6}, {1, 1, 1}},
};

static const glb_track tracks[SYNTHETIC_TRACKS] = {
    {1, GLB_TRANSLATION, false}, {1, GLB_ROTATION, false},   {2, GLB_ROTATION, false},
    {4, GLB_ROTATION, false},    {5, GLB_ROTATION, false},   {7, GLB_ROTATION, false},
    {8, GLB_ROTATION, true},     {10, GLB_ROTATION, false},  {12, GLB_ROTATION, false},
    {14, GLB_ROTATION, false},   {6, GLB_TRANSLATION, true},
};

static void normalise(double q[4]) {
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; i++) q[i] /= length;
}

void synthetic_open(synthetic_clip *clip, uint64_t frame_count) {
  memset(clip, 0, sizeof *clip);
  memcpy(clip->nodes, rest, sizeof rest);
  memcpy(clip->tracks, tracks, sizeof tracks);
  for (int i = 0; i < SYNTHETIC_NODES; i++) normalise(clip->nodes[i].q);
  clip->height_m = 1.7;
  clip->plan = (glb_plan){.nodes = clip->nodes,
                          .node_count = SYNTHETIC_NODES,
                          .clip_name = "made up",
                          .source_name = "made_up.anim",
                          .profile = "fma",
                          .rate_hz = 30,
                          .frame_count = frame_count,
                          .start_s = 0.5,
                          .stop_s = 0.5 + (double)(frame_count - 1) / 30,
                          .tracks = clip->tracks,
                          .track_count = SYNTHETIC_TRACKS};
}

/* ---- poses -------------------------------------------------------------------------------------------- */

void synthetic_value(const synthetic_clip *clip, uint32_t track, uint64_t frame, double value[4]) {
  const glb_track *t = &clip->tracks[track];
  const rig_node *node = &clip->nodes[t->node];
  double time_s = t->constant ? 0.37 : (double)frame / 30;
  const double *from = t->path == GLB_ROTATION ? node->q : node->t;
  double size = t->path == GLB_ROTATION ? 0.4
                : node->parent == 0     ? 0.002
                                        : 0.02; /* the root's unit is 100 m */
  int count = t->path == GLB_ROTATION ? 4 : 3;
  value[3] = 0;
  for (int i = 0; i < count; i++)
    value[i] = from[i] + size * sin((double)(track + 1) * 1.3 + (1.7 + 0.31 * i) * time_s + i);
  if (count == 4) normalise(value);
}

typedef struct matrix {
  double m[3][4];
} matrix;

static matrix from_parts(const double t[3], const double q[4], const double s[3]) {
  matrix out;
  for (int column = 0; column < 3; column++) { /* the image of each axis: q * axis * conj(q) */
    double v[4] = {column == 0, column == 1, column == 2, 0};
    double u[3] = {q[0], q[1], q[2]}, w = q[3];
    double along = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    for (int row = 0; row < 3; row++)
      out.m[row][column] = s[column] * (2 * along * u[row] + (w * w - square) * v[row] + 2 * w * cross[row]);
  }
  for (int row = 0; row < 3; row++) out.m[row][3] = t[row];
  return out;
}

static matrix times(const matrix *a, const matrix *b) {
  matrix out;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) {
      out.m[row][column] = column == 3 ? a->m[row][3] : 0;
      for (int k = 0; k < 3; k++) out.m[row][column] += a->m[row][k] * b->m[k][column];
    }
  return out;
}

void synthetic_positions(const synthetic_clip *clip, uint64_t frame, double position[SYNTHETIC_NODES][3]) {
  rig_node posed[SYNTHETIC_NODES];
  memcpy(posed, clip->nodes, sizeof posed);
  for (uint32_t track = 0; track < SYNTHETIC_TRACKS; track++) {
    double value[4];
    rig_node *node = &posed[clip->tracks[track].node];
    synthetic_value(clip, track, frame, value);
    if (clip->tracks[track].path == GLB_ROTATION)
      memcpy(node->q, value, sizeof node->q);
    else
      memcpy(node->t, value, sizeof node->t);
  }
  matrix world[SYNTHETIC_NODES];
  for (int i = 0; i < SYNTHETIC_NODES; i++) {
    matrix local = from_parts(posed[i].t, posed[i].q, posed[i].s);
    world[i] = posed[i].parent < 0 ? local : times(&world[posed[i].parent], &local);
    position[i][0] = -world[i].m[0][3]; /* glTF's x runs the other way */
    position[i][1] = world[i].m[1][3];
    position[i][2] = world[i].m[2][3];
  }
}

/* ---- writing ------------------------------------------------------------------------------------------ */

static bool write_track(const synthetic_clip *clip, const glb_plan *plan, const glb_layout *layout,
                        uint32_t track, outfile *file, sinew_error *error) {
  bool rotation = clip->tracks[track].path == GLB_ROTATION;
  size_t components = rotation ? 4 : 3;
  uint64_t key_count = glb_key_count(plan, layout, track);
  uint32_t key_bytes = glb_key_bytes(plan, track);
  for (uint64_t key = 0; key < key_count; key++) {
    double value[4];
    float stored[4];
    int16_t shorts[4];
    synthetic_value(clip, track, key, value);
    const double sign[2][4] = {{-1, 1, 1, 1}, {1, -1, -1, 1}};
    for (size_t i = 0; i < components; i++) stored[i] = (float)(sign[rotation][i] * value[i]);
    for (size_t i = 0; i < components; i++) shorts[i] = (int16_t)lround(32767 * (double)stored[i]);
    uint64_t at = layout->track_offset[track] + key * key_bytes;
    const void *bytes = rotation && plan->quantized ? (const void *)shorts : stored;
    if (outfile_write(file, bytes, key_bytes, at, error) != SINEW_OK) return false;
  }
  return true;
}

static bool write_all(const synthetic_clip *clip, const glb_plan *plan, const glb_layout *layout,
                      outfile *file, sinew_error *error) {
  const float zero = 0;
  if (outfile_write(file, layout->head, layout->head_byte_count, 0, error) != SINEW_OK) return false;
  if (layout->has_key_time &&
      outfile_write(file, &zero, sizeof zero, layout->key_time_offset, error) != SINEW_OK)
    return false;
  if (glb_write_model(plan, layout, file, error) != SINEW_OK) return false;
  for (uint64_t i = 0; i < layout->time_count; i++) {
    float time_s = glb_key_time(plan, layout, i);
    uint64_t at = layout->times_offset + i * sizeof time_s;
    if (outfile_write(file, &time_s, sizeof time_s, at, error) != SINEW_OK) return false;
  }
  for (uint32_t track = 0; track < plan->track_count; track++)
    if (!write_track(clip, plan, layout, track, file, error)) return false;
  return true;
}

bool synthetic_write(const synthetic_clip *clip, const glb_plan *plan, const char *path, glb_layout *layout,
                     sinew_error *error) {
  if (glb_layout_build(plan, layout, error) != SINEW_OK) return false;
  outfile file;
  if (outfile_open(path, &file, error) != SINEW_OK) return false;
  if (write_all(clip, plan, layout, &file, error)) return outfile_publish(&file, error) == SINEW_OK;
  outfile_discard(&file);
  return false;
}

/* ---- scratch folders ---------------------------------------------------------------------------------- */

const char *scratch_folder(void) {
  static char paths[8][512];
  static unsigned turn;
  char *path = paths[turn++ % 8];
  const char *base = getenv("TMPDIR");
  snprintf(path, sizeof paths[0], "%s/sinew-write-XXXXXX", base && base[0] ? base : "/tmp");
  if (!mkdtemp(path)) {
    perror(path);
    abort();
  }
  return path;
}

void scratch_remove(const char *folder) {
  DIR *handle = opendir(folder);
  if (!handle) return;
  for (struct dirent *entry; (entry = readdir(handle));) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && unlink(path) != 0) rmdir(path);
  }
  closedir(handle);
  rmdir(folder);
}
