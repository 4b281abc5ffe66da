/* One broken GLB per rule, each refused with its reason, and sound ones in unusual forms. */
#include "inspect/made_glb.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the whole file ----------------------------------------------------------------------------------- */

Test(glb_rules, the_made_file_is_told_as_it_was_made) {
  sinew_glb *glb = made_open(made_but(NULL, NULL));
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  cr_expect_str_eq(info.generator, "by hand");
  cr_expect_null(info.sinew_version);
  cr_expect_eq(info.bin_bytes, 228u);
  cr_expect_eq(info.byte_count, 12 + 8 + info.json_bytes + 8 + info.bin_bytes);
  cr_expect_eq(info.animation_bytes, 84u);
  cr_expect_eq(info.mesh_bytes, 72u + 6u);
  cr_expect_eq(info.skin_bytes, 64u);
  cr_expect_eq(info.image_bytes, 0u);
  cr_expect_eq(info.other_bytes, 2u);
  cr_expect(info.node_count == 3 && info.root_count == 2 && info.depth == 2);
  cr_expect(info.skin_count == 1 && info.mesh_count == 1 && info.animation_count == 1);
  cr_expect(info.vertex_count == 3 && info.triangle_count == 1);
  cr_expect_eq(info.warning_count, 0u, "%s", sinew_glb_warning(glb, 0));
  sinew_glb_node node;
  cr_assert(sinew_glb_get_node(glb, 1, &node));
  cr_expect(strcmp(node.name, "b") == 0 && node.parent == 0 && node.depth == 1 && node.mesh == -1 &&
            node.skin == -1);
  cr_assert(sinew_glb_get_node(glb, 2, &node));
  cr_expect(node.parent == -1 && node.depth == 0 && node.mesh == 0 && node.skin == 0);
  sinew_glb_skin skin;
  cr_assert(sinew_glb_get_skin(glb, 0, &skin));
  cr_expect(strcmp(skin.name, "s") == 0 && skin.joint_count == 1);
  sinew_glb_mesh mesh;
  cr_assert(sinew_glb_get_mesh(glb, 0, &mesh));
  cr_expect(mesh.primitive_count == 1 && mesh.morph_target_count == 1 && mesh.vertex_count == 3 &&
            mesh.triangle_count == 1);
  sinew_glb_close(glb);
}

Test(glb_rules, channels_are_told_as_they_were_made) {
  sinew_glb *glb = made_open(made_but(NULL, NULL));
  sinew_glb_animation animation;
  cr_assert(sinew_glb_get_animation(glb, 0, &animation));
  cr_expect_str_eq(animation.name, "turn");
  cr_expect(animation.channel_count == 3 && animation.constant_tracks == 2 && animation.key_count == 7);
  cr_expect(animation.start_s == 0 && animation.stop_s == 1 && animation.byte_count == 84);
  static const struct {
    const char *path, *way, *node;
    uint64_t keys;
    bool constant;
  } expected[] = {{"rotation", "LINEAR", "a", 3, false},
                  {"translation", "LINEAR", "b", 1, true},
                  {"weights", "STEP", "c", 3, true}};
  sinew_glb_channel channel;
  for (uint32_t i = 0; i < 3; i++) {
    cr_assert(sinew_glb_get_channel(glb, 0, i, &channel));
    cr_expect_str_eq(channel.path, expected[i].path);
    cr_expect_str_eq(channel.interpolation, expected[i].way);
    cr_expect_str_eq(channel.node_name, expected[i].node);
    cr_expect_str_eq(channel.component, "float32");
    cr_expect(channel.node == (int32_t)i && channel.key_count == expected[i].keys &&
              channel.constant == expected[i].constant && !channel.normalized);
  }
  sinew_glb_close(glb);
}

Test(glb_rules, past_the_end_there_is_nothing) {
  sinew_glb *glb = made_open(made_but(NULL, NULL));
  sinew_glb_node node;
  sinew_glb_skin skin;
  sinew_glb_mesh mesh;
  sinew_glb_animation animation;
  sinew_glb_channel channel;
  sinew_glb_extension extension;
  cr_expect_not(sinew_glb_get_node(glb, 3, &node));
  cr_expect_not(sinew_glb_get_skin(glb, 1, &skin));
  cr_expect_not(sinew_glb_get_mesh(glb, 1, &mesh));
  cr_expect_not(sinew_glb_get_animation(glb, 1, &animation));
  cr_expect_not(sinew_glb_get_channel(glb, 0, 3, &channel));
  cr_expect_not(sinew_glb_get_channel(glb, 1, 0, &channel));
  cr_expect_not(sinew_glb_get_extension(glb, 0, &extension));
  cr_expect_null(sinew_glb_warning(glb, 0));
  sinew_glb_close(glb);
}

/* ---- broken JSON -------------------------------------------------------------------------------------- */

typedef struct broken {
  const char *from, *to;
  sinew_result code;
  const char *reason;
} broken;

