/* Inside the BVH reader: the text as words, and what its two sections share. Any white space parts words, so
 * that a file may be laid out as it likes; a line end is CR, LF or both. */
#ifndef SINEW_READ_BVH_H
#define SINEW_READ_BVH_H

#include "base/error.h"
#include "read/motion_reader.h"

/* Something odd that may be there often: how often, and the first. */
typedef struct bvh_oddity {
  uint32_t count;
  const char *first;
} bvh_oddity;

typedef struct bvh_reading {
  const char *start; /* the file's first byte */
  const char *at;
  const char *end;
  const sinew_read_options *limits;
  motion_file *file;
  skeleton *skeleton;
  sinew_error *error;
  /* the hierarchy */
  uint32_t node_room;
  uint8_t *seen; /* of each node, what its block has held so far */
  uint32_t seen_room;
  motion_channel *channels; /* in the skeleton's memory */
  uint32_t channel_count;
  uint32_t channel_room;
  bvh_oddity no_channels, no_offset, no_name, no_utf8;
  /* the movement */
  uint64_t declared_frames; /* 0: not stated */
  bool frames_stated;
  double rate_hz; /* 0: not stated */
} bvh_reading;

typedef struct bvh_word {
  const char *text;
  size_t length; /* 0: the file is over */
} bvh_word;

static inline bool bvh_is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
static inline bool bvh_is_line_end(char c) {
  return c == '\n' || c == '\r';
}
static inline bool bvh_is_space(char c) {
  return bvh_is_blank(c) || bvh_is_line_end(c);
}

void bvh_skip_space(bvh_reading *r);
void bvh_skip_blanks(bvh_reading *r); /* stays in the line */
/* The next word, which is not taken. A brace is a word by itself, and nothing else holds one. */
bvh_word bvh_peek(bvh_reading *r);
void bvh_take(bvh_reading *r, bvh_word word);
/* In any case. */
bool bvh_word_is(bvh_word word, const char *text);

/* Returns `code`; the place is where `at` stands. */
sinew_result bvh_fail(const bvh_reading *r, sinew_result code, const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* SYNTAX at the word: "found 'this', expected that"; at the end of the file that it ends. */
sinew_result bvh_unexpected(const bvh_reading *r, bvh_word found, const char *expected);
sinew_result bvh_out_of_memory(const bvh_reading *r);
uint32_t bvh_line_of(const bvh_reading *r, const char *at);

/* A word or name as messages show it. */
typedef struct bvh_shown {
  char text[64];
} bvh_shown;
bvh_shown bvh_show(const char *text, size_t length);

/* Keeps a sentence. MEMORY where there is no room for it. */
#define BVH_WARN(r, ...)                                                                                     \
  do {                                                                                                       \
    if (!skeleton_warn((r)->skeleton, __VA_ARGS__)) return bvh_out_of_memory(r);                             \
  } while (0)

/* A number in this line, within -limit..limit; `what` names it in messages. A sign ends the one before it. */
sinew_result bvh_take_number(bvh_reading *r, const char *what, double limit, double *value);

/* Up to MOTION or the end of the file, which is not taken. */
sinew_result bvh_read_hierarchy(bvh_reading *r);
/* From behind MOTION to the end. */
sinew_result bvh_read_motion(bvh_reading *r);
/* From the first value on; fills rows and frame_count. */
sinew_result bvh_read_rows(bvh_reading *r, motion *m);

#endif
