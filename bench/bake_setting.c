#include "bake_setting.h"
#include "measure/made_body.h"
#include "measure/timing.h"

#include <stdio.h>
#include <stdlib.h>

bool bake_setting_open(bake_setting *set) {
  const sinew_context_options single = {.thread_count = 1};
  sinew_error error = {0};
  *set = (bake_setting){0};
  if (sinew_context_open(NULL, &set->all, &error) == SINEW_OK &&
      sinew_context_open(&single, &set->one, &error) == SINEW_OK &&
      made_body(MADE_BODY_ALL, &set->rig, &error) == SINEW_OK)
    return true;
  fprintf(stderr, "%s\n", error.message);
  bake_setting_close(set);
  return false;
}

void bake_setting_close(bake_setting *set) {
  sinew_rig_close(set->rig);
  sinew_context_close(set->all);
  sinew_context_close(set->one);
}

/* For figures of a disk TMPDIR, else /var/tmp, which unlike /tmp is no memory anywhere. */
const char *place_folder(int place) {
  const char *given = getenv("TMPDIR");
  return place == 0 ? "/dev/shm" : given && *given ? given : "/var/tmp";
}

bool place_open(int place, files_folder *folder) {
  if (files_folder_make(place_folder(place), folder)) return true;
  fprintf(stderr, "cannot write to %s: no figures of it\n", place_folder(place));
  return false;
}

bool steps_run(double (*step)(void *subject, int index), void *subject, int count, int rounds,
               step_times *times) {
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < count; i++) {
      times->s[i][round] = step(subject, i);
      if (times->s[i][round] <= 0) return false;
    }
  for (int i = 0; i < count; i++) times->median_s[i] = timing_median(times->s[i], (size_t)rounds);
  return true;
}
