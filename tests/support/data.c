#include "support/data.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The lists last until the process ends, as their contract says; this keeps them reachable. */
enum { LISTS = 64 };
char **test_data_lists[LISTS];
size_t test_data_list_count;

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
  char **list = NULL;
  for (struct dirent *entry; (entry = readdir(handle));) {
    size_t length = strlen(entry->d_name), tail = strlen(suffix);
    if (length < tail || strcmp(entry->d_name + length - tail, suffix) != 0) continue;
    list = realloc(list, (*count + 1) * sizeof *list);
    size_t bytes = strlen(folder) + length + 2;
    list[*count] = malloc(bytes);
    snprintf(list[(*count)++], bytes, "%s/%s", folder, entry->d_name);
  }
  closedir(handle);
  if (list && test_data_list_count < LISTS) test_data_lists[test_data_list_count++] = list;
  if (list) qsort(list, *count, sizeof *list, by_name);
  return list;
}

char *test_read_file(const char *path, size_t *byte_count) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *bytes = malloc(size > 0 ? (size_t)size : 1);
  *byte_count = fread(bytes, 1, (size_t)size, file);
  fclose(file);
  return bytes;
}
