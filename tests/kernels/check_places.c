/* Places of a file's own nodes and their distances from computed joints, against plain double precision that
 * builds each matrix as glTF states it. Both round each of some thirty products on the way to a node by
 * 1e-16: 1e-13 of the figure's reach is ten times what that adds up to. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 40, PLACES = NODES - 3, AXES = 3 };

typedef struct hierarchy {
  sinew_node nodes[NODES];
  _Alignas(64) float keys[NODES][4 * SINEW_BLOCK];
  int16_t keys16[NODES][4 * SINEW_BLOCK];
  double planes[NODES][12 * SINEW_BLOCK];
  _Alignas(64) double scratch[NODES * 96];
  double guard_before[8];
  _Alignas(64) double places[PLACES * 3 * SINEW_BLOCK];
  double guard_after[8];
  uint32_t shown[PLACES];
} hierarchy;

static const double guard = 12345.678;

/* ---- a hierarchy of every kind of node ---- */

static void make_keys(dice *d, hierarchy *h, int i) {
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double q[4], length = dice_between(d, 0.9993, 1.0007);
    dice_quat(d, q);
    for (int c = 0; c < 4; c++) {
      h->keys[i][4 * f + c] = (float)(q[c] * length);
      h->keys16[i][4 * f + c] = (int16_t)lrint(q[c] * 32767);
    }
  }
  /* the only int16 that is no number from -1 to 1 by itself */
  static const int16_t half_turn[4] = {0, INT16_MIN, 0, 0};
  memcpy(h->keys16[i] + 4 * 5, half_turn, sizeof half_turn);
}

static void make_node(dice *d, hierarchy *h, int i) {
  sinew_node *node = &h->nodes[i];
  *node = (sinew_node){.parent = i < 2 ? -1 : (int32_t)(dice_bits(d) % (uint32_t)i)};
  if (i > NODES - 3) node->parent = NODES - 3;
  node->kind = (uint8_t)(i % 3);
  for (int k = 0; k < 12; k++) node->local[k / 4][k % 4] = dice_between(d, -0.6, 0.6);
  for (int k = 0; k < 12 * SINEW_BLOCK; k++) h->planes[i][k] = dice_between(d, -0.6, 0.6);
  if (i % 5 < 2) node->planes = h->planes[i];
  make_keys(d, h, i);
  if (node->kind == SINEW_NODE_TURNED) node->keys = h->keys[i];
  if (node->kind == SINEW_NODE_TURNED16) node->keys = h->keys16[i];
}

static void make_hierarchy(uint64_t seed, hierarchy *h) {
  dice d = {seed};
  for (int i = 0; i < NODES; i++) make_node(&d, h, i);
  for (int i = 0; i < NODES; i++) h->nodes[i].is_leaf = 1;
  for (int i = 0; i < NODES; i++)
    if (h->nodes[i].parent >= 0) h->nodes[h->nodes[i].parent].is_leaf = 0;
  /* shown in another order than that of the nodes */
  for (uint32_t i = 0; i < PLACES; i++) h->shown[i] = (i * 7 + 3) % NODES;
  for (int i = 0; i < 8; i++) h->guard_before[i] = h->guard_after[i] = guard;
}

static int place(const sinew_kernels *k, hierarchy *h) {
  const sinew_placing in = {h->nodes, NODES, h->shown, PLACES, NULL, 0};
  return k->places(&in, h->scratch, NULL, h->places);
}

/* ---- the rule, as it is stated ---- */

static void key_of(const sinew_node *node, int f, double q[4]) {
  for (int c = 0; c < 4; c++)
    q[c] = node->kind == SINEW_NODE_TURNED ? (double)((const float *)node->keys)[4 * f + c]
                                           : fmax(((const int16_t *)node->keys)[4 * f + c] / 32767.0, -1);
}

