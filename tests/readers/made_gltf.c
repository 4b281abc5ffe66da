#include "readers/made_gltf.h"
#include "base/heap.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char gltf_json[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[1,3]}],"
    "'nodes':[{'name':'tail','translation':[0,1,0.5]},"
    "{'name':'Hips','children':[0,2],'rotation':[0,0,0.6,0.8],'scale':[1,2,1]},{'name':'arm'},"
    "{'name':'table','matrix':[0,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]}],"
    "'skins':[{'joints':[1,0],'inverseBindMatrices':4,'skeleton':1}],"
    "'animations':[{'name':'walk','samplers':[{'input':0,'output':1},"
    "{'input':0,'output':2,'interpolation':'STEP'},{'input':5,'output':3,'interpolation':'CUBICSPLINE'}],"
    "'channels':[{'sampler':0,'target':{'node':1,'path':'rotation'}},"
    "{'sampler':1,'target':{'node':1,'path':'translation'}},"
    "{'sampler':2,'target':{'node':0,'path':'scale'}}]},"
    "{'name':'wave','samplers':[{'input':0,'output':6},{'input':0,'output':7,'interpolation':'LINEAR'},"
    "{'input':0,'output':8}],"
    "'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}},"
    "{'sampler':1,'target':{'node':2,'path':'rotation'}},"
    "{'sampler':2,'target':{'node':2,'path':'translation'}}]}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR','min':[0],'max':[1.25]},"
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'count':3,'type':'VEC4'},"
    "{'bufferView':0,'byteOffset':60,'componentType':5126,'count':3,'type':'VEC3'},"
    "{'bufferView':0,'byteOffset':96,'componentType':5126,'count':6,'type':'VEC3'},"
    "{'bufferView':0,'byteOffset':168,'componentType':5126,'count':2,'type':'MAT4'},"
    "{'bufferView':0,'byteOffset':0,'componentType':5126,'count':2,'type':'SCALAR','min':[0],'max':[0.5]},"
    "{'bufferView':0,'byteOffset':296,'componentType':5122,'normalized':true,'count':3,'type':'VEC4'},"
    "{'bufferView':0,'byteOffset':320,'componentType':5120,'normalized':true,'count':3,'type':'VEC4'},"
    "{'bufferView':0,'byteOffset':60,'componentType':5126,'count':3,'type':'VEC3','sparse':{'count':2,"
    "'indices':{'bufferView':1,'componentType':5123},'values':{'bufferView':1,'byteOffset':4}}}],"
    "'bufferViews':[{'buffer':0,'byteLength':332},{'buffer':0,'byteOffset':332,'byteLength':28}],"
    "'buffers':[{'byteLength':360}]}";

void gltf_bin(unsigned char bin[GLTF_BIN_BYTES]) {
  static const float floats[] = {
      0, 0.5F, 1.25F,                                              /* times */
      0, 0,    0,     1,     0,     0, 0.6F, 0.8F, 0,  0, 1,    0, /* rotations */
      0, 1,    0,     0.25F, 1,     0, 0.5F, 1,    -2,             /* moves */
      0, 0,    0,     1,     1,     1, 1,    0,    0,  0, 1,    0, 2, 2,  2, 0,
      0, 0, /* in, value, out of two keys */
      1, 0,    0,     0,     0,     1, 0,    0,    0,  0, 1,    0, 0, -1, 0, 1, /* inverse bind of Hips */
      0, 0.5F, 0,     0,     -0.5F, 0, 0,    0,    0,  0, 0.5F, 0, 1, 2,  3, 1  /* of tail */
  };
  static const int16_t shorts[] = {0, 0, 0, 32767, 0, 0, -32768, 0, 19660, 0, 0, 26214};
  static const int8_t bytes[] = {0, 0, 0, 127, 127, 0, 0, 0, 0, -128, 0, 0};
  static const uint16_t indices[] = {0, 2};
  static const float values[] = {7, 8, 9, -7, -8, -9};
  memcpy(bin, floats, sizeof floats);
  memcpy(bin + GLTF_SHORTS, shorts, sizeof shorts);
  memcpy(bin + GLTF_BYTES, bytes, sizeof bytes);
  memcpy(bin + GLTF_SPARSE_INDICES, indices, sizeof indices);
  memcpy(bin + GLTF_SPARSE_VALUES, values, sizeof values);
}

char *gltf_json_but(const char *from, const char *to) {
  const char *at = from ? strstr(gltf_json, from) : gltf_json;
  cr_assert(at, "\"%s\" is not in the file", from);
  const size_t size = sizeof gltf_json + (to ? strlen(to) : 0);
  char *json = test_keep(size, 1);
  snprintf(json, size, "%.*s%s%s", (int)(at - gltf_json), gltf_json, from ? to : "",
           at + (from ? strlen(from) : 0));
  return json;
}

