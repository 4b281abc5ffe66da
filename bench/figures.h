/* The figures of a run and the goals they are held against. */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Half of all that can go wrong when machines are compared is absolute time: goals are about ratios within
 * one run. */
typedef struct figure {
  const char *name;
  const char *isa;  /* "" where it is not one's */
  double value;     /* as measured, in `unit`; NAN: only the ratio counts */
  const char *unit; /* "ns/pose", "GB/s", ... */
  double ratio;     /* to whatever the name says; NAN: none */
} figure;

typedef struct goal {
  const char *figure;
  const char *isa;
  bool at_most; /* else at least */
  double ratio;
} goal;

/* NULL: there is none for it. */
const goal *goal_of(const char *name, const char *isa);

enum { FIGURES_MOST = 512 };

typedef struct figure_list {
  figure figures[FIGURES_MOST];
  size_t count;
} figure_list;

void figures_put(figure_list *list, const char *name, const char *isa, double value, const char *unit,
                 double ratio);

/* Each appends its figures; false, with a line on stderr, when it cannot measure. */
bool figures_of_kernels(figure_list *list, bool quick);
bool figures_of_memory(figure_list *list, bool quick);
bool figures_of_threads(figure_list *list, bool quick);
bool figures_of_text(figure_list *list, bool quick);
bool figures_of_glb(figure_list *list, bool quick);
bool figures_of_long(figure_list *list, bool quick);
bool figures_of_clips(figure_list *list, bool quick);
bool figures_of_bvh(figure_list *list, bool quick);
bool figures_of_formats(figure_list *list, bool quick);
bool figures_of_start(figure_list *list, bool quick);

/* One line a figure: figure,isa,value,unit,ratio,goal,met */
void figures_print_csv(const figure_list *list);

#endif