#define SYNTAX SINEW_ERROR_SYNTAX
#define UNSUPPORTED SINEW_ERROR_UNSUPPORTED

static const broken table[] = {
    /* asset and extensions */
    {"{'asset'", "['asset'", SYNTAX, "the JSON is broken at its byte"},
    {"'by hand'", "'by \xff'", SYNTAX, "the JSON is broken"},
    {"'by hand'", "'by \\u0000'", SYNTAX, "the JSON is broken"},
    {"'by hand'", "7", SYNTAX, "generator is no string"},
    {"'scene':0,", "'scene':0,'scene':0,", SYNTAX, "duplicate"},
    {"'asset':{'version':'2.0','generator':'by hand'},", "", SYNTAX, "there is no asset"},
    {"'version':'2.0'", "'version':'1.0'", UNSUPPORTED, "asset.version is not 2.x"},
    {"'version':'2.0',", "", UNSUPPORTED, "asset.version is not 2.x"},
    {"'scene':0", "'extensionsUsed':{},'scene':0", SYNTAX, "extensionsUsed is no array"},
    {"'scene':0", "'extensionsUsed':[3],'scene':0", SYNTAX, "something that is no string"},
    {"'scene':0", "'extensionsRequired':['X'],'scene':0", SYNTAX, "one that extensionsUsed lacks"},
    /* nodes and scenes */
    {"'scene':0", "'scene':1", SYNTAX, "file 0: scene is out of range"},
    {"[{'nodes':[0,2]}]", "[{'nodes':[0,3]}]", SYNTAX, "scene 0 names a node that does not exist"},
    {"[{'nodes':[0,2]}]", "[{'nodes':[1]}]", SYNTAX, "scene 0 shows node 1, which is no root"},
    {"[{'nodes':[0,2]}]", "[7]", SYNTAX, "scene 0 is no object"},
    {"'children':[1]", "'children':[]", SYNTAX, "children is an empty array"},
    {"'children':[1]", "'children':[-1]", SYNTAX, "node 0 names a node that does not exist"},
    {"'children':[1]", "'children':[1.5]", SYNTAX, "node 0 names a node that does not exist"},
    {"'children':[1]", "'children':[0]", SYNTAX, "1 nodes hang in a circle"},
    {"'children':[1]", "'children':[1,1]", SYNTAX, "node 1 is a child of node 0 and of node 0"},
    {"{'name':'b'}", "{'name':'b','children':[0]}", SYNTAX, "2 nodes hang in a circle"},
    {"'mesh':0", "'mesh':1", SYNTAX, "node 2: mesh is out of range"},
    {"'skin':0", "'skin':1", SYNTAX, "node 2: skin is out of range"},
    {"'name':'a'", "'name':1", SYNTAX, "node 0: name is no string"},
    /* skins */
    {"'joints':[1]", "'joints':[3]", SYNTAX, "skin 0 names a node that does not exist"},
    {"'joints':[1]", "'joints':[1,1]", SYNTAX, "skin 0 has node 1 twice"},
    {"'joints':[1],", "", SYNTAX, "skin 0 has no joints"},
    {"'joints':[1]", "'joints':[1,0]", SYNTAX, "skin 0: 1 matrices for 2 joints"},
    {"'inverseBindMatrices':8", "'inverseBindMatrices':9", SYNTAX, "inverseBindMatrices is out of range"},
    {"'inverseBindMatrices':8", "'inverseBindMatrices':5", SYNTAX, "are no MAT4 of floats"},
    {"'skeleton':0", "'skeleton':3", SYNTAX, "skin 0: skeleton is out of range"},
    /* meshes */
    {"'POSITION':5", "'POSITION':9", SYNTAX, "mesh 0, primitive 0: POSITION is no accessor"},
    {"'POSITION':5", "'POSITION':5,'NORMAL':0,'COLOR_0':8", SYNTAX, "attributes have 3 and 1 vertices"},
    {"'POSITION':6", "'POSITION':8", SYNTAX, "attributes have 3 and 1 vertices"},
    {"'indices':7", "'indices':5", SYNTAX, "indices are no unsigned SCALAR"},
    {"'indices':7", "'indices':'x'", SYNTAX, "indices is no accessor"},
    {"'indices':7", "'indices':7,'mode':7", SYNTAX, "mode is out of range"},
    {"{'attributes':{'POSITION':5},", "{", SYNTAX, "attributes is missing or no object"},
    {"'targets':[{'POSITION':6}]}", "'targets':[{'POSITION':6}]},{'attributes':{'POSITION':5}}", SYNTAX,
     "its primitives have 1 and 0 morph targets"},
    {"'targets':[{'POSITION':6}]", "'targets':[6]", SYNTAX, "attributes is missing or no object"},
    /* animations */
    {"'interpolation':'STEP'", "'interpolation':'SMOOTH'", SYNTAX, "interpolation is none of the three"},
    {"'interpolation':'LINEAR'", "'interpolation':'CUBICSPLINE'", SYNTAX, "CUBICSPLINE wants 2 keys or more"},
    {"'interpolation':'STEP'", "'interpolation':'CUBICSPLINE'", SYNTAX, "3 values for 3 times (CUBICSPLINE)"},
    {"'input':0,'output':1", "'input':9,'output':1", SYNTAX, "input is out of range"},
    {"'input':0,'output':1", "'input':0,'output':9", SYNTAX, "output is out of range"},
    {"'input':0,'output':1", "'output':1", SYNTAX, "input is missing"},
    {"'input':0,'output':1", "'input':7,'output':1", SYNTAX, "accessor 7: times are no SCALAR of floats"},
    {"'input':0,'output':1", "'input':2,'output':1", SYNTAX, "3 values for 1 times"},
    {"'input':0,'output':1", "'input':0,'output':5", SYNTAX, "the type does not suit a rotation"},
    {"'input':0,'output':4", "'input':0,'output':5", SYNTAX, "the type does not suit a weights"},
    {"'sampler':0,'target'", "'sampler':3,'target'", SYNTAX, "channel 0: sampler is out of range"},
    {"'node':0,'path'", "'node':3,'path'", SYNTAX, "channel 0: node is out of range"},
    {"'node':0,'path':'rotation'", "'node':0", SYNTAX, "channel 0: path is missing"},
    {"'target':{'node':0,'path':'rotation'}", "'x':0", SYNTAX, "channel 0: target is missing or no object"},
    {"'node':1,'path':'translation'", "'node':1,'path':'rotation'", SYNTAX, "does not suit a rotation"},
    {"'sampler':1,'target':{'node':1,'path':'translation'}",
     "'sampler':0,'target':{'node':0,'path':'rotation'}", SYNTAX,
     "animation 0 has two channels for the rotation of node 0"},
    {"'node':2,'path':'weights'", "'node':0,'path':'weights'", SYNTAX, "1 weights a key for 0 morph targets"},
    {"'name':'turn'", "'name':[]", SYNTAX, "animation 0: name is no string"},
    /* accessors */
    {"'componentType':5126,'count':3,'type':'VEC4'", "'componentType':5124,'count':3,'type':'VEC4'", SYNTAX,
     "accessor 1: componentType is none of the six"},
    {"'type':'VEC4'", "'type':'VEC5'", SYNTAX, "accessor 1: type is none of the seven"},
    {"'type':'VEC4'", "'type':'VEC4','normalized':true", SYNTAX,
     "only 8 and 16 bit numbers can be normalized"},
    {"'type':'VEC4'", "'type':'VEC4','normalized':1", SYNTAX, "normalized is neither true nor false"},
    {"'count':3,'type':'VEC4'", "'count':0,'type':'VEC4'", SYNTAX, "accessor 1: count is 0"},
    {"'count':3,'type':'VEC4'", "'count':-3,'type':'VEC4'", SYNTAX,
     "accessor 1: count is no integer from 0 up"},
    {"'count':3,'type':'VEC4'", "'count':5,'type':'VEC4'", SYNTAX,
     "accessor 1 does not fit into its bufferView"},
    {"'count':3,'type':'VEC4'", "'count':1099511627775,'type':'VEC4'", SYNTAX, "accessor 1 does not fit"},
    {"'count':3,'type':'VEC4'", "'count':9223372036854775807,'type':'VEC4'", SYNTAX, "count is out of range"},
    {"'count':3,'type':'VEC4'", "'type':'VEC4'", SYNTAX, "accessor 1: count is missing"},
    {"'byteOffset':12", "'byteOffset':9223372036854775807", SYNTAX, "accessor 1 does not fit"},
    {"'byteOffset':12", "'byteOffset':13", SYNTAX, "accessor 1 starts between two numbers"},
    {"{'bufferView':0,'byteOffset':12", "{'bufferView':4,'byteOffset':12", SYNTAX,
     "bufferView is out of range"},
    {"{'bufferView':0,'byteOffset':12", "{'byteOffset':12", SYNTAX,
     "accessor 1 has a byteOffset but no bufferView"},
    /* sparse accessors */
    {"'type':'VEC4'", "'type':'VEC4','sparse':7", SYNTAX, "sparse is missing or no object"},
    {"'type':'VEC4'", "'type':'VEC4','sparse':{'count':4}", SYNTAX, "sparse.count is not from 1 to count"},
    {"'type':'VEC4'", "'type':'VEC4','sparse':{'count':0}", SYNTAX, "sparse.count is not from 1 to count"},
    {"'type':'VEC4'", "'type':'VEC4','sparse':{'count':1}", SYNTAX, "indices is missing or no object"},
    {"'type':'VEC4'",
     "'type':'VEC4','sparse':{'count':1,'indices':{'bufferView':2,'componentType':5126},'values':{'"
     "bufferView':3}}",
     SYNTAX, "sparse indices are no unsigned integers"},
    {"'type':'VEC4'",
     "'type':'VEC4','sparse':{'count':1,'indices':{'bufferView':2,'componentType':5123},"
     "'values':{'bufferView':3,'byteOffset':52}}",
     SYNTAX, "accessor 1: its sparse part does not fit"},
    {"'type':'VEC4'",
     "'type':'VEC4','sparse':{'count':1,'indices':{'bufferView':2,'byteOffset':1,'componentType':5123},"
     "'values':{'bufferView':3}}",
     SYNTAX, "accessor 1: its sparse part starts between two numbers"},
    {"'type':'VEC4'",
     "'type':'VEC4','sparse':{'count':3,'indices':{'bufferView':1,'componentType':5121},"
     "'values':{'bufferView':3}}",
     SYNTAX, "accessor 1: sparse indices do not ascend within its count"},
    /* views and buffers */
    {"{'buffer':0,'byteLength':84}", "{'buffer':1,'byteLength':84}", SYNTAX,
     "bufferView 0: buffer is out of range"},
    {"{'buffer':0,'byteLength':84}", "{'buffer':0,'byteLength':229}", SYNTAX, "bufferView 0 does not fit"},
    {"{'buffer':0,'byteLength':84}", "{'buffer':0,'byteOffset':200,'byteLength':84}", SYNTAX,
     "bufferView 0 does not fit"},
    {"{'buffer':0,'byteLength':84}", "{'buffer':0,'byteLength':84,'byteStride':2}", SYNTAX,
     "byteStride is 2"},
    {"{'buffer':0,'byteLength':84}", "{'buffer':0,'byteLength':84,'byteStride':256}", SYNTAX,
     "byteStride is 256"},
    {"{'buffer':0,'byteLength':84}", "{'buffer':0,'byteLength':84,'byteStride':0}", SYNTAX,
     "byteStride is 0"},
    {"{'buffer':0,'byteLength':84}", "{'buffer':0,'byteLength':84,'byteStride':8}", SYNTAX,
     "an element has 16 bytes, its bufferView strides 8"},
    {"[{'byteLength':228}]", "[{'byteLength':229}]", SYNTAX,
     "buffer 0 has 229 bytes, the BIN chunk only 228"},
    {"[{'byteLength':228}]", "[{'byteLength':228},{'byteLength':4}]", SYNTAX,
     "buffer 1 has neither a uri nor the BIN"},
    {"[{'byteLength':228}]", "[{}]", SYNTAX, "buffer 0: byteLength is missing"},
    {"[{'byteLength':228}]", "[{'byteLength':228,'uri':4}]", SYNTAX, "buffer 0: uri is no string"},
    {"'buffers'", "'images':[{'bufferView':4}],'buffers'", SYNTAX, "image 0: bufferView is out of range"},
};

