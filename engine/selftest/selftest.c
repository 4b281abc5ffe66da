#include "sinew.h"

#include "../../tests/kernels/check.h"

uint32_t sinew_selftest(sinew_line_fn line, void *user, uint32_t *passed, uint32_t *failed) {
  check total = {.line = line, .user = user, .isa = "cpu"};
  const sinew_kernels *k;
  uint32_t tables = 0;
  while ((k = sinew_kernels_available(tables))) {
    tables++;
    total.isa = k->name;
    for (uint32_t i = 0; i < check_entry_count; i++) check_entries[i].run(k, &total);
  }
  if (tables == 0) check_that(&total, false, "no instruction set of this CPU is supported");
  if (passed) *passed = total.passed;
  if (failed) *failed = total.failed;
  return total.failed;
}
