/* Files that a player would not accept are refused with the reason, and those with other interpolations,
 * times of their own or matrices are sampled as the format says. */
#include "base/arena.h"
#include "base/os.h"
#include "verify/verify.h"
#include "write/followed.h"
#include "write/memory_glb.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Cleared where the machine fails, and not the file. */
static bool compares = true;

/* Opens, and reads the positions of node 1 at all frames, `at_once` per call; the first error counts. */
static sinew_result read_in_steps(int fd, uint32_t at_once, sinew_error *error) {
  verify_file *file;
  sinew_result result = verify_open(fd, &file, error);
  if (result != SINEW_OK) return result;
  static double positions[64][3];
  uint32_t node = 1, count = (uint32_t)verify_frame_count(file);
  if (count == 0) count = 1;
  cr_assert(count <= 64);
  for (uint32_t first = 0; first < count && result == SINEW_OK; first += at_once) {
    uint32_t step = count - first < at_once ? count - first : at_once;
    result = verify_positions(file, &node, 1, first, step, &positions[first][0], error);
    if (compares) followed_expect(file, &node, 1, first, step, first + step, &positions[first][0], result, error);
  }
  verify_close(file);
  return result;
}

static sinew_result read_through(int fd, sinew_error *error) {
  return read_in_steps(fd, 64, error);
}

static void expect_refused(int fd, const char *part) {
  sinew_error error = {0};
  sinew_result result = read_through(fd, &error);
  cr_expect(result == SINEW_ERROR_VERIFY, "expected \"%s\"", part);
  cr_expect(strstr(error.message, part), "\"%s\" lacks \"%s\"", error.message, part);
  close(fd);
}

/* ---- one good file, of which each test changes a piece
 * ------------------------------------------------------ */

/* three times; three rotations of node 0 about z: 0, 90, 180 degrees; one time and one translation of node 1
 */
#define HALF 0.70710678F
static const float good_bin[] = {0, 0.5F, 1, 0, 0, 0, 1, 0, 0, HALF, HALF, 0, 0, 1, 0, 0, 2, 0, 0};
enum { GOOD_BIN = sizeof good_bin / sizeof *good_bin };

static const char good_json[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],"
    "'nodes':[{'name':'a','children':[1]},{'name':'b','translation':[1,0,0]}],"
    "'animations':[{'samplers':[{'input':0,'output':1},{'input':2,'output':3,'interpolation':'LINEAR'}],"
    "'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}},"
    "{'sampler':1,'target':{'node':1,'path':'translation'}}]}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'SCALAR','min':[0],'max':[1]},"
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'count':3,'type':'VEC4'},"
    "{'bufferView':0,'componentType':5126,'count':1,'type':'SCALAR','min':[0],'max':[0]},"
    "{'bufferView':1,'componentType':5126,'count':1,'type':'VEC3'}],"
    "'bufferViews':[{'buffer':0,'byteLength':60},{'buffer':0,'byteOffset':64,'byteLength':12}],"
    "'buffers':[{'byteLength':76}]}";

/* The good JSON with one piece replaced, and ' turned into ". The caller frees. */
static char *changed(const char *from, const char *to) {
  const char *at = from ? strstr(good_json, from) : good_json;
  cr_assert(at, "\"%s\" is not in the good file", from);
  size_t size = sizeof good_json + strlen(to ? to : "") + 1;
  char *json = malloc(size);
  snprintf(json, size, "%.*s%s%s", (int)(at - good_json), good_json, to ? to : "",
           at + (from ? strlen(from) : 0));
  for (char *p = json; *p; p++)
    if (*p == '\'') *p = '"';
  return json;
}

static int good_but(const char *from, const char *to) {
  char *json = changed(from, to);
  int fd = glb_of(json, good_bin, sizeof good_bin);
  free(json);
  return fd;
}

