#include "clip_source.h"

#include "console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void sources_start(source_list *list, char **paths, size_t count, uint64_t keep_bytes,
                   const sinew_read_options *read) {
  *list = (source_list){.count = count, .keep_bytes = keep_bytes};
  list->items = or_die(calloc(count ? count : 1, sizeof *list->items));
  for (size_t i = 0; i < count; i++) {
    list->items[i].path = paths[i];
    list->items[i].read = read;
  }
}

static const char *clip_name(const sinew_clip_file *file, uint32_t index) {
  sinew_clip_info info;
  sinew_clip_get_info(sinew_clip_file_clip(file, index), &info);
  return info.name ? info.name : "";
}

sinew_result source_read(clip_source *source, sinew_error *error) {
  const sinew_result result = sinew_clip_file_open(source->path, source->read, &source->file, error);
  if (result != SINEW_OK) {
    source->file = NULL;
    return result;
  }
  source->count = sinew_clip_file_count(source->file);
  source->names = or_die(calloc(source->count ? source->count : 1, sizeof *source->names));
  for (uint32_t i = 0; i < source->count; i++) source->names[i] = or_die(strdup(clip_name(source->file, i)));
  source->readable = true;
  return SINEW_OK;
}

void source_settle(source_list *list, clip_source *source) {
  struct stat status;
  if (stat(source->path, &status) != 0) return; /* gone already: what is parsed is all there is */
  /* a pipe gives its bytes once and counts as empty here, so it is kept */
  const uint64_t byte_count = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
  if (list->kept_bytes + byte_count <= list->keep_bytes)
    list->kept_bytes += byte_count;
  else
    source_close(source);
}

static bool same_clips(const clip_source *source) {
  if (sinew_clip_file_count(source->file) != source->count) return false;
  for (uint32_t i = 0; i < source->count; i++)
    if (strcmp(clip_name(source->file, i), source->names[i]) != 0) return false;
  return true;
}

sinew_result source_open(clip_source *source, sinew_error *error) {
  if (source->file) return SINEW_OK;
  const sinew_result result = sinew_clip_file_open(source->path, source->read, &source->file, error);
  if (result != SINEW_OK) {
    source->file = NULL;
    return result;
  }
  if (same_clips(source)) return SINEW_OK;
  source_close(source);
  *error = (sinew_error){.code = SINEW_ERROR_IO};
  snprintf(error->path, sizeof error->path, "%s", source->path);
  snprintf(error->message, sizeof error->message, "the file has other clips than when this run began");
  return SINEW_ERROR_IO;
}

void source_close(clip_source *source) {
  if (source->file) sinew_clip_file_close(source->file);
  source->file = NULL;
}

void sources_free(source_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    clip_source *source = &list->items[i];
    source_close(source);
    for (uint32_t clip = 0; clip < source->count; clip++) free(source->names[clip]);
    free(source->names);
  }
  free(list->items);
  *list = (source_list){0};
}
