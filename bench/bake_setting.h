/* What bakes of whole files need, and the figures of steps that are taken in turn. */
#ifndef BENCH_BAKE_SETTING_H
#define BENCH_BAKE_SETTING_H

#include "figures.h"
#include "files.h"

typedef struct bake_setting { /* contexts as users have them: all CPUs, or one */
  sinew_context *all, *one;
  sinew_rig *rig; /* 55 bones */
} bake_setting;

/* False: a line on stderr says why. */
bool bake_setting_open(bake_setting *set);
void bake_setting_close(bake_setting *set);

/* Two folders: where files are memory, and the disk's. */
enum { PLACE_COUNT = 2 };
const char *place_folder(int place);
/* A folder of its own there. False, with a line on stderr, where nothing can be written: no figures of it. */
bool place_open(int place, files_folder *folder);

/* Seconds of up to STEPS_MOST steps, each taken once a round. */
enum { STEPS_MOST = 8, ROUNDS_MOST = 64 };
typedef struct step_times {
  double s[STEPS_MOST][ROUNDS_MOST];
  double median_s[STEPS_MOST];
} step_times;

/* step returns the seconds of the index-th of `count`, 0 or below where it fails. False then. */
bool steps_run(double (*step)(void *subject, int index), void *subject, int count, int rounds,
               step_times *times);

#endif
