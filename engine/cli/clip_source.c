#include "clip_source.h"

#include "console.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void sources_start(source_list *list, char **paths, size_t count, uint64_t keep_bytes, double rate_hz,
                   const sinew_read_options *read) {
  memset(list, 0, sizeof *list);
  list->count = count;
  list->keep_bytes = keep_bytes;
  list->rate_hz = rate_hz;
  list->items = or_die(calloc(count ? count : 1, sizeof *list->items));
  for (size_t i = 0; i < count; i++) {
    list->items[i].path = paths[i];
    list->items[i].read = read;
    pthread_mutex_init(&list->items[i].lock, NULL);
  }
}

static const char *clip_name(const sinew_clip_file *file, uint32_t index) {
  sinew_clip_info info;
  sinew_clip_get_info(sinew_clip_file_clip(file, index), &info);
  return info.name ? info.name : "";
}

static bool is_muscles(const sinew_clip_file *file, uint32_t index) {
  sinew_clip_info info;
  sinew_clip_get_info(sinew_clip_file_clip(file, index), &info);
  return info.kind == SINEW_CLIP_MUSCLES;
}

static void close_file(clip_source *source) {
  if (source->file) sinew_clip_file_close(source->file);
  source->file = NULL;
}

/* Keeps the file parsed when it fits below the bound, closes it otherwise. */
static void settle(source_list *list, clip_source *source) {
  struct stat status;
  if (stat(source->path, &status) != 0) return; /* gone already: what is parsed is all there is */
  /* a pipe gives its bytes once and counts as empty here, so it is kept */
  const uint64_t byte_count = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
  if (atomic_fetch_add(&list->kept_bytes, byte_count) + byte_count <= list->keep_bytes) return;
  atomic_fetch_sub(&list->kept_bytes, byte_count);
  close_file(source);
}

static void read_first(source_list *list, clip_source *source) {
  sinew_error error;
  if (sinew_clip_file_open(source->path, source->read, &source->file, &error) != SINEW_OK) {
    source->file = NULL;
    source->error = or_die(malloc(sizeof error));
    *source->error = error;
    return;
  }
  source->count = sinew_clip_file_count(source->file);
  source->names = or_die(calloc(source->count ? source->count : 1, sizeof *source->names));
  source->frame_counts = or_die(calloc(source->count ? source->count : 1, sizeof *source->frame_counts));
  for (uint32_t i = 0; i < source->count; i++) {
    source->names[i] = or_die(strdup(clip_name(source->file, i)));
    source->frame_counts[i] = sinew_clip_frame_count(sinew_clip_file_clip(source->file, i), list->rate_hz);
    const bool muscles = is_muscles(source->file, i);
    source->has_muscles |= muscles;
    source->has_bones |= !muscles;
  }
  settle(list, source);
}

void sources_read(source_list *list, uint32_t thread_count) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(thread_count) if (list->count > 1)
  for (size_t i = 0; i < list->count; i++) read_first(list, &list->items[i]);
}

static bool same_clips(const clip_source *source) {
  if (sinew_clip_file_count(source->file) != source->count) return false;
  for (uint32_t i = 0; i < source->count; i++)
    if (strcmp(clip_name(source->file, i), source->names[i]) != 0) return false;
  return true;
}

static sinew_result open_again(clip_source *source, sinew_error *error) {
  if (source->file) return SINEW_OK;
  const sinew_result result = sinew_clip_file_open(source->path, source->read, &source->file, error);
  if (result != SINEW_OK) {
    source->file = NULL;
    return result;
  }
  if (same_clips(source)) return SINEW_OK;
  close_file(source);
  *error = (sinew_error){.code = SINEW_ERROR_IO};
  snprintf(error->path, sizeof error->path, "%s", source->path);
  snprintf(error->message, sizeof error->message, "the file has other clips than when this run began");
  return SINEW_ERROR_IO;
}

sinew_result source_enter(clip_source *source, sinew_error *error) {
  pthread_mutex_lock(&source->lock);
  const sinew_result result = open_again(source, error);
  source->users += result == SINEW_OK;
  pthread_mutex_unlock(&source->lock);
  return result;
}

void source_leave(clip_source *source, bool last) {
  pthread_mutex_lock(&source->lock);
  source->users--;
  if (last && source->users == 0) close_file(source);
  pthread_mutex_unlock(&source->lock);
}

void sources_free(source_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    clip_source *source = &list->items[i];
    close_file(source);
    pthread_mutex_destroy(&source->lock);
    for (uint32_t clip = 0; clip < source->count; clip++) free(source->names[clip]);
    free(source->names);
    free(source->frame_counts);
    free(source->error);
  }
  free(list->items);
  memset(list, 0, sizeof *list);
}
