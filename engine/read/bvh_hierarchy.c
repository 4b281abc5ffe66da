/* HIERARCHY: joints with their offsets and channels. The way back up is kept in the nodes, so that depth
 * costs no stack. */
#include "read/bvh.h"

#include "base/utf8.h"

#include <string.h>

static const double offset_limit = 1e9; /* units: a thousand kilometres where they are millimetres */
enum { MOST_CHANNELS = 6 };             /* of a joint */

/* The block that is being read. */
typedef struct block {
  int32_t node; /* -1: none, at the top */
  uint32_t depth;
} block;

enum { SEEN_OFFSET = 1, SEEN_CHANNELS = 2 };

/* ---- names -------------------------------------------------------------------------------------------- */

static void note_oddity(bvh_oddity *oddity, const char *at) {
  if (oddity->count++ == 0) oddity->first = at;
}

static bool is_control(char c) {
  return ((unsigned char)c < 0x20 && c != '\t') || c == 0x7f;
}

static const char *keep_name(bvh_reading *r, bvh_word name) {
  bool malformed;
  const char *kept = utf8_keep(&r->skeleton->memory, name.text, name.length, &malformed);
  if (malformed) note_oddity(&r->no_utf8, name.text);
  return kept;
}

/* A name is what stands before the brace or the end of its line: it may hold blanks. */
static sinew_result take_name(bvh_reading *r, bvh_word *name) {
  const char *p = r->at;
  while (p < r->end && !bvh_is_line_end(*p) && *p != '{' && *p != '}') {
    if (is_control(*p) && !bvh_is_blank(*p))
      return bvh_fail(r, SINEW_ERROR_SYNTAX, p, "a control character in a name");
    p++;
  }
  const char *stop = p;
  while (stop > r->at && bvh_is_blank(stop[-1])) stop--;
  *name = (bvh_word){r->at, (size_t)(stop - r->at)};
  if (name->length > r->limits->name_bytes)
    return bvh_fail(r, SINEW_ERROR_LIMIT, name->text, "a name of %zu bytes, the limit is %u", name->length,
                    r->limits->name_bytes);
  r->at = p;
  return SINEW_OK;
}

/* ---- lists that grow ---------------------------------------------------------------------------------- */

/* Room for one more in the skeleton's memory; what is outgrown stays there until all of it goes. */
static void *grow(bvh_reading *r, void *list, uint32_t count, uint32_t *room, size_t size) {
  if (count < *room) return list;
  const uint32_t more = *room ? (*room <= UINT32_MAX / 2 ? *room * 2 : UINT32_MAX) : 64;
  if (more == count) return NULL;
  void *grown = arena_alloc(&r->skeleton->memory, more, size);
  if (!grown) return NULL;
  if (count) memcpy(grown, list, count * size);
  *room = more;
  return grown;
}

static sinew_result add_node(bvh_reading *r, const block *parent, bvh_word keyword, bvh_word name,
                             bool is_joint) {
  skeleton *s = r->skeleton;
  if (parent->depth >= r->limits->depth)
    return bvh_fail(r, SINEW_ERROR_LIMIT, keyword.text,
                    "the hierarchy is more than %u joints deep, the limit", r->limits->depth);
  if (s->node_count >= r->limits->nodes || s->node_count >= INT32_MAX)
    return bvh_fail(r, SINEW_ERROR_LIMIT, keyword.text, "more than %u joints, the limit", r->limits->nodes);
  skeleton_node *nodes = grow(r, s->nodes, s->node_count, &r->node_room, sizeof *nodes);
  if (!nodes) return bvh_out_of_memory(r);
  s->nodes = nodes;
  uint8_t *seen = grow(r, r->seen, s->node_count, &r->seen_room, sizeof *seen);
  if (!seen) return bvh_out_of_memory(r);
  r->seen = seen;
  const char *kept = keep_name(r, name);
  if (!kept) return bvh_out_of_memory(r);
  nodes[s->node_count] = (skeleton_node){.name = kept,
                                         .parent = parent->node,
                                         .q = {0, 0, 0, 1},
                                         .s = {1, 1, 1},
                                         .is_joint = is_joint,
                                         .source_index = s->node_count};
  s->node_count++;
  return SINEW_OK;
}

/* ---- OFFSET and CHANNELS ------------------------------------------------------------------------------ */

/* False the second time. */
static bool see(bvh_reading *r, uint32_t node, uint8_t what) {
  if (r->seen[node] & what) return false;
  r->seen[node] |= what;
  return true;
}

