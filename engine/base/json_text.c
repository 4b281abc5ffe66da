#include "base/json_text.h"

enum {
  VALUE_BYTES = 320, /* an object in an object, with its table and the one key, takes 306 */
  TEXT_GROWTH = 4,   /* a string is put together in a buffer that doubles, and copied */
};

uint64_t json_text_need(const char *bytes, size_t byte_count) {
  uint64_t values = 1;
  for (size_t i = 0; i < byte_count; i++) values += bytes[i] == ',' || bytes[i] == '[' || bytes[i] == '{';
  return values * VALUE_BYTES + (uint64_t)byte_count * TEXT_GROWTH;
}

/* Jansson 2.14 out of memory calls a sound text broken, or reads from NULL. So what it may need is asked for
 * before, of the allocator that it will ask, and given back. */
static bool memory_is_there(uint64_t byte_count) {
  json_malloc_t take;
  json_free_t give_back;
  json_get_alloc_funcs(&take, &give_back);
  void *probe = byte_count <= SIZE_MAX ? take((size_t)byte_count) : NULL;
  if (!probe) return false;
  give_back(probe);
  return true;
}

json_t *json_text_parse(const char *bytes, size_t byte_count, json_error_t *reason, bool *out_of_memory) {
  *out_of_memory = !memory_is_there(json_text_need(bytes, byte_count));
  if (*out_of_memory) return NULL;
  json_t *root = json_loadb(bytes, byte_count, JSON_REJECT_DUPLICATES, reason);
  /* an allocation that failed for a moment looks like a broken text: a text that is broken stays so */
  if (!root) root = json_loadb(bytes, byte_count, JSON_REJECT_DUPLICATES, reason);
  *out_of_memory = !root && json_error_code(reason) == json_error_out_of_memory;
  return root;
}
