#include "skeleton/skeleton.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

skeleton *skeleton_new(uint64_t byte_limit) {
  skeleton *made = heap_alloc(1, sizeof *made);
  if (!made) return NULL;
  made->memory.byte_limit = byte_limit;
  made->name = "";
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) made->node_of_bone[bone] = -1;
  return made;
}

void skeleton_close(skeleton *s) {
  if (!s) return;
  arena_release(&s->memory);
  heap_free(s);
}

bool skeleton_warn(skeleton *s, const char *format, ...) {
  if (s->warning_count == SKELETON_WARNING_LIMIT) return true;
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *kept = arena_text(&s->memory, text, strlen(text));
  if (!kept) return false;
  s->warnings[s->warning_count++] = kept;
  return true;
}
