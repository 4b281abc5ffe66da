#include "progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double redraw_s = 0.1;

static struct {
  bool on;
  int width; /* of the line on the screen */
  size_t clip_count;
  double frame_count;
  double start_s;
  double drawn_s;
} line;

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(size_t clip_count, double frame_count) {
  if (!isatty(STDERR_FILENO)) return;
  line.on = true;
  line.clip_count = clip_count;
  line.frame_count = frame_count;
  line.start_s = now_s();
  line.drawn_s = line.start_s; /* work shorter than one redraw shows no line */
}

void progress_clear(void) {
  if (line.width == 0) return;
  fprintf(stderr, "\r%*s\r", line.width, "");
  line.width = 0;
}

void progress_show(size_t clips_done, double frames_done) {
  if (!line.on) return;
  const double time_s = now_s();
  if (time_s - line.drawn_s < redraw_s) return;
  line.drawn_s = time_s;
  const double rate_hz = frames_done / (time_s - line.start_s);
  char left[32] = "";
  const double left_s = rate_hz > 0 ? (line.frame_count - frames_done) / rate_hz : -1;
  if (left_s >= 0 && left_s < 3600 * 1000) {
    const unsigned seconds = (unsigned)(left_s + 0.5);
    snprintf(left, sizeof left, ", %u:%02u:%02u left", seconds / 3600, seconds / 60 % 60, seconds % 60);
  }
  const int before = line.width;
  line.width =
      fprintf(stderr, "\r%zu of %zu clips, %.0f frames/s%s", clips_done, line.clip_count, rate_hz, left) - 1;
  if (line.width < before) fprintf(stderr, "%*s", before - line.width, "");
  fflush(stderr);
  if (line.width < before) line.width = before;
}
