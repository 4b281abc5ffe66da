/* Keys while their number is not yet known: blocks that never move, copied to planes of the right size at the
 * end. */
#ifndef SINEW_READ_KEY_STORE_H
#define SINEW_READ_KEY_STORE_H

#include "base/error.h"
#include "clip/clip.h"

typedef struct key {
  float time_s;
  float value;
  float in_slope;
  float out_slope;
  float in_weight;
  float out_weight;
  uint8_t weighted_mode; /* CLIP_WEIGHT_* */
} key;

enum { KEY_BLOCK = 1024 };
typedef struct key_block {
  float time_s[KEY_BLOCK];
  float value[KEY_BLOCK];
  float in_slope[KEY_BLOCK];
  float out_slope[KEY_BLOCK];
  float in_weight[KEY_BLOCK];
  float out_weight[KEY_BLOCK];
  uint8_t weighted_mode[KEY_BLOCK];
} key_block;

typedef struct key_store {
  key_block **blocks;
  size_t block_count;
  size_t block_capacity;
  uint64_t count;
  uint64_t byte_limit; /* of all blocks but the first; 0: none */
} key_store;

void key_store_close(key_store *store);
/* Makes sure that one more key has a place. Errors: MEMORY. */
sinew_result key_store_make_room(key_store *store, sinew_error *error);
/* Copies every key into planes of `memory`. Errors: MEMORY. */
sinew_result key_store_copy(const key_store *store, arena *memory, sinew_clip *clip, sinew_error *error);

/* Appends a key that key_store_make_room has made room for. */
static inline void key_store_push(key_store *store, const key *k) {
  key_block *block = store->blocks[store->count / KEY_BLOCK];
  size_t at = store->count % KEY_BLOCK;
  block->time_s[at] = k->time_s;
  block->value[at] = k->value;
  block->in_slope[at] = k->in_slope;
  block->out_slope[at] = k->out_slope;
  block->in_weight[at] = k->in_weight;
  block->out_weight[at] = k->out_weight;
  block->weighted_mode[at] = k->weighted_mode;
  store->count++;
}

#endif
