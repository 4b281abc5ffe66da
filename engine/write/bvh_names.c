#include "base/error.h"
#include "base/utf8.h"
#include "write/bvh_plan.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { NAME_BYTES = 1000 }; /* some readers have buffers of that size */

/* Names that are taken: open addressing, at most half full. */
typedef struct name_set {
  const char **names;
  size_t mask;
} name_set;

static const char **find(const name_set *set, const char *name) {
  size_t at = (size_t)XXH3_64bits(name, strlen(name)) & set->mask;
  while (set->names[at] && strcmp(set->names[at], name) != 0) at = (at + 1) & set->mask;
  return &set->names[at];
}

static bool is_plain(unsigned char c) {
  return c > ' ' && c != 0x7f && c != '{' && c != '}';
}

/* Room for NAME_BYTES and a zero. */
static void make_plain(const char *name, char *plain) {
  const unsigned char *p = (const unsigned char *)name;
  size_t left = strlen(name), length = 0;
  while (left) {
    const size_t sequence = utf8_sequence(p, left), step = sequence ? sequence : 1;
    if (length + step > NAME_BYTES) break;
    if (sequence > 1 || (sequence == 1 && is_plain(*p)))
      memcpy(plain + length, p, step), length += step;
    else
      plain[length++] = '_';
    p += step, left -= step;
  }
  plain[length] = 0;
  if (!length) strcpy(plain, "joint");
}

/* The numbers tried go on from where this name's last left off, so that many of one name cost no more than
 * few. */
static const char *make_unique(const name_set *set, const char *plain, uint32_t *number, arena *memory) {
  char text[NAME_BYTES + 16];
  snprintf(text, sizeof text, "%s", plain);
  const char **place = find(set, text);
  while (*place) {
    snprintf(text, sizeof text, "%s_%u", plain, ++*number);
    place = find(set, text);
  }
  return *place = arena_text(memory, text, strlen(text));
}

sinew_result bvh_make_names(const char **names, uint32_t count, arena *memory, sinew_error *error) {
  arena scratch = {0};
  name_set set = {.mask = 3};
  while (set.mask / 2 < count) set.mask = 2 * set.mask + 1;
  set.names = arena_alloc(&scratch, set.mask + 1, sizeof *set.names);
  uint32_t *number = arena_alloc(&scratch, set.mask + 1, sizeof *number);
  bool kept = set.names && number;
  for (uint32_t i = 0; i < count && kept; i++) {
    char plain[NAME_BYTES + 1];
    make_plain(names[i] ? names[i] : "", plain);
    uint32_t *last = &number[find(&set, plain) - set.names];
    if (!*last) *last = 1;
    names[i] = make_unique(&set, plain, last, memory);
    kept = names[i];
  }
  arena_release(&scratch);
  SINEW_CHECK(kept, error, SINEW_ERROR_MEMORY, "out of memory for %u names", count);
  return SINEW_OK;
}
