/* A character's own file as the output's body: what is carried, what leaves, what is refused. */
#include "support/data.h"
#include "verify/verify.h"
#include "write/kept.h"
#include "write/synthetic.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- made models -------------------------------------------------------------------------------------- */

typedef struct made_glb {
  char bytes[16384];
  size_t byte_count;
} made_glb;

/* JSON with ' for ", and a BIN chunk of bytes 1, 2, 3 ...; bin_bytes 0: no such chunk. */
static made_glb glb_of(const char *json, uint32_t bin_bytes) {
  made_glb glb = {.byte_count = 0};
  const uint32_t length = (uint32_t)strlen(json), padded = (length + 3) / 4 * 4;
  const uint32_t whole = 20 + padded + (bin_bytes ? 8 + bin_bytes : 0);
  const uint32_t head[5] = {0x46546c67, 2, whole, padded, 0x4e4f534a}, bin_head[2] = {bin_bytes, 0x004e4942};
  cr_assert(whole <= sizeof glb.bytes);
  memcpy(glb.bytes, head, sizeof head);
  memset(glb.bytes + 20, ' ', padded);
  for (uint32_t i = 0; i < length; i++) glb.bytes[20 + i] = json[i];
  for (uint32_t i = 0; i < length; i++)
    if (json[i] == '\'') glb.bytes[20 + i] = '"';
  if (bin_bytes) memcpy(glb.bytes + 20 + padded, bin_head, sizeof bin_head);
  for (uint32_t i = 0; i < bin_bytes; i++) glb.bytes[28 + padded + i] = (char)(i + 1);
  glb.byte_count = whole;
  return glb;
}

static glb_model *open_made(const char *json, uint32_t bin_bytes) {
  const made_glb glb = glb_of(json, bin_bytes);
  glb_model *model;
  sinew_error error = {0};
  cr_assert(glb_model_open(glb.bytes, glb.byte_count, NULL, &model, &error) == SINEW_OK, "%s: %s", json,
            error.message);
  return model;
}