Test(glb_rules, broken_rules_are_refused_with_the_reason) {
  cr_assert_geq(sizeof table / sizeof *table, 40u);
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    sinew_error error;
    const sinew_result result = made_try(made_but(table[i].from, table[i].to), &error);
    cr_expect(result == table[i].code && error.code == result, "%s -> %s: code %d, \"%s\"", table[i].from,
              table[i].to, (int)result, error.message);
    cr_expect(strstr(error.message, table[i].reason), "\"%s\" lacks \"%s\"", error.message, table[i].reason);
    cr_expect_str_eq(error.path, "made.glb");
  }
}

/* ---- broken containers -------------------------------------------------------------------------------- */

static void expect_bytes(made_glb glb, size_t at, uint32_t word, sinew_result code, const char *reason) {
  sinew_error error;
  unsigned char *bytes = test_keep(glb.byte_count, 1);
  memcpy(bytes, glb.bytes, glb.byte_count);
  memcpy(bytes + at, &word, sizeof word);
  const sinew_result result = made_try((made_glb){bytes, glb.byte_count}, &error);
  cr_expect(result == code, "byte %zu = %x: code %d, \"%s\"", at, word, (int)result, error.message);
  cr_expect(strstr(error.message, reason), "\"%s\" lacks \"%s\"", error.message, reason);
}

