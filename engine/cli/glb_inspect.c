#include "glb_inspect.h"

#include "console.h"
#include "name_list.h"
#include "printable.h"

#include <stdio.h>
#include <string.h>

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

/* ---- the file ----------------------------------------------------------------------------------------- */

static void say_source(const sinew_glb_info *info) {
  char name[SHORT_NAME_BYTES], rate[48] = "", source[SHORT_NAME_BYTES + 16] = "",
                               profile[SHORT_NAME_BYTES + 16] = "";
  if (!info->sinew_version) {
    say("  written by      %s", info->generator ? short_name(info->generator, name) : "(not stated)");
    return;
  }
  if (info->source_name) snprintf(source, sizeof source, ", from %s", short_name(info->source_name, name));
  if (info->rate_hz > 0) snprintf(rate, sizeof rate, ", %g frames per second", info->rate_hz);
  if (info->profile) snprintf(profile, sizeof profile, ", profile %s", short_name(info->profile, name));
  say("  written by      sinew %s%s%s%s", short_name(info->sinew_version, name), source, rate, profile);
}

static void say_skins(const sinew_glb *glb) {
  enum { SHOWN = 8 };
  char text[SHOWN * 16 + 32] = "none";
  size_t length = 0;
  sinew_glb_skin skin;
  for (uint32_t i = 0; sinew_glb_get_skin(glb, i, &skin); i++) {
    if (i == SHOWN) {
      snprintf(text + length, sizeof text - length, " and others");
      break;
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%u", i ? ", " : "", skin.joint_count);
  }
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  say("  skins           %u%s%s", info.skin_count, info.skin_count ? ", joints: " : "",
      info.skin_count ? text : "");
}

static void say_bytes(const sinew_glb_info *info) {
  char a[32], b[32], c[32], d[32], e[32];
  say("  bytes           JSON %s, BIN %s", grouped_digits(info->json_bytes, a),
      grouped_digits(info->bin_bytes, b));
  if (info->bin_bytes)
    say("  of BIN          animations %s, meshes %s, skins %s, images %s, other %s",
        grouped_digits(info->animation_bytes, a), grouped_digits(info->mesh_bytes, b),
        grouped_digits(info->skin_bytes, c), grouped_digits(info->image_bytes, d),
        grouped_digits(info->other_bytes, e));
}

static void say_extensions(const sinew_glb *glb) {
  name_list names = {0};
  sinew_glb_extension extension;
  for (uint32_t i = 0; sinew_glb_get_extension(glb, i, &extension); i++) {
    char text[SHORT_NAME_BYTES + 16], name[SHORT_NAME_BYTES];
    snprintf(text, sizeof text, "%s%s", short_name(extension.name, name),
             extension.required ? " (needed)" : "");
    name_list_add(&names, text);
  }
  if (names.count) say("  extensions      %s", name_list_text(&names));
}

static void say_human(const sinew_glb *glb) {
  sinew_glb_human human;
  if (!sinew_glb_get_human(glb, &human)) return;
  say("  human bones     %u of %d, by %s", human.bone_count, SINEW_HUMAN_BONE_COUNT,
      strcmp(human.kind, "vrm0") == 0   ? "VRM 0.x"
      : strcmp(human.kind, "vrm1") == 0 ? "VRM 1.0"
                                        : "VRM Animation");
  name_list names = {0};
  for (uint32_t bone = 0; bone < SINEW_HUMAN_BONE_COUNT; bone++)
    if (sinew_bone_required(bone) && sinew_glb_human_node(glb, bone) < 0)
      name_list_add(&names, sinew_bone_name(bone));
  if (names.count) say("  missing bones   %s", name_list_text(&names));
}

static void say_warnings(const sinew_glb *glb) {
  const char *warning = sinew_glb_warning(glb, 0);
  say(warning ? "warnings" : "warnings          none");
  for (uint32_t i = 0; (warning = sinew_glb_warning(glb, i)); i++) say("  %s", warning);
}

/* ---- animations --------------------------------------------------------------------------------------- */

/* How many channels have each of a few values. */
typedef struct tally {
  const char *names[8];
  uint32_t counts[8];
  uint32_t used;
  uint32_t others;
} tally;

static void tally_add(tally *t, const char *name) {
  uint32_t i = 0;
  while (i < t->used && strcmp(t->names[i], name) != 0) i++;
  if (i == sizeof t->names / sizeof *t->names) {
    t->others++;
    return;
  }
  if (i == t->used) t->names[t->used++] = name;
  t->counts[i]++;
}

static void say_tally(const char *title, const tally *t) {
  char text[8 * (SHORT_NAME_BYTES + 16) + 32] = "";
  size_t length = 0;
  for (uint32_t i = 0; i < t->used; i++) {
    char name[SHORT_NAME_BYTES];
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%u %s", i ? ", " : "", t->counts[i],
                               short_name(t->names[i], name));
  }
  if (t->others) snprintf(text + length, sizeof text - length, ", %u others", t->others);
  say("  %-16s%s", title, text);
}

