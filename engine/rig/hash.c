/* What identifies a rig: XXH3-128 over all that a bake depends on, in a fixed order and byte order. Where the
 * rig came from, its file's unit and its warnings are no part of it, so that a rig file has its source's
 * hash. */
#include "rig/compile.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

static const char domain[] = "sinew rig 1"; /* another number for another list of fields */

/* Written twice: once to count, once to keep. */
typedef struct content {
  unsigned char *bytes; /* NULL: only counted */
  size_t byte_count;
} content;

static void add_bytes(content *to, const void *bytes, size_t count) {
  if (to->bytes && count) memcpy(to->bytes + to->byte_count, bytes, count);
  to->byte_count += count;
}

static void add_integer(content *to, int64_t value) {
  unsigned char bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)((uint64_t)value >> (8 * i));
  add_bytes(to, bytes, sizeof bytes);
}

static void add_numbers(content *to, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    add_integer(to, bits);
  }
}

static void add_text(content *to, const char *text) {
  size_t length = strlen(text);
  add_integer(to, (int64_t)length);
  add_bytes(to, text, length);
}

static void add_nodes(content *to, const sinew_rig *rig) {
  add_integer(to, rig->node_count);
  for (uint32_t i = 0; i < rig->node_count; i++) {
    const rig_node *node = &rig->nodes[i];
    add_text(to, node->name);
    add_integer(to, node->parent);
    add_numbers(to, node->t, 3);
    add_numbers(to, node->q, 4);
    add_numbers(to, node->s, 3);
  }
}

static void add_bones(content *to, const sinew_rig *rig) {
  for (int b = 0; b < HUMAN_BONE_COUNT; b++) {
    const rig_axes *axes = &rig->axes[b];
    add_integer(to, rig->node_of_bone[b]);
    if (rig->node_of_bone[b] < 0) continue;
    add_numbers(to, rig->rest_q[b], 4);
    add_numbers(to, axes->pre, 4);
    add_numbers(to, axes->post, 4);
    add_numbers(to, axes->sgn, 3);
    add_numbers(to, axes->min_rad, 3);
    add_numbers(to, axes->max_rad, 3);
    add_numbers(to, &axes->length, 1);
    add_numbers(to, &rig->mass[b], 1);
  }
}

static void add_body(content *to, const sinew_rig *rig) {
  const double settings[] = {rig->height_m,       rig->human_scale_m,   rig->arm_twist,
                             rig->fore_arm_twist, rig->upper_leg_twist, rig->leg_twist,
                             rig->arm_stretch,    rig->leg_stretch,     rig->feet_spacing};
  add_numbers(to, settings, sizeof settings / sizeof settings[0]);
  add_integer(to, rig->has_translation_dof);
  add_numbers(to, rig->root_t, 3);
  add_numbers(to, rig->root_q, 4);
  add_numbers(to, rig->hips_rest_q, 4);
}

/* Of rigs from models. What others lack adds nothing, so that their hashes stay. */
static void add_model(content *to, const sinew_rig *rig) {
  if (rig_is_aligned(rig)) {
    add_text(to, "align");
    add_numbers(to, rig->align_q, 4);
  }
  if (!rig->source_node) return;
  add_text(to, "source");
  for (uint32_t i = 0; i < rig->node_count; i++) add_integer(to, rig->source_node[i]);
}

static void add_rig(content *to, const sinew_rig *rig) {
  add_text(to, domain);
  add_text(to, rig->name);
  add_nodes(to, rig);
  add_bones(to, rig);
  add_body(to, rig);
  add_model(to, rig);
}

sinew_result rig_set_hash(sinew_rig *rig, sinew_error *error) {
  content all = {0};
  add_rig(&all, rig);
  all.bytes = heap_alloc(all.byte_count, 1);
  SINEW_CHECK(all.bytes, error, SINEW_ERROR_MEMORY, "out of memory for %zu bytes of the rig", all.byte_count);
  all.byte_count = 0;
  add_rig(&all, rig);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(all.bytes, all.byte_count));
  heap_free(all.bytes);
  for (int i = 0; i < RIG_HASH_DIGITS / 2; i++) snprintf(rig->hash + 2 * i, 3, "%02x", canonical.digest[i]);
  return SINEW_OK;
}