Test(glb_rules, broken_containers_are_refused) {
  const made_glb good = made_but(NULL, NULL);
  const size_t bin_head = good.byte_count - MADE_BIN_BYTES - 8;
  const uint32_t json_bytes = (uint32_t)(bin_head - 20);
  expect_bytes(good, 0, 0x46546c68, UNSUPPORTED, "does not begin with 'glTF'");
  expect_bytes(good, 4, 1, UNSUPPORTED, "version 1, expected 2");
  expect_bytes(good, 8, (uint32_t)good.byte_count + 4, SYNTAX, "the header says");
  expect_bytes(good, 8, (uint32_t)good.byte_count - 4, SYNTAX, "the header says");
  expect_bytes(good, 12, json_bytes + 4, SYNTAX, "chunk");
  expect_bytes(good, 12, json_bytes - 2, SYNTAX, "no multiple of 4");
  expect_bytes(good, 12, 0, SYNTAX, "chunk 1");
  expect_bytes(good, 12, UINT32_MAX, SYNTAX, "chunk 0 has 4294967295 bytes");
  expect_bytes(good, 16, 0x004e4942, SYNTAX, "chunk 0 is not JSON");
  expect_bytes(good, bin_head, MADE_BIN_BYTES + 4, SYNTAX, "only 228 are left");
  expect_bytes(good, bin_head, MADE_BIN_BYTES - 4, SYNTAX, "cut short");
  expect_bytes(good, bin_head + 4, 0x4e4f534a, SYNTAX, "chunk 1 is another JSON");
  expect_bytes(good, bin_head + 4, 0x12345678, SYNTAX, "buffer 0 has neither a uri nor the BIN chunk");
}

