#include "read/file_stem.h"

#include <string.h>

const char *file_stem(const char *path, arena *memory) {
  const char *slash = path ? strrchr(path, '/') : NULL, *base = slash ? slash + 1 : path ? path : "";
  const char *dot = strrchr(base, '.');
  return arena_text(memory, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}