static int good_but_float(size_t index, float value) {
  float bin[GOOD_BIN];
  memcpy(bin, good_bin, sizeof bin);
  bin[index] = value;
  char *json = changed(NULL, NULL);
  int fd = glb_of(json, bin, sizeof bin);
  free(json);
  return fd;
}

static void expect_position(int fd, uint64_t frame, double x, double y, double z) {
  sinew_error error = {0};
  verify_file *file;
  cr_assert(verify_open(fd, &file, &error) == SINEW_OK, "%s", error.message);
  double p[3];
  uint32_t node = 1;
  cr_assert(verify_positions(file, &node, 1, frame, 1, p, &error) == SINEW_OK, "%s", error.message);
  followed_expect(file, &node, 1, frame, 1, frame + 1, p, SINEW_OK, NULL);
  double off = hypot(hypot(p[0] - x, p[1] - y), p[2] - z);
  cr_expect(off < 1e-6, "frame %d: %.9g %.9g %.9g, expected %.9g %.9g %.9g", (int)frame, p[0], p[1], p[2], x,
            y, z);
  verify_close(file);
  close(fd);
}

/* ---- what is accepted --------------------------------------------------------------------------------- */

Test(verify, keys_rests_and_single_keys_compose) {
  expect_position(good_but(NULL, NULL), 0, 2, 0, 0);
  expect_position(good_but(NULL, NULL), 1, 0, 2, 0);
  expect_position(good_but(NULL, NULL), 2, -2, 0, 0);
  expect_position(good_but("'name':'a'", "'translation':[0,0,5],'scale':[2,3,4]"), 0, 4, 0, 5);
  expect_position(good_but("'name':'a'", "'translation':[0,0,5],'scale':[2,3,4]"), 1, 0, 4, 5);
}

Test(verify, a_matrix_is_read_column_by_column) {
  expect_position(good_but("'children':[1]},{'name':'b','translation':[1,0,0]}",
                           "'children':[2]},{'name':'b'},{'matrix':[0,1,0,0, -1,0,0,0, 0,0,1,0, 0,0,7,1],"
                           "'children':[1]}"),
                  1, -2, 0, 7);
}

Test(verify, a_file_without_animation_rests) {
  int fd = glb_of("{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],"
                  "\"nodes\":[{\"children\":[1]},{\"translation\":[1,2,3]}]}",
                  NULL, 0);
  expect_position(fd, 9, 1, 2, 3);
}

/* node 0 turns at three times; node 1 moves by times of its own */
static int own_times(const char *way) {
  static const float bin[] = {0,     0.5F,  1, 0, 0, 0, 1, 0,
                              0,     0,     1, 0, 0, 0, 1, /* times, still rotations */
                              0.25F, 0.75F, 1, 0, 0, 5, 0, 0};
  char json[2000];
  snprintf(
      json, sizeof json,
      "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{}],"
      "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1},{\"input\":2,\"output\":3,%s}],"
      "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"rotation\"}},"
      "{\"sampler\":1,\"target\":{\"node\":1,\"path\":\"translation\"}}]}],\"accessors\":["
      "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
      "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":3,\"type\":\"VEC4\"},"
      "{\"bufferView\":0,\"byteOffset\":60,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0."
      "25],"
      "\"max\":[0.75]},"
      "{\"bufferView\":0,\"byteOffset\":68,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":92}],\"buffers\":[{\"byteLength\":92}]}",
      way);
  return glb_of(json, bin, sizeof bin);
}

Test(verify, times_of_their_own_interpolate_and_clamp) {
  expect_position(own_times("\"interpolation\":\"LINEAR\""), 0, 1, 0, 0);
  expect_position(own_times("\"interpolation\":\"LINEAR\""), 1, 3, 0, 0);
  expect_position(own_times("\"interpolation\":\"LINEAR\""), 2, 5, 0, 0);
  expect_position(own_times("\"interpolation\":\"STEP\""), 1, 1, 0, 0);
}

