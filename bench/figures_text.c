/* The figures of text that is read, and of the program being started. */
#include "figures.h"
#include "bvh_text.h"
#include "files.h"
#include "measure/timing.h"
#include "text.h"

#include <stdio.h>

enum { MOST_ROUNDS = 64 };

static const double none = (double)NAN;

/* ---- text ---------------------------------------------------------------------------------------------- */

static bool put_text(figure_list *list, int input, const char *ratio_name, timing_effort effort) {
  text_set *set = text_set_open(input);
  if (!set) return input != TEXT_MADE; /* the others may not be there */
  bench_case cases[TEXT_CASE_COUNT];
  timed subjects[TEXT_CASE_COUNT];
  for (int i = 0; i < TEXT_CASE_COUNT; i++) {
    text_set_case(set, (text_case)i, &cases[i]);
    subjects[i] = (timed){.run = cases[i].run, .subject = cases[i].subject};
  }
  const bool ok = timing_run(subjects, TEXT_CASE_COUNT, effort);
  for (int i = 0; ok && i < TEXT_CASE_COUNT; i++)
    figures_put(list, cases[i].name, "", cases[i].bytes / subjects[i].least_s * 1e-6, "MB/s", none);
  if (ok)
    figures_put(list, ratio_name, "", none, "", subjects[TEXT_YAML].least_s / subjects[TEXT_SAMPLED].least_s);
  text_set_close(set);
  return ok;
}

static bool put_bvh(figure_list *list, int input, timing_effort effort) {
  bvh_text *text = bvh_text_open(input);
  if (!text) return input != BVH_TEXT_MADE;
  bench_case what;
  bvh_text_case(text, &what);
  timed subject = {.run = what.run, .subject = what.subject};
  const bool ok = timing_run(&subject, 1, effort);
  const double mb_per_s = what.bytes / subject.least_s * 1e-6;
  if (ok) figures_put(list, what.name, "", mb_per_s, "MB/s", mb_per_s);
  bvh_text_close(text);
  return ok;
}

bool figures_of_text(figure_list *list, bool quick) {
  const timing_effort effort = {.rounds = quick ? 5 : 21, .slice_s = 0.02};
  cpu_set_t cpus;
  bool ok = timing_cpus(&cpus) && timing_pin(&cpus, 0);
  ok = ok && put_text(list, TEXT_MADE, "text_over_yaml_made", effort);
  ok = ok && put_text(list, TEXT_SAMPLE, "text_over_yaml_sample", effort);
  ok = ok && put_text(list, TEXT_REAL, "text_over_yaml_real", effort);
  for (int input = 0; ok && input < BVH_TEXT_COUNT; input++) ok = put_bvh(list, input, effort);
  timing_unpin(&cpus);
  return ok;
}

/* ---- the program's start --------------------------------------------------------------------------------
 */

bool figures_of_start(figure_list *list, bool quick) {
  double s[MOST_ROUNDS];
  const int rounds = quick ? 15 : MOST_ROUNDS - 1;
  for (int round = 0; round < rounds; round++) {
    s[round] = files_start_s();
    if (s[round] < 0) {
      fputs("the program cannot be started\n", stderr);
      return false;
    }
  }
  const double median_ms = timing_median(s, (size_t)rounds) * 1e3;
  figures_put(list, "start_ms", "", median_ms, "ms", median_ms);
  return true;
}
