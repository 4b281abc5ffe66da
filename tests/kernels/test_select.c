/* Which table is chosen. */
#include "cpu.h"
#include "kernels.h"
#include "sinew.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *profile;
  uint32_t width;
} best_first[] = {
#if defined(__aarch64__)
    {"neon", "fma", 4},
#else
    {"avx512", "fma", 16},
    {"avx2", "fma", 8},
    {"sse4", "nofma", 4},
#endif
    {"scalar", "fma", 1},
};
enum { ISA_COUNT = sizeof best_first / sizeof best_first[0] };

static uint32_t rank(const char *name) {
  uint32_t i = 0;
  while (i < ISA_COUNT && strcmp(best_first[i].name, name) != 0) i++;
  return i;
}

Test(select, without_a_cap_takes_the_best) {
  const sinew_kernels *best = sinew_kernels_available(0);
  cr_assert_not_null(best, "no table for this CPU");
  cr_assert_eq(sinew_kernels_select(NULL), best);
}

Test(select, available_tables_come_best_first_and_end) {
  uint32_t count = 0, before = 0;
  for (const sinew_kernels *k; (k = sinew_kernels_available(count)); count++) {
    cr_assert(count == 0 || rank(k->name) > before, "%s out of order", k->name);
    before = rank(k->name);
    cr_assert_lt(before, (uint32_t)ISA_COUNT);
  }
  cr_assert_null(sinew_kernels_available(count + 1));
}

Test(select, a_cap_lowers_and_never_raises) {
  for (uint32_t i = 0; i < ISA_COUNT; i++) {
    const sinew_kernels *k = sinew_kernels_select(best_first[i].name);
    if (k) cr_assert_geq(rank(k->name), i, "cap %s gave %s", best_first[i].name, k->name);
  }
}

Test(select, each_available_table_is_had_by_its_name) {
  const sinew_kernels *k;
  for (uint32_t i = 0; (k = sinew_kernels_available(i)); i++) cr_assert_eq(sinew_kernels_select(k->name), k);
}

Test(select, caps_are_the_names_that_give_a_table) {
  uint32_t count = 0, expected = 0;
  for (const char *cap; (cap = sinew_kernels_cap(count)); count++)
    cr_assert_not_null(sinew_kernels_select(cap));
  for (uint32_t i = 0; i < ISA_COUNT; i++) expected += sinew_kernels_select(best_first[i].name) != NULL;
  cr_assert_eq(count, expected);
  cr_assert_geq(count, 1);
}

Test(select, caps_as_a_text) {
  char text[64], first[16];
  cr_assert_eq(sinew_isa_names(text, sizeof text), text);
  for (uint32_t i = 0; sinew_kernels_cap(i); i++) cr_assert(strstr(text, sinew_kernels_cap(i)), "%s", text);
  snprintf(first, sizeof first, "%s%s", sinew_kernels_cap(0), sinew_kernels_cap(2) ? ", " : " or ");
  cr_assert_eq(strncmp(text, first, strlen(first)), 0, "'%s' before the rest of '%s'", first, text);
  for (size_t size = 1; size < sizeof text; size++) { /* cut, and nothing beyond */
    char cut[sizeof text];
    memset(cut, '#', sizeof cut);
    sinew_isa_names(cut, size);
    cr_assert_eq(strncmp(cut, text, strlen(cut)), 0);
    cr_assert_lt(strlen(cut), size);
    cr_assert(size == sizeof cut || cut[size] == '#');
  }
}

Test(select, unknown_names_give_nothing) {
  cr_assert_null(sinew_kernels_select(""));
  cr_assert_null(sinew_kernels_select("AVX2"));
  cr_assert_null(sinew_kernels_select("avx512f"));
}

Test(select, profiles_and_widths_are_those_of_the_set) {
  const sinew_kernels *k;
  for (uint32_t i = 0; (k = sinew_kernels_available(i)); i++) {
    cr_assert_eq(k->width, best_first[rank(k->name)].width);
    cr_assert_str_eq(k->profile, best_first[rank(k->name)].profile);
  }
}

#if defined(__x86_64__)
Test(select, tables_agree_with_the_cpu) {
  cr_assert(!sinew_cpu_runs_avx512() || sinew_cpu_runs_avx2());
  cr_assert(!sinew_cpu_runs_avx2() || sinew_cpu_runs_sse4());
  const bool has_scalar = sinew_kernels_select("scalar") != NULL;
  cr_assert_eq(has_scalar, sinew_cpu_runs_avx2(), "the scalar table is compiled for fma");
}
Test(select, another_machines_names_are_unknown) {
  cr_assert_null(sinew_kernels_select("neon"));
}
#else
Test(select, another_machines_names_are_unknown) {
  cr_assert_null(sinew_kernels_select("avx2"));
}
#endif

Test(selftest, passes_and_counts_its_lines) {
  uint32_t passed = 0, failed = 1;
  cr_assert_eq(sinew_selftest(NULL, NULL, &passed, &failed), 0);
  cr_assert_eq(failed, 0);
  cr_assert_gt(passed, 0);
}

static void count_line(void *user, const char *text) {
  cr_assert(strncmp(text, "ok ", 3) == 0 || strncmp(text, "FAIL ", 5) == 0, "%s", text);
  ++*(uint32_t *)user;
}
Test(selftest, reports_each_check) {
  uint32_t lines = 0, passed = 0;
  sinew_selftest(count_line, &lines, &passed, NULL);
  cr_assert_eq(lines, passed);
}
