/* The public way to a BVH's facts. */
#include "base/error.h"
#include "base/os.h"
#include "read/motion_reader.h"

#include <string.h>

_Static_assert((int)SINEW_BVH_X_POSITION == MOTION_X_POSITION &&
                   (int)SINEW_BVH_Z_ROTATION == MOTION_Z_ROTATION,
               "kinds of channels are the same inside and outside");

struct sinew_bvh {
  motion_file *file;
  sinew_bvh_info info;
  uint32_t *depths; /* of each node, 0 for a root; in the file's memory, as is: */
  uint32_t *first_channels;
  uint8_t *channel_counts;
};

/* ---- facts -------------------------------------------------------------------------------------------- */

typedef struct extent {
  double least[3], most[3];
} extent;

static void reach(extent *e, const double at[3], bool first) {
  for (int axis = 0; axis < 3; axis++) {
    if (first || at[axis] < e->least[axis]) e->least[axis] = at[axis];
    if (first || at[axis] > e->most[axis]) e->most[axis] = at[axis];
  }
}

/* Where all nodes stand at rest: an offset below an offset, since no rest has a rotation. */
static sinew_result measure_rest(sinew_bvh *bvh, sinew_error *error) {
  const skeleton *s = bvh->file->skeleton;
  double(*at)[3] = heap_alloc(s->node_count, sizeof *at);
  SINEW_CHECK(at, error, SINEW_ERROR_MEMORY, "out of memory for %u nodes", s->node_count);
  extent e;
  for (uint32_t i = 0; i < s->node_count; i++) {
    const skeleton_node *node = &s->nodes[i];
    for (int axis = 0; axis < 3; axis++)
      at[i][axis] = node->t[axis] + (node->parent < 0 ? 0 : at[node->parent][axis]);
    reach(&e, at[i], i == 0);
  }
  for (int axis = 0; axis < 3; axis++) bvh->info.rest_size[axis] = e.most[axis] - e.least[axis];
  heap_free(at);
  return SINEW_OK;
}

static void count_nodes(sinew_bvh *bvh) {
  const skeleton *s = bvh->file->skeleton;
  sinew_bvh_info *info = &bvh->info;
  info->node_count = s->node_count;
  info->warning_count = s->warning_count;
  for (uint32_t i = 0; i < s->node_count; i++) {
    const int32_t parent = s->nodes[i].parent;
    bvh->depths[i] = parent < 0 ? 0 : bvh->depths[parent] + 1;
    info->root_count += parent < 0;
    info->joint_count += s->nodes[i].is_joint;
    if (bvh->depths[i] + 1 > info->depth) info->depth = bvh->depths[i] + 1;
  }
}

static void count_channels(sinew_bvh *bvh) {
  const motion_file *file = bvh->file;
  for (uint32_t c = 0; c < file->channel_count; c++) {
    const uint32_t node = file->channels[c].node;
    if (bvh->channel_counts[node]++ == 0) bvh->first_channels[node] = c;
  }
  bvh->info.channel_count = file->channel_count;
  if (file->motion_count == 0) return;
  const motion *m = file->motions;
  bvh->info.has_motion = true;
  bvh->info.frame_count = m->frame_count;
  bvh->info.rate_hz = m->rate_hz;
  bvh->info.duration_s = m->stop_s - m->start_s;
}

static sinew_result find_facts(sinew_bvh *bvh, sinew_error *error) {
  const uint32_t count = bvh->file->skeleton->node_count;
  bvh->depths = arena_alloc(&bvh->file->memory, count, sizeof *bvh->depths);
  bvh->first_channels = arena_alloc(&bvh->file->memory, count, sizeof *bvh->first_channels);
  bvh->channel_counts = arena_alloc(&bvh->file->memory, count, sizeof *bvh->channel_counts);
  SINEW_CHECK(bvh->depths && bvh->first_channels && bvh->channel_counts, error, SINEW_ERROR_MEMORY,
              "no memory for %u nodes (out of memory, or past the limit)", count);
  count_nodes(bvh);
  count_channels(bvh);
  return measure_rest(bvh, error);
}

/* ---- opening ------------------------------------------------------------------------------------------ */

