#include "motion/node_order.h"
#include "base/error.h"

#include <string.h>

/* Children that stand before their parents wait in lists. */
typedef struct ordering {
  int32_t *waiting, *next; /* first of a node's, and the next of the same parent's; -1: none */
  uint32_t *node_at;       /* the node that comes at a place */
  int32_t *place_of;       /* -1: not placed yet */
  uint32_t placed;
} ordering;

static void place(ordering *o, uint32_t node) {
  o->node_at[o->placed] = node;
  o->place_of[node] = (int32_t)o->placed++;
}

/* The places behind `first` are its own list of whom to ask next: whoever is placed brings those who waited.
 */
static void place_with_waiting(ordering *o, uint32_t node) {
  uint32_t asked = o->placed;
  place(o, node);
  for (; asked < o->placed; asked++)
    for (int32_t child = o->waiting[o->node_at[asked]]; child >= 0; child = o->next[child])
      place(o, (uint32_t)child);
}

static void wait_for(ordering *o, uint32_t node, int32_t parent) {
  int32_t *link = &o->waiting[parent];
  while (*link >= 0) link = &o->next[*link];
  *link = (int32_t)node;
}

static void find_order(const skeleton *s, ordering *o) {
  for (uint32_t i = 0; i < s->node_count; i++) o->waiting[i] = o->next[i] = o->place_of[i] = -1;
  for (uint32_t i = 0; i < s->node_count; i++) {
    const int32_t parent = s->nodes[i].parent;
    if (parent >= 0 && o->place_of[parent] < 0)
      wait_for(o, i, parent);
    else
      place_with_waiting(o, i);
  }
}

/* ---- what names nodes --------------------------------------------------------------------------------- */

static bool follow_nodes(skeleton *s, const ordering *o) {
  skeleton_node *nodes = arena_alloc(&s->memory, s->node_count, sizeof *nodes);
  if (!nodes) return false;
  for (uint32_t i = 0; i < s->node_count; i++) {
    nodes[i] = s->nodes[o->node_at[i]];
    if (nodes[i].parent >= 0) nodes[i].parent = o->place_of[nodes[i].parent];
  }
  s->nodes = nodes;
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    if (s->node_of_bone[bone] >= 0) s->node_of_bone[bone] = o->place_of[s->node_of_bone[bone]];
  return true;
}

static bool follow_tracks(motion_file *file, motion *m, const ordering *o) {
  motion_track *tracks = arena_alloc(&file->memory, m->track_count, sizeof *tracks);
  if (!tracks) return false;
  for (uint32_t i = 0; i < m->track_count; i++) {
    tracks[i] = m->tracks[i];
    tracks[i].node = (uint32_t)o->place_of[tracks[i].node];
  }
  m->tracks = tracks;
  return true;
}

/* A file's channels are its motions' too. */
static bool follow_channels(motion_file *file, const ordering *o) {
  motion_channel *channels = arena_alloc(&file->skeleton->memory, file->channel_count, sizeof *channels);
  if (!channels) return false;
  for (uint32_t i = 0; i < file->channel_count; i++) {
    channels[i] = file->channels[i];
    channels[i].node = (uint32_t)o->place_of[channels[i].node];
  }
  for (uint32_t i = 0; i < file->motion_count; i++)
    if (file->motions[i].channels == file->channels) file->motions[i].channels = channels;
  file->channels = channels;
  return true;
}

static bool follow(motion_file *file, const ordering *o) {
  if (!follow_nodes(file->skeleton, o)) return false;
  for (uint32_t i = 0; i < file->motion_count; i++)
    if (!follow_tracks(file, &file->motions[i], o)) return false;
  return follow_channels(file, o);
}

sinew_result node_order_restore(motion_file *file, sinew_error *error) {
  const skeleton *s = file->skeleton;
  arena working = {.byte_limit = file->memory.byte_limit};
  ordering o = {.waiting = arena_alloc(&working, s->node_count, sizeof *o.waiting),
                .next = arena_alloc(&working, s->node_count, sizeof *o.next),
                .node_at = arena_alloc(&working, s->node_count, sizeof *o.node_at),
                .place_of = arena_alloc(&working, s->node_count, sizeof *o.place_of)};
  bool done = o.waiting && o.next && o.node_at && o.place_of;
  if (done) {
    find_order(s, &o);
    done = follow(file, &o);
  }
  arena_release(&working);
  SINEW_CHECK(done, error, SINEW_ERROR_MEMORY, "out of memory for %u nodes in another order", s->node_count);
  return SINEW_OK;
}