Test(glb_rules, a_third_chunk_is_passed_over_but_no_second_bin) {
  made_glb good = made_but(NULL, NULL);
  unsigned char *bytes = test_keep(good.byte_count + 12, 1);
  memcpy(bytes, good.bytes, good.byte_count);
  const uint32_t total = (uint32_t)good.byte_count + 12, head[] = {4, 0x12345678, 0};
  memcpy(bytes + 8, &total, 4);
  memcpy(bytes + good.byte_count, head, sizeof head);
  sinew_error error;
  cr_expect_eq(made_try((made_glb){bytes, total}, &error), SINEW_OK, "%s", error.message);
  const uint32_t bin = 0x004e4942;
  memcpy(bytes + good.byte_count + 4, &bin, 4);
  cr_expect_eq(made_try((made_glb){bytes, total}, &error), SINEW_ERROR_SYNTAX);
  cr_expect(strstr(error.message, "the BIN chunk is number 2"), "%s", error.message);
}

/* ---- limits and arguments ----------------------------------------------------------------------------- */

Test(glb_rules, deep_json_is_refused) {
  char json[20000] = "{'asset':";
  memset(json + strlen(json), '[', 9000);
  sinew_error error;
  cr_expect_eq(made_try(made_from(json, NULL, 0), &error), SINEW_ERROR_SYNTAX);
  cr_expect(strstr(error.message, "depth"), "%s", error.message);
}

