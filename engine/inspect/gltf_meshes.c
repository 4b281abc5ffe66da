/* Meshes: how many vertices and triangles, and that every accessor they name suits. */
#include "base/error.h"
#include "inspect/gltf.h"
#include "verify/json_field.h"

#include <string.h>

typedef struct primitive {
  uint32_t mesh;
  uint32_t index;
  uint64_t vertex_count; /* of each attribute */
} primitive;

static sinew_result attribute_accessor(gltf_reading *reading, const primitive *part, const char *name,
                                       const json_t *value, gltf_accessor **accessor, sinew_error *error) {
  const json_int_t index = json_is_integer(value) ? json_integer_value(value) : -1;
  *accessor = NULL;
  if (index < 0 || index >= (json_int_t)reading->accessor_count) {
    char shown[48];
    return error_set(error, SINEW_ERROR_VERIFY, "mesh %u, primitive %u: %s is no accessor", part->mesh,
                     part->index, error_printable(name, strlen(name), shown, sizeof shown));
  }
  *accessor = &reading->accessors[index];
  (*accessor)->use |= GLTF_USE_MESH;
  return SINEW_OK;
}

/* Attributes of a primitive or of one of its morph targets: all as long as the first. */
static sinew_result read_attributes(gltf_reading *reading, const json_t *attributes, primitive *part,
                                    sinew_error *error) {
  SINEW_CHECK(json_is_object(attributes), error, SINEW_ERROR_VERIFY,
              "mesh %u, primitive %u: attributes is missing or no object", part->mesh, part->index);
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)attributes, name, value) {
    gltf_accessor *accessor;
    SINEW_TRY(attribute_accessor(reading, part, name, value, &accessor, error));
    if (part->vertex_count == 0) part->vertex_count = accessor->count;
    SINEW_CHECK(accessor->count == part->vertex_count, error, SINEW_ERROR_VERIFY,
                "mesh %u, primitive %u: attributes have %llu and %llu vertices", part->mesh, part->index,
                (unsigned long long)part->vertex_count, (unsigned long long)accessor->count);
  }
  return SINEW_OK;
}

/* Primitives of one mesh often share their vertices: each accessor of positions counts once per mesh. */
static void count_vertices(gltf_reading *reading, const json_t *attributes, const primitive *part,
                           uint32_t stamp) {
  const json_t *position = json_object_get(attributes, "POSITION");
  if (!position) return;
  gltf_accessor *accessor = &reading->accessors[json_integer_value(position)];
  if (accessor->stamp == stamp) return;
  accessor->stamp = stamp;
  reading->glb->meshes[part->mesh].vertex_count += accessor->count;
}

static sinew_result read_indices(gltf_reading *reading, json_place place, const primitive *part,
                                 uint64_t *count, sinew_error *error) {
  *count = part->vertex_count;
  const json_t *indices = json_object_get(place.object, "indices");
  if (!indices) return SINEW_OK;
  gltf_accessor *accessor;
  SINEW_TRY(attribute_accessor(reading, part, "indices", indices, &accessor, error));
  const uint32_t type = accessor->component_type;
  SINEW_CHECK(accessor->component_count == 1 && (type == 5121 || type == 5123 || type == 5125), error,
              SINEW_ERROR_VERIFY, "mesh %u, primitive %u: indices are no unsigned SCALAR", part->mesh,
              part->index);
  *count = accessor->count;
  return SINEW_OK;
}

static uint64_t triangles_of(uint64_t mode, uint64_t count) {
  enum { TRIANGLES = 4, TRIANGLE_STRIP = 5, TRIANGLE_FAN = 6 };
  if (mode == TRIANGLES) return count / 3;
  return (mode == TRIANGLE_STRIP || mode == TRIANGLE_FAN) && count > 2 ? count - 2 : 0;
}

static sinew_result read_targets(gltf_reading *reading, json_place place, primitive *part, uint32_t *count,
                                 sinew_error *error) {
  SINEW_TRY(gltf_list_size(place.object, "targets", count, error));
  for (uint32_t i = 0; i < *count; i++)
    SINEW_TRY(
        read_attributes(reading, json_array_get(json_object_get(place.object, "targets"), i), part, error));
  return SINEW_OK;
}

static sinew_result read_primitive(gltf_reading *reading, json_place mesh_place, uint32_t index,
                                   uint32_t stamp, sinew_error *error) {
  sinew_glb_mesh *mesh = &reading->glb->meshes[mesh_place.index];
  primitive part = {.mesh = (uint32_t)mesh_place.index, .index = index};
  json_place place;
  uint64_t mode, element_count;
  uint32_t target_count;
  SINEW_TRY(field_element(mesh_place.object, "primitives", "primitive", index, &place, error));
  SINEW_TRY(field_size(place, "mode", 4, &mode, error));
  SINEW_CHECK(mode <= 6, error, SINEW_ERROR_VERIFY, "mesh %u, primitive %u: mode is out of range", part.mesh,
              index);
  const json_t *attributes = json_object_get(place.object, "attributes");
  SINEW_TRY(read_attributes(reading, attributes, &part, error));
  SINEW_TRY(read_indices(reading, place, &part, &element_count, error));
  SINEW_TRY(read_targets(reading, place, &part, &target_count, error));
  SINEW_CHECK(index == 0 || target_count == mesh->morph_target_count, error, SINEW_ERROR_VERIFY,
              "mesh %u: its primitives have %u and %u morph targets", part.mesh, mesh->morph_target_count,
              target_count);
  mesh->morph_target_count = target_count;
  mesh->triangle_count += triangles_of(mode, element_count);
  count_vertices(reading, attributes, &part, stamp);
  return SINEW_OK;
}

static sinew_result read_mesh(gltf_reading *reading, uint32_t index, sinew_error *error) {
  sinew_glb_mesh *mesh = &reading->glb->meshes[index];
  json_place place;
  const char *name;
  SINEW_TRY(field_element(reading->root, "meshes", "mesh", index, &place, error));
  SINEW_TRY(field_text(place, "name", &name, error));
  SINEW_TRY(gltf_text(reading, name, &mesh->name, error));
  SINEW_TRY(gltf_list_size(place.object, "primitives", &mesh->primitive_count, error));
  SINEW_CHECK(mesh->primitive_count, error, SINEW_ERROR_VERIFY, "mesh %u has no primitives", index);
  const uint32_t stamp = ++reading->stamp;
  for (uint32_t i = 0; i < mesh->primitive_count; i++)
    SINEW_TRY(read_primitive(reading, place, i, stamp, error));
  reading->glb->info.vertex_count += mesh->vertex_count;
  reading->glb->info.triangle_count += mesh->triangle_count;
  return SINEW_OK;
}

sinew_result gltf_read_meshes(gltf_reading *reading, sinew_error *error) {
  sinew_glb *glb = reading->glb;
  SINEW_TRY(gltf_list_size(reading->root, "meshes", &glb->info.mesh_count, error));
  SINEW_TRY(gltf_items(&glb->memory, glb->info.mesh_count, sizeof *glb->meshes, &glb->meshes, error));
  for (uint32_t i = 0; i < glb->info.mesh_count; i++) SINEW_TRY(read_mesh(reading, i, error));
  return SINEW_OK;
}
