#include "write/made_npz.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 64, PLACE_PLANES = 3 * MADE_NPZ_JOINTS };

/* A name with a letter of one byte, one of two, one of four, and one that has to be told apart by its length.
 */
static const char *const names[MADE_NPZ_JOINTS] = {"Hips", "Rücken", "head \xf0\x9f\x99\x82", "", "l",
                                                   "L",    "end"};

void made_npz_open(made_npz *made, uint64_t frame_count) {
  memset(made, 0, sizeof *made);
  for (int32_t i = 0; i < MADE_NPZ_JOINTS; i++) {
    rig_node *node = &made->nodes[i];
    *node = (rig_node){.name = names[i], .parent = i - 1, .s = {1, 1, 1}};
    for (int k = 0; k < 3; k++) node->t[k] = (i * 3 + k) / 8.0;
    for (int k = 0; k < 4; k++) node->q[k] = k == i % 4 ? 1 : 0;
  }
  made->plan = (npz_plan){.nodes = made->nodes,
                          .node_count = MADE_NPZ_JOINTS,
                          .frame_count = frame_count,
                          .rate_hz = 29.97,
                          .source_name = "läuft",
                          .profile = "fma"};
}

static float made_turn(uint64_t f, uint64_t j, uint64_t k) {
  return (float)((int)((31 * f + 7 * j + k) % 2047) - 1023) / 1024.0F;
}
static float made_place(uint64_t f, uint64_t j, uint64_t k) {
  return (float)((17 * f + 5 * j + 3 * k) % 4093) / 256.0F;
}
static float made_row(uint64_t f, uint64_t c) {
  return (float)((13 * f + c) % 1021) / 64.0F;
}

/* ---- a block ------------------------------------------------------------------------------------------ */

typedef struct made_block {
  _Alignas(64) float local[MADE_NPZ_JOINTS][4][SINEW_BLOCK];
  _Alignas(64) float places[PLACE_PLANES][SINEW_BLOCK];
  _Alignas(64) float rows[SINEW_MUSCLE_COUNT][SINEW_BLOCK];
} made_block;

/* In Unity's frame. */
static void compute(const made_npz *made, uint64_t first, made_block *block) {
  for (uint64_t f = 0; f < SINEW_BLOCK; f++) {
    for (uint64_t j = 0; j < MADE_NPZ_JOINTS; j++) {
      for (uint64_t k = 0; k < 4; k++) {
        const float value = made_turn(first + f, j, k);
        block->local[j][k][f] = k == 1 || k == 2 ? -value : value;
      }
      for (uint64_t k = 0; k < 3; k++) {
        const float value = made_place(first + f, j, k);
        block->places[j * 3 + k][f] = k == 0 ? -value : value;
      }
    }
    for (uint64_t c = 0; c < SINEW_MUSCLE_COUNT; c++) block->rows[c][f] = made_row(first + f, c);
  }
  (void)made;
}

static void pack(const made_npz *made, npz_name name, const made_block *block, uint32_t frames, float *rows) {
  static const int32_t slots[MADE_NPZ_JOINTS] = {0, 1, 2, 3, 4, 5, 6}, places[] = {0, 3, 6, 9, 12, 15, 18};
  const sinew_kernels *k = sinew_kernels_select(NULL);
  const npz_plan *plan = &made->plan;
  switch (name) {
  case NPZ_LOCAL_ROTATIONS:
    npz_pack_rotations(k, plan, block->local[0][0], slots, NULL, frames, rows);
    return;
  case NPZ_POSITIONS:
  case NPZ_LOCAL_POSITIONS:
    npz_pack_positions(k, plan, block->places[0], places, frames, rows);
    return;
  case NPZ_MUSCLES:
    npz_pack_planes(block->rows[0], SINEW_MUSCLE_COUNT, frames, rows, SINEW_MUSCLE_COUNT);
    return;
  case NPZ_ROOT:
    npz_pack_planes(block->rows[0], 7, frames, rows, 7);
    return;
  case NPZ_GOALS:
    npz_pack_planes(block->rows[0], 28, frames, rows, 28);
    return;
  default:
    npz_pack_root(k, block->places[plan->root_joint * 3], frames, rows);
  }
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

typedef struct made_piece {
  uint32_t crc[NPZ_NAMES];
  uint64_t byte_count[NPZ_NAMES];
} made_piece;

static sinew_result write_piece(const made_npz *made, const npz_layout *layout, uint64_t first, uint64_t end,
                                outfile *file, made_piece *piece, sinew_error *error) {
  static made_block block;
  for (int name = NPZ_LOCAL_ROTATIONS; name < NPZ_NAMES; name++) {
    if (!npz_has(layout, (npz_name)name)) continue;
    const uint64_t row_bytes = layout->members[name].row_bytes, bytes = (end - first) * row_bytes;
    float *rows = malloc(bytes);
    if (!rows) return error_set(error, SINEW_ERROR_MEMORY, "out of memory");
    for (uint64_t f = first; f < end; f += SINEW_BLOCK) {
      const uint32_t frames = end - f < SINEW_BLOCK ? (uint32_t)(end - f) : SINEW_BLOCK;
      compute(made, f, &block);
      pack(made, (npz_name)name, &block, frames, rows + (f - first) * row_bytes / sizeof *rows);
    }
    piece->crc[name] = npz_sum(rows, bytes);
    piece->byte_count[name] = bytes;
    const sinew_result result =
        outfile_write(file, rows, bytes, npz_row_offset(layout, (npz_name)name, first), error);
    free(rows);
    SINEW_TRY(result);
  }
  return SINEW_OK;
}

static sinew_result write_all(const made_npz *made, const npz_layout *layout, uint32_t blocks, bool backwards,
                              outfile *file, sinew_error *error) {
  static made_piece pieces[MOST_PIECES];
  const uint64_t all = made->plan.frame_count, each = (uint64_t)blocks * SINEW_BLOCK;
  const uint64_t count = (all + each - 1) / each;
  npz_sums sums;
  SINEW_CHECK(count <= MOST_PIECES, error, SINEW_ERROR_LIMIT, "too many pieces");
  SINEW_TRY(outfile_extend(file, layout->file_byte_count, error));
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t piece = backwards ? count - 1 - i : i, end = (piece + 1) * each;
    memset(&pieces[piece], 0, sizeof pieces[piece]);
    SINEW_TRY(write_piece(made, layout, piece * each, end < all ? end : all, file, &pieces[piece], error));
  }
  npz_sums_open(layout, &sums);
  for (uint64_t i = 0; i < count; i++)
    for (int name = 0; name < NPZ_NAMES; name++)
      if (pieces[i].byte_count[name])
        npz_sums_join(&sums, (npz_name)name, pieces[i].crc[name], pieces[i].byte_count[name]);
  return npz_write_rest(layout, &sums, file, error);
}

sinew_result made_npz_write(const made_npz *made, const char *path, uint32_t blocks, bool backwards,
                            sinew_error *error) {
  npz_layout layout;
  outfile file;
  SINEW_TRY(npz_layout_build(&made->plan, &layout, error));
  sinew_result result = outfile_open(path, &file, error);
  if (result == SINEW_OK) {
    result = write_all(made, &layout, blocks, backwards, &file, error);
    if (result == SINEW_OK) result = outfile_publish(&file, error);
    outfile_discard(&file);
  }
  npz_layout_release(&layout);
  return result;
}
