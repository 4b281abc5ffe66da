/* Skinned meshes and 16-bit rotations as verification reads them: the format's rules, and what breaks them.
 */
#include "base/arena.h"
#include "verify/verify.h"
#include "write/memory_glb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- one good file, of which each test changes a piece ---------------------------------------------------
 */

typedef struct corner {
  float place[3];
  uint8_t joints[4], weights[4];
} corner;

typedef struct skin_bin { /* views: times and rotations; matrices; corners; indices */
  float times[3];
  int16_t rotations[3][4]; /* node 0 about z: 0, 90, 180 degrees */
  float matrices[2][16];
  corner corners[3];
  uint16_t indices[6]; /* three are used */
} skin_bin;
_Static_assert(sizeof(skin_bin) == 12 + 24 + 128 + 60 + 12, "as the JSON says");

static const skin_bin good_bin = {
    {0, 0.5F, 1},
    {{0, 0, 0, 32767}, {0, 0, 23170, 23170}, {0, 0, 32767, 0}},
    {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1}},
    {{{1, 0, 0}, {0, 0, 0, 0}, {255, 0, 0, 0}},
     {{2, 0, 0}, {1, 0, 0, 0}, {255, 0, 0, 0}},
     {{2, 0, 0}, {0, 1, 0, 0}, {51, 204, 0, 0}}},
    {0, 1, 2, 0, 0, 0},
};

