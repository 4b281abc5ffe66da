/* A node's name taken apart: "mixamorig:LeftHandIndex1" is the left "handindex" number "1". */
#ifndef SINEW_MAP_NAME_WORDS_H
#define SINEW_MAP_NAME_WORDS_H

#include <stdbool.h>

typedef enum name_side { NAME_CENTRE, NAME_LEFT, NAME_RIGHT } name_side;

enum { NAME_BASE = 64, NAME_DIGITS = 16 };

typedef struct name_words {
  name_side side;
  bool helper; /* a word says that it is no bone of the body itself: twist, ik, end, hair */
  char
      base[NAME_BASE]; /* what is left of the letters, in small ones, without blanks; bytes past ASCII stay */
  char digits[NAME_DIGITS]; /* the last number, as written; "" */
} name_words;

/* drop_last_number: what some exporters append to every name. */
name_words name_take_apart(const char *name, bool drop_last_number);
/* Whether the name ends in '_' and a number, which *number is. */
bool name_last_number(const char *name, unsigned long *number);

#endif
