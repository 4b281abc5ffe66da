/* A node whose movement assimp spreads over a chain of helpers: the chain's product at every time at which
 * one of its parts has a key. */
#include "read/affine.h"
#include "read/fbx_model.h"
#include "rig/quat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- times -------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
  const double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

/* The kinds of one channel: 0 position, 1 rotation, 2 scaling. */
static unsigned key_count(const struct aiNodeAnim *moves, int kind) {
  return kind == 0 ? moves->mNumPositionKeys : kind == 1 ? moves->mNumRotationKeys : moves->mNumScalingKeys;
}

static double key_tick(const struct aiNodeAnim *moves, int kind, unsigned k) {
  return kind == 0   ? moves->mPositionKeys[k].mTime
         : kind == 1 ? moves->mRotationKeys[k].mTime
                     : moves->mScalingKeys[k].mTime;
}

/* A single key holds always, and says nothing of when. */
static uint64_t gather_ticks(const fbx_chain *chain, double *ticks) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < chain->part_count; i++)
    for (int kind = 0; chain->parts[i]->moves && kind < 3; kind++) {
      const unsigned keys = key_count(chain->parts[i]->moves, kind);
      for (unsigned k = 0; keys > 1 && k < keys; k++, count++)
        if (ticks) ticks[count] = key_tick(chain->parts[i]->moves, kind, k);
    }
  return count;
}

static sinew_result list_ticks(fbx_reading *r, const fbx_chain *chain, double **ticks, uint32_t *count) {
  const uint64_t all = gather_ticks(chain, NULL);
  SINEW_CHECK(all <= r->limits->keys && all <= UINT32_MAX / 3, r->error, SINEW_ERROR_LIMIT,
              "more than %llu keys, the limit", (unsigned long long)r->limits->keys);
  SINEW_TRY(fbx_items(r, &r->scratch, all + 1, sizeof **ticks, ticks));
  gather_ticks(chain, *ticks);
  for (uint64_t i = 0; i < all; i++)
    SINEW_CHECK(isfinite((*ticks)[i]), r->error, SINEW_ERROR_SYNTAX, "node '%s': a key is at no time",
                fbx_show(r->nodes[chain->index]->mName.data).text);
  qsort(*ticks, all, sizeof **ticks, ascending);
  *count = all ? 1 : 0;
  for (uint64_t i = 1; i < all; i++)
    if ((*ticks)[i] != (*ticks)[*count - 1]) (*ticks)[(*count)++] = (*ticks)[i];
  if (!all) *count = 1; /* nothing but single keys: one at time 0 */
  return SINEW_OK;
}

/* ---- values ------------------------------------------------------------------------------------------- */

typedef struct key_pair {
  unsigned from, to;
  double share;
} key_pair;

static key_pair find_keys(const struct aiNodeAnim *moves, int kind, double tick) {
  const unsigned count = key_count(moves, kind);
  unsigned low = 0, high = count; /* the first key behind the tick */
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (key_tick(moves, kind, middle) <= tick)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return (key_pair){0, 0, 0};
  if (low == count) return (key_pair){count - 1, count - 1, 0};
  const double start = key_tick(moves, kind, low - 1), stop = key_tick(moves, kind, low);
  return (key_pair){low - 1, low, (tick - start) / (stop - start)};
}

static void vector_at(const struct aiVectorKey *keys, key_pair at, double out[3]) {
  const struct aiVector3D *a = &keys[at.from].mValue, *b = &keys[at.to].mValue;
  out[0] = (double)a->x + at.share * ((double)b->x - (double)a->x);
  out[1] = (double)a->y + at.share * ((double)b->y - (double)a->y);
  out[2] = (double)a->z + at.share * ((double)b->z - (double)a->z);
}

static void turn_at(const struct aiQuatKey *keys, key_pair at, double q[4]) {
  const struct aiQuaternion *a = &keys[at.from].mValue, *b = &keys[at.to].mValue;
  const double p[4] = {(double)a->x, (double)a->y, (double)a->z, (double)a->w};
  const double n[4] = {(double)b->x, (double)b->y, (double)b->z, (double)b->w};
  const double dot = p[0] * n[0] + p[1] * n[1] + p[2] * n[2] + p[3] * n[3], sign = dot < 0 ? -1 : 1;
  const double angle_rad = acos(fmin(1, fabs(dot)));
  double from = 1 - at.share, to = at.share;
  if (at.share > 0 && angle_rad > 1e-6) {
    from = sin(from * angle_rad) / sin(angle_rad);
    to = sin(to * angle_rad) / sin(angle_rad);
  }
  for (int i = 0; i < 4; i++) q[i] = from * p[i] + sign * to * n[i];
}

