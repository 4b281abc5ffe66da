/* Measures everything that the project states about its speed and prints it as CSV on stdout:
 *   bench_table [--quick] [kernels|memory|threads|text|glb|long|clips|bvh|formats|start]...
 * Times are the least of interleaved repeats on one pinned CPU; what is judged are ratios within the run. */
#include "figures.h"

#include <stdio.h>
#include <string.h>

typedef struct section {
  const char *name;
  bool (*measure)(figure_list *list, bool quick);
} section;

static const section sections[] = {{"kernels", figures_of_kernels}, {"memory", figures_of_memory},
                                   {"threads", figures_of_threads}, {"text", figures_of_text},
                                   {"glb", figures_of_glb},         {"long", figures_of_long},
                                   {"clips", figures_of_clips},     {"bvh", figures_of_bvh},
                                   {"formats", figures_of_formats}, {"start", figures_of_start}};
enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static bool take_word(const char *word, bool *quick, bool wanted[SECTION_COUNT]) {
  if (strcmp(word, "--quick") == 0) {
    *quick = true;
    return true;
  }
  for (int i = 0; i < SECTION_COUNT; i++)
    if (strcmp(word, sections[i].name) == 0) {
      wanted[i] = true;
      return true;
    }
  fprintf(
      stderr,
      "bench_table: unknown word '%s', expected --quick, kernels, memory, threads, text, glb, long, clips, "
      "bvh, formats or start\n",
      word);
  return false;
}

int main(int argc, char **argv) {
  static figure_list list;
  bool quick = false, wanted[SECTION_COUNT] = {false}, any = false, ok = true;
  for (int i = 1; i < argc; i++)
    if (!take_word(argv[i], &quick, wanted)) return 2;
  for (int i = 0; i < SECTION_COUNT; i++) any = any || wanted[i];
  for (int i = 0; ok && i < SECTION_COUNT; i++)
    if (wanted[i] || !any) ok = sections[i].measure(&list, quick);
  figures_print_csv(&list);
  return ok ? 0 : 1;
}
