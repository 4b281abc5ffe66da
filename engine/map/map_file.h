/* A map as a file: {"sinew_map": 1, "bones": {"LeftUpperArm": "node name" | {"node": index} | null, ...}, and what
 * map_ranges.h says}. null: the bone is not mapped. index: the file's own of the node. Bones that are not named are
 * found as ever; "bones" may be left out where something else is said. */
#ifndef SINEW_MAP_MAP_FILE_H
#define SINEW_MAP_MAP_FILE_H

#include "map/map_ranges.h"
#include "read/reader.h"
#include "skeleton/skeleton.h"
#include "write/json_out.h"

typedef enum map_file_kind { MAP_FILE_UNSAID, MAP_FILE_NO_NODE, MAP_FILE_NAME, MAP_FILE_INDEX } map_file_kind;

typedef struct map_file {
  arena memory;
  map_file_kind kind[HUMAN_BONE_COUNT];
  const char *name[HUMAN_BONE_COUNT];
  uint32_t index[HUMAN_BONE_COUNT];
  bool has_bones; /* false: it says nothing of which node is which bone */
  map_ranges ranges;
} map_file;

/* The bytes are not kept. Errors: SYNTAX, UNSUPPORTED (another version), LIMIT, MEMORY, of the file also IO.
 * The map is empty then. */
sinew_result map_file_read(const read_source *source, map_file *map, sinew_error *error);
sinew_result map_file_open(const char *path, const sinew_read_options *options, map_file *map,
                           sinew_error *error);
void map_file_release(map_file *map);
/* The nodes that the map means: node_of_bone keeps what the map does not say, said[bone] is set of the rest.
 * Errors, RIG: a name that no node or more than one has, a node twice. */
sinew_result map_file_bind(const map_file *map, const skeleton *s, int32_t *node_of_bone, bool *said,
                           sinew_error *error);
/* Every bone, in the order of the humanoid's table; nodes whose name is another's too by index. ranges NULL: none. */
void map_file_write(const skeleton *s, const int32_t *node_of_bone, const map_ranges *ranges, json_out *out);

#endif