static json_t *tally_json(const tally *t) {
  json_t *object = or_die(json_object());
  for (uint32_t i = 0; i < t->used; i++) {
    char *key = json_safe(t->names[i]);
    json_put(object, key, json_of_count(t->counts[i]));
    free(key);
  }
  return object;
}

static const char *form_of(const sinew_glb_channel *channel) {
  if (!channel->normalized) return channel->component;
  if (strcmp(channel->component, "int8") == 0) return "int8 normalized";
  if (strcmp(channel->component, "uint8") == 0) return "uint8 normalized";
  return strcmp(channel->component, "int16") == 0 ? "int16 normalized" : "uint16 normalized";
}

typedef struct channel_tallies {
  tally paths, ways, forms;
  uint64_t most_keys;
} channel_tallies;

static void tally_channels(const sinew_glb *glb, uint32_t animation, channel_tallies *out) {
  *out = (channel_tallies){0};
  /* paths live in the library, as do the other two: the tallies keep the pointers */
  sinew_glb_channel channel;
  for (uint32_t i = 0; sinew_glb_get_channel(glb, animation, i, &channel); i++) {
    tally_add(&out->paths, channel.path);
    tally_add(&out->ways, channel.interpolation);
    tally_add(&out->forms, form_of(&channel));
    if (channel.key_count > out->most_keys) out->most_keys = channel.key_count;
  }
}

static void say_channels(const sinew_glb *glb, uint32_t animation) {
  sinew_glb_channel channel;
  say("  %-42s%-14s%10s", "node", "path", "keys");
  for (uint32_t i = 0; sinew_glb_get_channel(glb, animation, i, &channel); i++) {
    char node[SHORT_NAME_BYTES], path[SHORT_NAME_BYTES], keys[32];
    say("    %-40s%-14s%10s  %-10s%-12s%s", channel.node < 0 ? "(none)" : short_name(channel.node_name, node),
        short_name(channel.path, path), grouped_digits(channel.key_count, keys),
        channel.constant ? "constant" : "sampled", channel.interpolation, form_of(&channel));
  }
}

static void say_animation(const sinew_glb *glb, uint32_t index, bool verbose) {
  sinew_glb_animation animation;
  channel_tallies tallies;
  if (!sinew_glb_get_animation(glb, index, &animation)) return;
  tally_channels(glb, index, &tallies);
  char keys[32], most[32], bytes[32];
  say("animation %s", animation.name ? animation.name : "(without a name)");
  say("  time            %g s to %g s, %g s long", animation.start_s, animation.stop_s,
      animation.stop_s - animation.start_s);
  say("  tracks          %u: %u sampled, %u constant", animation.channel_count,
      animation.channel_count - animation.constant_tracks, animation.constant_tracks);
  say_tally("paths", &tallies.paths);
  say("  keys            %s, %s in the longest track", grouped_digits(animation.key_count, keys),
      grouped_digits(tallies.most_keys, most));
  say_tally("interpolation", &tallies.ways);
  say_tally("numbers", &tallies.forms);
  say("  bytes           %s", grouped_digits(animation.byte_count, bytes));
  if (verbose) say_channels(glb, index);
}

/* ---- verbose lists ------------------------------------------------------------------------------------ */

static void say_nodes(const sinew_glb *glb) {
  sinew_glb_node node, parent;
  say("nodes");
  for (uint32_t i = 0; sinew_glb_get_node(glb, i, &node); i++) {
    char name[SHORT_NAME_BYTES], above[SHORT_NAME_BYTES], more[96] = "";
    if (node.mesh >= 0) snprintf(more, sizeof more, ", mesh %d", node.mesh);
    if (node.skin >= 0) snprintf(more + strlen(more), sizeof more - strlen(more), ", skin %d", node.skin);
    if (node.parent < 0)
      say("  %6u  %-40s a root%s", i, short_name(node.name, name), more);
    else if (sinew_glb_get_node(glb, (uint32_t)node.parent, &parent))
      say("  %6u  %-40s at depth %u, below %s%s", i, short_name(node.name, name), node.depth,
          short_name(parent.name, above), more);
  }
}

