/* Which table is chosen. */
#include "cpu.h"
#include "kernels.h"
#include "sinew.h"

#include <criterion/criterion.h>
#include <string.h>

static uint32_t rank(const char *name) {
  static const char *const best_first[] = {"avx512", "avx2", "sse4", "scalar"};
  uint32_t i = 0;
  while (i < 4 && strcmp(best_first[i], name) != 0) i++;
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
    cr_assert_lt(before, 4);
  }
  cr_assert_null(sinew_kernels_available(count + 1));
}

Test(select, a_cap_lowers_and_never_raises) {
  static const char *const caps[] = {"avx512", "avx2", "sse4", "scalar"};
  for (int i = 0; i < 4; i++) {
    const sinew_kernels *k = sinew_kernels_select(caps[i]);
    if (k) cr_assert_geq(rank(k->name), rank(caps[i]), "cap %s gave %s", caps[i], k->name);
  }
}

Test(select, each_available_table_is_had_by_its_name) {
  const sinew_kernels *k;
  for (uint32_t i = 0; (k = sinew_kernels_available(i)); i++) cr_assert_eq(sinew_kernels_select(k->name), k);
}

Test(select, unknown_names_give_nothing) {
  cr_assert_null(sinew_kernels_select(""));
  cr_assert_null(sinew_kernels_select("AVX2"));
  cr_assert_null(sinew_kernels_select("avx512f"));
}

Test(select, profiles_and_widths_are_those_of_the_set) {
  const sinew_kernels *k;
  for (uint32_t i = 0; (k = sinew_kernels_available(i)); i++) {
    static const uint32_t widths[] = {16, 8, 4, 1};
    cr_assert_eq(k->width, widths[rank(k->name)]);
    cr_assert_str_eq(k->profile, strcmp(k->name, "sse4") == 0 ? "nofma" : "fma");
  }
}

Test(select, tables_agree_with_the_cpu) {
  cr_assert(!sinew_cpu_runs_avx512() || sinew_cpu_runs_avx2());
  cr_assert(!sinew_cpu_runs_avx2() || sinew_cpu_runs_sse4());
  const bool has_scalar = sinew_kernels_select("scalar") != NULL;
  cr_assert_eq(has_scalar, sinew_cpu_runs_avx2(), "the scalar table is compiled for fma");
}

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
