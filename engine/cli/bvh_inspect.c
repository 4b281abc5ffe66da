#include "bvh_inspect.h"

#include "console.h"
#include "name_list.h"
#include "printable.h"

#include <stdio.h>
#include <string.h>

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

/* ---- channels ----------------------------------------------------------------------------------------- */

static bool is_rotation(sinew_bvh_channel channel) {
  return channel >= SINEW_BVH_X_ROTATION;
}

static const char *axis_of(sinew_bvh_channel channel) {
  return channel == SINEW_BVH_X_POSITION || channel == SINEW_BVH_X_ROTATION   ? "X"
         : channel == SINEW_BVH_Y_POSITION || channel == SINEW_BVH_Y_ROTATION ? "Y"
                                                                              : "Z";
}

enum { ORDER_BYTES = 8, LIST_BYTES = 96 };

/* "ZXY": the axes of a node's rotations, in the order in which they are applied; "" without one. */
static const char *rotation_order(const sinew_bvh_node *node, char order[ORDER_BYTES]) {
  order[0] = 0;
  for (uint32_t c = 0; c < node->channel_count; c++)
    if (is_rotation(node->channels[c])) strcat(order, axis_of(node->channels[c]));
  return order;
}

/* "Xposition Zrotation". */
static const char *channel_list(const sinew_bvh_node *node, char list[LIST_BYTES]) {
  list[0] = 0;
  for (uint32_t c = 0; c < node->channel_count; c++) {
    if (c) strcat(list, " ");
    strcat(list, axis_of(node->channels[c]));
    strcat(list, is_rotation(node->channels[c]) ? "rotation" : "position");
  }
  return list;
}

/* How many joints have each number of channels and each order of rotations. */
typedef struct channel_tally {
  uint32_t with_channels[7];
  char orders[8][ORDER_BYTES];
  uint32_t order_counts[8];
  uint32_t order_count;
  uint32_t other_orders;
  uint32_t moving_below; /* joints below a root with positions of their own */
} channel_tally;

static void tally_order(channel_tally *t, const char *order) {
  uint32_t i = 0;
  if (!*order) return;
  while (i < t->order_count && strcmp(t->orders[i], order) != 0) i++;
  if (i == sizeof t->orders / sizeof *t->orders) {
    t->other_orders++;
    return;
  }
  if (i == t->order_count) strcpy(t->orders[t->order_count++], order);
  t->order_counts[i]++;
}

static void tally_channels(const sinew_bvh *bvh, channel_tally *t) {
  *t = (channel_tally){0};
  sinew_bvh_node node;
  for (uint32_t i = 0; sinew_bvh_get_node(bvh, i, &node); i++) {
    char order[ORDER_BYTES];
    if (node.end_site) continue;
    t->with_channels[node.channel_count]++;
    tally_order(t, rotation_order(&node, order));
    t->moving_below += node.parent >= 0 && strlen(order) < node.channel_count;
  }
}

/* ---- lines -------------------------------------------------------------------------------------------- */

static void say_channels(const channel_tally *t, const sinew_bvh_info *info) {
  char text[256] = "";
  size_t length = 0;
  for (int count = 6; count >= 0; count--)
    if (t->with_channels[count])
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%d on %u", length ? ", " : "", count,
                                 t->with_channels[count]);
  say("  channels        %u: %s joint%s", info->channel_count, text, plural(info->joint_count));
  if (t->moving_below)
    say("  positions       also on %u joint%s below the root%s", t->moving_below, plural(t->moving_below),
        plural(info->root_count));
}

static void say_orders(const channel_tally *t) {
  char text[256] = "none";
  size_t length = 0;
  for (uint32_t i = 0; i < t->order_count; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%s on %u", i ? ", " : "", t->orders[i],
                               t->order_counts[i]);
  if (t->other_orders) snprintf(text + length, sizeof text - length, ", others on %u", t->other_orders);
  say("  rotations       %s", text);
}

static void say_time(const sinew_bvh_info *info) {
  char frames[32];
  if (!info->has_motion) {
    say("  frames          none: a skeleton without a MOTION section");
    return;
  }
  say("  frames          %s at %.10g per second", grouped_digits(info->frame_count, frames), info->rate_hz);
  say("  time            %g s long", info->duration_s);
}

