/* JSON text that was parsed already, walked and written again with some of its parts changed: what is not
 * changed stays byte for byte. Nothing here recurses, so depth costs nothing. On text that is no JSON a walk
 * ends early; it never leaves the text. */
#ifndef SINEW_WRITE_JSON_SPLICE_H
#define SINEW_WRITE_JSON_SPLICE_H

#include "write/json_out.h"

typedef struct json_text {
  const char *bytes;
  size_t byte_count;
} json_text;

typedef struct json_span { /* bytes of the text; empty: nothing */
  size_t begin, end;
} json_span;

typedef struct json_member {
  json_span key;   /* with its quotes; empty in an array */
  json_span value; /* without white space around it */
} json_member;

/* ---- walking ------------------------------------------------------------------------------------------ */

typedef struct json_walk {
  json_text text;
  size_t at, end;
  bool keyed;
} json_walk;

/* The text's one value, behind a byte order mark where there is one. */
json_span json_whole(json_text text);
/* The first byte of a value, which tells its kind; 0 of an empty span. */
char json_kind(json_text text, json_span value);
/* Walks an object or an array; a value that is neither has no members. */
json_walk json_walk_begin(json_text text, json_span container);
bool json_walk_next(json_walk *walk, json_member *member);
/* Escapes count as what they stand for. The name is ASCII. */
bool json_key_is(json_text text, json_span key, const char *name);
bool json_member_find(json_text text, json_span object, const char *name, json_member *member);

/* ---- writing ------------------------------------------------------------------------------------------ */

/* Text on its way to `out`, from its beginning to its end: what stands before `at` is written or left out. */
typedef struct json_splice {
  json_text text;
  json_out *out;
  size_t at;
} json_splice;

/* As it stands. */
void splice_copy(json_splice *splice, size_t end);
/* Left out; the caller may write something in its place. */
void splice_skip(json_splice *splice, size_t end);

/* The members of one object or array, each passed in its order: kept (what stands in its value may be changed
 * before the next is passed) or dropped with the comma that goes with it. A zeroed list is at the beginning.
 */
typedef struct splice_list {
  bool kept, dropped;
  size_t kept_end;
} splice_list;
void splice_keep(json_splice *splice, splice_list *list, const json_member *member);
void splice_drop(json_splice *splice, splice_list *list, const json_member *member);
/* Behind the last member that was kept, and a comma there where one is needed: the caller writes more of
 * them. */
void splice_append(json_splice *splice, splice_list *list, json_span container);

#endif
