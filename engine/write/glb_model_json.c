#include "write/glb_model_json.h"
#include "write/glb_animation_json.h"
#include "write/glb_json.h"
#include "write/glb_model.h"

typedef struct model_writer {
  const glb_plan *plan;
  const glb_layout *layout;
  const int32_t *plan_node; /* [model's node_count] of a moved node, else -1 */
  json_text text;
  json_splice splice;
  json_out *out;
} model_writer;

/* ---- asset -------------------------------------------------------------------------------------------- */

static void write_generator(model_writer *w) {
  json_literal(w->out, "\"generator\":\"sinew " SINEW_VERSION "\"");
}

/* An object of its own, since others' extras have members such as "source" too. */
static void write_own_extras(model_writer *w) {
  const glb_plan *plan = w->plan;
  json_literal(w->out, "\"sinew\":{\"version\":\"" SINEW_VERSION "\",\"source\":");
  json_out_string(w->out, plan->source_name ? plan->source_name : "");
  json_literal(w->out, ",\"rate\":");
  json_number(w->out, plan->rate_hz);
  json_literal(w->out, ",\"profile\":");
  json_out_string(w->out, plan->profile ? plan->profile : "");
  if (plan->model->generator) {
    json_literal(w->out, ",\"generator\":");
    json_out_string(w->out, plan->model->generator);
  }
  json_literal(w->out, "}");
}

/* What a file of this program without a model says of itself in extras. */
static bool is_own_member(const model_writer *w, json_span key, bool is_own_file) {
  static const char *const names[] = {"source", "rate", "profile"};
  if (json_key_is(w->text, key, "sinew")) return true;
  for (size_t i = 0; is_own_file && i < sizeof names / sizeof *names; i++)
    if (json_key_is(w->text, key, names[i])) return true;
  return false;
}

static void write_extras(model_writer *w, json_span extras) {
  json_member member, own;
  if (json_kind(w->text, extras) != '{') return; /* someone's text or list: it has no place for ours */
  const bool is_own_file =
      json_member_find(w->text, extras, "sinew", &own) && json_kind(w->text, own.value) == '"';
  json_walk walk = json_walk_begin(w->text, extras);
  splice_list list = {0};
  while (json_walk_next(&walk, &member)) {
    if (is_own_member(w, member.key, is_own_file))
      splice_drop(&w->splice, &list, &member);
    else
      splice_keep(&w->splice, &list, &member);
  }
  splice_append(&w->splice, &list, extras);
  write_own_extras(w);
}

static void write_asset(model_writer *w, json_span asset) {
  json_member member;
  json_walk walk = json_walk_begin(w->text, asset);
  splice_list list = {0};
  bool has_generator = false, has_extras = false;
  while (json_walk_next(&walk, &member)) {
    splice_keep(&w->splice, &list, &member);
    if (json_key_is(w->text, member.key, "generator")) {
      splice_copy(&w->splice, member.key.begin);
      write_generator(w);
      splice_skip(&w->splice, member.value.end);
      has_generator = true;
    } else if (json_key_is(w->text, member.key, "extras")) {
      write_extras(w, member.value);
      has_extras = true;
    }
  }
  if (!has_generator) {
    splice_append(&w->splice, &list, asset);
    write_generator(w);
  }
  if (has_extras) return;
  splice_append(&w->splice, &list, asset);
  json_literal(w->out, "\"extras\":{");
  write_own_extras(w);
  json_literal(w->out, "}");
}

/* ---- nodes -------------------------------------------------------------------------------------------- */

/* A moved node must have parts: the format forbids to move one with a matrix. */
static void write_parts(model_writer *w, const rig_node *node) {
  double t[3], q[4];
  glb_node_place(node, t, q);
  json_literal(w->out, "\"translation\":");
  json_numbers(w->out, t, 3);
  json_literal(w->out, ",\"rotation\":");
  json_numbers(w->out, q, 4);
  json_literal(w->out, ",\"scale\":");
  json_numbers(w->out, node->s, 3);
}

static void write_nodes(model_writer *w, json_span nodes) {
  const glb_model *model = w->plan->model;
  json_member node, matrix;
  if (!model->has_matrix) return;
  json_walk walk = json_walk_begin(w->text, nodes);
  for (uint32_t i = 0; i < model->node_count && json_walk_next(&walk, &node); i++) {
    if (!model->has_matrix[i] || w->plan_node[i] < 0) continue;
    if (!json_member_find(w->text, node.value, "matrix", &matrix)) continue;
    splice_copy(&w->splice, matrix.key.begin);
    write_parts(w, &w->plan->nodes[w->plan_node[i]]);
    splice_skip(&w->splice, matrix.value.end);
  }
}

/* ---- lists to which the clip adds --------------------------------------------------------------------- */

static bool has_clip(const model_writer *w) {
  return w->plan->track_count > 0;
}

static bool list_leaves(const model_writer *w, const model_list *list) {
  return !list->kept_count && !has_clip(w);
}

static bool buffers_leave(const model_writer *w) {
  return w->plan->model->empty && !has_clip(w);
}