static sinew_result read_into(sinew_bvh *bvh, const read_source *source, sinew_error *error) {
  bvh->file = heap_alloc(1, sizeof *bvh->file);
  SINEW_CHECK(bvh->file, error, SINEW_ERROR_MEMORY, "out of memory");
  bvh->info.byte_count = source->byte_count;
  SINEW_TRY(read_bvh(source, bvh->file, error));
  return find_facts(bvh, error);
}

sinew_result sinew_bvh_open_memory(const void *bytes, size_t byte_count, const char *label,
                                   const sinew_read_options *options, sinew_bvh **bvh, sinew_error *error) {
  SINEW_CHECK(bvh, error, SINEW_ERROR_ARGUMENT, "bvh is NULL");
  *bvh = NULL;
  SINEW_CHECK(bytes || byte_count == 0, error, SINEW_ERROR_ARGUMENT, "bytes is NULL");
  const read_source source = {byte_count ? bytes : "", byte_count, read_limits_complete(options)};
  SINEW_TRY(heap_check_allocator(source.limits.allocator, error));
  HEAP_SCOPE(source.limits.allocator);
  if (byte_count > source.limits.file_bytes) {
    error_set(error, SINEW_ERROR_LIMIT, "has %zu bytes, the limit is %llu", byte_count,
              (unsigned long long)source.limits.file_bytes);
    return error_in_file(error, SINEW_ERROR_LIMIT, label);
  }
  sinew_bvh *opened = heap_alloc(1, sizeof *opened);
  SINEW_CHECK(opened, error, SINEW_ERROR_MEMORY, "out of memory");
  const sinew_result result = read_into(opened, &source, error);
  if (result == SINEW_OK) {
    *bvh = opened;
    return SINEW_OK;
  }
  sinew_bvh_close(opened);
  return error_in_file(error, result, label);
}

sinew_result sinew_bvh_open(const char *path, const sinew_read_options *options, sinew_bvh **bvh,
                            sinew_error *error) {
  SINEW_CHECK(bvh, error, SINEW_ERROR_ARGUMENT, "bvh is NULL");
  *bvh = NULL;
  SINEW_CHECK(path, error, SINEW_ERROR_ARGUMENT, "path is NULL");
  const sinew_read_options complete = read_limits_complete(options);
  SINEW_TRY(heap_check_allocator(complete.allocator, error));
  HEAP_SCOPE(complete.allocator);
  os_file file;
  SINEW_TRY(os_file_open(path, complete.file_bytes, &file, error));
  const sinew_result result = sinew_bvh_open_memory(file.bytes, file.byte_count, path, options, bvh, error);
  os_file_close(&file);
  return result;
}

void sinew_bvh_close(sinew_bvh *bvh) {
  if (!bvh) return;
  motion_file_close(bvh->file);
  heap_free(bvh);
}

/* ---- what is told ------------------------------------------------------------------------------------- */

void sinew_bvh_get_info(const sinew_bvh *bvh, sinew_bvh_info *info) {
  if (!info) return;
  *info = bvh ? bvh->info : (sinew_bvh_info){0};
}

bool sinew_bvh_get_node(const sinew_bvh *bvh, uint32_t index, sinew_bvh_node *node) {
  if (!bvh || !node || index >= bvh->info.node_count) return false;
  const skeleton_node *from = &bvh->file->skeleton->nodes[index];
  *node = (sinew_bvh_node){.name = from->name,
                           .parent = from->parent,
                           .depth = bvh->depths[index],
                           .end_site = !from->is_joint,
                           .offset = {from->t[0], from->t[1], from->t[2]},
                           .first_channel = bvh->first_channels[index],
                           .channel_count = bvh->channel_counts[index]};
  for (uint32_t c = 0; c < node->channel_count; c++)
    node->channels[c] = (sinew_bvh_channel)bvh->file->channels[node->first_channel + c].kind;
  return true;
}

const float *sinew_bvh_row(const sinew_bvh *bvh, uint64_t frame) {
  if (!bvh || frame >= bvh->info.frame_count) return NULL;
  return bvh->file->motions->rows + frame * bvh->info.channel_count;
}

const char *sinew_bvh_warning(const sinew_bvh *bvh, uint32_t index) {
  return bvh && index < bvh->info.warning_count ? bvh->file->skeleton->warnings[index] : NULL;
}
