#include "pose_oracle.h"
#include "map/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


void oracle_expect(bool kept, const char *promise) {
  if (kept) return;
  fprintf(stderr, "broken: %s\n", promise);
  abort();
}

void oracle_refusal(sinew_result result, const sinew_error *error, size_t byte_count) {
  oracle_expect(error->code == result, "the error holds the code that was returned");
  oracle_expect(result == SINEW_ERROR_SYNTAX || result == SINEW_ERROR_UNSUPPORTED || result == SINEW_ERROR_LIMIT ||
                    result == SINEW_ERROR_RIG || result == SINEW_ERROR_POSE || result == SINEW_ERROR_MEMORY,
                "a refusal is one that an input can cause");
  oracle_expect(error->message[0], "a refusal has words");
  for (const char *p = error->message; *p; p++)
    oracle_expect((unsigned char)*p >= 0x20 && *p != 0x7f, "a message holds no control character");
  oracle_expect(!error->has_place || error->byte <= byte_count, "the place lies within the input");
}

static void expect_finite(const float *values, size_t count, const char *promise) {
  for (size_t i = 0; i < count; i++) oracle_expect(isfinite(values[i]), promise);
}

static void expect_unit(const float *quats, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (int f = 0; f < SINEW_BLOCK; f++) {
      double norm = 0;
      for (int c = 0; c < 4; c++) {
        double value = quats[(i * 4 + (uint32_t)c) * SINEW_BLOCK + (uint32_t)f];
        norm += value * value;
      }
      oracle_expect(fabs(norm - 1) < 1e-4, "rotations are unit quaternions");
    }
}

typedef struct poser {
  arena memory;
  pose_scratch scratch;
  pose_block pose;
  float *joints; /* [output.fk.joint_count][7][64] */
} poser;

static bool poser_open(const bake_plan *plan, poser *p) {
  *p = (poser){0};
  if (!pose_open(plan, &p->memory, &p->scratch, &p->pose)) return false;
  p->joints = arena_alloc(&p->memory, (size_t)plan->output.fk.joint_count * SINEW_MODEL_PLANES * SINEW_BLOCK,
                          sizeof *p->joints);
  return p->joints != NULL;
}

static bool check_block(const bake_plan *plan, uint64_t block, poser *p) {
  sinew_error error = {0};
  sinew_result result = pose_block_compute(plan, block, &p->scratch, &p->pose, &error);
  if (result != SINEW_OK) {
    oracle_expect(result == SINEW_ERROR_POSE, "a pose fails by its values alone");
    oracle_refusal(result, &error, 0);
    return false;
  }
  expect_unit(p->pose.local, plan->output.slot_count);
  expect_unit(p->pose.hips_q, 1);
  expect_finite(p->pose.hips_t, (size_t)3 * SINEW_BLOCK, "the hips stand somewhere");
  expect_finite(p->pose.places, (size_t)plan->output.place_count * 3 * SINEW_BLOCK, "nodes stand somewhere in their parent");
  return true;
}

/* What is verified of a file; the pose is of no more use behind it. */
static void check_joints(const bake_plan *plan, poser *p) {
  pose_place_joints(plan, &p->scratch, &p->pose, p->joints);
  expect_unit(p->pose.hips_q, 1);
  expect_finite(p->joints, (size_t)plan->output.fk.joint_count * SINEW_MODEL_PLANES * SINEW_BLOCK,
                "joints stand somewhere");
}

static bool same_poses(const bake_plan *plan, const pose_block *a, const pose_block *b) {
  const size_t turns = (size_t)plan->output.slot_count * 4 * SINEW_BLOCK * sizeof(float);
  const size_t places = (size_t)plan->output.place_count * 3 * SINEW_BLOCK * sizeof(float);
  return memcmp(a->local, b->local, turns) == 0 && memcmp(a->places, b->places, places) == 0;
}

/* Another instruction set of one profile differs in nothing. */
static void check_tables(bake_plan *plan, const poser *best, poser *p) {
  const sinew_kernels *chosen = plan->kernels, *other;
  for (uint32_t i = 0; (other = sinew_kernels_available(i)); i++) {
    if (other == chosen || strcmp(other->profile, chosen->profile) != 0) continue;
    plan->kernels = other;
    oracle_expect(check_block(plan, 0, p), "one table refuses what another computes");
    oracle_expect(same_poses(plan, &p->pose, &best->pose), "tables of one profile give the same bytes");
  }
  plan->kernels = chosen;
}