static void write_items(model_writer *w, bool accessors) {
  if (accessors)
    glb_animation_accessors(w->plan, w->layout, w->out);
  else
    glb_animation_view(w->layout, w->out);
}

static void write_list(model_writer *w, const model_list *list, bool accessors) {
  splice_copy(&w->splice, list->cut.begin);
  if (has_clip(w)) {
    if (list->kept_count) json_literal(w->out, ",");
    write_items(w, accessors);
  }
  splice_skip(&w->splice, list->cut.end);
}

static void write_animations(model_writer *w) {
  json_literal(w->out, "[");
  glb_animation_object(w->plan, w->layout, w->out);
  json_literal(w->out, "]");
}

static uint64_t buffer_bytes(const model_writer *w) {
  if (!has_clip(w)) return w->plan->model->byte_count;
  return w->layout->model_byte_count + w->layout->animation_byte_count;
}

static void write_buffers(model_writer *w, json_span buffers) {
  json_member first, length;
  json_walk walk = json_walk_begin(w->text, buffers);
  if (!json_walk_next(&walk, &first)) { /* a list of none: the clip's is the first */
    if (!has_clip(w)) return;
    splice_copy(&w->splice, buffers.begin + 1);
    json_literal(w->out, "{\"byteLength\":");
    json_uint(w->out, buffer_bytes(w));
    json_literal(w->out, "}");
    return;
  }
  if (!json_member_find(w->text, first.value, "byteLength", &length)) return;
  splice_copy(&w->splice, length.value.begin);
  json_uint(w->out, buffer_bytes(w));
  splice_skip(&w->splice, length.value.end);
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

enum { ANIMATIONS, ACCESSORS, VIEWS, BUFFERS, ASSET, NODES, CHANGED_COUNT };

static const char *const changed[CHANGED_COUNT] = {"animations", "accessors", "bufferViews",
                                                   "buffers",    "asset",     "nodes"};

static int which(const model_writer *w, const json_member *member) {
  for (int i = 0; i < CHANGED_COUNT; i++)
    if (json_key_is(w->text, member->key, changed[i])) return i;
  return CHANGED_COUNT;
}

static bool leaves(const model_writer *w, int member) {
  const glb_model *model = w->plan->model;
  if (member == ANIMATIONS) return !has_clip(w);
  if (member == ACCESSORS) return list_leaves(w, &model->accessors);
  if (member == VIEWS) return list_leaves(w, &model->views);
  return member == BUFFERS && buffers_leave(w);
}

static void write_member(model_writer *w, int which, json_span value) {
  const glb_model *model = w->plan->model;
  if (which == ANIMATIONS) {
    splice_copy(&w->splice, value.begin);
    write_animations(w);
    splice_skip(&w->splice, value.end);
  }
  if (which == ACCESSORS) write_list(w, &model->accessors, true);
  if (which == VIEWS) write_list(w, &model->views, false);
  if (which == BUFFERS) write_buffers(w, value);
  if (which == ASSET) write_asset(w, value);
  if (which == NODES) write_nodes(w, value);
}

/* What the model lacks altogether. */
static void write_missing(model_writer *w, int which) {
  json_literal(w->out, "\"");
  json_literal(w->out, changed[which]);
  json_literal(w->out, "\":");
  if (which == ANIMATIONS) {
    write_animations(w);
    return;
  }
  json_literal(w->out, "[");
  if (which == BUFFERS) {
    json_literal(w->out, "{\"byteLength\":");
    json_uint(w->out, buffer_bytes(w));
    json_literal(w->out, "}");
  } else {
    write_items(w, which == ACCESSORS);
  }
  json_literal(w->out, "]");
}

static void write_root(model_writer *w) {
  const json_span root = w->plan->model->root;
  bool there[CHANGED_COUNT + 1] = {false};
  json_member member;
  json_walk walk = json_walk_begin(w->text, root);
  splice_list list = {0};
  while (json_walk_next(&walk, &member)) {
    const int found = which(w, &member);
    there[found] = true;
    if (leaves(w, found)) {
      splice_drop(&w->splice, &list, &member);
      continue;
    }
    splice_keep(&w->splice, &list, &member);
    write_member(w, found, member.value);
  }
  for (int i = 0; has_clip(w) && i <= BUFFERS; i++) {
    if (there[i]) continue;
    splice_append(&w->splice, &list, root);
    write_missing(w, i);
  }
  splice_copy(&w->splice, root.end);
}

bool glb_model_json_write(const glb_plan *plan, const glb_layout *layout, arena *memory, json_out *out) {
  const glb_model *model = plan->model;
  int32_t *plan_node = arena_alloc(memory, model->node_count, sizeof *plan_node);
  if (!plan_node) return false;
  for (uint32_t i = 0; i < model->node_count; i++) plan_node[i] = -1;
  for (uint32_t i = 0; i < plan->track_count; i++)
    plan_node[glb_file_node(plan, plan->tracks[i].node)] = (int32_t)plan->tracks[i].node;
  model_writer writer = {
      .plan = plan, .layout = layout, .plan_node = plan_node, .text = model->text, .out = out};
  writer.splice = (json_splice){model->text, out, model->root.begin};
  write_root(&writer);
  return true;
}