static const rig_node two_nodes[2] = {{"a", -1, {-1, 2, 3}, {0, -0.6, 0, 0.8}, {1, 1, 2}},
                                      {"b", 0, {0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}};
static const glb_track one_track[1] = {{0, GLB_ROTATION, true}};

/* One key for node 0; two names that show what is written. */
static glb_plan plan_of(const glb_model *model, uint32_t track_count) {
  return (glb_plan){.nodes = two_nodes,
                    .node_count = 2,
                    .clip_name = "C",
                    .source_name = "S",
                    .profile = "fma",
                    .rate_hz = 30,
                    .frame_count = 1,
                    .tracks = one_track,
                    .track_count = track_count,
                    .model = model};
}

/* The clip's parts, as plan_of makes them written behind `first` accessors, `view` views and `bytes` bytes.
 */
#define ASSET_TAIL "'sinew':{'version':'" SINEW_VERSION "','source':'S','rate':30,'profile':'fma'"
#define GENERATOR "'generator':'sinew " SINEW_VERSION "'"
#define ANIMATIONS(time, value)                                                                              \
  "[{'name':'C','samplers':[{'input':" time ",'interpolation':'LINEAR','output':" value                      \
  "}],'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}}]}]"
#define ACCESSORS(view)                                                                                      \
  "{'bufferView':" view ",'byteOffset':0,'componentType':5126,'count':1,'type':'SCALAR','min':[0],'max':[0]" \
  "},{'bufferView':" view ",'byteOffset':4,'componentType':5126,'count':1,'type':'VEC4'}"

static void expect_text(const char *json, uint32_t bin_bytes, uint32_t track_count, const char *expected) {
  glb_model *model = open_made(json, bin_bytes);
  const glb_plan plan = plan_of(model, track_count);
  glb_layout layout;
  sinew_error error = {0};
  cr_assert(glb_layout_build(&plan, &layout, &error) == SINEW_OK, "%s", error.message);
  const json_text text = kept_text(layout.head);
  size_t length = text.byte_count;
  while (length && text.bytes[length - 1] == ' ') length--;
  char *shown = strndup(text.bytes, length), *wanted = strdup(expected);
  for (char *p = wanted; *p; p++)
    if (*p == '\'') *p = '"';
  cr_expect_str_eq(shown, wanted);
  json_t *root = json_loadb(text.bytes, text.byte_count, JSON_REJECT_DUPLICATES, NULL);
  cr_expect(root, "%s is no JSON", shown);
  json_decref(root);
  free(shown);
  free(wanted);
  glb_layout_release(&layout);
  glb_model_close(model);
}

Test(kept, what_a_model_lacks_is_added) {
  expect_text("{'asset':{'version':'2.0'},'nodes':[{},{}]}", 0, 1,
              "{'asset':{'version':'2.0'," GENERATOR ",'extras':{" ASSET_TAIL "}}},'nodes':[{},{}],"
              "'animations':" ANIMATIONS("0", "1") ",'accessors':[" ACCESSORS(
                  "0") "],'bufferViews':["
                       "{'buffer':0,'byteLength':20}],'buffers':[{'byteLength':20}]}");
}

Test(kept, lists_of_nothing_are_filled) {
  expect_text("{ 'accessors' : [ ],'bufferViews':[], 'buffers':[] , 'animations':[],'nodes':[{}], "
              "'asset':{'version':'2.0'}}",
              0, 1,
              "{ 'accessors' : [" ACCESSORS("0") " ],'bufferViews':[{'buffer':0,'byteLength':20}], "
                                                 "'buffers':[{'byteLength':20}] , 'animations':" ANIMATIONS(
                                                     "0", "1") ",'nodes':[{}], "
                                                               "'asset':{'version':'2.0'," GENERATOR
                                                               ",'extras':{" ASSET_TAIL "}}}}");
}

/* View 0 and accessor 0 are the skin's, the rest the animation's; what is known to nobody stays in its words.
 */
static const char whole_model[] =
    "{'asset':{'version':'2.0','generator':'hand','copyright':'me'},'nodes':[{},{'skin':0}],"
    "'extras':{'deep':[1.50,{'\\u0061':null}]},'skins':[{'inverseBindMatrices':0}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':1,'type':'MAT4'} ,"
    " {'bufferView':1,'componentType':5126,'count':1,'type':'SCALAR'},{'bufferView':1,'byteOffset':4,"
    "'componentType':5126,'count':1,'type':'VEC4'} ],"
    "'bufferViews':[{'buffer':0,'byteLength':64}, {'buffer':0,'byteOffset':64,'byteLength':20}],"
    "'buffers':[{'name':'B','byteLength':84,'extras':5}],"
    "'anim\\u0061tions':[{'samplers':[{'input':1,'output':2}],'channels':[{}]}]}";

Test(kept, old_animations_leave_with_what_they_alone_use) {
  glb_model *model = open_made(whole_model, 84);
  cr_expect(model->cut_animations == 1 && model->cut_accessors == 2 && model->cut_views == 1);
  cr_expect(model->cut_bytes == 20);
  glb_model_close(model);
  /* a whole number in extras might be an accessor's or a view's */
  char json[2048];
  snprintf(json, sizeof json, "%s", whole_model);
  memcpy(strstr(json, "1.50"), "1.00", 4);
  model = open_made(json, 84);
  cr_expect(model->cut_accessors == 1 && model->cut_views == 0 && model->cut_bytes == 0);
  glb_model_close(model);
  expect_text(
      whole_model, 84, 1,
      "{'asset':{'version':'2.0'," GENERATOR ",'copyright':'me','extras':{" ASSET_TAIL
      ",'generator':'hand'}}},'nodes':[{},{'skin':0}],'extras':{'deep':[1.50,{'\\u0061':null}]},"
      "'skins':[{'inverseBindMatrices':0}],'accessors':[{'bufferView':0,'componentType':5126,'count':1,"
      "'type':'MAT4'}," ACCESSORS(
          "1") " ],'bufferViews':[{'buffer':0,'byteLength':64},"
               "{'buffer':0,'byteOffset':64,'byteLength':20}],"
               "'buffers':[{'name':'B','byteLength':84,'extras':5}],'anim\\u0061tions':" ANIMATIONS("1",
                                                                                                    "2") "}");
  expect_text(
      whole_model, 84, 0,
      "{'asset':{'version':'2.0'," GENERATOR ",'copyright':'me','extras':{" ASSET_TAIL
      ",'generator':'hand'}}},'nodes':[{},{'skin':0}],'extras':{'deep':[1.50,{'\\u0061':null}]},"
      "'skins':[{'inverseBindMatrices':0}],'accessors':[{'bufferView':0,'componentType':5126,'count':1,"
      "'type':'MAT4'} ],'bufferViews':[{'buffer':0,'byteLength':64}],"
      "'buffers':[{'name':'B','byteLength':64,'extras':5}]}");
}

Test(kept, without_a_clip_nothing_empty_is_left) {
  expect_text("{'animations':[{'samplers':[{'input':0,'output':0}]}],'asset':{'version':'2.0'},'nodes':[{}],"
              "'accessors':[{'bufferView':0,'componentType':5126,'count':1,'type':'SCALAR'}],"
              "'bufferViews':[{'buffer':0,'byteLength':4}],'buffers':[{'byteLength':4}]}",
              4, 0, "{'asset':{'version':'2.0'," GENERATOR ",'extras':{" ASSET_TAIL "}}},'nodes':[{}]}");
}

Test(kept, extras_of_the_asset_stay_beside_ours) {
  static const char form[] = "{'asset':{'extras':%s,'version':'2.0'},'nodes':[{}]}";
  static const char wanted[] = "{'asset':{'extras':%s,'version':'2.0'," GENERATOR "},'nodes':[{}]}";
  static const char *const cases[][2] = {
      {"{}", "{" ASSET_TAIL "}}"},
      {"{'source':'a shop','sinew':{'generator':'it'}}",
       "{'source':'a shop'," ASSET_TAIL ",'generator':'it'}}"},
      {"{'sinew':'0.1','source':'S','rate':1,'profile':'p','own':2}", "{'own':2," ASSET_TAIL "}}"},
      {"{'sinew':'0.1'}", "{" ASSET_TAIL "}}"},
      {"'words'", "'words'"},
      {"[1, 2]", "[1, 2]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char json[512], expected[512];
    snprintf(json, sizeof json, form, cases[i][0]);
    snprintf(expected, sizeof expected, wanted, cases[i][1]);
    expect_text(json, 0, 0, expected);
  }
}

Test(kept, a_moved_node_has_parts_for_its_matrix) {
  expect_text(
      "{'asset':{'version':'2.0'},'nodes':[{'name':'n', 'matrix' : [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1] ,"
      "'children':[1]},{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}",
      0, 0,
      "{'asset':{'version':'2.0'," GENERATOR ",'extras':{" ASSET_TAIL "}}},'nodes':[{'name':'n', "
      "'matrix' : [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1] ,'children':[1]},"
      "{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}");
  expect_text(
      "{'asset':{'version':'2.0'},'nodes':[{'name':'n', 'matrix' : [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1] ,"
      "'children':[1]},{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}",
      0, 1,
      "{'asset':{'version':'2.0'," GENERATOR ",'extras':{" ASSET_TAIL "}}},'nodes':[{'name':'n', "
      "'translation':[1,2,3],'rotation':[0,0.6,0,0.8],'scale':[1,1,2] ,'children':[1]},"
      "{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}],"
      "'animations':" ANIMATIONS("0", "1") ",'accessors':[" ACCESSORS(
          "0") "],'bufferViews':["
               "{'buffer':0,'byteLength':20}],'buffers':[{'byteLength':20}]}");
}

/* ---- what stays in the buffer ------------------------------------------------------------------------- */

/* Three views of 8 bytes: a mesh's, then two that samplers read. `extra` is a member of the root. */
static glb_model *open_cut(const char *accessors, const char *views, const char *extra) {
  char json[2048];
  snprintf(json, sizeof json,
           "{'asset':{'version':'2.0'},'nodes':[{}],'buffers':[{'byteLength':24}],'meshes':[{'primitives':["
           "{'attributes':{'POSITION':0}}]}],'animations':[{'samplers':[{'input':1,'output':2}]}],"
           "'accessors':[%s],'bufferViews':[%s]%s}",
           accessors, views, extra);
  return open_made(json, 24);
}

Test(kept, only_what_stands_at_the_end_is_cut) {
  static const char three[] = "{'bufferView':0},{'bufferView':1},{'bufferView':2}";
  static const char apart[] = "{'buffer':0,'byteLength':8},{'buffer':0,'byteOffset':8,'byteLength':8},"
                              "{'buffer':0,'byteOffset':16,'byteLength':8}";
  static const struct {
    const char *accessors, *views, *extra;
    uint32_t accessors_cut, views_cut, bytes_cut;
  } cases[] = {
      {three, apart, "", 2, 2, 16},
      /* the mesh's bytes are the last */
      {three,
       "{'buffer':0,'byteOffset':16,'byteLength':8},{'buffer':0,'byteOffset':8,'byteLength':8},"
       "{'buffer':0,'byteLength':8}",
       "", 2, 2, 0},
      /* they lie over those of the animation */
      {three,
       "{'buffer':0,'byteLength':12},{'buffer':0,'byteOffset':8,'byteLength':8},"
       "{'buffer':0,'byteOffset':16,'byteLength':8}",
       "", 2, 2, 12},
      /* the mesh's view is the last, is shared, or its accessor is the last */
      {"{'bufferView':2},{'bufferView':1},{'bufferView':0}", apart, "", 2, 0, 0},
      {"{'bufferView':1},{'bufferView':1},{'bufferView':2}", apart, "", 2, 1, 8},
      {"{'bufferView':0},{'bufferView':1},{'bufferView':2},{'bufferView':0}", apart, "", 0, 0, 0},
      /* others name them: an image, a skin, sparse values */
      {three, apart, ",'images':[{'bufferView':2}]", 2, 0, 0},
      {three, apart, ",'skins':[{'inverseBindMatrices':2}]", 0, 0, 0},
      {"{'bufferView':0,'sparse':{'indices':{'bufferView':1},'values':{'bufferView':1}}},{'bufferView':1},"
       "{'bufferView':2}",
       apart, "", 2, 1, 8},
      /* or may do so */
      {three, apart, ",'extensions':{'ACME_thing':{'a':[{'b':1}]}}", 1, 1, 8},
      {three, apart, ",'scenes':[{'extras':2}]", 0, 0, 0},
      {three, apart, ",'extensions':{'VRMC_vrm':{'node':2},'KHR_materials_x':{'index':1}}", 2, 2, 16},
      {three, apart, ",'extensions':{'VRM':{'extras':2}}", 0, 0, 0},
      {three, apart, ",'extensions':{'ACME_raw':{'buffer':0,'byteOffset':10,'byteLength':10}}", 2, 2, 4},
      {three, apart, ",'extensions':{'ACME_raw':{'buffer':0}}", 2, 2, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    glb_model *model = open_cut(cases[i].accessors, cases[i].views, cases[i].extra);
    cr_expect(model->cut_accessors == cases[i].accessors_cut && model->cut_views == cases[i].views_cut &&
                  model->cut_bytes == cases[i].bytes_cut,
              "case %zu: %u accessors, %u views, %llu bytes leave", i, model->cut_accessors, model->cut_views,
              (unsigned long long)model->cut_bytes);
    cr_expect(model->byte_count == 24 - cases[i].bytes_cut);
    for (uint64_t b = 0; b < model->byte_count; b++) cr_expect(model->bin[b] == b + 1);
    for (uint64_t b = model->byte_count; b < glb_model_padded(model); b++) cr_expect(model->bin[b] == 0);
    glb_model_close(model);
  }
}

Test(kept, a_buffer_beside_others_keeps_a_byte) {
  glb_model *model =
      open_made("{'asset':{'version':'2.0'},'nodes':[{}],'animations':[{'samplers':[{'input':0,"
                "'output':0}]}],'accessors':[{'bufferView':0}],'bufferViews':[{'buffer':0,"
                "'byteLength':4}],'buffers':[{'byteLength':4},{'byteLength':1,"
                "'uri':'data:application/octet-stream;base64,AA=='}]}",
                4);
  cr_expect(model->byte_count == 1 && !model->empty);
  glb_model_close(model);
}

/* ---- what the caller is told -------------------------------------------------------------------------- */

Test(kept, images_and_chunks_that_are_missed_are_told) {
  glb_model *model = open_made("{'asset':{'version':'2.0'},'nodes':[{}],'images':[{'uri':'skin.png'},"
                               "{'uri':'data:image/png;base64,AA=='},{'uri':'hair.png'},{'bufferView':0}]}",
                               0);
  cr_assert(model->warning_count == 1);
  cr_expect_str_eq(
      model->warnings[0],
      "2 images are each in a file of its own ('skin.png'), which has to stand beside the output "
      "as well");
  glb_model_close(model);
  made_glb glb = glb_of("{'asset':{'version':'2.0'},'nodes':[{}]}", 0);
  const uint32_t chunk[2] = {0, 0x12345678};
  memcpy(glb.bytes + glb.byte_count, chunk, sizeof chunk);
  glb.byte_count += sizeof chunk;
  memcpy(glb.bytes + 8, &(uint32_t){(uint32_t)glb.byte_count}, 4);
  sinew_error error = {0};
  cr_assert(glb_model_open(glb.bytes, glb.byte_count, NULL, &model, &error) == SINEW_OK, "%s", error.message);
  cr_assert(model->warning_count == 1);
  cr_expect(strstr(model->warnings[0], "left out"));
  glb_model_close(model);
}

/* ---- refused ------------------------------------------------------------------------------------------ */

static void expect_refused(const char *json, uint32_t bin_bytes, sinew_result code, const char *part) {
  const made_glb glb = glb_of(json, bin_bytes);
  glb_model *model;
  sinew_error error = {0};
  cr_expect(glb_model_open(glb.bytes, glb.byte_count, NULL, &model, &error) == code, "%s: %s", json,
            error.message);
  cr_expect(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
  cr_expect(!model);
  glb_model_close(model);
}

#define START "{'asset':{'version':'2.0'},'nodes':[{}]"
#define VIEWED START ",'buffers':[{'byteLength':16}],'bufferViews':[{'buffer':0,'byteLength':16}]"

Test(kept, what_would_be_broken_in_the_output_is_refused) {
  static const struct {
    const char *json;
    uint32_t bin_bytes;
    sinew_result code;
    const char *part;
  } cases[] = {
      {"{'nodes':[{}]}", 0, SINEW_ERROR_SYNTAX, "asset is missing"},
      {"{'asset':{'version':'1.0'},'nodes':[{}]}", 0, SINEW_ERROR_UNSUPPORTED, "asset.version is not 2.0"},
      {"{'asset':{'version':'2.0'}}", 0, SINEW_ERROR_SYNTAX, "no nodes"},
      {"{'asset':{'version':'2.0'},'nodes':{}}", 0, SINEW_ERROR_SYNTAX, "nodes is no array"},
      {"{'asset':{'version':'2.0'},'nodes':[{},3]}", 0, SINEW_ERROR_SYNTAX, "nodes[1] is no object"},
      {"[1]", 0, SINEW_ERROR_SYNTAX, "no object"},
      {"{'asset':", 0, SINEW_ERROR_SYNTAX, "not sound"},
      {START ",'a':1,'\\u0061':2}", 0, SINEW_ERROR_SYNTAX, "duplicate"},
      {START ",'animations':[{}],'anim\\u0061tions':[{}]}", 0, SINEW_ERROR_SYNTAX, "duplicate"},
      {START ",'accessors':[{'count':1.5}]}", 0, SINEW_ERROR_SYNTAX, "accessors[0].count is no whole number"},
      {START ",'buffers':[{'byteLength':4,'uri':'a.bin'}]}", 4, SINEW_ERROR_UNSUPPORTED,
       "'a.bin': the model keeps its data in other files: --mesh none writes its joints alone"},
      {START ",'buffers':[{'byteLength':4},{'byteLength':4,'uri':'../b.bin'}]}", 4, SINEW_ERROR_UNSUPPORTED,
       "buffers[1]: '../b.bin': the model keeps its data in other files"},
      {START ",'buffers':[{'byteLength':1,'uri':'data:,AA=='}]}", 4, SINEW_ERROR_UNSUPPORTED,
       "buffers[0] is no BIN chunk"},
      {START ",'buffers':[{'byteLength':5}]}", 4, SINEW_ERROR_SYNTAX,
       "buffers[0].byteLength is 5, but the BIN chunk has 4 bytes"},
      {START ",'buffers':[{'byteLength':4}]}", 0, SINEW_ERROR_SYNTAX, "the BIN chunk has 0 bytes"},
      {START ",'buffers':[{}]}", 4, SINEW_ERROR_SYNTAX, "buffers[0].byteLength is missing or 0"},
      {START ",'buffers':[{'byteLength':-4}]}", 4, SINEW_ERROR_SYNTAX, "no whole number from 0 up"},
      {START ",'bufferViews':[{'byteLength':4}]}", 4, SINEW_ERROR_SYNTAX,
       "bufferViews[0].buffer is none of the file's 0 buffers"},
      {START ",'buffers':[{'byteLength':16}],'bufferViews':[{'buffer':0,'byteOffset':12,'byteLength':5}]}",
       16, SINEW_ERROR_SYNTAX, "bufferViews[0] has 5 bytes from 12 on, buffers[0] ends at 16"},
      {START ",'buffers':[{'byteLength':16}],'bufferViews':[{'buffer':0,'byteOffset':9223372036854775807,"
             "'byteLength':9223372036854775807}]}",
       16, SINEW_ERROR_SYNTAX, "ends at 16"},
      {START ",'buffers':[{'byteLength':99999999999999999999}]}", 16, SINEW_ERROR_SYNTAX, "not sound"},
      {VIEWED ",'accessors':[{'bufferView':1}]}", 16, SINEW_ERROR_SYNTAX,
       "accessors[0].bufferView is none of the file's 1 bufferViews"},
      {VIEWED ",'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':2}]}", 16,
       SINEW_ERROR_SYNTAX, "accessors[0] has 2 items from 0 on, which are more than bufferViews[0] holds"},
      {VIEWED
       ",'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC4','count':4611686018427387905}]}",
       16, SINEW_ERROR_SYNTAX, "which are more than bufferViews[0] holds"},
      {VIEWED ",'accessors':[{'bufferView':0,'byteOffset':9223372036854775807,'componentType':5121,"
              "'type':'SCALAR','count':2}]}",
       16, SINEW_ERROR_SYNTAX, "which are more than bufferViews[0] holds"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_refused(cases[i].json, cases[i].bin_bytes, cases[i].code, cases[i].part);
  expect_refused(VIEWED ",'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC4','count':1}],'x':}",
                 16, SINEW_ERROR_SYNTAX, "not sound");
  glb_model_close(
      open_made(VIEWED ",'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC4','count':1}]}", 16));
}

Test(kept, a_damaged_file_gives_a_sentence_or_a_model) {
  const made_glb good = glb_of(whole_model, 84);
  for (size_t at = 0; at < good.byte_count; at++)
    for (int change = 0; change < 3; change++) {
      made_glb bad = good;
      if (change == 0) bad.bytes[at] = (char)(bad.bytes[at] ^ 0x11);
      if (change == 1) bad.bytes[at] = '9';
      if (change == 2) bad.byte_count = at;
      glb_model *model;
      sinew_error error = {0};
      char *copy = malloc(bad.byte_count); /* a sanitizer sees each byte past it */
      cr_assert(copy);
      memcpy(copy, bad.bytes, bad.byte_count);
      const sinew_result result = glb_model_open(copy, bad.byte_count, NULL, &model, &error);
      free(copy);
      cr_expect((result == SINEW_OK) == (model != NULL) && (result == SINEW_OK) == !error.message[0]);
      glb_layout layout;
      const glb_plan plan = plan_of(model, 1);
      if (model && glb_layout_build(&plan, &layout, &error) == SINEW_OK) {
        const json_text text = kept_text(layout.head);
        json_t *root = json_loadb(text.bytes, text.byte_count, JSON_REJECT_DUPLICATES, NULL);
        cr_expect(root, "byte %zu: %.*s", at, (int)text.byte_count, text.bytes);
        json_decref(root);
        glb_layout_release(&layout);
      }
      glb_model_close(model);
    }
}

Test(kept, plans_that_do_not_suit_a_model_are_refused) {
  glb_model *model = open_made("{'asset':{'version':'2.0'},'nodes':[{},{}]}", 0);
  const box_mesh mesh = {.box_count = 1};
  glb_layout layout;
  sinew_error error = {0};
  glb_plan plan = plan_of(model, 1);
  plan.mesh = &mesh;
  cr_expect(glb_layout_build(&plan, &layout, &error) == SINEW_ERROR_ARGUMENT);
  cr_expect(strstr(error.message, "boxes do not go with it"), "%s", error.message);
  plan = plan_of(model, 1);
  plan.file_node = (const uint32_t[]){2, 0};
  cr_expect(glb_layout_build(&plan, &layout, &error) == SINEW_ERROR_ARGUMENT);
  cr_expect(strstr(error.message, "moves node 2, the model has 2"), "%s", error.message);
  const glb_track twice[2] = {{0, GLB_ROTATION, true}, {1, GLB_ROTATION, true}};
  plan.tracks = twice;
  plan.track_count = 2;
  plan.file_node = (const uint32_t[]){1, 1};
  cr_expect(glb_layout_build(&plan, &layout, &error) == SINEW_ERROR_ARGUMENT);
  cr_expect(strstr(error.message, "a second time"), "%s", error.message);
  glb_model_close(model);
}

Test(kept, limits_of_the_reader_count) {
  const made_glb glb = glb_of("{'asset':{'version':'2.0'},'nodes':[{},{}]}", 0);
  glb_model *model;
  sinew_error error = {0};
  cr_expect(glb_model_open(glb.bytes, glb.byte_count, &(sinew_read_options){.nodes = 1}, &model, &error) ==
            SINEW_ERROR_LIMIT);
  cr_expect(strstr(error.message, "nodes has 2 items, the limit is 1"), "%s", error.message);
  cr_expect(glb_model_open(glb.bytes, glb.byte_count, &(sinew_read_options){.memory_bytes = 500}, &model,
                           &error) == SINEW_ERROR_MEMORY);
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static int allocations_left;
static int permit(size_t byte_count) {
  (void)byte_count;
  return allocations_left-- > 0;
}

Test(kept, running_out_of_memory_is_an_error_at_every_step) {
  const made_glb glb = glb_of(whole_model, 84);
  heap_permit = permit;
  int steps = 0;
  sinew_result result = SINEW_ERROR_MEMORY;
  for (; result != SINEW_OK; steps++) {
    glb_model *model;
    glb_layout layout;
    sinew_error error = {0};
    allocations_left = steps;
    result = glb_model_open(glb.bytes, glb.byte_count, NULL, &model, &error);
    const glb_plan plan = plan_of(model, 1);
    if (result == SINEW_OK && (result = glb_layout_build(&plan, &layout, &error)) == SINEW_OK)
      glb_layout_release(&layout);
    glb_model_close(model);
    cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%s", error.message);
    cr_assert(steps < 100);
  }
  heap_permit = NULL;
  cr_expect(steps > 5);
}

/* ---- real models -------------------------------------------------------------------------------------- */

static const char *const changed[] = {"animations", "accessors", "bufferViews", "buffers", "asset", "nodes"};

static bool is_changed(const char *key) {
  for (size_t i = 0; i < sizeof changed / sizeof *changed; i++)
    if (strcmp(key, changed[i]) == 0) return true;
  return false;
}

/* Members of the root in the words of the source, in their order; what is missing there comes last. */
static void expect_same_words(json_text before, json_text after, const char *path) {
  json_member was, is;
  json_walk old = json_walk_begin(before, json_whole(before)),
            new = json_walk_begin(after, json_whole(after));
  size_t compared = 0;
  while (json_walk_next(&old, &was)) {
    cr_assert(json_walk_next(&new, &is), "%s", path);
    const size_t key_bytes = was.key.end - was.key.begin, bytes = was.value.end - was.value.begin;
    cr_assert(key_bytes == is.key.end - is.key.begin &&
                  memcmp(before.bytes + was.key.begin, after.bytes + is.key.begin, key_bytes) == 0,
              "%s: %.*s", path, (int)key_bytes, before.bytes + was.key.begin);
    char key[64] = "";
    if (key_bytes < sizeof key) memcpy(key, before.bytes + was.key.begin + 1, key_bytes - 2);
    if (is_changed(key)) continue;
    compared++;
    cr_expect(bytes == is.value.end - is.value.begin &&
                  memcmp(before.bytes + was.value.begin, after.bytes + is.value.begin, bytes) == 0,
              "%s: %s", path, key);
  }
  cr_expect(compared >= 1, "%s", path);
}

static void expect_same_items(const json_t *before, const json_t *after, const char *key, size_t count,
                              const char *path) {
  for (size_t i = 0; i < count; i++)
    cr_expect(json_equal(json_array_get(json_object_get(before, key), i),
                         json_array_get(json_object_get(after, key), i)),
              "%s: %s[%zu]", path, key, i);
}

static void expect_same_nodes(const kept_clip *clip, const json_t *after, const char *path) {
  const json_t *old = json_object_get(clip->root, "nodes"), *new = json_object_get(after, "nodes");
  cr_expect(json_array_size(old) == json_array_size(new));
  for (uint32_t i = 0; i < clip->plan.track_count; i++) {
    const uint32_t node = clip->file_node[clip->tracks[i].node];
    json_t *was = json_array_get(old, node), *is = json_array_get(new, node);
    if (!json_object_get(was, "matrix")) continue;
    cr_expect(!json_object_get(is, "matrix") && json_object_get(is, "translation"), "%s: nodes[%u]", path,
              node);
    json_object_del(was, "matrix");
    json_object_del(is, "translation");
    json_object_del(is, "rotation");
    json_object_del(is, "scale");
  }
  expect_same_items(clip->root, after, "nodes", json_array_size(old), path);
}

static void expect_same_asset(const json_t *before, const json_t *after, const char *path) {
  json_t *was = json_object_get(before, "asset"), *is = json_object_get(after, "asset");
  json_object_del(was, "generator");
  json_object_del(is, "generator");
  cr_expect(json_object_get(json_object_get(is, "extras"), "sinew"));
  json_object_del(is, "extras");
  cr_expect(json_equal(was, is), "%s: asset", path);
}

static void expect_kept(const kept_clip *clip, const glb_layout *layout, const char *path) {
  size_t byte_count;
  char *written = test_read_file(path, &byte_count);
  cr_assert(written && byte_count == layout->file_byte_count);
  const glb_model *model = clip->model;
  const json_text before = kept_text(clip->source), after = kept_text(written);
  json_t *root = json_loadb(after.bytes, after.byte_count, JSON_REJECT_DUPLICATES, NULL);
  cr_assert(root, "%s", path);
  expect_same_words(before, after, path);
  expect_same_nodes(clip, root, path);
  expect_same_asset(clip->root, root, path);
  const size_t accessors = json_array_size(json_object_get(clip->root, "accessors"));
  cr_expect(model->accessors.kept_count + model->cut_accessors == accessors);
  expect_same_items(clip->root, root, "accessors", model->accessors.kept_count, path);
  expect_same_items(clip->root, root, "bufferViews", model->views.kept_count, path);
  /* what is kept reads the same bytes: they stand where they stood */
  cr_expect(memcmp(written + layout->model_offset, before.bytes + before.byte_count + 8, model->byte_count) ==
            0);
  cr_expect(layout->model_offset == layout->head_byte_count);
  json_decref(root);
  free(written);
}

static char **models(size_t *count) {
  static char *all[64];
  static const char *const suffixes[] = {".glb", ".vrm", ".vrma"};
  *count = 0;
  for (size_t s = 0; s < sizeof suffixes / sizeof *suffixes; s++) {
    size_t found;
    char **list = test_data_list("rigs", suffixes[s], &found);
    for (size_t i = 0; i < found && *count < 64; i++) all[(*count)++] = list[i];
  }
  return all;
}

Test(kept, real_models_are_carried_unchanged) {
  NEED_DATA();
  size_t count;
  char **paths = models(&count);
  const char *folder = scratch_folder();
  cr_assert(count >= 16);
  for (size_t i = 0; i < count; i++) {
    static kept_clip clip;
    glb_layout layout;
    sinew_error error = {0};
    char path[600];
    snprintf(path, sizeof path, "%s/%zu.glb", folder, i);
    cr_assert(kept_open(paths[i], &clip, &error), "%s: %s", paths[i], error.message);
    cr_expect(clip.plan.track_count >= 8, "%s", paths[i]);
    cr_assert(kept_write(&clip, 0.3, path, &layout, &error), "%s: %s", paths[i], error.message);
    expect_kept(&clip, &layout, path);
    glb_layout_release(&layout);
    kept_close(&clip);
  }
  scratch_remove(folder);
}

static double *positions_at(const char *path, uint64_t frame, uint32_t *count) {
  sinew_error error = {0};
  verify_file *file;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  cr_assert(fd >= 0);
  cr_assert(verify_open_model(fd, &file, &error) == SINEW_OK, "%s: %s", path, error.message);
  *count = verify_node_count(file);
  cr_expect(verify_vertex_count(file) == 0);
  uint32_t *nodes = calloc(*count, sizeof *nodes);
  double *positions = calloc(*count, 3 * sizeof *positions);
  for (uint32_t i = 0; i < *count; i++) nodes[i] = i;
  cr_assert(verify_positions(file, nodes, *count, frame, 1, positions, &error) == SINEW_OK, "%s: %s", path,
            error.message);
  free(nodes);
  verify_close(file);
  close(fd);
  return positions;
}

/* Written without a clip a model rests as in its file; with keys that are the rest it does so too, those with
 * a matrix included; with others it moves. */
Test(kept, verification_reads_real_models) {
  NEED_DATA();
  size_t count;
  char **paths = models(&count);
  const char *folder = scratch_folder();
  for (size_t i = 0; i < count; i++) {
    static kept_clip clip;
    sinew_error error = {0};
    double *positions[3], reach = 0, worst = 0, moved = 0;
    uint32_t node_count = 0;
    cr_assert(kept_open(paths[i], &clip, &error), "%s: %s", paths[i], error.message);
    const uint32_t track_count = clip.plan.track_count;
    for (int variant = 0; variant < 3; variant++) {
      char path[600];
      glb_layout layout;
      snprintf(path, sizeof path, "%s/%zu-%d.glb", folder, i, variant);
      clip.plan.track_count = variant ? track_count : 0;
      cr_assert(kept_write(&clip, variant == 2 ? 0.3 : 0, path, &layout, &error), "%s", error.message);
      positions[variant] = positions_at(path, variant ? 50 : 0, &node_count);
      glb_layout_release(&layout);
    }
    for (uint32_t k = 0; k < 3 * node_count; k++) {
      reach = fmax(reach, fabs(positions[0][k]));
      worst = fmax(worst, fabs(positions[1][k] - positions[0][k]));
      moved = fmax(moved, fabs(positions[2][k] - positions[0][k]));
    }
    cr_expect(worst <= 2e-6 * reach, "%s: %g of %g", paths[i], worst, reach);
    cr_expect(moved > 1e-3 * reach, "%s: %g of %g", paths[i], moved, reach);
    for (int variant = 0; variant < 3; variant++) free(positions[variant]);
    kept_close(&clip);
  }
  scratch_remove(folder);
}

/* What verification of our own files refuses. */
Test(kept, verification_passes_over_what_is_not_ours) {
  static const char json[] =
      "{'asset':{'version':'2.0'},'extensionsRequired':['KHR_draco_mesh_compression'],'scenes':[{'nodes':[1]}"
      "],"
      "'nodes':[{'children':[1],'rotation':[0,0,0,2]},{'translation':[1,0,0],'mesh':7},{'camera':3}],"
      "'accessors':[{'componentType':5125,'count':3,'type':'VEC2','sparse':{}}]}";
  glb_model *model = open_made(json, 0);
  const glb_plan plan = plan_of(model, 1);
  glb_layout layout;
  sinew_error error = {0};
  cr_assert(glb_layout_build(&plan, &layout, &error) == SINEW_OK, "%s", error.message);
  const char *folder = scratch_folder();
  char path[600];
  snprintf(path, sizeof path, "%s/a.glb", folder);
  FILE *out = fopen(path, "wb");
  cr_assert(out);
  const float keys[5] = {0, 0, 0, 0, 1};
  cr_assert(fwrite(layout.head, layout.head_byte_count, 1, out) == 1 &&
            fwrite(keys, sizeof keys, 1, out) == 1);
  fclose(out);
  uint32_t count;
  double *positions = positions_at(path, 0, &count);
  cr_expect(count == 3 && positions[3] == 1 && positions[4] == 0);
  free(positions);
  verify_file *file;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  cr_expect(verify_open(fd, &file, &error) == SINEW_ERROR_VERIFY);
  close(fd);
  glb_layout_release(&layout);
  glb_model_close(model);
  scratch_remove(folder);
}
