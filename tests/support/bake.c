#include "support/bake.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *test_source(const char *relative) {
  static char paths[8][1024];
  static unsigned turn;
  char *path = paths[turn++ % 8];
  const char *root = getenv("SINEW_TEST_SOURCE");
  snprintf(path, sizeof paths[0], "%s/%s", root ? root : ".", relative);
  return path;
}

char *test_folder_make(void) {
  const char *base = getenv("TMPDIR");
  char *folder = malloc(1024);
  snprintf(folder, 1024, "%s/sinew-test-XXXXXX", base ? base : "/tmp");
  cr_assert(mkdtemp(folder), "no temporary folder");
  return folder;
}

size_t test_folder_count(const char *folder) {
  size_t count = 0;
  DIR *handle = opendir(folder);
  if (!handle) return 0;
  for (struct dirent *entry; (entry = readdir(handle));)
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(handle);
  return count;
}

void test_folder_remove(char *folder) {
  DIR *handle = opendir(folder);
  for (struct dirent *entry; handle && (entry = readdir(handle));) {
    char path[2048];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) unlink(path);
  }
  if (handle) closedir(handle);
  rmdir(folder);
  free(folder);
}

sinew_clip_file *test_open_clip(const char *path) {
  sinew_error error;
  char text[1024];
  sinew_clip_file *file;
  sinew_result result = sinew_clip_file_open(path, NULL, &file, &error);
  cr_assert(result == SINEW_OK, "%s", sinew_error_text(&error, text, sizeof text));
  return file;
}

sinew_rig *test_open_rig(const char *path) {
  sinew_error error;
  char text[1024];
  sinew_rig *rig;
  sinew_result result = sinew_rig_open(path, NULL, &rig, &error);
  cr_assert(result == SINEW_OK, "%s", sinew_error_text(&error, text, sizeof text));
  return rig;
}

sinew_context *test_open_context(const char *isa, uint32_t threads) {
  sinew_error error;
  char text[1024];
  sinew_context *context;
  sinew_context_options options = {.isa = isa, .thread_count = threads};
  sinew_result result = sinew_context_open(&options, &context, &error);
  cr_assert(result == SINEW_OK, "%s", sinew_error_text(&error, text, sizeof text));
  return context;
}

uint64_t test_hash(const void *bytes, size_t byte_count) {
  const unsigned char *p = bytes;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < byte_count; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  return hash;
}