static void rows_of(const double t[3], const double q[4], const double s[3], double rows[3][4]) {
  const double x = q[0], y = q[1], z = q[2], w = q[3], square = x * x + y * y + z * z + w * w;
  const double n = square > 0 ? 2 / square : 0;
  const double turn[3][3] = {{1 - n * (y * y + z * z), n * (x * y - z * w), n * (x * z + y * w)},
                             {n * (x * y + z * w), 1 - n * (x * x + z * z), n * (y * z - x * w)},
                             {n * (x * z - y * w), n * (y * z + x * w), 1 - n * (x * x + y * y)}};
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < 3; c++) rows[r][c] = turn[r][c] * s[c];
    rows[r][3] = t[r];
  }
}

static void part_rows(const fbx_part *part, double tick, double rows[3][4]) {
  const struct aiNodeAnim *moves = part->moves;
  double t[3] = {0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
  if (moves) {
    if (moves->mNumPositionKeys) vector_at(moves->mPositionKeys, find_keys(moves, 0, tick), t);
    if (moves->mNumRotationKeys) turn_at(moves->mRotationKeys, find_keys(moves, 1, tick), q);
    if (moves->mNumScalingKeys) vector_at(moves->mScalingKeys, find_keys(moves, 2, tick), s);
    rows_of(t, q, s, rows);
  } else {
    fbx_rows(&part->node->mTransformation, rows);
  }
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static void put_key(const matrix_parts *whole, double tick, uint32_t k, struct aiNodeAnim *out) {
  out->mPositionKeys[k].mTime = out->mRotationKeys[k].mTime = out->mScalingKeys[k].mTime = tick;
  out->mPositionKeys[k].mValue =
      (struct aiVector3D){(ai_real)whole->t[0], (ai_real)whole->t[1], (ai_real)whole->t[2]};
  out->mRotationKeys[k].mValue = (struct aiQuaternion){.x = (ai_real)whole->q[0],
                                                       .y = (ai_real)whole->q[1],
                                                       .z = (ai_real)whole->q[2],
                                                       .w = (ai_real)whole->q[3]};
  out->mScalingKeys[k].mValue =
      (struct aiVector3D){(ai_real)whole->s[0], (ai_real)whole->s[1], (ai_real)whole->s[2]};
}

sinew_result fbx_fold(fbx_reading *r, const fbx_chain *chain, struct aiNodeAnim *out) {
  double *ticks;
  uint32_t count = 0;
  SINEW_TRY(list_ticks(r, chain, &ticks, &count));
  out->mNumPositionKeys = out->mNumRotationKeys = out->mNumScalingKeys = count;
  SINEW_TRY(fbx_items(r, &r->scratch, count, sizeof *out->mPositionKeys, &out->mPositionKeys));
  SINEW_TRY(fbx_items(r, &r->scratch, count, sizeof *out->mRotationKeys, &out->mRotationKeys));
  SINEW_TRY(fbx_items(r, &r->scratch, count, sizeof *out->mScalingKeys, &out->mScalingKeys));
  for (uint32_t k = 0; k < count; k++) {
    double whole[3][4], part[3][4], product[3][4];
    part_rows(chain->parts[0], ticks[k], whole);
    for (uint32_t i = 1; i < chain->part_count; i++) {
      part_rows(chain->parts[i], ticks[k], part);
      fbx_multiply(whole, part, product);
      memcpy(whole, product, sizeof whole);
    }
    for (int i = 0; i < 12; i++)
      SINEW_CHECK(isfinite(whole[i / 4][i % 4]), r->error, SINEW_ERROR_SYNTAX,
                  "node '%s': key %u holds a number that is not finite",
                  fbx_show(r->nodes[chain->index]->mName.data).text, k);
    matrix_parts parts;
    matrix_decompose(whole, &parts);
    put_key(&parts, ticks[k], k, out);
  }
  return SINEW_OK;
}

/* assimp 5.2 multiplies such keys by the PostRotation, where the format, and assimp's own helper, have its
 * inverse: twice the helper puts that right. */
sinew_result fbx_mend(fbx_reading *r, const fbx_chain *chain, const fbx_part *post, struct aiNodeAnim *out) {
  const struct aiNodeAnim *from = chain->parts[chain->part_count - 1]->moves;
  double rows[3][4], twice[4];
  matrix_parts helper;
  *out = *from;
  SINEW_TRY(
      fbx_items(r, &r->scratch, from->mNumRotationKeys, sizeof *out->mRotationKeys, &out->mRotationKeys));
  fbx_rows(&post->node->mTransformation, rows);
  matrix_decompose(rows, &helper);
  quat_mul(helper.q, helper.q, twice);
  for (unsigned k = 0; k < from->mNumRotationKeys; k++) {
    const struct aiQuaternion *q = &from->mRotationKeys[k].mValue;
    const double key[4] = {(double)q->x, (double)q->y, (double)q->z, (double)q->w};
    double right[4];
    quat_mul(key, twice, right);
    out->mRotationKeys[k] = from->mRotationKeys[k];
    out->mRotationKeys[k].mValue = (struct aiQuaternion){
        .x = (ai_real)right[0], .y = (ai_real)right[1], .z = (ai_real)right[2], .w = (ai_real)right[3]};
  }
  return SINEW_OK;
}
