#include "support/data.h"
#include "support/keep.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *test_data(const char *relative) {
  static char paths[8][1024];
  static unsigned turn;
  const char *root = getenv("SINEW_TEST_DATA");
  if (!root) return NULL;
  char *path = paths[turn++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", root, relative);
  return access(path, R_OK) == 0 ? path : NULL;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

char **test_data_list(const char *relative_folder, const char *suffix, size_t *count) {
  *count = 0;
  const char *folder = test_data(relative_folder);
  DIR *handle = folder ? opendir(folder) : NULL;
  if (!handle) return NULL;
  enum { ENTRIES = 1024 };
  char **list = test_keep(ENTRIES, sizeof *list);
  for (struct dirent *entry; *count < ENTRIES && (entry = readdir(handle));) {
    size_t length = strlen(entry->d_name), tail = strlen(suffix);
    if (length < tail || strcmp(entry->d_name + length - tail, suffix) != 0) continue;
    size_t bytes = strlen(folder) + length + 2;
    list[*count] = test_keep(bytes, 1);
    snprintf(list[(*count)++], bytes, "%s/%s", folder, entry->d_name);
  }
  closedir(handle);
  qsort(list, *count, sizeof *list, by_name);
  return list;
}

char *test_read_file(const char *path, size_t *byte_count) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *bytes = malloc((size > 0 ? (size_t)size : 0) + 1);
  *byte_count = fread(bytes, 1, size > 0 ? (size_t)size : 0, file);
  bytes[*byte_count] = '\0';
  fclose(file);
  return bytes;
}
