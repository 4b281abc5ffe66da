#include "inspect/made_glb.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char made_json[] =
    "{'asset':{'version':'2.0','generator':'by hand'},'scene':0,'scenes':[{'nodes':[0,2]}],"
    "'nodes':[{'name':'a','children':[1]},{'name':'b'},{'name':'c','mesh':0,'skin':0}],"
    "'skins':[{'name':'s','joints':[1],'inverseBindMatrices':8,'skeleton':0}],"
    "'meshes':[{'name':'m','primitives':[{'attributes':{'POSITION':5},'indices':7,'targets':[{'POSITION':6}]}"
    "]}],"
    "'animations':[{'name':'turn','samplers':[{'input':0,'output':1},"
    "{'input':2,'output':3,'interpolation':'LINEAR'},{'input':0,'output':4,'interpolation':'STEP'}],"
    "'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}},"
    "{'sampler':1,'target':{'node':1,'path':'translation'}},"
    "{'sampler':2,'target':{'node':2,'path':'weights'}}]}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR','min':[0],'max':[1]},"
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'count':3,'type':'VEC4'},"
    "{'bufferView':0,'byteOffset':0,'componentType':5126,'count':1,'type':'SCALAR','min':[0],'max':[0]},"
    "{'bufferView':0,'byteOffset':60,'componentType':5126,'count':1,'type':'VEC3'},"
    "{'bufferView':0,'byteOffset':72,'componentType':5126,'count':3,'type':'SCALAR'},"
    "{'bufferView':1,'componentType':5126,'count':3,'type':'VEC3'},"
    "{'bufferView':1,'byteOffset':36,'componentType':5126,'count':3,'type':'VEC3'},"
    "{'bufferView':2,'componentType':5123,'count':3,'type':'SCALAR'},"
    "{'bufferView':3,'componentType':5126,'count':1,'type':'MAT4'}],"
    "'bufferViews':[{'buffer':0,'byteLength':84},{'buffer':0,'byteOffset':84,'byteLength':72},"
    "{'buffer':0,'byteOffset':156,'byteLength':6},{'buffer':0,'byteOffset':164,'byteLength':64}],"
    "'buffers':[{'byteLength':228}]}";

#define HALF 0.70710678F

void made_bin(unsigned char bin[MADE_BIN_BYTES]) {
  static const float keys[] = {0,
                               0.5F,
                               1,
                               /* rotations */ 0,
                               0,
                               0,
                               1,
                               0,
                               0,
                               HALF,
                               HALF,
                               0,
                               0,
                               1,
                               0,
                               /* translation */ 2,
                               0,
                               0,
                               /* weights */ 0.25F,
                               0.25F,
                               0.25F,
                               /* positions */ 0,
                               0,
                               0,
                               1,
                               0,
                               0,
                               0,
                               1,
                               0,
                               /* of the morph target */ 0,
                               0,
                               1,
                               0,
                               0,
                               1,
                               0,
                               0,
                               1};
  static const uint16_t indices[] = {0, 1, 2, 0};
  static const float bind[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  memcpy(bin, keys, sizeof keys);
  memcpy(bin + 156, indices, sizeof indices);
  memcpy(bin + 164, bind, sizeof bind);
}

char *made_json_but(const char *from, const char *to) {
  const char *at = from ? strstr(made_json, from) : made_json;
  cr_assert(at, "\"%s\" is not in the file", from);
  const size_t size = sizeof made_json + (to ? strlen(to) : 0);
  char *json = test_keep(size, 1);
  snprintf(json, size, "%.*s%s%s", (int)(at - made_json), made_json, from ? to : "",
           at + (from ? strlen(from) : 0));
  return json;
}

static unsigned char *put_word(unsigned char *at, size_t word) {
  for (int i = 0; i < 4; i++) *at++ = (unsigned char)(word >> 8 * i);
  return at;
}

made_glb made_from(const char *json, const void *bin, size_t bin_bytes) {
  const size_t length = strlen(json), padded = (length + 3) / 4 * 4, bin_padded = (bin_bytes + 3) / 4 * 4;
  made_glb glb = {NULL, 20 + padded + (bin_bytes ? 8 + bin_padded : 0)};
  unsigned char *at = glb.bytes = test_keep(glb.byte_count, 1);
  at = put_word(put_word(put_word(at, 0x46546c67), 2), glb.byte_count);
  at = put_word(put_word(at, padded), 0x4e4f534a);
  for (size_t i = 0; i < padded; i++)
    *at++ = (unsigned char)(i >= length ? ' ' : json[i] == '\'' ? '"' : json[i]);
  if (bin_bytes) memcpy(put_word(put_word(at, bin_padded), 0x004e4942), bin, bin_bytes);
  return glb;
}

made_glb made_but(const char *from, const char *to) {
  unsigned char bin[MADE_BIN_BYTES];
  made_bin(bin);
  return made_from(made_json_but(from, to), bin, sizeof bin);
}

sinew_result made_try(made_glb glb, sinew_error *error) {
  sinew_glb *opened;
  *error = (sinew_error){0};
  const sinew_result result =
      sinew_glb_open_memory(glb.bytes, glb.byte_count, "made.glb", NULL, &opened, error);
  sinew_glb_close(opened);
  return result;
}

sinew_glb *made_open(made_glb glb) {
  sinew_error error = {0};
  sinew_glb *opened;
  const sinew_result result =
      sinew_glb_open_memory(glb.bytes, glb.byte_count, "made.glb", NULL, &opened, &error);
  cr_assert(result == SINEW_OK, "%s", error.message);
  return opened;
}