static sinew_result read_offset(bvh_reading *r, uint32_t node, bvh_word keyword) {
  if (!see(r, node, SEEN_OFFSET)) return bvh_fail(r, SINEW_ERROR_SYNTAX, keyword.text, "OFFSET stands twice");
  for (int axis = 0; axis < 3; axis++) {
    bvh_skip_space(r);
    SINEW_TRY(bvh_take_number(r, "OFFSET", offset_limit, &r->skeleton->nodes[node].t[axis]));
  }
  return SINEW_OK;
}

static int channel_kind(bvh_word word) {
  static const char *const names[] = {[MOTION_X_POSITION] = "Xposition", [MOTION_Y_POSITION] = "Yposition",
                                      [MOTION_Z_POSITION] = "Zposition", [MOTION_X_ROTATION] = "Xrotation",
                                      [MOTION_Y_ROTATION] = "Yrotation", [MOTION_Z_ROTATION] = "Zrotation"};
  for (int kind = 0; kind <= MOTION_Z_ROTATION; kind++)
    if (bvh_word_is(word, names[kind])) return kind;
  return -1;
}

static sinew_result add_channel(bvh_reading *r, uint32_t node, bvh_word word, unsigned *positions) {
  const int kind = channel_kind(word);
  if (kind < 0) return bvh_unexpected(r, word, "a channel: Xposition to Zposition, Xrotation to Zrotation");
  if (kind <= MOTION_Z_POSITION) {
    if (*positions & 1u << kind)
      return bvh_fail(r, SINEW_ERROR_SYNTAX, word.text, "%s stands twice",
                      bvh_show(word.text, word.length).text);
    *positions |= 1u << kind;
  }
  if (r->channel_count >= r->limits->curves)
    return bvh_fail(r, SINEW_ERROR_LIMIT, word.text, "more than %u channels, the limit", r->limits->curves);
  motion_channel *channels = grow(r, r->channels, r->channel_count, &r->channel_room, sizeof *channels);
  if (!channels) return bvh_out_of_memory(r);
  r->channels = channels;
  channels[r->channel_count++] = (motion_channel){node, (uint8_t)kind};
  bvh_take(r, word);
  return SINEW_OK;
}

static sinew_result read_channels(bvh_reading *r, uint32_t node, bvh_word keyword) {
  if (!see(r, node, SEEN_CHANNELS))
    return bvh_fail(r, SINEW_ERROR_SYNTAX, keyword.text, "CHANNELS stands twice");
  const bvh_word number = bvh_peek(r);
  if (number.length != 1 || *number.text < '0' || *number.text > '0' + MOST_CHANNELS)
    return bvh_unexpected(r, number, "the number of channels, 0 to 6");
  bvh_take(r, number);
  const int count = *number.text - '0';
  unsigned positions = 0;
  for (int i = 0; i < count; i++) {
    const bvh_word word = bvh_peek(r);
    if (word.length && channel_kind(word) < 0 && i > 0)
      return bvh_fail(r, SINEW_ERROR_SYNTAX, word.text,
                      "CHANNELS states %d and names %d: found '%s', expected a channel", count, i,
                      bvh_show(word.text, word.length).text);
    SINEW_TRY(add_channel(r, node, word, &positions));
  }
  const bvh_word next = bvh_peek(r);
  if (channel_kind(next) >= 0)
    return bvh_fail(r, SINEW_ERROR_SYNTAX, next.text, "CHANNELS states %d and names more: found '%s'", count,
                    bvh_show(next.text, next.length).text);
  return SINEW_OK;
}

/* ---- blocks ------------------------------------------------------------------------------------------- */

static sinew_result open_block(bvh_reading *r, block *b, bvh_word keyword, bvh_word name, bool is_joint) {
  SINEW_TRY(add_node(r, b, keyword, name, is_joint));
  const bvh_word brace = bvh_peek(r);
  if (!bvh_word_is(brace, "{")) return bvh_unexpected(r, brace, "'{'");
  bvh_take(r, brace);
  *b = (block){(int32_t)r->skeleton->node_count - 1, b->depth + 1};
  return SINEW_OK;
}

static sinew_result open_joint(bvh_reading *r, block *b, bvh_word keyword) {
  bvh_word name;
  bvh_take(r, keyword);
  bvh_skip_space(r);
  SINEW_TRY(take_name(r, &name));
  if (name.length == 0) note_oddity(&r->no_name, keyword.text);
  return open_block(r, b, keyword, name, true);
}

