/* MOTION: how many frames, how far apart. */
#include "read/bvh.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const double assumed_hz = 30, least_s = 1e-6, most_s = 1e6, most_hz = 1e6;
#define MOST_FRAMES 0x1p53

/* ---- the two lines of the head ------------------------------------------------------------------------ */

/* The words at p, with blanks or underscores between them or nothing, and a colon or a blank behind. Returns
 * where the value may begin, NULL for other text. */
static const char *match(const bvh_reading *r, const char *const words[2]) {
  const char *p = r->at;
  for (int i = 0; i < 2 && words[i]; i++) {
    while (i && p < r->end && (bvh_is_blank(*p) || *p == '_')) p++;
    const size_t length = strlen(words[i]);
    if ((size_t)(r->end - p) < length || strncasecmp(p, words[i], length) != 0) return NULL;
    p += length;
  }
  const char *behind = p;
  while (p < r->end && bvh_is_blank(*p)) p++;
  if (p < r->end && *p == ':') return p + 1;
  return p > behind || p == r->end || bvh_is_line_end(*p) ? p : NULL;
}

static sinew_result read_frame_count(bvh_reading *r) {
  double count;
  bvh_skip_blanks(r);
  const char *at = r->at;
  SINEW_TRY(bvh_take_number(r, "Frames", MOST_FRAMES, &count));
  if (count < 0 || count != floor(count))
    return bvh_fail(r, SINEW_ERROR_SYNTAX, at, "Frames: found '%s', expected a whole number, 0 or more",
                    bvh_show(at, (size_t)(r->at - at)).text);
  r->declared_frames = (uint64_t)count;
  r->frames_stated = true;
  return SINEW_OK;
}

/* Half a unit of a decimal's last place; 0 with an exponent. */
static double half_unit(const char *text, size_t length) {
  const char *point = memchr(text, '.', length);
  if (!point || memchr(text, 'e', length) || memchr(text, 'E', length)) return 0;
  double unit = 0.5;
  for (const char *p = point + 1; p < text + length; p++) unit /= 10;
  return unit;
}

/* The rate that was meant. 0.033333 stands for a thirtieth: where rounding exactly one whole number of frames
 * a second, or one of film and television's 1000/1001 of such, gives the time as it is written, that is it.
 */
static double rate_of(double time_s, double half) {
  const double rate = 1 / time_s, whole = round(rate), wide = half * (1 + 1e-9) + time_s * 1e-12;
  const bool lower = whole > 1 && fabs(1 / (whole - 1) - time_s) <= wide;
  const bool upper = fabs(1 / (whole + 1) - time_s) <= wide;
  if (lower || upper) return fabs(rate - whole) < 1e-9 * whole ? whole : rate;
  if (whole >= 1 && fabs(1 / whole - time_s) <= wide) return whole;
  const double film = round(rate * 1.001) / 1.001;
  return film > 1 && fabs(1 / film - time_s) <= wide ? film : rate;
}

static sinew_result read_frame_time(bvh_reading *r) {
  double time_s;
  bvh_skip_blanks(r);
  const char *at = r->at;
  SINEW_TRY(bvh_take_number(r, "Frame Time", most_s, &time_s));
  const size_t length = (size_t)(r->at - at);
  if (!(time_s >= least_s))
    return bvh_fail(r, SINEW_ERROR_SYNTAX, at,
                    "Frame Time: found '%s', expected the seconds of a frame: more than 0, 0.000001 or more",
                    bvh_show(at, length).text);
  if (time_s >= 2 && time_s == floor(time_s) && time_s <= most_hz) {
    r->rate_hz = time_s;
    BVH_WARN(r, "line %u: Frame Time is %s: taken as frames per second", bvh_line_of(r, at),
             bvh_show(at, length).text);
    return SINEW_OK;
  }
  r->rate_hz = rate_of(time_s, half_unit(at, length));
  return SINEW_OK;
}

static sinew_result read_head(bvh_reading *r) {
  static const char *const time_words[2] = {"Frame", "Time"}, *const count_words[2] = {"Frames", NULL};
  for (;;) {
    const char *behind;
    bvh_skip_space(r);
    const char *at = r->at;
    if ((behind = match(r, time_words))) {
      if (r->rate_hz > 0) return bvh_fail(r, SINEW_ERROR_SYNTAX, at, "Frame Time stands twice");
      r->at = behind;
      SINEW_TRY(read_frame_time(r));
    } else if ((behind = match(r, count_words))) {
      if (r->frames_stated) return bvh_fail(r, SINEW_ERROR_SYNTAX, at, "Frames stands twice");
      r->at = behind;
      SINEW_TRY(read_frame_count(r));
    } else {
      return SINEW_OK;
    }
  }
}

/* What follows is a row, or nothing. */
static sinew_result check_head(bvh_reading *r) {
  if (r->at == r->end) return SINEW_OK;
  const char c = *r->at;
  if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') return SINEW_OK;
  return bvh_unexpected(r, bvh_peek(r),
                        r->frames_stated && r->rate_hz > 0 ? "a row of numbers"
                                                           : "Frames:, Frame Time: or a row of numbers");
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

sinew_result bvh_read_motion(bvh_reading *r) {
  SINEW_TRY(read_head(r));
  SINEW_TRY(check_head(r));
  motion *m = arena_alloc(&r->file->memory, 1, sizeof *m);
  if (!m) return bvh_out_of_memory(r);
  *m = (motion){.name = "", .channel_count = r->channel_count, .channels = r->channels};
  SINEW_TRY(bvh_read_rows(r, m));
  if (r->rate_hz == 0) BVH_WARN(r, "no Frame Time is stated: 30 frames a second are taken");
  m->rate_hz = r->rate_hz > 0 ? r->rate_hz : assumed_hz;
  m->stop_s = m->frame_count ? (double)(m->frame_count - 1) / m->rate_hz : 0;
  r->file->motions = m;
  r->file->motion_count = 1;
  return SINEW_OK;
}
