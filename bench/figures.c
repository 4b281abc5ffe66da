#include "figures.h"

#include <stdio.h>

void figures_put(figure_list *list, const char *name, const char *isa, double value, const char *unit,
                 double ratio) {
  if (list->count < FIGURES_MOST) list->figures[list->count++] = (figure){name, isa, value, unit, ratio};
}

static void print_number(double value) {
  if (isnan(value))
    putchar(',');
  else
    printf(",%.4g", value);
}

void figures_print_csv(const figure_list *list) {
  puts("figure,isa,value,unit,ratio,goal,met");
  for (size_t i = 0; i < list->count; i++) {
    const figure *f = &list->figures[i];
    const goal *g = goal_of(f->name, f->isa);
    printf("%s,%s", f->name, f->isa);
    print_number(f->value);
    printf(",%s", f->unit);
    print_number(f->ratio);
    if (!g)
      printf(",,\n");
    else
      printf(",%s%g,%s\n", g->at_most ? "<=" : ">=", g->ratio,
             (g->at_most ? f->ratio <= g->ratio : f->ratio >= g->ratio) ? "yes" : "no");
  }
}