static void local_of(const sinew_node *node, int f, double m[3][4]) {
  const bool turned = node->kind != SINEW_NODE_MATRIX;
  for (int row = 0; row < 3; row++)
    for (int column = turned ? 3 : 0; column < 4; column++) {
      const int plane = turned ? row : row * 4 + column;
      m[row][column] = node->planes ? node->planes[plane * SINEW_BLOCK + f] : node->local[row][column];
    }
  if (!turned) return;
  double q[4];
  key_of(node, f, q);
  const double x = q[0], y = q[1], z = q[2], w = q[3];
  const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                             {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                             {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
  for (int row = 0; row < 3; row++) memcpy(m[row], rows[row], sizeof rows[row]);
}

static void worlds_of(const hierarchy *h, int f, double world[NODES][3][4]) {
  for (int i = 0; i < NODES; i++) {
    double local[3][4];
    local_of(&h->nodes[i], f, local);
    if (h->nodes[i].parent < 0) {
      memcpy(world[i], local, sizeof local);
      continue;
    }
    const double(*above)[4] = (const double(*)[4])world[h->nodes[i].parent];
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 4; column++) {
        world[i][row][column] = column == 3 ? above[row][3] : 0;
        for (int k = 0; k < 3; k++) world[i][row][column] += above[row][k] * local[k][column];
      }
  }
}

static double places_off(const hierarchy *h) {
  double worst = 0;
  for (int f = 0; f < SINEW_BLOCK; f++) {
    double world[NODES][3][4];
    worlds_of(h, f, world);
    for (int i = 0; i < PLACES; i++)
      for (int c = 0; c < AXES; c++) {
        const double off = fabs(h->places[(i * AXES + c) * SINEW_BLOCK + f] - world[h->shown[i]][c][3]);
        worst = off == off ? fmax(worst, off) : INFINITY;
      }
  }
  return worst;
}

static bool guards_stand(const hierarchy *h) {
  for (int i = 0; i < 8; i++)
    if (h->guard_before[i] != guard || h->guard_after[i] != guard) return false;
  return true;
}

/* ---- rotations that are none ---- */

/* What the kernel says when one component of one key of `node` is another number. */
static int said_of(const sinew_kernels *k, hierarchy *h, int node, int at, float value) {
  const float was = h->keys[node][at];
  h->keys[node][at] = value;
  const int said = place(k, h);
  h->keys[node][at] = was;
  return said;
}

static bool strays_are_told(const sinew_kernels *k, hierarchy *h) {
  static const float strays[] = {NAN, -NAN, INFINITY, -INFINITY, 3e38f, 1.3f, 1e19f};
  bool told = true;
  for (int i = 0; i < NODES; i++)
    for (int at = 0; at < 4 * SINEW_BLOCK && h->nodes[i].kind == SINEW_NODE_TURNED; at += 7)
      told = told && !said_of(k, h, i, at, strays[at % (int)(sizeof strays / sizeof *strays)]);
  return told && place(k, h);
}

/* The border lies between what is surely a unit and what verification refuses. */
static bool border_is_kept(const sinew_kernels *k, hierarchy *h) {
  const int node = 1, at = 4 * 33;
  static const float inside[] = {0.99906f, 1.00094f, -1}, outside[] = {0.99899f, 1.00101f, 0};
  bool kept = true;
  for (int c = 1; c < 4; c++) h->keys[node][at + c] = 0;
  for (int i = 0; i < 3; i++)
    kept = kept && said_of(k, h, node, at, inside[i]) && !said_of(k, h, node, at, outside[i]);
  return kept;
}

void check_places(const sinew_kernels *k, check *c) {
  enum { SEEDS = 12 };
  const sinew_kernels *scalar = sinew_kernels_select("scalar");
  void *memory;
  if (posix_memalign(&memory, 64, 2 * sizeof(hierarchy)) != 0) {
    check_that(c, false, "places: no memory");
    return;
  }
  hierarchy *h = memory, *other = h + 1;
  double worst = 0;
  bool unit = true, same = true, intact = true;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    make_hierarchy(seed, h), make_hierarchy(seed, other);
    unit = place(k, h) && unit;
    worst = fmax(worst, places_off(h));
    intact = intact && guards_stand(h);
    if (!scalar || strcmp(k->profile, scalar->profile) != 0) continue;
    place(scalar, other);
    same = same && memcmp(h->places, other->places, sizeof h->places) == 0;
  }
  check_that(c, worst <= 1e-13 * NODES, "places: off by %.1e of %.1e", worst, 1e-13 * NODES);
  check_that(c, unit && intact, "places: units are units, nothing is written beside");
  check_that(c, same, "places: equal to the scalar reference");
  check_that(c, strays_are_told(k, h), "places: what is no number or far from a unit is told");
  check_that(c, border_is_kept(k, h), "places: lengths are told apart at 0.0019");
  free(memory);
}

/* ---- distances ---- */

/* A model near the places, in Unity's frame and as seen from the first of them. */
typedef struct compared {
  hierarchy h;
  _Alignas(64) float model[PLACES * SINEW_MODEL_PLANES * SINEW_BLOCK];
  _Alignas(64) double squares[SINEW_BLOCK];
  double all[PLACES * AXES * SINEW_BLOCK];
} compared;

static const double left_out = -999;

