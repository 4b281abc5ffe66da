#include "skeleton/biped.h"
#include "rig/quat.h"

#include <string.h>
#include <strings.h>

enum { MOST_BIPEDS = 8, PART_SIZE = 24 };

/* The nodes of one biped that others hang from; -1: missing. */
typedef struct biped_nodes {
  const char *name; /* the root's, namespace and all */
  size_t name_length;
  int32_t root, neck, arm[2], hand[2]; /* left, right */
} biped_nodes;

typedef struct biped_part {
  char text[PART_SIZE]; /* what follows the biped's name: letters in lower case and digits alone */
} biped_part;

/* ---- names -------------------------------------------------------------------------------------------- */

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool names_root(const char *name) {
  const char *space = strrchr(name, ':');
  const char *at = space ? space + 1 : name;
  if (strncasecmp(at, "bip", 3) != 0 || !is_digit(at[3])) return false;
  const size_t digits = strspn(at + 3, "0123456789");
  return digits <= 3 && at[3 + digits] == 0;
}

/* False where the node is none of this biped's. */
static bool part_of(const biped_nodes *b, const char *name, biped_part *part) {
  if (strncasecmp(name, b->name, b->name_length) != 0 || is_digit(name[b->name_length])) return false;
  size_t length = 0;
  for (const char *p = name + b->name_length; *p; p++) {
    const char c = lower(*p);
    if (!is_digit(c) && !(c >= 'a' && c <= 'z')) continue;
    if (length + 1 == PART_SIZE) return false;
    part->text[length++] = c;
  }
  part->text[length] = 0;
  return true;
}

/* Letters, then nothing but digits. */
static bool is_part(const biped_part *part, const char *letters) {
  const size_t length = strlen(letters);
  return strncmp(part->text, letters, length) == 0 &&
         part->text[length + strspn(part->text + length, "0123456789")] == 0;
}

/* 0: left, 1: right, -1: neither. */
static int side_of(const biped_part *part, const char *letters) {
  const char side = part->text[0];
  biped_part rest;
  if (side != 'l' && side != 'r') return -1;
  memcpy(rest.text, part->text + 1, PART_SIZE - 1);
  return is_part(&rest, letters) ? side == 'r' : -1;
}

static int twist_side(const biped_part *part) {
  const int shorter = side_of(part, "uparmtwist");
  return shorter >= 0 ? shorter : side_of(part, "upperarmtwist");
}

/* The part that a node is, of this biped; "" where it is none. */
static biped_part part_at(const skeleton *s, const biped_nodes *b, int32_t node) {
  biped_part part = {""};
  if (node >= 0 && !part_of(b, s->nodes[node].name, &part)) part.text[0] = 0;
  return part;
}

/* ---- bipeds ------------------------------------------------------------------------------------------- */

static void find_nodes(const skeleton *s, biped_nodes *b) {
  b->neck = b->arm[0] = b->arm[1] = b->hand[0] = b->hand[1] = -1;
  for (uint32_t i = 0; i < s->node_count; i++) {
    biped_part part;
    if (!part_of(b, s->nodes[i].name, &part)) continue;
    const int arm = side_of(&part, "upperarm"), hand = side_of(&part, "hand");
    if (b->neck < 0 && is_part(&part, "neck")) b->neck = (int32_t)i;
    if (arm >= 0 && b->arm[arm] < 0) b->arm[arm] = (int32_t)i;
    if (hand >= 0 && b->hand[hand] < 0) b->hand[hand] = (int32_t)i;
  }
}

static uint32_t find_bipeds(const skeleton *s, biped_nodes found[MOST_BIPEDS]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->node_count && count < MOST_BIPEDS; i++) {
    const char *name = s->nodes[i].name;
    bool known = !names_root(name);
    for (uint32_t k = 0; k < count; k++) known = known || strcasecmp(found[k].name, name) == 0;
    if (known) continue;
    found[count] = (biped_nodes){.name = name, .name_length = strlen(name), .root = (int32_t)i};
    find_nodes(s, &found[count++]);
  }
  return count;
}