static void check_plan(bake_plan *plan) {
  poser best, other;
  oracle_expect(plan->frame_count >= 1 && plan->block_count >= 1, "a clip has a frame");
  oracle_expect(poser_open(plan, &best) && poser_open(plan, &other), "memory for two poses");
  if (check_block(plan, 0, &best)) {
    check_tables(plan, &best, &other);
    check_joints(plan, &best);
  }
  if (plan->block_count > 2 && check_block(plan, 1, &best)) check_joints(plan, &best);
  if (plan->block_count > 1 && check_block(plan, plan->block_count - 1, &best)) check_joints(plan, &best);
  arena_release(&best.memory);
  arena_release(&other.memory);
}

void oracle_poses(const sinew_clip *clip, const sinew_rig *rig, double rate_hz) {
  static const sinew_kernels *kernels;
  if (!kernels) kernels = sinew_kernels_select(NULL);
  bake_plan plan;
  sinew_error error = {0};
  const bake_choice choice = {.rate_hz = rate_hz};
  sinew_result result = bake_plan_build(kernels, clip, rig, &choice, &plan, &error);
  if (result != SINEW_OK) {
    /* ARGUMENT: the clip's own rate stands for one that the caller did not give */
    oracle_expect(result == SINEW_ERROR_LIMIT || result == SINEW_ERROR_ARGUMENT ||
                      (clip->body && (result == SINEW_ERROR_RIG || result == SINEW_ERROR_POSE)),
                  "a plan fails by rate or length, and of bones by body or values");
    oracle_expect(error.code == result && error.message[0], "a refused plan has words");
    return;
  }
  check_plan(&plan);
  bake_plan_release(&plan);
}

/* ---- files ------------------------------------------------------------------------------------------------
 */

/* A file beside others in memory; one process of this program writes one. */
static const char *output_path(void) {
  static char path[64];
  if (!path[0]) snprintf(path, sizeof path, "/dev/shm/sinew-fuzz-%d", (int)getpid());
  return path;
}

/* What was written is read, where the reader knows it by its bytes or name. */
static void read_again(sinew_format format) {
  char label[32];
  size_t byte_count = 0;
  char *bytes = NULL;
  FILE *file = fopen(output_path(), "rb");
  oracle_expect(file, "what was published is there");
  fseek(file, 0, SEEK_END);
  byte_count = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(byte_count + 1);
  oracle_expect(bytes && fread(bytes, 1, byte_count, file) == byte_count, "what was published can be read");
  fclose(file);
  snprintf(label, sizeof label, "again.%s", sinew_format_name(format));
  const sinew_read_options limits = {.memory_bytes = 256 << 20, .nodes = 1 << 14, .name_bytes = 1 << 16};
  sinew_clip_file *clips = NULL;
  sinew_error error = {0};
  const sinew_result result = sinew_clip_file_open_memory(bytes, byte_count, label, &limits, &clips, &error);
  if (result != SINEW_OK) fprintf(stderr, "%s: %s\n", label, error.message);
  oracle_expect(result == SINEW_OK, "what was written is read");
  sinew_clip_file_close(clips);
  free(bytes);
  unlink(output_path());
}

/* A clip that goes to a file or is refused for what it holds. */
static void write_file(const sinew_clip *clip, const sinew_rig *rig, sinew_format format, sinew_via via) {
  static sinew_context *context;
  const sinew_context_options one = {.thread_count = 1};
  if (!context) oracle_expect(sinew_context_open(&one, &context, NULL) == SINEW_OK, "a context opens");
  const sinew_bake_options options = {.format = format, .via = via};
  sinew_bake_report report;
  sinew_error error = {0};
  const sinew_result result = sinew_bake(context, clip, rig, &options, output_path(), &report, &error);
  if (result == SINEW_OK) {
    oracle_expect(report.verified, "what is published was verified");
    read_again(format);
    return;
  }
  oracle_expect(error.code == result && error.message[0], "a refused bake has words");
  for (const char *p = error.message; *p; p++)
    oracle_expect((unsigned char)*p >= 0x20 && *p != 0x7f, "a message holds no control character");
  if (result == SINEW_ERROR_IO || result == SINEW_ERROR_VERIFY || result == SINEW_ERROR_MEMORY)
    fprintf(stderr, "%s: %s\n", sinew_format_name(format), error.message);
  oracle_expect(result == SINEW_ERROR_LIMIT || result == SINEW_ERROR_ARGUMENT || result == SINEW_ERROR_RIG ||
                    result == SINEW_ERROR_POSE || result == SINEW_ERROR_UNSUPPORTED,
                "a bake is refused for what it is given");
  oracle_expect(access(output_path(), F_OK) != 0, "a refused bake leaves no file");
}