static void make_model(dice *d, compared *c) {
  for (int i = 0; i < PLACES; i++)
    for (int axis = 0; axis < AXES; axis++)
      for (int f = 0; f < SINEW_BLOCK; f++) {
        const double from = c->all[axis * SINEW_BLOCK + f], at = c->all[(i * AXES + axis) * SINEW_BLOCK + f];
        c->model[(i * SINEW_MODEL_PLANES + axis) * SINEW_BLOCK + f] =
            (float)((axis == 0 ? -1 : 1) * (at - from) + dice_between(d, -1e-3, 1e-3));
      }
}

static int compare(const sinew_kernels *k, compared *c, size_t count, double least) {
  const sinew_placing in = {c->h.nodes, NODES, c->h.shown, count, c->model, least};
  for (int i = 0; i < PLACES * AXES * SINEW_BLOCK; i++) c->h.places[i] = left_out;
  return k->places(&in, c->h.scratch, c->squares, c->h.places);
}

static double largest_square(const compared *c, int count, int f) {
  double largest = 0;
  for (int i = 1; i < count; i++) {
    double square = 0;
    for (int axis = 0; axis < AXES; axis++) {
      const double own = (double)c->model[(i * SINEW_MODEL_PLANES + axis) * SINEW_BLOCK + f];
      const double off = c->all[(i * AXES + axis) * SINEW_BLOCK + f] - c->all[axis * SINEW_BLOCK + f] -
                         (axis == 0 ? -own : own);
      square += off * off;
    }
    largest = fmax(largest, square);
  }
  return largest;
}

/* Frames whose square does not matter may lack all places but the first; the others have theirs. */
static bool places_stand(const compared *c, int count, double least) {
  for (int f = 0; f < SINEW_BLOCK; f++)
    for (int i = 0; i < count * AXES; i++) {
      const double got = c->h.places[i * SINEW_BLOCK + f];
      const bool may_lack = i >= AXES && c->squares[f] < least;
      if (got != c->all[i * SINEW_BLOCK + f] && !(may_lack && got == left_out)) return false;
    }
  for (int i = count * AXES * SINEW_BLOCK; i < PLACES * AXES * SINEW_BLOCK; i++)
    if (c->h.places[i] != left_out) return false;
  return true;
}

static bool some_are_left_out(const compared *c) {
  for (int i = AXES * SINEW_BLOCK; i < PLACES * AXES * SINEW_BLOCK; i++)
    if (c->h.places[i] == left_out) return true;
  return false;
}

/* The model's number at (i, f) replaced: the frame's square is none, and no other's. */
static bool strange_is_nan(const sinew_kernels *k, compared *c, int i, int f) {
  static const float strange[] = {NAN, -NAN, INFINITY, -INFINITY};
  float *spoilt = &c->model[i * SINEW_BLOCK + f];
  const float was = *spoilt;
  bool right = true;
  for (size_t n = 0; n < sizeof strange / sizeof *strange; n++) {
    *spoilt = strange[n];
    compare(k, c, PLACES, 1e300);
    for (int g = 0; g < SINEW_BLOCK; g++) right = right && (isnan(c->squares[g]) != 0) == (g == f);
    right = right && places_stand(c, PLACES, 1e300);
  }
  *spoilt = was;
  return right;
}

void check_distances(const sinew_kernels *k, check *c) {
  void *memory;
  if (posix_memalign(&memory, 64, sizeof(compared)) != 0) {
    check_that(c, false, "distances: no memory");
    return;
  }
  compared *m = memory;
  dice d = {5};
  double worst = 0;
  bool strange = true, stand = true, saved = true;
  make_hierarchy(77, &m->h);
  place(k, &m->h);
  memcpy(m->all, m->h.places, sizeof m->all);
  make_model(&d, m);
  for (int count = 1; count <= PLACES; count++) {
    const double least = count % 2 ? 0 : 1.5e-6;
    compare(k, m, (size_t)count, least);
    stand = stand && places_stand(m, count, least);
    for (int f = 0; f < SINEW_BLOCK; f++) {
      const double wanted = largest_square(m, count, f), off = fabs(m->squares[f] - wanted);
      worst = off <= 1e-14 * wanted ? worst : fmax(worst, isnan(off) ? INFINITY : off);
    }
  }
  compare(k, m, PLACES, 1);
  saved = places_stand(m, PLACES, 1) && some_are_left_out(m);
  for (int f = 0; f < SINEW_BLOCK; f++)
    strange = strange && strange_is_nan(k, m, (1 + f % (PLACES - 1)) * SINEW_MODEL_PLANES + f % AXES, f);
  check_that(c, worst == 0, "distances: squares off by %.1e", worst);
  check_that(c, stand && saved, "distances: places stand where they matter, and take no time elsewhere");
  check_that(c, strange, "distances: what is no number shows, in its frame alone");
  free(memory);
}