static bool is_odd(const skeleton *s, const biped_nodes *b, int32_t node) {
  const biped_part part = part_at(s, b, node), above = part_at(s, b, s->nodes[node].parent);
  if (side_of(&part, "thigh") >= 0) return is_part(&above, "spine");
  if (side_of(&part, "clavicle") >= 0) return is_part(&above, "neck");
  if (twist_side(&part) >= 0) return side_of(&above, "clavicle") >= 0;
  return is_part(&part, "prop") && s->nodes[node].parent == b->root;
}

static bool any_odd(const skeleton *s, const biped_nodes *b) {
  for (uint32_t i = 0; i < s->node_count; i++)
    if (is_odd(s, b, (int32_t)i)) return true;
  return false;
}

bool biped_is(const skeleton *s) {
  biped_nodes bipeds[MOST_BIPEDS];
  const uint32_t count = find_bipeds(s, bipeds);
  for (uint32_t i = 0; i < count; i++)
    if (any_odd(s, &bipeds[i])) return true;
  return false;
}

/* ---- parents ------------------------------------------------------------------------------------------ */

static void place_at_rest(const skeleton *s, int32_t node, double place[3]) {
  place[0] = place[1] = place[2] = 0;
  for (; node >= 0; node = s->nodes[node].parent) {
    const skeleton_node *n = &s->nodes[node];
    const double scaled[3] = {place[0] * n->s[0], place[1] * n->s[1], place[2] * n->s[2]};
    quat_rotate(n->q, scaled, place);
    for (int i = 0; i < 3; i++) place[i] += n->t[i];
  }
}

static double square_apart(const skeleton *s, int32_t a, int32_t b) {
  double at_a[3], at_b[3], square = 0;
  place_at_rest(s, a, at_a), place_at_rest(s, b, at_b);
  for (int i = 0; i < 3; i++) square += (at_a[i] - at_b[i]) * (at_a[i] - at_b[i]);
  return square;
}

static int32_t hand_of_prop(const skeleton *s, const biped_nodes *b, int32_t node, const biped_part *part) {
  if (strcmp(part->text, "prop1") == 0) return b->hand[1];
  if (strcmp(part->text, "prop2") == 0) return b->hand[0];
  if (b->hand[0] < 0 || b->hand[1] < 0) return b->hand[0] < 0 ? b->hand[1] : b->hand[0];
  return b->hand[square_apart(s, node, b->hand[1]) <= square_apart(s, node, b->hand[0])];
}

/* -1: its own. */
static int32_t wanted_parent(const skeleton *s, const biped_nodes *b, int32_t node) {
  const biped_part part = part_at(s, b, node), above = part_at(s, b, s->nodes[node].parent);
  if (strcmp(part.text, "spine") == 0 || side_of(&part, "thigh") >= 0) return b->root;
  if (side_of(&part, "clavicle") >= 0 && is_part(&above, "neck") && b->neck >= 0)
    return s->nodes[b->neck].parent;
  const int twist = twist_side(&part);
  if (twist >= 0 && side_of(&above, "clavicle") >= 0) return b->arm[twist];
  if (is_part(&part, "prop") && s->nodes[node].parent == b->root) return hand_of_prop(s, b, node, &part);
  return -1;
}

static bool hangs_from(const int32_t *parents, int32_t node, int32_t from) {
  for (; node >= 0; node = parents[node])
    if (node == from) return true;
  return false;
}

uint32_t biped_parents(const skeleton *s, int32_t *parents) {
  biped_nodes bipeds[MOST_BIPEDS];
  uint32_t changed = 0;
  const uint32_t count = find_bipeds(s, bipeds);
  for (uint32_t i = 0; i < s->node_count; i++) parents[i] = s->nodes[i].parent;
  for (uint32_t k = 0; k < count; k++) {
    if (!any_odd(s, &bipeds[k])) continue;
    for (uint32_t i = 0; i < s->node_count; i++) {
      const int32_t wanted = wanted_parent(s, &bipeds[k], (int32_t)i);
      if (wanted < 0 || wanted == parents[i] || hangs_from(parents, wanted, (int32_t)i)) continue;
      parents[i] = wanted;
      changed++;
    }
  }
  return changed;
}
