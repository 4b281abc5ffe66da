#include "convert_plan.h"

#include "console.h"
#include "option_value.h"
#include "output_name.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A name counts before a number: a clip may be called "2". */
static bool is_wanted(const clip_source *from, uint32_t clip, const char *wanted) {
  if (!wanted || strcmp(from->names[clip], wanted) == 0) return true;
  for (uint32_t i = 0; i < from->count; i++)
    if (strcmp(from->names[i], wanted) == 0) return false;
  uint32_t number;
  return value_count(wanted, 0, UINT32_MAX, &number) && number == clip;
}

static void add_clip(convert_plan *plan, const clip_source *from, planned_clip clip) {
  if (plan->count == plan->capacity) {
    plan->capacity = plan->capacity ? 2 * plan->capacity : 64;
    plan->clips = or_die(reallocarray(plan->clips, plan->capacity, sizeof *plan->clips));
  }
  plan->clips[plan->count++] = clip;
  plan->frame_count += (double)from->frame_counts[clip.clip];
}

uint32_t plan_add(convert_plan *plan, const source_list *sources, size_t source, const plan_naming *naming) {
  const clip_source *from = &sources->items[source];
  uint32_t count = 0;
  for (uint32_t clip = 0; clip < from->count; clip++) {
    if (!is_wanted(from, clip, naming->clip)) continue;
    const char *name = from->count > 1 ? from->names[clip] : NULL;
    char *path = naming->output ? or_die(strdup(naming->output))
                                : output_path(naming->folder, from->path, name, naming->suffix);
    add_clip(plan, from, (planned_clip){source, clip, path});
    count++;
  }
  return count;
}

/* All outputs lie in one folder or are the only one, so equal text is the same file. */
static int by_path_then_order(const void *a, const void *b) {
  const planned_clip *left = *(const planned_clip *const *)a, *right = *(const planned_clip *const *)b;
  const int order = strcmp(left->path, right->path);
  return order ? order : (left > right) - (left < right);
}

bool plan_collision(const convert_plan *plan, size_t *first, size_t *second) {
  if (plan->count < 2) return false;
  const planned_clip **sorted = or_die(malloc(plan->count * sizeof *sorted));
  for (size_t i = 0; i < plan->count; i++) sorted[i] = &plan->clips[i];
  qsort(sorted, plan->count, sizeof *sorted, by_path_then_order);
  bool found = false;
  for (size_t i = 1; i < plan->count; i++) {
    if (strcmp(sorted[i - 1]->path, sorted[i]->path) != 0) continue;
    const size_t later = (size_t)(sorted[i] - plan->clips);
    if (found && later > *second) continue;
    *first = (size_t)(sorted[i - 1] - plan->clips);
    *second = later;
    found = true;
  }
  free(sorted);
  return found;
}

typedef struct file_identity {
  dev_t device;
  ino_t node;
  size_t read_path;
} file_identity;

static int by_identity(const void *a, const void *b) {
  const file_identity *left = a, *right = b;
  if (left->device != right->device) return left->device < right->device ? -1 : 1;
  return (left->node > right->node) - (left->node < right->node);
}

bool plan_overwrites(const convert_plan *plan, const char *const *read_paths, size_t read_count, size_t *clip,
                     size_t *read_path) {
  file_identity *read = or_die(malloc((read_count ? read_count : 1) * sizeof *read));
  size_t count = 0;
  struct stat status;
  for (size_t i = 0; i < read_count; i++)
    if (stat(read_paths[i], &status) == 0) read[count++] = (file_identity){status.st_dev, status.st_ino, i};
  qsort(read, count, sizeof *read, by_identity);
  const file_identity *hit = NULL;
  for (size_t i = 0; i < plan->count && !hit; i++) {
    if (stat(plan->clips[i].path, &status) != 0) continue;
    const file_identity key = {status.st_dev, status.st_ino, 0};
    hit = bsearch(&key, read, count, sizeof *read, by_identity);
    if (!hit) continue;
    *clip = i;
    *read_path = hit->read_path;
  }
  const bool found = hit != NULL;
  free(read);
  return found;
}

void plan_free(convert_plan *plan) {
  for (size_t i = 0; i < plan->count; i++) free(plan->clips[i].path);
  free(plan->clips);
  *plan = (convert_plan){0};
}