/* One format and one way of each input, told by its size: a file costs more than poses. */
void oracle_files(const sinew_clip *clip, const sinew_rig *rig, size_t byte_count) {
  enum { MOST_FRAMES = 300, MOST_NODES = 300 };
  if (sinew_clip_frame_count(clip, clip->rate_hz) > MOST_FRAMES) return;
  if (clip->body && clip->body->skeleton->node_count > MOST_NODES) return;
  uint32_t formats = 0;
  while (sinew_format_name(formats)) formats++;
  const sinew_format format = (sinew_format)(byte_count % formats);
  const uint32_t way = (uint32_t)(byte_count / formats % 3);
  if (way != 0 || !clip->body) write_file(clip, rig, format, way == 2 && clip->body ? SINEW_VIA_MUSCLE : SINEW_VIA_DEFAULT);
  if (way == 0 && clip->body) write_file(clip, NULL, format, SINEW_VIA_DEFAULT);
}

static void check_clip(const sinew_clip *clip, const sinew_rig *rig, size_t byte_count) {
  const double length_s = clip->stop_s - clip->start_s;
  oracle_files(clip, rig, byte_count);
  oracle_poses(clip, NULL, 0);
  if (rig) oracle_poses(clip, rig, 0);
  if (length_s > 0 && length_s < 100) oracle_poses(clip, rig, 150 / length_s); /* between the frames, in blocks */
}

/* A file's skeleton as a rig, its clips on that and on their own. */
void oracle_bones(const uint8_t *bytes, size_t byte_count, const char *label) {
  const sinew_figure_options figure = {.fix_biped = byte_count % 2};
  const sinew_read_options limits = {.memory_bytes = 64 << 20, .nodes = 256, .keys = 1 << 16, .figure = &figure};
  const sinew_rig_options rig_options = {.read = limits};
  sinew_clip_file *clips = NULL;
  sinew_rig *rig = NULL;
  sinew_error error = {0};
  sinew_result result = sinew_rig_open_memory(bytes, byte_count, label, &rig_options, &rig, &error);
  if (result != SINEW_OK) oracle_refusal(result, &error, byte_count);
  error = (sinew_error){0};
  result = sinew_clip_file_open_memory(bytes, byte_count, label, &limits, &clips, &error);
  if (result != SINEW_OK) oracle_refusal(result, &error, byte_count);
  for (uint32_t i = 0; clips && i < sinew_clip_file_count(clips) && i < 2; i++)
    check_clip(sinew_clip_file_clip(clips, i), rig, byte_count);
  sinew_clip_file_close(clips);
  sinew_rig_close(rig);
}

char *oracle_source_file(const char *relative, size_t *byte_count) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", SOURCE_FOLDER, relative);
  FILE *file = fopen(path, "rb");
  oracle_expect(file, "the sample's files are there");
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *bytes = malloc((size_t)size + 1);
  oracle_expect(bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size, "the sample's files can be read");
  fclose(file);
  *byte_count = (size_t)size;
  return bytes;
}

void oracle_map(const motion_file *file) {
  human_map map;
  sinew_error error = {0};
  const sinew_result result = human_map_find(file->skeleton, file->motions, file->motion_count, NULL, &map, &error);
  oracle_expect(result == SINEW_OK || (result == SINEW_ERROR_RIG && error.message[0]), "a skeleton maps or is refused");
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
    oracle_expect(map.node_of_bone[bone] >= -1 && map.node_of_bone[bone] < (int32_t)file->skeleton->node_count &&
                      (map.node_of_bone[bone] >= 0) == (map.reason[bone] != NULL),
                  "a mapped bone is a node and has a reason");
  human_map_release(&map);
}
