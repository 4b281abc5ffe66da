#include "base/error.h"
#include "read/key_store.h"

#include <string.h>

void key_store_close(key_store *store) {
  for (size_t i = 0; i < store->block_count; i++) heap_free(store->blocks[i]);
  heap_free(store->blocks);
  *store = (key_store){0};
}

sinew_result key_store_make_room(key_store *store, sinew_error *error) {
  if (store->count / KEY_BLOCK < store->block_count) return SINEW_OK;
  uint64_t bytes = (uint64_t)(store->block_count + 1) * sizeof(key_block);
  if (store->byte_limit && store->block_count && bytes > store->byte_limit)
    return error_set(error, SINEW_ERROR_MEMORY, "the keys need more than %llu bytes of memory, the limit",
                     (unsigned long long)store->byte_limit);
  if (store->block_count == store->block_capacity) {
    size_t capacity = store->block_capacity ? store->block_capacity * 2 : 64;
    key_block **grown = heap_grow(store->blocks, store->block_count, capacity, sizeof *grown);
    SINEW_CHECK(grown, error, SINEW_ERROR_MEMORY, "out of memory after %llu keys",
                (unsigned long long)store->count);
    store->blocks = grown;
    store->block_capacity = capacity;
  }
  key_block *block = heap_alloc(1, sizeof *block);
  SINEW_CHECK(block, error, SINEW_ERROR_MEMORY, "out of memory after %llu keys",
              (unsigned long long)store->count);
  store->blocks[store->block_count++] = block;
  return SINEW_OK;
}

static float *copy_plane(const key_store *store, arena *memory, size_t offset) {
  float *plane = arena_alloc(memory, store->count, sizeof *plane);
  if (!plane) return NULL;
  for (uint64_t first = 0; first < store->count; first += KEY_BLOCK) {
    uint64_t count = store->count - first < KEY_BLOCK ? store->count - first : KEY_BLOCK;
    memcpy(plane + first, (const char *)store->blocks[first / KEY_BLOCK] + offset, count * sizeof *plane);
  }
  return plane;
}

static uint8_t *copy_modes(const key_store *store, arena *memory) {
  uint8_t *plane = arena_alloc(memory, store->count, 1);
  if (!plane) return NULL;
  for (uint64_t first = 0; first < store->count; first += KEY_BLOCK) {
    uint64_t count = store->count - first < KEY_BLOCK ? store->count - first : KEY_BLOCK;
    memcpy(plane + first, store->blocks[first / KEY_BLOCK]->weighted_mode, count);
  }
  return plane;
}

sinew_result key_store_copy(const key_store *store, arena *memory, sinew_clip *clip, sinew_error *error) {
  clip->key_count = store->count;
  clip->time_s = copy_plane(store, memory, offsetof(key_block, time_s));
  clip->value = copy_plane(store, memory, offsetof(key_block, value));
  clip->in_slope = copy_plane(store, memory, offsetof(key_block, in_slope));
  clip->out_slope = copy_plane(store, memory, offsetof(key_block, out_slope));
  clip->in_weight = copy_plane(store, memory, offsetof(key_block, in_weight));
  clip->out_weight = copy_plane(store, memory, offsetof(key_block, out_weight));
  clip->weighted_mode = copy_modes(store, memory);
  bool whole = clip->time_s && clip->value && clip->in_slope && clip->out_slope && clip->in_weight &&
               clip->out_weight && clip->weighted_mode;
  SINEW_CHECK(whole, error, SINEW_ERROR_MEMORY, "no memory for %llu keys (out of memory, or past the limit)",
              (unsigned long long)store->count);
  return SINEW_OK;
}