made_glb gltf_but(const char *from, const char *to) {
  unsigned char bin[GLTF_BIN_BYTES];
  gltf_bin(bin);
  return made_from(gltf_json_but(from, to), bin, sizeof bin);
}

made_glb gltf_bytes_but(size_t at, const void *bytes, size_t count) {
  unsigned char bin[GLTF_BIN_BYTES];
  gltf_bin(bin);
  cr_assert_leq(at + count, sizeof bin);
  memcpy(bin + at, bytes, count);
  return made_from(gltf_json, bin, sizeof bin);
}

char *gltf_quoted(const char *json) {
  char *copy = test_keep_text(json);
  for (char *p = copy; *p; p++)
    if (*p == '\'') *p = '"';
  return copy;
}

sinew_result gltf_read(const void *bytes, size_t byte_count, const char *path,
                       const sinew_read_options *options, motion_file **file, sinew_error *error) {
  char *exact = malloc(byte_count ? byte_count : 1);
  memcpy(exact, bytes, byte_count);
  const read_source source = {exact, byte_count, read_limits_complete(options)};
  motion_file *made = heap_alloc(1, sizeof *made);
  *error = (sinew_error){0};
  *file = NULL;
  if (!made) {
    free(exact);
    return error->code = SINEW_ERROR_MEMORY;
  }
  made->memory.byte_limit = source.limits.memory_bytes;
  const sinew_result result = read_gltf(&source, path, made, error);
  free(exact);
  if (result == SINEW_OK)
    *file = made;
  else
    motion_file_close(made);
  return result;
}

motion_file *gltf_open(made_glb glb) {
  sinew_error error;
  motion_file *file;
  const sinew_result result = gltf_read(glb.bytes, glb.byte_count, NULL, NULL, &file, &error);
  cr_assert(result == SINEW_OK, "%s", error.message);
  return file;
}

motion_file *gltf_open_json(const char *json) {
  unsigned char bin[GLTF_BIN_BYTES];
  gltf_bin(bin);
  return gltf_open(made_from(json, bin, sizeof bin));
}

bool gltf_warned(const motion_file *file, const char *words) {
  for (uint32_t i = 0; i < file->skeleton->warning_count; i++)
    if (strstr(file->skeleton->warnings[i], words)) return true;
  return false;
}

/* ---- a walk ------------------------------------------------------------------------------------------- */

static void walk_nodes(const skeleton *made) {
  cr_assert(made->node_count && made->name && made->kind && made->unit_m == 1);
  for (uint32_t i = 0; i < made->node_count; i++) {
    const skeleton_node *node = &made->nodes[i];
    double square = 0;
    for (int k = 0; k < 4; k++) square += node->q[k] * node->q[k];
    cr_assert(node->name && node->parent < (int32_t)i && node->source_index < made->node_count);
    cr_assert(fabs(square - 1) < 1e-9, "node %u: %g", i, square);
    for (int k = 0; k < 3; k++) cr_assert(isfinite(node->t[k]) && isfinite(node->s[k]));
    for (int k = 0; k < 12; k++) cr_assert(isfinite(node->bind[k / 4][k % 4]));
  }
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    cr_assert(made->node_of_bone[bone] >= -1 && made->node_of_bone[bone] < (int32_t)made->node_count);
  for (uint32_t i = 0; i < made->warning_count; i++) cr_assert(made->warnings[i][0]);
}

static void walk_track(const motion_track *track, uint32_t node_count) {
  const uint64_t width = track->path == MOTION_ROTATION ? 4 : 3;
  const uint64_t count = width * track->key_count * (track->interpolation == MOTION_CUBIC ? 3 : 1);
  cr_assert(track->key_count && track->node < node_count);
  for (uint32_t k = 0; k < track->key_count; k++)
    cr_assert(isfinite(track->time_s[k]) &&
              (k == 0 ? track->time_s[k] >= 0 : track->time_s[k] > track->time_s[k - 1]));
  for (uint64_t i = 0; i < count; i++) cr_assert(isfinite(track->values[i]));
}

void gltf_walk(const motion_file *file) {
  walk_nodes(file->skeleton);
  for (uint32_t m = 0; m < file->motion_count; m++) {
    const motion *one = &file->motions[m];
    cr_assert(one->name && isfinite(one->start_s) && one->start_s <= one->stop_s && !one->frame_count);
    for (uint32_t i = 0; i < one->track_count; i++) walk_track(&one->tracks[i], file->skeleton->node_count);
  }
}