static const char good_json[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,2]}],'nodes':["
    "{'children':[1]},{'translation':[1,0,0]},{'mesh':0,'skin':0}],"
    "'skins':[{'inverseBindMatrices':2,'joints':[0,1]}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':3,'JOINTS_0':4,'WEIGHTS_0':5},'indices':6}]}],"
    "'animations':[{'samplers':[{'input':0,'output':1}],"
    "'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}}]}],'accessors':["
    "{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR','min':[0],'max':[1]},"
    "{'bufferView':0,'byteOffset':12,'componentType':5122,'normalized':true,'count':3,'type':'VEC4'},"
    "{'bufferView':1,'componentType':5126,'count':2,'type':'MAT4'},"
    "{'bufferView':2,'componentType':5126,'count':3,'type':'VEC3'},"
    "{'bufferView':2,'byteOffset':12,'componentType':5121,'count':3,'type':'VEC4'},"
    "{'bufferView':2,'byteOffset':16,'componentType':5121,'normalized':true,'count':3,'type':'VEC4'},"
    "{'bufferView':3,'componentType':5123,'count':3,'type':'SCALAR'}],"
    "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':128},"
    "{'buffer':0,'byteOffset':164,'byteLength':60,'byteStride':20,'target':34962},"
    "{'buffer':0,'byteOffset':224,'byteLength':12,'target':34963}],"
    "'buffers':[{'byteLength':236}]}";

/* The good file with one piece of the JSON replaced, and another BIN chunk. */
static int file_with(const char *from, const char *to, const skin_bin *bin) {
  const char *at = from ? strstr(good_json, from) : good_json;
  cr_assert(at, "\"%s\" is not in the good file", from);
  size_t size = sizeof good_json + strlen(to ? to : "") + 1;
  char *json = malloc(size);
  snprintf(json, size, "%.*s%s%s", (int)(at - good_json), good_json, to ? to : "",
           at + (from ? strlen(from) : 0));
  for (char *p = json; *p; p++)
    if (*p == '\'') *p = '"';
  int fd = glb_of(json, bin, sizeof *bin);
  free(json);
  return fd;
}

/* Reads the corners at every frame; the first error counts. */
static sinew_result read_through(int fd, double (*corners)[3], sinew_error *error) {
  verify_file *file;
  sinew_result result = verify_open(fd, &file, error);
  if (result != SINEW_OK) return result;
  double last[3][3];
  cr_assert(verify_vertex_count(file) <= 3);
  for (uint64_t frame = 0; frame < verify_frame_count(file) && result == SINEW_OK; frame++)
    result = verify_vertices(file, frame, frame == 1 ? corners : last, error);
  verify_close(file);
  return result;
}

static void expect_refused(int fd, const char *part) {
  sinew_error error = {0};
  double corners[3][3];
  cr_expect(read_through(fd, corners, &error) == SINEW_ERROR_VERIFY, "expected \"%s\"", part);
  cr_expect(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
  close(fd);
}

static void expect_corner(int fd, int index, double x, double y, double z) {
  sinew_error error = {0};
  double p[3][3];
  cr_assert(read_through(fd, p, &error) == SINEW_OK, "%s", error.message);
  double off = hypot(hypot(p[index][0] - x, p[index][1] - y), p[index][2] - z);
  cr_expect(off < 1e-4, "corner %d: %.9g %.9g %.9g, expected %g %g %g", index, p[index][0], p[index][1],
            p[index][2], x, y, z);
  close(fd);
}

/* ---- what is accepted -----------------------------------------------------------------------------------
 */

Test(skin, corners_follow_their_joints) { /* at frame 1, turned by 90 degrees */
  for (int i = 0; i < 3; i++) expect_corner(file_with(NULL, NULL, &good_bin), i, 0, i == 0 ? 1 : 2, 0);
  /* the second joint's bind place is another: what hangs on it wholly moves by 1, the other by 0.8 of it */
  skin_bin bin = good_bin;
  bin.matrices[1][13] = 1;
  expect_corner(file_with(NULL, NULL, &bin), 0, 0, 1, 0);
  expect_corner(file_with(NULL, NULL, &bin), 1, -1, 2, 0);
  expect_corner(file_with(NULL, NULL, &bin), 2, -0.8, 2, 0);
  /* what stands on the mesh's own node does not count */
  expect_corner(file_with("{'mesh':0", "{'translation':[7,7,7],'mesh':0", &good_bin), 1, 0, 2, 0);
}

Test(skin, the_lowest_short_is_minus_one) {
  skin_bin bin = good_bin;
  memcpy(bin.rotations[1], (int16_t[4]){0, 0, INT16_MIN, 0}, sizeof bin.rotations[1]);
  expect_corner(file_with(NULL, NULL, &bin), 1, -2, 0, 0);
}

Test(skin, a_file_without_a_mesh_has_no_corners) {
  int fd = file_with(",{'mesh':0,'skin':0}", ",{}", &good_bin);
  sinew_error error = {0};
  verify_file *file;
  cr_assert(verify_open(fd, &file, &error) == SINEW_OK, "%s", error.message);
  cr_expect(verify_vertex_count(file) == 0 && verify_vertices(file, 0, NULL, &error) == SINEW_OK);
  verify_close(file);
  close(fd);
}

/* ---- what is refused ------------------------------------------------------------------------------------
 */

Test(skin, json_that_no_player_accepts) {
  static const struct {
    const char *from, *to, *reason;
  } rules[] = {
      {"'mesh':0,'skin':0", "'mesh':0", "expected both or none"},
      {"'mesh':0,'skin':0", "'skin':0", "expected both or none"},
      {"'mesh':0,", "'mesh':1,", "mesh 1 does not exist"},
      {"'mesh':0,'skin':0", "'mesh':0,'skin':1", "skin 1 does not exist"},
      {"{'translation':[1,0,0]}", "{'mesh':0,'skin':0}", "is no root of the scene"},
      {"{'mesh':0,'skin':0}", "{'mesh':0,'skin':0},{'mesh':0,'skin':0}", "both show a mesh"},
      {"'nodes':[0,2]", "'nodes':[0]", "is no root of the scene"},
      {"'joints':[0,1]", "'joints':[]", "no list of nodes"},
      {"'joints':[0,1]", "'joints':[0,3]", "joint 1 does not exist"},
      {"'joints':[0,1]", "'joints':[0,-1]", "joint 1 does not exist"},
      {"'joints':[0,1]", "'joints':[0]", "2 matrices for 1 joints"},
      {"'joints':[0,1]", "'joints':[0,1,2]", "2 matrices for 3 joints"},
      {"'inverseBindMatrices':2", "'inverseBindMatrices':3", "byteStride"},
      {"'inverseBindMatrices':2", "'inverseBindMatrices':0", "expected 16"},
      {"'inverseBindMatrices':2,", "", "inverseBindMatrices is missing"},
      {"'primitives':[{", "'primitives':[{},{", "not one primitive"},
      {"'indices':6", "'indices':6,'mode':1", "expected triangles"},
      {"'indices':6", "'indices':2", "target"},
      {"'indices':6", "'material':0", "indices is missing"},
      {"'POSITION':3,", "", "POSITION is missing"},
      {"'POSITION':3,", "'POSITION':2,", "bufferView 1: target is 0"},
      {"'POSITION':3,", "'POSITION':4,", "has 4 components, expected 3"},
      {"'JOINTS_0':4", "'JOINTS_0':5", "normalized is true"},
      {"'WEIGHTS_0':5", "'WEIGHTS_0':4", "normalized is false"},
      {"'componentType':5121,'count':3", "'componentType':5121,'count':2", "3 places, 2 joints"},
      {"'componentType':5123,'count':3", "'componentType':5123,'count':4", "no triangles"},
      {"'componentType':5123,'count':3", "'componentType':5123,'count':9", "does not fit"},
      {"'componentType':5123,'count':3", "'componentType':5125,'count':3", "5125, which is none"},
      {"'byteStride':20,", "'byteStride':18,", "byteStride is 18"},
      {"'byteStride':20,", "'byteStride':1024,", "byteStride is 1024"},
      {"'byteStride':20,", "'byteStride':8,", "longer than the stride"},
      {"'byteStride':20,", "", "hangs on joint 255"},
      {"'target':34962", "'target':34963", "target is 34963, expected 34962"},
      {"'target':34963", "'target':34962", "target is 34962, expected 34963"},
      {"'byteLength':60", "'byteLength':59", "does not fit into its bufferView"},
      {"'normalized':true,'count':3,'type':'VEC4'},{'bufferView':1",
       "'count':3,'type':'VEC4'},{'bufferView':1", "normalized is false"},
      {"'byteOffset':12,'componentType':5122", "'byteOffset':11,'componentType':5122", "between two numbers"},
      {"'componentType':5122", "'componentType':5120", "5120, which is none"},
      {"'componentType':5122", "'componentType':5123", "expected 5126"},
      {"'path':'rotation'", "'path':'scale'", "does not suit a scale"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    expect_refused(file_with(rules[i].from, rules[i].to, &good_bin), rules[i].reason);
  expect_refused(file_with("'type':'VEC4'},{'bufferView':1", "'type':'VEC3'},{'bufferView':1", &good_bin),
                 "does not suit a rotation");
}

Test(skin, numbers_that_cannot_be_skinned) {
  skin_bin bin = good_bin;
  bin.matrices[1][3] = 0.5F;
  expect_refused(file_with(NULL, NULL, &bin), "matrix 1 is none of a joint");
  bin = good_bin, bin.matrices[0][15] = 0;
  expect_refused(file_with(NULL, NULL, &bin), "matrix 0 is none of a joint");
  bin = good_bin, bin.matrices[1][12] = NAN;
  expect_refused(file_with(NULL, NULL, &bin), "matrix 1 is none of a joint");
  bin = good_bin, bin.corners[2].place[1] = INFINITY;
  expect_refused(file_with(NULL, NULL, &bin), "corner 2 stands at");
  bin = good_bin, bin.corners[1].joints[3] = 2;
  expect_refused(file_with(NULL, NULL, &bin), "corner 1 hangs on joint 2");
  bin = good_bin, bin.corners[2].weights[0] = 50;
  expect_refused(file_with(NULL, NULL, &bin), "do not sum to 1");
  bin = good_bin, bin.indices[2] = 3;
  expect_refused(file_with(NULL, NULL, &bin), "index 2 is corner 3");
  bin = good_bin, bin.rotations[2][2] = 32700;
  expect_refused(file_with(NULL, NULL, &bin), "unit length");
}

/* ---- memory ---------------------------------------------------------------------------------------------
 */

static int allocations_left;
static int permit(size_t byte_count) {
  (void)byte_count;
  return allocations_left-- > 0;
}

Test(skin, running_out_of_memory_is_an_error_at_every_step) {
  int fd = file_with(NULL, NULL, &good_bin), steps = 0;
  double corners[3][3];
  heap_permit = permit;
  for (sinew_result result = SINEW_ERROR_MEMORY; result != SINEW_OK; steps++) {
    sinew_error error = {0};
    allocations_left = steps;
    result = read_through(fd, corners, &error);
    cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%s", error.message);
    cr_assert(steps < 100);
  }
  heap_permit = NULL;
  cr_expect(steps > 3);
  close(fd);
}