/* "End Site", "EndSite", "End": with a name behind it or not. */
static bool is_end(bvh_word word) {
  return bvh_word_is(word, "End") || bvh_word_is(word, "EndSite") || bvh_word_is(word, "End_Site");
}

static sinew_result open_end(bvh_reading *r, block *b, bvh_word keyword) {
  bvh_word name;
  bvh_take(r, keyword);
  if (bvh_word_is(keyword, "End")) {
    const bvh_word site = bvh_peek(r);
    if (bvh_word_is(site, "Site")) bvh_take(r, site);
  }
  bvh_skip_blanks(r);
  SINEW_TRY(take_name(r, &name));
  return open_block(r, b, keyword, name, false);
}

static void close_block(bvh_reading *r, block *b, bvh_word brace) {
  const skeleton_node *node = &r->skeleton->nodes[b->node];
  const uint8_t seen = r->seen[b->node];
  if (!(seen & SEEN_OFFSET)) note_oddity(&r->no_offset, brace.text);
  if (!(seen & SEEN_CHANNELS) && node->is_joint) note_oddity(&r->no_channels, brace.text);
  *b = (block){node->parent, b->depth - 1};
}

static sinew_result read_in_block(bvh_reading *r, block *b, bvh_word word) {
  if (bvh_word_is(word, "OFFSET")) {
    bvh_take(r, word);
    return read_offset(r, (uint32_t)b->node, word);
  }
  if (bvh_word_is(word, "}")) {
    bvh_take(r, word);
    close_block(r, b, word);
    return SINEW_OK;
  }
  if (!r->skeleton->nodes[b->node].is_joint)
    return bvh_unexpected(r, word, "OFFSET or '}': an End Site holds no more");
  if (bvh_word_is(word, "CHANNELS")) {
    bvh_take(r, word);
    return read_channels(r, (uint32_t)b->node, word);
  }
  if (bvh_word_is(word, "JOINT")) return open_joint(r, b, word);
  if (is_end(word)) return open_end(r, b, word);
  return bvh_unexpected(r, word, "OFFSET, CHANNELS, JOINT, End Site or '}'");
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static sinew_result warn(bvh_reading *r, const bvh_oddity *oddity, const char *one, const char *many) {
  if (oddity->count == 1)
    BVH_WARN(r, "line %u: %s", bvh_line_of(r, oddity->first), one);
  else if (oddity->count > 1)
    BVH_WARN(r, "line %u and %u more: %s", bvh_line_of(r, oddity->first), oddity->count - 1, many);
  return SINEW_OK;
}

static bool has_length(const skeleton *s) {
  for (uint32_t i = 0; i < s->node_count; i++)
    if (s->nodes[i].parent >= 0)
      for (int axis = 0; axis < 3; axis++)
        if (s->nodes[i].t[axis] != 0) return true;
  return false;
}

static sinew_result warn_of_hierarchy(bvh_reading *r) {
  SINEW_TRY(warn(r, &r->no_channels, "this joint states no CHANNELS: it does not move",
                 "these joints state no CHANNELS: they do not move"));
  SINEW_TRY(warn(r, &r->no_offset, "this block ends without an OFFSET: 0 0 0 is taken",
                 "these blocks end without an OFFSET: 0 0 0 is taken"));
  SINEW_TRY(warn(r, &r->no_name, "this joint has no name", "these joints have no name"));
  SINEW_TRY(warn(r, &r->no_utf8, "this name is not UTF-8: what is malformed was replaced",
                 "these names are not UTF-8: what is malformed was replaced"));
  if (!has_length(r->skeleton))
    BVH_WARN(r, "no joint stands apart from its parent: every OFFSET below the root is 0");
  return SINEW_OK;
}

sinew_result bvh_read_hierarchy(bvh_reading *r) {
  bvh_word word = bvh_peek(r);
  if (!bvh_word_is(word, "HIERARCHY")) return bvh_unexpected(r, word, "HIERARCHY");
  bvh_take(r, word);
  block b = {-1, 0};
  for (;;) {
    word = bvh_peek(r);
    if (b.node >= 0) {
      SINEW_TRY(read_in_block(r, &b, word));
    } else if (bvh_word_is(word, "ROOT")) {
      SINEW_TRY(open_joint(r, &b, word));
    } else if (r->skeleton->node_count && (word.length == 0 || bvh_word_is(word, "MOTION"))) {
      return warn_of_hierarchy(r);
    } else {
      return bvh_unexpected(r, word, r->skeleton->node_count ? "ROOT or MOTION" : "ROOT");
    }
  }
}
