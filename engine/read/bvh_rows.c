/* The rows of a MOTION section: nearly all of a file's bytes. */
#include "read/bvh.h"
#include "read/bvh_number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- one row ------------------------------------------------------------------------------------------ */

typedef enum bvh_row_end { ROW_WHOLE, ROW_SHORT, ROW_LONG, ROW_NO_NUMBER } bvh_row_end;

typedef struct bvh_row {
  bvh_row_end how;
  const char *at; /* behind the row, or what is wrong */
  uint32_t got;   /* values that were read */
} bvh_row;

/* What may stand behind a number. Numbers are also parted by nothing but the sign of the second. */
static inline bool parts_numbers(char c) {
  return bvh_is_space(c) || c == '-' || c == '+';
}

/* The values of a row up to its line end; with `flowing` over any number of lines. */
static bvh_row read_values(const char *p, const char *end, float *values, uint32_t count, bool flowing) {
  for (uint32_t i = 0; i < count; i++) {
    while (p < end && (bvh_is_blank(*p) || (flowing && bvh_is_line_end(*p)))) p++;
    if (p == end || bvh_is_line_end(*p)) return (bvh_row){ROW_SHORT, p, i};
    const char *behind = bvh_number(p, end, &values[i]);
    if (!behind || !isfinite(values[i]) || (behind < end && !parts_numbers(*behind)))
      return (bvh_row){ROW_NO_NUMBER, p, i};
    p = behind;
  }
  while (p < end && bvh_is_blank(*p)) p++;
  const bool over = flowing || p == end || bvh_is_line_end(*p);
  return (bvh_row){over ? ROW_WHOLE : ROW_LONG, p, count};
}

/* ---- messages ----------------------------------------------------------------------------------------- */

static bool begins_any_case(bvh_word word, const char *text) {
  const size_t sign = word.length && (*word.text == '-' || *word.text == '+'), length = strlen(text);
  return word.length - sign >= length && strncasecmp(word.text + sign, text, length) == 0;
}

static const char *what_instead(bvh_word word) {
  float value;
  const size_t used = number_parse_float(word.text, word.length, &value);
  if (begins_any_case(word, "nan") || begins_any_case(word, "inf")) return "a finite number";
  if (used == word.length && used) return "a number within float32";
  return used && word.text[used] == ',' ? "a number with a decimal point" : "a number";
}

static const char *const kind_names[] = {
    [MOTION_X_POSITION] = "Xposition", [MOTION_Y_POSITION] = "Yposition", [MOTION_Z_POSITION] = "Zposition",
    [MOTION_X_ROTATION] = "Xrotation", [MOTION_Y_ROTATION] = "Yrotation", [MOTION_Z_ROTATION] = "Zrotation"};

static sinew_result fail_row(bvh_reading *r, const bvh_row *row) {
  r->at = row->at;
  if (row->how == ROW_SHORT)
    return bvh_fail(r, SINEW_ERROR_SYNTAX, row->at,
                    "the row ends after %u values, expected %u as CHANNELS add up to", row->got,
                    r->channel_count);
  if (row->how == ROW_LONG)
    return bvh_fail(r, SINEW_ERROR_SYNTAX, row->at,
                    "the row goes on after %u values, as many as CHANNELS add up to", row->got);
  const motion_channel *channel = &r->channels[row->got];
  const bvh_word word = bvh_peek(r);
  const char *name = r->skeleton->nodes[channel->node].name;
  return bvh_fail(r, SINEW_ERROR_SYNTAX, row->at, "%s of '%s': found '%s', expected %s",
                  kind_names[channel->kind], bvh_show(name, strlen(name)).text,
                  bvh_show(word.text, word.length).text, what_instead(word));
}

/* ---- how many ----------------------------------------------------------------------------------------- */

/* Lines that hold something. */
static uint64_t count_lines(const char *p, const char *end) {
  uint64_t count = 0;
  while (p < end) {
    while (p < end && bvh_is_space(*p)) p++;
    count += p < end;
    while (p < end && !bvh_is_line_end(*p)) p++;
  }
  return count;
}

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* No more rows than the text has room for, since a value takes a byte and one more parts it from the next; and one
 * that is not whole. */
