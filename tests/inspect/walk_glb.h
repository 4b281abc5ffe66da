/* Asks an opened GLB for all it can tell, and checks that what it tells fits together. */
#ifndef TESTS_INSPECT_WALK_GLB_H
#define TESTS_INSPECT_WALK_GLB_H

#include "sinew.h"

#include <criterion/criterion.h>
#include <string.h>

static inline size_t walk_text(const char *text) {
  return text ? strlen(text) : 0;
}

static inline void walk_animation(const sinew_glb *glb, uint32_t index) {
  sinew_glb_animation animation;
  sinew_glb_channel channel;
  cr_assert(sinew_glb_get_animation(glb, index, &animation));
  uint64_t keys = 0;
  uint32_t constant = 0, count = 0;
  for (; sinew_glb_get_channel(glb, index, count, &channel); count++) {
    keys += channel.key_count;
    constant += channel.constant;
    cr_assert(walk_text(channel.interpolation) && walk_text(channel.component));
    walk_text(channel.path);
    walk_text(channel.node_name);
  }
  cr_assert(count == animation.channel_count && keys == animation.key_count &&
            constant == animation.constant_tracks);
}

static inline void walk_glb(const sinew_glb *glb) {
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  sinew_glb_node node;
  sinew_glb_skin skin;
  sinew_glb_mesh mesh;
  sinew_glb_extension extension;
  uint32_t nodes = 0, roots = 0, i;
  for (; sinew_glb_get_node(glb, nodes, &node); nodes++) {
    roots += node.parent < 0;
    cr_assert(node.depth < info.depth && (node.parent < 0) == (node.depth == 0));
    cr_assert(node.parent < (int32_t)info.node_count && node.mesh < (int32_t)info.mesh_count &&
              node.skin < (int32_t)info.skin_count);
    walk_text(node.name);
  }
  cr_assert(nodes == info.node_count && roots == info.root_count);
  uint64_t vertices = 0, triangles = 0;
  for (i = 0; sinew_glb_get_mesh(glb, i, &mesh); i++) {
    vertices += mesh.vertex_count;
    triangles += mesh.triangle_count;
    walk_text(mesh.name);
  }
  cr_assert(i == info.mesh_count && vertices == info.vertex_count && triangles == info.triangle_count);
  for (i = 0; sinew_glb_get_skin(glb, i, &skin); i++)
    cr_assert(skin.joint_count >= 1 && walk_text(skin.name) < 1000000);
  cr_assert(i == info.skin_count);
  for (i = 0; sinew_glb_get_extension(glb, i, &extension); i++) walk_text(extension.name);
  cr_assert(i == info.extension_count);
  for (i = 0; i < info.animation_count; i++) walk_animation(glb, i);
  for (i = 0; i < info.warning_count; i++) cr_assert(walk_text(sinew_glb_warning(glb, i)) > 0);
  cr_assert(info.animation_bytes <= info.bin_bytes && info.mesh_bytes <= info.bin_bytes &&
            info.other_bytes <= info.bin_bytes && info.json_bytes + info.bin_bytes < info.byte_count);
}

#endif