static void say_nodes(const sinew_bvh *bvh) {
  sinew_bvh_node node;
  say("nodes");
  for (uint32_t i = 0; sinew_bvh_get_node(bvh, i, &node); i++) {
    char name[SHORT_NAME_BYTES], list[LIST_BYTES], below[32] = "a root";
    if (node.parent >= 0) snprintf(below, sizeof below, "below %d", node.parent);
    say("  %6u  %-32s %-12s offset %g %g %g%s%s", i,
        *node.name      ? short_name(node.name, name)
        : node.end_site ? "(End Site)"
                        : "(without a name)",
        below, node.offset[0], node.offset[1], node.offset[2], node.channel_count ? ", " : "",
        channel_list(&node, list));
  }
}

void bvh_inspect_say(const char *path, const sinew_bvh *bvh, bool verbose) {
  sinew_bvh_info info;
  channel_tally tally;
  char bytes[32];
  sinew_bvh_get_info(bvh, &info);
  tally_channels(bvh, &tally);
  say("%s: BVH, %s bytes", path, grouped_digits(info.byte_count, bytes));
  say("  joints          %u and %u End Site%s, %u root%s, %u deep", info.joint_count,
      info.node_count - info.joint_count, plural(info.node_count - info.joint_count), info.root_count,
      plural(info.root_count), info.depth);
  say_channels(&tally, &info);
  say_orders(&tally);
  say_time(&info);
  say("  rest            %g x %g x %g units (x, y, z), every rotation 0", info.rest_size[0],
      info.rest_size[1], info.rest_size[2]);
  if (verbose) say_nodes(bvh);
  const char *warning = sinew_bvh_warning(bvh, 0);
  say(warning ? "warnings" : "warnings          none");
  for (uint32_t i = 0; (warning = sinew_bvh_warning(bvh, i)); i++) say("  %s", warning);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static json_t *orders_json(const channel_tally *t) {
  json_t *object = or_die(json_object());
  for (uint32_t i = 0; i < t->order_count; i++)
    json_put(object, t->orders[i], json_of_count(t->order_counts[i]));
  return object;
}

static json_t *counts_json(const channel_tally *t) {
  json_t *object = or_die(json_object());
  for (int count = 0; count <= 6; count++) {
    const char key[2] = {(char)('0' + count), 0};
    if (t->with_channels[count]) json_put(object, key, json_of_count(t->with_channels[count]));
  }
  return object;
}

static json_t *nodes_json(const sinew_bvh *bvh) {
  json_t *list = or_die(json_array());
  sinew_bvh_node node;
  for (uint32_t i = 0; sinew_bvh_get_node(bvh, i, &node); i++) {
    char channels[LIST_BYTES];
    json_t *row = or_die(json_object());
    json_put(row, "name", json_of_text(node.name));
    json_put(row, "parent", node.parent < 0 ? json_null() : json_of_count((uint64_t)node.parent));
    json_put(row, "depth", json_of_count(node.depth));
    json_put(row, "endSite", json_boolean(node.end_site));
    json_put(row, "offset", json_of_triple(node.offset));
    json_put(row, "channels", json_of_text(channel_list(&node, channels)));
    json_add(list, row);
  }
  return list;
}

void bvh_inspect_fill(json_t *object, const sinew_bvh *bvh) {
  sinew_bvh_info info;
  channel_tally tally;
  sinew_bvh_get_info(bvh, &info);
  tally_channels(bvh, &tally);
  json_put(object, "bytes", json_of_count(info.byte_count));
  json_put(object, "joints", json_of_count(info.joint_count));
  json_put(object, "endSites", json_of_count(info.node_count - info.joint_count));
  json_put(object, "roots", json_of_count(info.root_count));
  json_put(object, "depth", json_of_count(info.depth));
  json_put(object, "channels", json_of_count(info.channel_count));
  json_put(object, "jointsWithChannels", counts_json(&tally));
  json_put(object, "rotationOrders", orders_json(&tally));
  json_put(object, "motion", json_boolean(info.has_motion));
  json_put(object, "frames", json_of_count(info.frame_count));
  json_put(object, "fps", info.has_motion ? json_of_number(info.rate_hz) : json_null());
  json_put(object, "durationS", json_of_number(info.duration_s));
  json_put(object, "restSize", json_of_triple(info.rest_size));
  json_put(object, "nodes", nodes_json(bvh));
  json_t *warnings = or_die(json_array());
  const char *warning;
  for (uint32_t i = 0; (warning = sinew_bvh_warning(bvh, i)); i++) json_add(warnings, json_of_text(warning));
  json_put(object, "warnings", warnings);
}