Test(glb_rules, limits_are_kept) {
  const made_glb good = made_but(NULL, NULL);
  sinew_glb *glb;
  sinew_error error;
  sinew_read_options options = {.file_bytes = good.byte_count - 1};
  cr_expect_eq(sinew_glb_open_memory(good.bytes, good.byte_count, NULL, &options, &glb, &error),
               SINEW_ERROR_LIMIT);
  cr_expect_null(glb);
  options = (sinew_read_options){.memory_bytes = 10000};
  cr_expect_eq(sinew_glb_open_memory(good.bytes, good.byte_count, NULL, &options, &glb, &error),
               SINEW_ERROR_MEMORY);
  cr_expect(strstr(error.message, "the limit is 10000"), "%s", error.message);
  cr_expect_eq(sinew_glb_open_memory(good.bytes, good.byte_count, NULL, NULL, NULL, &error),
               SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_glb_open_memory(NULL, 4, NULL, NULL, &glb, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_glb_open_memory(NULL, 0, NULL, NULL, &glb, &error), SINEW_ERROR_UNSUPPORTED);
  cr_expect_eq(sinew_glb_open("no such file.glb", NULL, &glb, &error), SINEW_ERROR_IO);
  cr_expect_eq(sinew_glb_open(NULL, NULL, &glb, NULL), SINEW_ERROR_ARGUMENT);
}

/* A hundred samplers over one run of bytes, each by an accessor of its own. */
Test(glb_rules, accessors_that_share_bytes_without_end_are_refused) {
  enum { RUN = 1 << 20, COUNT = 100 };
  static char json[COUNT * 400];
  size_t n = (size_t)snprintf(json, sizeof json,
                              "{'asset':{'version':'2.0'},'buffers':[{'byteLength':%d}],"
                              "'bufferViews':[{'buffer':0,'byteLength':%d}],'animations':[{'samplers':[",
                              RUN, RUN);
  for (int i = 0; i < COUNT; i++)
    n += (size_t)snprintf(json + n, sizeof json - n, "%s{'input':%d,'output':%d}", i ? "," : "", i, i);
  n += (size_t)snprintf(json + n, sizeof json - n, "],'channels':[");
  for (int i = 0; i < COUNT; i++)
    n += (size_t)snprintf(json + n, sizeof json - n, "%s{'sampler':%d,'target':{'path':'pointer'}}",
                          i ? "," : "", i);
  n += (size_t)snprintf(json + n, sizeof json - n, "]}],'accessors':[");
  for (int i = 0; i < COUNT; i++)
    n += (size_t)snprintf(json + n, sizeof json - n,
                          "%s{'bufferView':0,'componentType':5126,'count':%d,'type':'SCALAR'}", i ? "," : "",
                          RUN / 4);
  snprintf(json + n, sizeof json - n, "]}");
  static unsigned char bin[RUN];
  sinew_error error;
  cr_expect_eq(made_try(made_from(json, bin, RUN), &error), SINEW_ERROR_LIMIT, "%s", error.message);
  cr_expect(strstr(error.message, "many times what the file holds"), "%s", error.message);
}

Test(glb_rules, zeros_without_bytes_cost_no_time) {
  sinew_error error;
  cr_expect_eq(
      made_try(made_but("{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR','min':[0],'max':[1]}",
                        "{'componentType':5126,'count':1000000000000,'type':'SCALAR'}"),
               &error),
      SINEW_ERROR_SYNTAX); /* 3 values for as many times */
  made_glb glb =
      made_from("{'asset':{'version':'2.0'},'animations':[{'samplers':[{'input':0,'output':0}],'channels':"
                "[{'sampler':0,'target':{'path':'pointer'}}]}],"
                "'accessors':[{'componentType':5126,'count':1000000000000,'type':'SCALAR'}]}",
                NULL, 0);
  cr_expect_eq(made_try(glb, &error), SINEW_ERROR_LIMIT, "%s", error.message);
}

/* ---- sound, in unusual forms -------------------------------------------------------------------------- */

static sinew_glb_channel channel_of(sinew_glb *glb, uint32_t index) {
  sinew_glb_channel channel;
  cr_assert(sinew_glb_get_channel(glb, 0, index, &channel));
  return channel;
}

Test(glb_rules, an_empty_file_has_nothing) {
  sinew_glb *glb = made_open(made_from("{'asset':{'version':'2.1'}}", NULL, 0));
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  cr_expect(info.node_count == 0 && info.depth == 0 && info.animation_count == 0 && info.bin_bytes == 0 &&
            info.warning_count == 0);
  sinew_glb_close(glb);
}

Test(glb_rules, extras_of_sinew) {
  sinew_glb *glb = made_open(
      made_but("'generator':'by hand'",
               "'extras':{'sinew':'9.9','source':'x.anim','rate':29.97,'profile':'fma','more':[1]}"));
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  cr_expect_str_eq(info.sinew_version, "9.9");
  cr_expect_str_eq(info.source_name, "x.anim");
  cr_expect_str_eq(info.profile, "fma");
  cr_expect_eq(info.rate_hz, 29.97);
  cr_expect_null(info.generator);
  sinew_glb_close(glb);
  /* members of other types are someone else's */
  /* in a model, whose extras are its own */
  glb = made_open(
      made_but("'generator':'by hand'",
               "'extras':{'source':'a shop','sinew':{'version':'9.9','source':'x.bvh','rate':60}}"));
  sinew_glb_get_info(glb, &info);
  cr_expect_str_eq(info.sinew_version, "9.9");
  cr_expect_str_eq(info.source_name, "x.bvh");
  cr_expect(info.rate_hz == 60 && !info.profile);
  sinew_glb_close(glb);
  glb = made_open(made_but("'generator':'by hand'", "'extras':{'sinew':{},'source':3,'rate':'x'}"));
  sinew_glb_get_info(glb, &info);
  cr_expect(!info.sinew_version && !info.source_name && info.rate_hz == 0);
  sinew_glb_close(glb);
}

Test(glb_rules, extensions_are_listed) {
  sinew_glb *glb =
      made_open(made_but("'scene':0", "'extensionsUsed':['A','B'],'extensionsRequired':['B'],'scene':0"));
  sinew_glb_extension extension;
  cr_assert(sinew_glb_get_extension(glb, 0, &extension));
  cr_expect(strcmp(extension.name, "A") == 0 && !extension.required);
  cr_assert(sinew_glb_get_extension(glb, 1, &extension));
  cr_expect(strcmp(extension.name, "B") == 0 && extension.required);
  cr_expect_not(sinew_glb_get_extension(glb, 2, &extension));
  sinew_glb_close(glb);
}

/* The first two rotations are one, so with the third replaced by it nothing moves. */
static const char sparse_rotation[] = "'count':3,'type':'VEC4','sparse':{'count':1,'indices':{'bufferView':2,"
                                      "'byteOffset':%d,'componentType':5123},"
                                      "'values':{'bufferView':0,'byteOffset':12}}";

Test(glb_rules, sparse_elements_take_the_place_of_others) {
  unsigned char bin[MADE_BIN_BYTES];
  for (int at = 0; at < 3; at++) {
    made_bin(bin);
    memcpy(bin + MADE_ROTATIONS + 16, bin + MADE_ROTATIONS, 16); /* only the third rotation differs */
    char sparse[300];
    snprintf(sparse, sizeof sparse, sparse_rotation, 2 * at); /* the indices are 0, 1, 2 */
    sinew_glb *glb = made_open(made_from(made_json_but("'count':3,'type':'VEC4'", sparse), bin, sizeof bin));
    cr_expect_eq(channel_of(glb, 0).constant, at == 2, "sparse element %d", at);
    sinew_glb_close(glb);
  }
}

Test(glb_rules, integers_are_numbers_too) {
  unsigned char bin[MADE_BIN_BYTES];
  made_bin(bin);
  const int16_t q[] = {0, 0, 0, 32767, 0, 0, 0, 32767, 0, 0, 23170, 23170};
  memcpy(bin + MADE_ROTATIONS, q, sizeof q);
  const char *from = "'componentType':5126,'count':3,'type':'VEC4'";
  sinew_glb *glb = made_open(
      made_from(made_json_but(from, "'componentType':5122,'normalized':true,'count':3,'type':'VEC4'"), bin,
                sizeof bin));
  const sinew_glb_channel channel = channel_of(glb, 0);
  cr_expect(channel.normalized && strcmp(channel.component, "int16") == 0 && !channel.constant);
  cr_expect_null(sinew_glb_warning(glb, 0), "%s", sinew_glb_warning(glb, 0));
  sinew_glb_close(glb);
  /* the same bytes as plain integers suit no rotation */
  sinew_error error;
  made_glb plain =
      made_from(made_json_but(from, "'componentType':5122,'count':3,'type':'VEC4'"), bin, sizeof bin);
  cr_expect_eq(made_try(plain, &error), SINEW_ERROR_SYNTAX);
}

/* Two keys of three parts each: in-tangent, value, out-tangent. */
Test(glb_rules, cubic_keys_stand_still_when_their_tangents_do) {
  static const float still[] = {0, 1, 0, 0, 0.5F, 0, 0, 0.5F, 0},
                     leans[] = {0, 1, 0, 0, 0.5F, 0.25F, 0, 0.5F, 0};
  static const char json[] =
      "{'asset':{'version':'2.0'},'animations':[{'samplers':[{'input':0,'output':1,'interpolation':'"
      "CUBICSPLINE'}],"
      "'channels':[{'sampler':0,'target':{'path':'pointer'}}]}],'accessors':["
      "{'bufferView':0,'componentType':5126,'count':2,'type':'SCALAR','min':[0],'max':[1]},"
      "{'bufferView':0,'byteOffset':12,'componentType':5126,'count':6,'type':'SCALAR'}],"
      "'bufferViews':[{'buffer':0,'byteLength':36}],'buffers':[{'byteLength':36}]}";
  sinew_glb *glb = made_open(made_from(json, still, sizeof still));
  sinew_glb_channel channel = channel_of(glb, 0);
  cr_expect(channel.constant && channel.node == -1 && !channel.node_name &&
            strcmp(channel.path, "pointer") == 0);
  cr_expect(strcmp(channel.interpolation, "CUBICSPLINE") == 0 && channel.key_count == 2);
  sinew_glb_close(glb);
  glb = made_open(made_from(json, leans, sizeof leans));
  cr_expect_not(channel_of(glb, 0).constant);
  sinew_glb_close(glb);
}

Test(glb_rules, interleaved_vertices_count_their_bytes_once) {
  static const char json[] =
      "{'asset':{'version':'2.0'},'meshes':[{'primitives':["
      "{'attributes':{'POSITION':0,'NORMAL':1}},{'attributes':{'POSITION':0,'NORMAL':1},'mode':5},"
      "{'attributes':{'POSITION':0},'mode':1}]}],"
      "'accessors':[{'bufferView':0,'componentType':5126,'count':5,'type':'VEC3'},"
      "{'bufferView':0,'byteOffset':12,'componentType':5126,'count':5,'type':'VEC3'}],"
      "'bufferViews':[{'buffer':0,'byteLength':120,'byteStride':24}],'buffers':[{'byteLength':124}]}";
  static const unsigned char bin[124];
  sinew_glb *glb = made_open(made_from(json, bin, sizeof bin));
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  cr_expect_eq(info.mesh_bytes, 120u);
  cr_expect_eq(info.other_bytes, 4u);
  cr_expect_eq(info.vertex_count, 5u); /* the primitives share them */
  cr_expect_eq(info.triangle_count, 1u + 3u);
  sinew_glb_close(glb);
}

/* ---- warnings ----------------------------------------------------------------------------------------- */

static void expect_warning(made_glb made, const char *part) {
  sinew_glb *glb = made_open(made);
  bool found = false;
  const char *warning;
  for (uint32_t i = 0; (warning = sinew_glb_warning(glb, i)); i++) found = found || strstr(warning, part);
  cr_expect(found, "no warning says \"%s\"; the first: %s", part, sinew_glb_warning(glb, 0));
  sinew_glb_close(glb);
}

static made_glb with_float(size_t at, float value) {
  unsigned char bin[MADE_BIN_BYTES];
  made_bin(bin);
  memcpy(bin + at, &value, sizeof value);
  return made_from(made_json_but(NULL, NULL), bin, sizeof bin);
}

Test(glb_rules, odd_numbers_are_warned_of) {
  expect_warning(with_float(MADE_TIMES + 4, 2), "accessor 0: time 2 is 1, expected one from 0 up");
  expect_warning(with_float(MADE_TIMES, -1), "accessor 0: time 0 is -1");
  expect_warning(with_float(MADE_TIMES + 8, NAN), "accessor 0: time 2 is nan");
  expect_warning(with_float(MADE_TIMES + 8, 3), "accessor 0: max is 1, the stored time 3");
  expect_warning(with_float(MADE_ROTATIONS + 12, 1.01F),
                 "accessor 1: a rotation's length differs from 1 by 0.01");
  expect_warning(with_float(MADE_ROTATIONS + 4, INFINITY), "accessor 1: 1 values are not finite");
  expect_warning(with_float(MADE_WEIGHTS, NAN), "accessor 4: 1 values are not finite");
  expect_warning(made_but(",'min':[0],'max':[1]", ""), "accessor 0: min is missing on times");
  expect_warning(made_but("[{'byteLength':228}]", "[{'byteLength':228},{'byteLength':9,'uri':'x.bin'}]"),
                 "buffer 1 lies outside the file");
}

Test(glb_rules, data_outside_the_file_are_not_looked_at) {
  sinew_glb *glb = made_open(made_but("[{'byteLength':228}]", "[{'byteLength':228,'uri':'x.bin'}]"));
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  cr_expect(info.animation_bytes == 0 && info.other_bytes == 228 && info.vertex_count == 3);
  sinew_glb_animation animation;
  cr_assert(sinew_glb_get_animation(glb, 0, &animation));
  cr_expect(animation.start_s == 0 && animation.stop_s == 1); /* as the bounds say */
  cr_expect_eq(animation.constant_tracks, 1u);                /* the one of a single key */
  sinew_glb_close(glb);
}

Test(glb_rules, more_warnings_than_are_kept_are_counted) {
  static char json[40000];
  size_t n = (size_t)snprintf(json, sizeof json, "{'asset':{'version':'2.0'},'buffers':[");
  for (int i = 0; i < 175; i++)
    n += (size_t)snprintf(json + n, sizeof json - n, "%s{'byteLength':1,'uri':'x'}", i ? "," : "");
  snprintf(json + n, sizeof json - n, "]}");
  sinew_glb *glb = made_open(made_from(json, NULL, 0));
  sinew_glb_info info;
  sinew_glb_get_info(glb, &info);
  cr_expect_eq(info.warning_count, 65u);
  cr_expect_str_eq(sinew_glb_warning(glb, 63), "buffer 63 lies outside the file: its data are not looked at");
  cr_expect_str_eq(sinew_glb_warning(glb, 64), "and 111 more");
  cr_expect_null(sinew_glb_warning(glb, 65));
  sinew_glb_close(glb);
}

/* ---- human bones -------------------------------------------------------------------------------------- */

Test(glb_rules, human_bones_of_a_vrm_are_told) {
  sinew_glb_human human;
  sinew_glb *glb = made_open(made_but(NULL, NULL));
  cr_expect_not(sinew_glb_get_human(glb, &human));
  cr_expect_eq(sinew_glb_human_node(glb, 0), -1);
  sinew_glb_close(glb);
  glb =
      made_open(made_but("'scene':0,", "'scene':0,'extensions':{'VRMC_vrm':{'specVersion':'1.0','humanoid':{"
                                       "'humanBones':{'hips':{'node':2},'leftThumbMetacarpal':{'node':1},"
                                       "'wing':{'node':0}}}}},"));
  cr_assert(sinew_glb_get_human(glb, &human));
  cr_expect_str_eq(human.kind, "vrm1");
  cr_expect(human.bone_count == 2 && human.required_missing == 14);
  cr_expect_eq(sinew_glb_human_node(glb, 0), 2);
  cr_expect_eq(sinew_glb_human_node(glb, 24), 1); /* LeftThumbProximal */
  cr_expect_eq(sinew_glb_human_node(glb, 7), -1);
  cr_expect_eq(sinew_glb_human_node(glb, SINEW_HUMAN_BONE_COUNT), -1);
  cr_expect(strstr(sinew_glb_warning(glb, 0), "'wing' is no human bone"));
  sinew_glb_close(glb);
}

/* What is wrong with them makes no broken glTF. */
Test(glb_rules, wrong_human_bones_are_a_warning) {
  sinew_glb_human human;
  sinew_glb *glb =
      made_open(made_but("'scene':0,", "'scene':0,'extensions':{'VRM':{'humanoid':{'humanBones':["
                                       "{'bone':'hips','node':3}]}}},"));
  cr_expect_not(sinew_glb_get_human(glb, &human));
  cr_expect_str_eq(sinew_glb_warning(glb, 0),
                   "human bones are not told: extensions.VRM.humanoid.humanBones[0].node: "
                   "is 3, the file has 3 nodes");
  sinew_glb_close(glb);
}
