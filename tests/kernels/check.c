#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const check_entry check_entries[] = {
    {"sample", check_sample},       {"muscle", check_muscle},   {"normalise", check_normalise},
    {"euler", check_euler},         {"angles", check_angles},   {"fk", check_fk},
    {"fk_moved", check_fk_moved},   {"slerp", check_slerp},     {"hermite", check_hermite},
    {"matrices", check_matrices},   {"body", check_body},       {"hips", check_hips},
    {"delta", check_delta},         {"inverse", check_inverse}, {"goals", check_goals},
    {"signs", check_signs},         {"pack", check_pack},       {"absmax", check_absmax},
    {"rows", check_rows},           {"stream", check_stream},   {"places", check_places},
    {"distances", check_distances}, {"apart", check_apart},     {"bits", check_bits},
};
const uint32_t check_entry_count = sizeof check_entries / sizeof check_entries[0];

void check_that(check *c, bool ok, const char *format, ...) {
  char text[256];
  int used = snprintf(text, sizeof text, "%s %s ", ok ? "ok" : "FAIL", c->isa);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
  va_end(arguments);
  if (ok)
    c->passed++;
  else
    c->failed++;
  if (c->line) c->line(c->user, text);
}

/* ---- deterministic random numbers: splitmix64 ---- */

uint32_t dice_bits(dice *d) {
  uint64_t z = d->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ (z >> 31)) >> 32);
}
double dice_between(dice *d, double low, double high) {
  return low + (high - low) * ((dice_bits(d) >> 8) * 0x1p-24);
}
void dice_quat(dice *d, double q[4]) {
  double square = 0;
  while (square < 0.01 || square > 1) {
    square = 0;
    for (int c = 0; c < 4; c++) q[c] = dice_between(d, -1, 1), square += q[c] * q[c];
  }
  const double length = sqrt(square);
  for (int c = 0; c < 4; c++) q[c] /= length;
}

/* ---- guarded buffers ---- */

enum { MARGIN = 64 }; /* floats on each side: a whole plane */

static const uint32_t margin_bits = 0x7fc5a5a5u, unset_bits = 0x7fc00000u;

bool guarded_open(guarded *g, size_t count) {
  g->count = count;
  g->memory = NULL;
  if (posix_memalign(&g->memory, 64, (count + 2 * MARGIN) * sizeof(float)) != 0) return false;
  g->values = (float *)g->memory + MARGIN;
  for (size_t i = 0; i < count + 2 * MARGIN; i++) {
    const bool inside = i >= MARGIN && i < count + MARGIN;
    memcpy((float *)g->memory + i, inside ? &unset_bits : &margin_bits, sizeof(float));
  }
  return true;
}
bool guarded_intact(const guarded *g) {
  for (size_t i = 0; i < MARGIN; i++) {
    if (memcmp((const float *)g->memory + i, &margin_bits, sizeof(float)) != 0) return false;
    if (memcmp(g->values + g->count + i, &margin_bits, sizeof(float)) != 0) return false;
  }
  return true;
}
void guarded_close(guarded *g) {
  free(g->memory);
}