/* node 1 moves at five times, node 0 turns by 120 degrees at two of its own, the second key with the other
 * sign */
static int slow_turn(void) {
  static const float bin[] = {0, 0.25F, 0.5F, 0.75F, 1, /* */
                              1, 0,     0,    1,     0, 0, 1, 0, 0, 1, 0,           0,    1,
                              0, 0,     0,    1,     0, 0, 0, 1, 0, 0, -0.8660254F, -0.5F};
  return glb_of(
      "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{}],"
      "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1},{\"input\":2,\"output\":3}],"
      "\"channels\":[{\"sampler\":0,\"target\":{\"node\":1,\"path\":\"translation\"}},"
      "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"rotation\"}}]}],\"accessors\":["
      "{\"bufferView\":0,\"componentType\":5126,\"count\":5,\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},"
      "{\"bufferView\":0,\"byteOffset\":20,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"},"
      "{\"bufferView\":0,\"byteOffset\":80,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\",\"min\":[0]"
      ","
      "\"max\":[1]},"
      "{\"bufferView\":0,\"byteOffset\":88,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":120}],\"buffers\":[{\"byteLength\":120}]}",
      bin, sizeof bin);
}

Test(verify, rotations_between_keys_turn_evenly_the_short_way) {
  for (uint64_t frame = 0; frame < 5; frame++) {
    double angle = 2.0943951023931953 * (double)frame / 4;
    expect_position(slow_turn(), frame, cos(angle), sin(angle), 0);
  }
}

/* ---- what is refused ---------------------------------------------------------------------------------- */