static void say_meshes(const sinew_glb *glb) {
  sinew_glb_mesh mesh;
  if (sinew_glb_get_mesh(glb, 0, &mesh)) say("meshes");
  for (uint32_t i = 0; sinew_glb_get_mesh(glb, i, &mesh); i++) {
    char name[SHORT_NAME_BYTES], vertices[32], triangles[32];
    say("  %6u  %-40s %s vertices, %s triangles, %u primitive%s, %u morph target%s", i,
        short_name(mesh.name, name), grouped_digits(mesh.vertex_count, vertices),
        grouped_digits(mesh.triangle_count, triangles), mesh.primitive_count, plural(mesh.primitive_count),
        mesh.morph_target_count, plural(mesh.morph_target_count));
  }
}

void glb_inspect_say(const char *path, const sinew_glb *glb, bool verbose) {
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  char bytes[32], nodes[32], vertices[32], triangles[32];
  say("%s: binary glTF, %s bytes", path, grouped_digits(info.byte_count, bytes));
  say_source(&info);
  say_bytes(&info);
  say("  nodes           %s, %u root%s, %u deep", grouped_digits(info.node_count, nodes), info.root_count,
      plural(info.root_count), info.depth);
  say_skins(glb);
  say("  meshes          %u, %s vertices, %s triangles", info.mesh_count,
      grouped_digits(info.vertex_count, vertices), grouped_digits(info.triangle_count, triangles));
  say("  animations      %u", info.animation_count);
  say_extensions(glb);
  say_human(glb);
  for (uint32_t i = 0; i < info.animation_count && console_intact(); i++) say_animation(glb, i, verbose);
  if (verbose) {
    say_nodes(glb);
    say_meshes(glb);
  }
  say_warnings(glb);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static json_t *index_json(int32_t index) {
  return index < 0 ? json_null() : json_of_count((uint64_t)index);
}

static json_t *bytes_json(const sinew_glb_info *info) {
  json_t *object = or_die(json_object());
  json_put(object, "file", json_of_count(info->byte_count));
  json_put(object, "json", json_of_count(info->json_bytes));
  json_put(object, "bin", json_of_count(info->bin_bytes));
  json_put(object, "animations", json_of_count(info->animation_bytes));
  json_put(object, "meshes", json_of_count(info->mesh_bytes));
  json_put(object, "skins", json_of_count(info->skin_bytes));
  json_put(object, "images", json_of_count(info->image_bytes));
  json_put(object, "other", json_of_count(info->other_bytes));
  return object;
}

static json_t *written_json(const sinew_glb_info *info) {
  json_t *object = or_die(json_object());
  json_put(object, "generator", json_of_text(info->generator));
  json_put(object, "sinew", json_of_text(info->sinew_version));
  json_put(object, "source", json_of_text(info->source_name));
  json_put(object, "rate", info->rate_hz > 0 ? json_of_number(info->rate_hz) : json_null());
  json_put(object, "profile", json_of_text(info->profile));
  return object;
}

static json_t *nodes_json(const sinew_glb *glb) {
  json_t *list = or_die(json_array());
  sinew_glb_node node;
  for (uint32_t i = 0; sinew_glb_get_node(glb, i, &node); i++) {
    json_t *row = or_die(json_object());
    json_put(row, "name", json_of_text(node.name));
    json_put(row, "parent", index_json(node.parent));
    json_put(row, "depth", json_of_count(node.depth));
    json_put(row, "mesh", index_json(node.mesh));
    json_put(row, "skin", index_json(node.skin));
    json_add(list, row);
  }
  return list;
}

static json_t *skins_json(const sinew_glb *glb) {
  json_t *list = or_die(json_array());
  sinew_glb_skin skin;
  for (uint32_t i = 0; sinew_glb_get_skin(glb, i, &skin); i++) {
    json_t *row = or_die(json_object());
    json_put(row, "name", json_of_text(skin.name));
    json_put(row, "joints", json_of_count(skin.joint_count));
    json_add(list, row);
  }
  return list;
}

static json_t *meshes_json(const sinew_glb *glb) {
  json_t *list = or_die(json_array());
  sinew_glb_mesh mesh;
  for (uint32_t i = 0; sinew_glb_get_mesh(glb, i, &mesh); i++) {
    json_t *row = or_die(json_object());
    json_put(row, "name", json_of_text(mesh.name));
    json_put(row, "primitives", json_of_count(mesh.primitive_count));
    json_put(row, "vertices", json_of_count(mesh.vertex_count));
    json_put(row, "triangles", json_of_count(mesh.triangle_count));
    json_put(row, "morphTargets", json_of_count(mesh.morph_target_count));
    json_add(list, row);
  }
  return list;
}

static json_t *channels_json(const sinew_glb *glb, uint32_t animation) {
  json_t *list = or_die(json_array());
  sinew_glb_channel channel;
  for (uint32_t i = 0; sinew_glb_get_channel(glb, animation, i, &channel); i++) {
    json_t *row = or_die(json_object());
    json_put(row, "node", index_json(channel.node));
    json_put(row, "path", json_of_text(channel.path));
    json_put(row, "keys", json_of_count(channel.key_count));
    json_put(row, "constant", json_boolean(channel.constant));
    json_put(row, "interpolation", json_of_text(channel.interpolation));
    json_put(row, "component", json_of_text(channel.component));
    json_put(row, "normalized", json_boolean(channel.normalized));
    json_put(row, "startS", json_of_number(channel.start_s));
    json_put(row, "stopS", json_of_number(channel.stop_s));
    json_add(list, row);
  }
  return list;
}

static json_t *animations_json(const sinew_glb *glb) {
  json_t *list = or_die(json_array());
  sinew_glb_animation animation;
  for (uint32_t i = 0; sinew_glb_get_animation(glb, i, &animation); i++) {
    channel_tallies tallies;
    tally_channels(glb, i, &tallies);
    json_t *row = or_die(json_object());
    json_put(row, "name", json_of_text(animation.name));
    json_put(row, "startS", json_of_number(animation.start_s));
    json_put(row, "stopS", json_of_number(animation.stop_s));
    json_put(row, "durationS", json_of_number(animation.stop_s - animation.start_s));
    json_put(row, "channels", json_of_count(animation.channel_count));
    json_put(row, "sampledTracks", json_of_count(animation.channel_count - animation.constant_tracks));
    json_put(row, "constantTracks", json_of_count(animation.constant_tracks));
    json_put(row, "keys", json_of_count(animation.key_count));
    json_put(row, "bytes", json_of_count(animation.byte_count));
    json_put(row, "paths", tally_json(&tallies.paths));
    json_put(row, "interpolations", tally_json(&tallies.ways));
    json_put(row, "numbers", tally_json(&tallies.forms));
    json_put(row, "tracks", channels_json(glb, i));
    json_add(list, row);
  }
  return list;
}

static json_t *extensions_json(const sinew_glb *glb) {
  json_t *list = or_die(json_array());
  sinew_glb_extension extension;
  for (uint32_t i = 0; sinew_glb_get_extension(glb, i, &extension); i++) {
    json_t *row = or_die(json_object());
    json_put(row, "name", json_of_text(extension.name));
    json_put(row, "required", json_boolean(extension.required));
    json_add(list, row);
  }
  return list;
}

static json_t *human_json(const sinew_glb *glb) {
  sinew_glb_human human;
  if (!sinew_glb_get_human(glb, &human)) return json_null();
  json_t *object = or_die(json_object()), *bones = or_die(json_object()), *missing = or_die(json_array());
  for (uint32_t bone = 0; bone < SINEW_HUMAN_BONE_COUNT; bone++) {
    const int32_t node = sinew_glb_human_node(glb, bone);
    if (node >= 0)
      json_put(bones, sinew_bone_name(bone), json_of_count((uint64_t)node));
    else if (sinew_bone_required(bone))
      json_add(missing, json_of_text(sinew_bone_name(bone)));
  }
  json_put(object, "kind", json_of_text(human.kind));
  json_put(object, "bones", bones);
  json_put(object, "missing", missing);
  return object;
}

void glb_inspect_fill(json_t *object, const sinew_glb *glb) {
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  json_put(object, "bytes", bytes_json(&info));
  json_put(object, "written", written_json(&info));
  json_put(object, "roots", json_of_count(info.root_count));
  json_put(object, "depth", json_of_count(info.depth));
  json_put(object, "vertices", json_of_count(info.vertex_count));
  json_put(object, "triangles", json_of_count(info.triangle_count));
  json_put(object, "nodes", nodes_json(glb));
  json_put(object, "skins", skins_json(glb));
  json_put(object, "meshes", meshes_json(glb));
  json_put(object, "animations", animations_json(glb));
  json_put(object, "extensions", extensions_json(glb));
  json_put(object, "human", human_json(glb));
  json_t *warnings = or_die(json_array());
  const char *warning;
  for (uint32_t i = 0; (warning = sinew_glb_warning(glb, i)); i++) json_add(warnings, json_of_text(warning));
  json_put(object, "warnings", warnings);
}
