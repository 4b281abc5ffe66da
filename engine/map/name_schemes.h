/* What words mean in the naming schemes of the field. Data only. */
#ifndef SINEW_MAP_NAME_SCHEMES_H
#define SINEW_MAP_NAME_SCHEMES_H

#include "rig/human.h"

/* What a word stands for, besides bones (enum human_bone, the left one of two). */
enum { WORD_TRUNK = 100, WORD_SPINE_CHAIN /* Rigify: hips, trunk and neck, by number */ };

typedef struct scheme_word {
  const char *base; /* as of name_words; NULL ends the list */
  int role;
} scheme_word;

typedef struct name_scheme {
  const char *label;
  const char *const *need; /* bases that all occur, NULL: none */
  const char *prefix;      /* that half of the nodes' names begin with, in any case; NULL: none */
  const scheme_word *words;
} name_scheme;

/* More particular ones first; of those that fit equally the first is taken. */
extern const name_scheme name_schemes[];
extern const unsigned name_scheme_count;

/* 0 thumb, 1 index, 2 middle, 3 ring, 4 little; -1: no finger. digits: Biped numbers its fingers. */
int name_finger(const char *base, const char *digits, bool *metacarpal);

#endif
