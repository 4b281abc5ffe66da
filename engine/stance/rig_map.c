#include "base/error.h"
#include "map/map_file.h"
#include "rig/rig.h"
#include "write/outfile.h"

#include <string.h>

/* What a map file needs of a skeleton: names and the file's own indices. */
static sinew_result skeleton_of(const sinew_rig *rig, skeleton *s, sinew_error *error) {
  s->node_count = rig->node_count;
  s->nodes = arena_alloc(&s->memory, rig->node_count, sizeof *s->nodes);
  SINEW_CHECK(s->nodes, error, SINEW_ERROR_MEMORY, "out of memory for %u nodes", rig->node_count);
  for (uint32_t i = 0; i < rig->node_count; i++)
    s->nodes[i] = (skeleton_node){.name = rig->nodes[i].name,
                                  .parent = rig->nodes[i].parent,
                                  .source_index = rig->source_node ? rig->source_node[i] : i};
  return SINEW_OK;
}

static sinew_result write_file(const json_out *text, const char *path, sinew_error *error) {
  outfile file;
  SINEW_CHECK(!text->failed, error, SINEW_ERROR_MEMORY, "out of memory for the map's text");
  SINEW_TRY(outfile_open(path, &file, error));
  const sinew_result result = outfile_write(&file, text->bytes, text->byte_count, 0, error);
  if (result == SINEW_OK) return outfile_publish(&file, error);
  outfile_discard(&file);
  return result;
}

sinew_result sinew_rig_save_map(const sinew_rig *rig, const char *path, sinew_error *error) {
  SINEW_CHECK(rig && path, error, SINEW_ERROR_ARGUMENT, "rig and path must not be NULL");
  HEAP_SCOPE(heap_owner(rig));
  skeleton s = {0};
  json_out text = {0};
  sinew_result result = skeleton_of(rig, &s, error);
  if (result == SINEW_OK) {
    map_file_write(&s, rig->node_of_bone, &text);
    result = write_file(&text, path, error);
  }
  json_release(&text);
  arena_release(&s.memory);
  return result;
}