static uint64_t most_rows(const bvh_reading *r, bool declared) {
  const uint64_t room = ((uint64_t)(r->end - r->at) + 1) / 2 / r->channel_count + 1;
  return least(room, declared ? r->declared_frames : count_lines(r->at, r->end));
}

/* ---- all rows ----------------------------------------------------------------------------------------- */

typedef struct bvh_run {
  const char *begin;
  float *rows;
  uint64_t most;  /* rows to read */
  uint64_t count; /* that were read */
  bool declared;  /* `Frames:` says how many */
} bvh_run;

/* Rows that are broken into lines in another way are read as long as their values are as many as the head
 * says. */
static sinew_result read_flowing(bvh_reading *r, bvh_run *run, const bvh_row *first) {
  const char *p = run->begin;
  bool whole = run->declared && run->most == r->declared_frames;
  for (uint64_t f = 0; whole && f < run->most; f++) {
    const bvh_row row = read_values(p, r->end, run->rows + f * r->channel_count, r->channel_count, true);
    whole = row.how == ROW_WHOLE;
    p = row.at;
  }
  while (p < r->end && bvh_is_space(*p)) p++;
  if (!whole || p < r->end) return fail_row(r, first);
  r->at = p;
  run->count = run->most;
  BVH_WARN(
      r,
      "frames and lines differ: values are taken one after the other, as many as Frames and CHANNELS state");
  return SINEW_OK;
}

static sinew_result read_lines(bvh_reading *r, bvh_run *run) {
  while (run->count < run->most) {
    bvh_skip_space(r);
    if (r->at == r->end) return SINEW_OK;
    const bvh_row row =
        read_values(r->at, r->end, run->rows + run->count * r->channel_count, r->channel_count, false);
    if (row.how == ROW_NO_NUMBER) return fail_row(r, &row);
    if (row.how == ROW_SHORT && row.at == r->end && run->count > 0) {
      BVH_WARN(r, "the file ends in the middle of a row: its %u values are left out", row.got);
      r->at = r->end;
      return SINEW_OK;
    }
    if (row.how != ROW_WHOLE) return read_flowing(r, run, &row);
    r->at = row.at;
    run->count++;
  }
  return SINEW_OK;
}

static sinew_result warn_of_count(bvh_reading *r, const bvh_run *run) {
  bvh_skip_space(r);
  const uint64_t more = count_lines(r->at, r->end);
  const unsigned long long declared = r->declared_frames, count = run->count;
  if (run->declared && run->count < r->declared_frames)
    BVH_WARN(r, "Frames states %llu, but %llu row%s: so many are read", declared, count,
             count == 1 ? " follows" : "s follow");
  if (more)
    BVH_WARN(r, "Frames states %llu, but the lines go on: %llu more %s left out", declared,
             (unsigned long long)more, more == 1 ? "is" : "are");
  if (r->frames_stated && !run->declared && count)
    BVH_WARN(r, "Frames states 0, but %llu row%s: they are read", count,
             count == 1 ? " follows" : "s follow");
  return SINEW_OK;
}

static sinew_result read_nothing(bvh_reading *r) {
  if (r->at < r->end) return bvh_fail(r, SINEW_ERROR_SYNTAX, r->at, "a row, though no joint has channels");
  BVH_WARN(r, "no joint has channels: the file holds its rest pose alone");
  return SINEW_OK;
}

sinew_result bvh_read_rows(bvh_reading *r, motion *m) {
  bvh_skip_space(r);
  if (r->channel_count == 0) return read_nothing(r);
  bvh_run run = {.begin = r->at, .declared = r->frames_stated && r->declared_frames > 0};
  const uint64_t wanted = most_rows(r, run.declared), limit = r->limits->keys / r->channel_count;
  run.most = least(wanted, limit);
  run.rows = arena_alloc(&r->file->memory, run.most * r->channel_count, sizeof *run.rows);
  if (!run.rows) return bvh_out_of_memory(r);
  SINEW_TRY(read_lines(r, &run));
  bvh_skip_space(r);
  if (run.count == limit && limit < wanted && r->at < r->end)
    return bvh_fail(r, SINEW_ERROR_LIMIT, r->at, "more than %llu values, the limit",
                    (unsigned long long)r->limits->keys);
  m->rows = run.rows;
  m->frame_count = run.count;
  return warn_of_count(r, &run);
}
