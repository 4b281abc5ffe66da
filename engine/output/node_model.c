#include "output/node_model.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

static const double even_to = 1e-4; /* a scale's factors, as a share: what files round */

static double mean_scale(const double s[3]) {
  return (s[0] + s[1] + s[2]) / 3;
}

static bool is_even(const double s[3]) {
  const double mean = mean_scale(s);
  for (int c = 0; c < 3; c++)
    if (fabs(s[c] - mean) > even_to * fabs(mean)) return false;
  return true;
}

/* What turns has its track; what does not, its rest before the identity's, which stands behind the tracks. */
static void set_joint(const bake_output *output, uint32_t node, double scale, sinew_fk_joint *joint) {
  const rig_node *from = &output->nodes[node];
  const int32_t slot = output->slot_of_node[node], place = output->place_of_node[node];
  *joint = (sinew_fk_joint){.parent = (int16_t)from->parent,
                            .slot = (uint16_t)(slot >= 0 ? (uint32_t)slot : output->slot_count),
                            .has_between = slot < 0,
                            .place = (uint16_t)(place + 1)};
  for (int c = 0; c < 4; c++) joint->between[c] = (float)from->q[c];
  for (int c = 0; c < 3; c++) joint->offset[c] = (float)(from->t[c] * scale);
}

sinew_result node_model_build(const bake_output *output, arena *memory, node_model *model,
                              sinew_error *error) {
  const uint32_t count = output->node_count;
  sinew_fk_joint *joints = arena_alloc(memory, count, sizeof *joints);
  double *scale = arena_alloc(memory, count, sizeof *scale); /* of a node and all above it */
  *model = (node_model){.output = output, .fk = {count, joints}, .is_exact = true};
  model->place_scale = arena_alloc(memory, output->place_count, sizeof *model->place_scale);
  SINEW_CHECK(joints && scale && model->place_scale, error, SINEW_ERROR_MEMORY, "out of memory for %u nodes",
              count);
  for (uint32_t node = 0; node < count; node++) {
    const int32_t parent = output->nodes[node].parent;
    const double above = parent < 0 ? 1 : scale[parent];
    scale[node] = above * mean_scale(output->nodes[node].s);
    set_joint(output, node, above, &joints[node]);
    if (output->place_of_node[node] >= 0) model->place_scale[output->place_of_node[node]] = (float)above;
    if (parent >= 0 && (!is_even(output->nodes[parent].s) || output->scale_of_node[parent] >= 0))
      model->is_exact = false;
  }
  return SINEW_OK;
}

static size_t local_floats(const node_model *model) {
  return ((size_t)model->output->slot_count + 1) * 4 * SINEW_BLOCK;
}
static size_t place_floats(const node_model *model) {
  return (size_t)model->output->place_count * 3 * SINEW_BLOCK;
}

size_t node_model_floats(const node_model *model) {
  return local_floats(model) + place_floats(model) +
         (size_t)model->fk.joint_count * SINEW_MODEL_PLANES * SINEW_BLOCK;
}

const float *node_model_block(const node_model *model, const sinew_kernels *k, const pose_block *pose,
                              float *scratch) {
  const size_t tracks = (size_t)model->output->slot_count * 4 * SINEW_BLOCK;
  float *places = scratch + local_floats(model), *out = places + place_floats(model);
  memcpy(scratch, pose->local, tracks * sizeof *scratch);
  for (uint32_t i = 0; i < 4 * SINEW_BLOCK; i++) scratch[tracks + i] = i >= 3 * SINEW_BLOCK;
  for (uint32_t place = 0; place < model->output->place_count; place++)
    for (uint32_t i = place * 3 * SINEW_BLOCK; i < (place + 1) * 3 * SINEW_BLOCK; i++)
      places[i] = pose->places[i] * model->place_scale[place];
  k->fk_moved(&model->fk, scratch, places, out);
  return out;
}
