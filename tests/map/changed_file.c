#include "map/changed_file.h"
#include "read/motion_reader.h"
#include "support/data.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <string.h>

static unsigned next(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

motion_file *changed_open(const char *relative) {
  motion_file *file = NULL;
  sinew_error error = {0};
  cr_assert(test_data(relative), "%s is missing", relative);
  cr_assert(read_motion_file(test_data(relative), NULL, &file, &error) == SINEW_OK, "%s: %s", relative,
            error.message);
  return file;
}

void changed_forget_stated(motion_file *file) {
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) file->skeleton->node_of_bone[bone] = -1;
}

void changed_rename(motion_file *file, unsigned seed) {
  changed_forget_stated(file);
  for (uint32_t i = 0; i < file->skeleton->node_count; i++) {
    char name[12] = {0};
    for (int k = 0; k < 10; k++) name[k] = (char)('a' + next(&seed) % 26);
    file->skeleton->nodes[i].name = test_keep_text(name);
  }
}

/* ---- another order ------------------------------------------------------------------------------------- */

static void order_nodes(const skeleton *s, unsigned seed, uint32_t *old_of_new, uint32_t *new_of_old) {
  bool *placed = test_keep(s->node_count, sizeof *placed);
  uint32_t *ready = test_keep(s->node_count, sizeof *ready);
  for (uint32_t n = 0; n < s->node_count; n++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->node_count; i++)
      if (!placed[i] && (s->nodes[i].parent < 0 || placed[s->nodes[i].parent])) ready[count++] = i;
    const uint32_t taken = ready[next(&seed) % count];
    placed[taken] = true;
    old_of_new[n] = taken;
    new_of_old[taken] = n;
  }
}

static void move_motion(motion *m, const uint32_t *new_of_old) {
  motion_track *tracks = test_keep(m->track_count + 1, sizeof *tracks);
  motion_channel *channels = test_keep(m->channel_count + 1, sizeof *channels);
  for (uint32_t i = 0; i < m->track_count; i++) {
    tracks[i] = m->tracks[i];
    tracks[i].node = new_of_old[tracks[i].node];
  }
  for (uint32_t i = 0; i < m->channel_count; i++) {
    channels[i] = m->channels[i];
    channels[i].node = new_of_old[channels[i].node];
  }
  m->tracks = tracks;
  m->channels = channels;
}

const uint32_t *changed_shuffle(motion_file *file, unsigned seed) {
  skeleton *s = file->skeleton;
  uint32_t *old_of_new = test_keep(s->node_count, sizeof *old_of_new);
  uint32_t *new_of_old = test_keep(s->node_count, sizeof *new_of_old);
  skeleton_node *nodes = test_keep(s->node_count, sizeof *nodes);
  order_nodes(s, seed, old_of_new, new_of_old);
  for (uint32_t i = 0; i < s->node_count; i++) {
    nodes[i] = s->nodes[old_of_new[i]];
    if (nodes[i].parent >= 0) nodes[i].parent = (int32_t)new_of_old[nodes[i].parent];
  }
  memcpy(s->nodes, nodes, s->node_count * sizeof *nodes);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (s->node_of_bone[bone] >= 0) s->node_of_bone[bone] = (int32_t)new_of_old[s->node_of_bone[bone]];
  for (uint32_t m = 0; m < file->motion_count; m++) move_motion(&file->motions[m], new_of_old);
  return old_of_new;
}

/* ---- a mirror ------------------------------------------------------------------------------------------ */

static void mirror_track(motion_track *track) {
  const uint32_t width = track->path == MOTION_ROTATION ? 4 : 3;
  const uint64_t count = (uint64_t)width * track->key_count * (track->interpolation == MOTION_CUBIC ? 3 : 1);
  float *values = test_keep(count, sizeof *values);
  for (uint64_t i = 0; i < count; i++) {
    const bool turned =
        width == 4 ? i % 4 == 1 || i % 4 == 2 : track->path == MOTION_TRANSLATION && i % 3 == 0;
    values[i] = turned ? -track->values[i] : track->values[i];
  }
  track->values = values;
}

static void mirror_rows(motion *m) {
  float *rows = test_keep(m->frame_count * m->channel_count + 1, sizeof *rows);
  for (uint64_t f = 0; f < m->frame_count; f++)
    for (uint32_t c = 0; c < m->channel_count; c++) {
      const uint8_t kind = m->channels[c].kind;
      const float value = m->rows[f * m->channel_count + c];
      const bool turned = kind == MOTION_X_POSITION || kind == MOTION_Y_ROTATION || kind == MOTION_Z_ROTATION;
      rows[f * m->channel_count + c] = turned ? -value : value;
    }
  m->rows = rows;
}

void changed_mirror(motion_file *file) {
  skeleton *s = file->skeleton;
  for (uint32_t i = 0; i < s->node_count; i++) {
    skeleton_node *node = &s->nodes[i];
    node->t[0] = -node->t[0];
    node->q[1] = -node->q[1], node->q[2] = -node->q[2];
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 4; column++)
        if ((row == 0) != (column == 0)) node->bind[row][column] = -node->bind[row][column];
  }
  for (uint32_t m = 0; m < file->motion_count; m++) {
    motion *one = &file->motions[m];
    motion_track *tracks = test_keep(one->track_count + 1, sizeof *tracks);
    for (uint32_t i = 0; i < one->track_count; i++) {
      tracks[i] = one->tracks[i];
      mirror_track(&tracks[i]);
    }
    one->tracks = tracks;
    if (one->rows) mirror_rows(one);
  }
}

int32_t changed_find(const skeleton *s, const char *name) {
  for (uint32_t i = 0; i < s->node_count; i++)
    if (strcmp(s->nodes[i].name, name) == 0) return (int32_t)i;
  return -1;
}