Test(verify, broken_containers) {
  char *json = changed(NULL, NULL);
  int fd = good_but(NULL, NULL);
  cr_assert(ftruncate(fd, 500) == 0);
  expect_refused(fd, "the file has 500");
  fd = good_but(NULL, NULL);
  cr_assert(ftruncate(fd, 7) == 0);
  expect_refused(fd, "the file ends before");
  static const struct {
    off_t offset;
    uint32_t word;
    const char *reason;
  } words[] = {
      {0, 0x46546c68, "no GLB"}, {4, 1, "no GLB"},         {8, 4, "the header says 4"},
      {12, UINT32_MAX, "only"},  {12, 2, "multiple of 4"}, {16, 0x004e4942, "is not JSON"},
      {12, 0, "chunk 1 has"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    fd = good_but(NULL, NULL);
    cr_assert(pwrite(fd, &words[i].word, 4, words[i].offset) == 4);
    expect_refused(fd, words[i].reason);
  }
  fd = glb_of(json, good_bin, sizeof good_bin - 4);
  expect_refused(fd, "the BIN chunk only 72");
  free(json);
  expect_refused(glb_of("", NULL, 0), "there is no JSON");
  expect_refused(glb_of("[]", NULL, 0), "no object");
  expect_refused(glb_of("{\"asset\":1,", NULL, 0), "broken at byte");
  expect_refused(glb_of("{\"a\":1,\"a\":2}", NULL, 0), "broken at byte");
}

Test(verify, json_that_no_player_accepts) {
  static const struct {
    const char *from, *to, *reason;
  } rules[] = {
      {"'2.0'", "'1.0'", "asset.version"},
      {"'scene':0", "'extensionsRequired':['X']", "extensions are required"},
      {"'scene':0", "'scene':1", "scene 1 does not exist"},
      {"'scenes':[{'nodes':[0]}]", "'scenes':[{'nodes':[1]}]", "no root"},
      {"'scenes':[{'nodes':[0]}]", "'scenes':[{'nodes':[2]}]", "does not exist"},
      {"'scenes':[{'nodes':[0]}]", "'scenes':[{'nodes':[]}]", "not in the scene"},
      {"'children':[1]", "'children':[1,1]", "a child of node 0 and of node 0"},
      {"'children':[1]", "'children':[2]", "does not exist"},
      {"'children':[1]", "'children':[-1]", "does not exist"},
      {"'children':[1]", "'children':[0]", "1 nodes hang in a circle"},
      {"{'name':'b',", "{'children':[0],", "2 nodes hang in a circle"},
      {"'children':[1]", "'children':[1],'rotation':[0,0,0.1,1]", "unit length"},
      {"'children':[1]", "'children':[1],'scale':[1,1]", "expected length"},
      {"'children':[1]", "'children':[1],'scale':[1,1,'1']", "no number"},
      {"'children':[1]", "'children':[1],'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]", "which has a matrix"},
      {"'translation':[1,0,0]", "'scale':[1,1,1],'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]",
       "and parts as well"},
      {"'translation':[1,0,0]", "'matrix':[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]", "last row"},
      {"'samplers':", "'samplerz':", "samplers is no array"},
      {"'channels':[", "'channels':[],'x':[", "no channels"},
      {"'sampler':0,'target'", "'sampler':2,'target'", "sampler 2 does not exist"},
      {"'node':0,'path'", "'node':2,'path'", "out of range"},
      {"'node':0,'path'", "'path'", "node is missing"},
      {"'path':'rotation'", "'path':'weights'", "path is none"},
      {"'path':'rotation'", "'path':'scale'", "does not suit a scale"},
      {"'node':1,'path':'translation'", "'node':0,'path':'rotation'", "both set the rotation of node 0"},
      {"'interpolation':'LINEAR'", "'interpolation':'CUBICSPLINE'", "neither LINEAR nor STEP"},
      {"'input':0", "'input':1", "times are no SCALAR"},
      {"'input':0", "'input':2", "1 times for 3 values"},
      {"'input':0", "'input':-1", "no integer"},
      {"'input':0", "'input':0.5", "no integer"},
      {"'output':1", "'output':9", "accessor 9 does not exist"},
      {"'componentType':5126", "'componentType':5123", "expected 5126"},
      {"5126,'count':3,'type':'VEC4'", "5126,'normalized':true,'count':3,'type':'VEC4'", "normalized"},
      {"5126,'count':3,'type':'VEC4'", "5126,'count':3,'type':'VEC2'", "type is none"},
      {"5126,'count':3,'type':'VEC4'", "5126,'count':4,'type':'VEC4'", "does not fit into its bufferView"},
      {"5126,'count':3,'type':'VEC4'", "5126,'count':0,'type':'VEC4'", "count is 0"},
      {"5126,'count':3,'type':'VEC4'", "5126,'count':1152921504606846976,'type':'VEC4'", "does not fit"},
      {"5126,'count':3,'type':'VEC4'", "5126,'count':3,'sparse':{},'type':'VEC4'", "sparse"},
      {"'byteOffset':12", "'byteOffset':13", "between two numbers"},
      {"'byteOffset':12", "'byteOffset':16", "does not fit into its bufferView"},
      {"'byteOffset':12", "'byteOffset':9223372036854775804", "does not fit into its bufferView"},
      {"{'bufferView':0", "{'bufferView':2", "bufferView 2 does not exist"},
      {"{'bufferView':0,", "{", "bufferView is missing"},
      {"'byteLength':60", "'byteLength':80", "does not fit into its buffer"},
      {"'byteLength':60", "'byteLength':60,'byteStride':4", "byteStride"},
      {"'byteLength':60", "'byteLength':60,'target':34962", "target"},
      {"{'buffer':0", "{'buffer':1", "out of range"},
      {"{'byteLength':76}", "{'byteLength':80}", "the BIN chunk only 76"},
      {"{'byteLength':76}", "{'byteLength':72}", "buffer 0 only 72"},
      {"{'byteLength':76}", "{'byteLength':76,'uri':'file:///etc/passwd'}", "uri"},
      {"'min':[0],'max':[1]", "'max':[1]", "min is missing"},
      {"'min':[0],'max':[1]", "'min':[0],'max':[1.5]", "max is 1.5, the stored time 1"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    expect_refused(good_but(rules[i].from, rules[i].to), rules[i].reason);
}

Test(verify, numbers_that_cannot_be_played) {
  expect_refused(good_but_float(1, 0), "does not come after");
  expect_refused(good_but_float(1, 1), "does not come after");
  expect_refused(good_but_float(1, NAN), "does not come after");
  expect_refused(good_but_float(0, -1), "the stored time -1");
  expect_refused(good_but_float(2, INFINITY), "the stored time inf");
  expect_refused(good_but_float(9, INFINITY), "not finite");
  expect_refused(good_but_float(16, NAN), "not finite");
  expect_refused(good_but_float(9, 0.72F), "unit length");
  expect_refused(good_but_float(6, 1.002F), "unit length");
  expect_position(good_but_float(6, 1.0005F), 0, 2, 0, 0);
  expect_position(good_but_float(6, 1.00098F), 0, 2, 0, 0);
}

Test(verify, times_ascend_from_one_call_to_the_next) {
  static const float wrong[] = {0, -0.0F, 1, NAN};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    sinew_error error = {0};
    int fd = good_but_float(1, wrong[i]);
    cr_expect(read_in_steps(fd, 1, &error) == SINEW_ERROR_VERIFY, "time 1 is %g", (double)wrong[i]);
    close(fd);
  }
}

Test(verify, deep_nesting_is_an_error_and_no_overflow) {
  enum { DEPTH = 100000 };
  char *json = malloc(DEPTH + 1);
  memset(json, '[', DEPTH);
  json[DEPTH] = 0;
  expect_refused(glb_of(json, NULL, 0), "broken at byte");
  free(json);
}

/* ---- machine ------------------------------------------------------------------------------------------ */

static ssize_t broken_pread(int fd, void *bytes, size_t count, off_t offset) {
  (void)fd, (void)bytes, (void)count, (void)offset;
  errno = EIO;
  return -1;
}

static bool interrupted;
static ssize_t single_byte_pread(int fd, void *bytes, size_t count, off_t offset) {
  interrupted = !interrupted;
  if (!interrupted) return pread(fd, bytes, count ? 1 : 0, offset);
  errno = EINTR;
  return -1;
}

Test(verify, the_systems_reason_is_told) {
  os_calls table = os_real;
  sinew_error error = {0};
  int fd = good_but(NULL, NULL);
  table.pread = broken_pread;
  os = &table;
  cr_expect(read_through(fd, &error) == SINEW_ERROR_IO);
  cr_expect(strstr(error.message, strerror(EIO)), "%s", error.message);
  table.pread = single_byte_pread;
  cr_expect(read_through(fd, &error) == SINEW_OK, "%s", error.message);
  os = &os_real;
  close(fd);
}

static int allocations_left;
static int permit(size_t byte_count) {
  (void)byte_count;
  return allocations_left-- > 0;
}

Test(verify, running_out_of_memory_is_an_error_at_every_step) {
  int fd = good_but(NULL, NULL), steps = 0;
  heap_permit = permit;
  compares = false;
  for (sinew_result result = SINEW_ERROR_MEMORY; result != SINEW_OK; steps++) {
    sinew_error error = {0};
    allocations_left = steps;
    result = read_through(fd, &error);
    cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%s", error.message);
    cr_assert(steps < 100);
  }
  heap_permit = NULL;
  cr_expect(steps > 3);
  close(fd);
}

/* ---- the same places by runs -------------------------------------------------------------------------- */

/* A clip's worth of node 0 turning, node 1 hanging on it: all positions by one run of keys. */
static sinew_result follow_through(int fd, verify_run *run, uint64_t frames, double *places, sinew_error *error) {
  verify_file *file = NULL;
  verify_joints *joints = NULL;
  const uint32_t node = 1;
  sinew_result result = verify_open(fd, &file, error);
  if (result == SINEW_OK) result = verify_joints_open(file, sinew_kernels_select(NULL), &node, 1, &joints, error);
  if (result == SINEW_OK) result = verify_run_begin(run, joints, error);
  for (uint64_t frame = 0; frame < frames && result == SINEW_OK; frame++)
    result = verify_places(run, frame, 1, frames, NULL, places, error);
  verify_joints_close(joints);
  verify_close(file);
  return result;
}

Test(runs, one_serves_file_after_file) {
  sinew_error error = {0};
  verify_run *run;
  _Alignas(64) double places[3 * SINEW_BLOCK];
  cr_assert(verify_run_open(&run, &error) == SINEW_OK);
  int small = own_times("\"interpolation\":\"LINEAR\""), other = good_but(NULL, NULL), slow = slow_turn();
  cr_assert(follow_through(small, run, 3, places, &error) == SINEW_OK, "%s", error.message);
  cr_expect_float_eq(places[0], 5, 1e-9);
  cr_assert(follow_through(other, run, 3, places, &error) == SINEW_OK, "%s", error.message);
  cr_expect_float_eq(places[0], -2, 1e-9);
  cr_assert(follow_through(slow, run, 5, places, &error) == SINEW_OK, "%s", error.message);
  cr_expect_float_eq(places[0], -0.5, 1e-6);
  cr_assert(follow_through(small, run, 3, places, &error) == SINEW_OK, "%s", error.message);
  cr_expect_float_eq(places[0], 5, 1e-9);
  cr_expect(follow_through(other, run, 4, places, &error) == SINEW_ERROR_VERIFY);
  cr_expect(strstr(error.message, "the file has 3 frames"), "%s", error.message);
  verify_run_close(run);
  close(small), close(other), close(slow);
}

Test(runs, what_changes_after_opening_is_noticed) {
  sinew_error error = {0};
  verify_run *run;
  verify_file *file;
  verify_joints *joints;
  const uint32_t node = 1;
  _Alignas(64) double places[3 * SINEW_BLOCK];
  int fd = good_but(NULL, NULL);
  struct stat status;
  cr_assert(verify_run_open(&run, &error) == SINEW_OK && verify_open(fd, &file, &error) == SINEW_OK);
  cr_assert(verify_joints_open(file, sinew_kernels_select(NULL), &node, 1, &joints, &error) == SINEW_OK);
  cr_assert(verify_run_begin(run, joints, &error) == SINEW_OK);
  cr_assert(fstat(fd, &status) == 0 && ftruncate(fd, status.st_size - 30) == 0);
  cr_expect(verify_places(run, 0, 3, 3, NULL, places, &error) == SINEW_ERROR_VERIFY);
  cr_expect(strstr(error.message, "the file ends before"), "%s", error.message);
  os_calls table = os_real;
  table.pread = broken_pread;
  os = &table;
  cr_expect(verify_places(run, 0, 3, 3, NULL, places, &error) == SINEW_ERROR_IO);
  os = &os_real;
  verify_joints_close(joints);
  verify_close(file);
  verify_run_close(run);
  close(fd);
}

Test(runs, running_out_of_memory_is_an_error_at_every_step) {
  _Alignas(64) double places[3 * SINEW_BLOCK];
  int fd = good_but(NULL, NULL), steps = 0;
  heap_permit = permit;
  for (sinew_result result = SINEW_ERROR_MEMORY; result != SINEW_OK; steps++) {
    sinew_error error = {0};
    verify_run *run;
    allocations_left = steps;
    result = verify_run_open(&run, &error);
    if (result == SINEW_OK) result = follow_through(fd, run, 3, places, &error);
    cr_assert(result == SINEW_OK || result == SINEW_ERROR_MEMORY, "%s", error.message);
    cr_assert(steps < 100);
    verify_run_close(run);
  }
  heap_permit = NULL;
  cr_expect(steps > 6);
  close(fd);
}
