#include "commands.h"

#include "bench_report.h"
#include "console.h"
#include "stop.h"

#include <stdlib.h>

/* How long clips are converted. */
static const double clips_s = 2;

static const char *scratch_folder(void) {
  const char *given = getenv("TMPDIR");
  return given && *given ? given : "/tmp";
}

static bool goes_on(void *user, uint64_t done, uint64_t count) {
  (void)user, (void)done, (void)count;
  return !stop_asked();
}

static sinew_result measure_kernels(const sinew_context *context, bench_report *report, sinew_error *error) {
  while (report->isa_count < BENCH_ISAS && sinew_isa_available(report->isa_count)) {
    const sinew_result result =
        sinew_measure_kernels(context, report->isa_count, &report->kernels[report->isa_count], error);
    if (result != SINEW_OK) return result;
    report->isa_count++;
  }
  return SINEW_OK;
}

static sinew_result measure_clips(const sinew_context *context, bench_report *report, sinew_error *error) {
  report->folder = scratch_folder();
  stop_defer(true);
  const sinew_result result =
      sinew_measure_clips(context, report->folder, clips_s, goes_on, NULL, &report->clips, error);
  stop_defer(false);
  return result;
}

/* What can fail for reasons of the user's comes first. */
static sinew_result measure_all(const sinew_context *context, bench_report *report, sinew_error *error) {
  sinew_result result = measure_clips(context, report, error);
  if (result == SINEW_OK) result = measure_kernels(context, report, error);
  if (result == SINEW_OK) result = sinew_measure_memory(context, &report->memory, error);
  return result;
}

int bench_command(const arguments *given) {
  const sinew_context_options wanted = {.thread_count = given->threads};
  sinew_context *context;
  sinew_error error;
  bench_report report = {0};
  sinew_result result = sinew_context_open(&wanted, &context, &error);
  if (result == SINEW_OK) result = measure_all(context, &report, &error);
  if (result == SINEW_OK) {
    if (given->json)
      bench_report_json(&report);
    else
      bench_report_say(&report);
  } else if (result != SINEW_ERROR_CANCELLED) {
    complain_error(&error);
  }
  sinew_context_close(context);
  if (result == SINEW_OK) return EXIT_OK;
  return result == SINEW_ERROR_CANCELLED ? EXIT_STOPPED : EXIT_SOME_FAILED;
}
