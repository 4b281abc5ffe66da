#include "clip/motion.h"

void motion_file_close(motion_file *file) {
  if (!file) return;
  skeleton_close(file->skeleton);
  arena_release(&file->memory);
  heap_free(file);
}
