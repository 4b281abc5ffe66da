/* A scanner over Unity's text serialisation: block YAML of keys and lists by indentation, flow maps, plain
 * and quoted scalars. It goes over the bytes once and keeps a line at a time; nothing recurses and nothing is
 * read twice.
 *
 * A caller walks a block by its column: scan_field_next gives the next `key: value` of it, and each field is
 * then taken by exactly one of scan_skip, scan_enter, scan_text, scan_float, scan_double, scan_int,
 * scan_flag, scan_vector, after which the scanner stands on the line that follows. Columns count from 0 here,
 * from 1 in messages. */
#ifndef SINEW_READ_UNITY_SCAN_H
#define SINEW_READ_UNITY_SCAN_H

#include "sinew.h"

typedef struct scan {
  const char *begin;
  const char *end;
  const char *next;       /* the line after the current one */
  const char *line_start; /* the current line */
  const char *line_end;   /* after its last byte that is no line break */
  const char *content;    /* after the indentation and the dashes taken so far */
  size_t column;          /* of content */
  uint64_t line;          /* from 1 */
  bool ended;             /* the document is over: no current line */
  bool cut_line;          /* the current line has no line end: the file stops there */
  char *scratch;          /* a scalar's text where it does not stand in the file as it is */
  size_t scratch_size;
  uint32_t text_limit;
  sinew_error *error;
} scan;

/* `error` is never NULL here. scan_close frees the scratch memory. */
void scan_open(scan *s, const char *bytes, size_t byte_count, uint32_t text_limit, sinew_error *error);
void scan_close(scan *s);

/* A place to come back to. */
typedef struct scan_mark {
  const char *at;
  uint64_t line;
} scan_mark;
void scan_return(scan *s, scan_mark mark);

typedef struct scan_document {
  int64_t class_id; /* of `--- !u!74 &7400000 stripped`, tag and anchor in any order; 0: no tag of Unity's */
  bool stripped;    /* a prefab's placeholder, without content */
  uint64_t byte;
  uint64_t line;
} scan_document;
/* Goes to the next document mark and to the line after it; false when there is none. */
bool scan_next_document(scan *s, scan_document *document);
/* The same class, of the rest of a line behind its `---`. */
int64_t scan_document_class(const char *behind_mark, const char *line_end);
/* The file is over, or the next line begins a document. */
bool scan_at_file_end(const scan *s);

/* Takes the next line whatever it holds, for scalars that go over lines; false at the end of the file. */
bool scan_take_line(scan *s);
/* Whether a line is a document mark: `---` or `...`, alone or before a blank. */
bool scan_document_mark(const char *line, const char *line_end);
/* Loads the next line that is neither blank nor a comment; `ended` when the document has none. */
void scan_advance(scan *s);
/* Skips what is left of a block whose key stands at `column`. */
void scan_leave(scan *s, size_t column);

typedef struct scan_field {
  const char *name; /* in the file; a quoted key without its quotes */
  size_t name_length;
  size_t column;
  const char *value; /* [value, value_end): what stands behind the colon on the same line */
  const char *value_end;
  const char *line_start;
  uint64_t line;
} scan_field;
/* The next field of the block at `column`; *found is false when the block is over. */
sinew_result scan_field_next(scan *s, size_t column, scan_field *field, bool *found);
bool scan_field_is(const scan_field *field, const char *name);

typedef struct scan_block {
  enum { SCAN_EMPTY, SCAN_MAP, SCAN_LIST } kind;
  size_t column;
} scan_block;

void scan_skip(scan *s, const scan_field *field);
/* Goes into a field's block. `[]`, `{}` and nothing at all are SCAN_EMPTY. */
sinew_result scan_enter(scan *s, const scan_field *field, scan_block *block);
/* Whether a list has another item; takes its dash. Then s->column is the column of the item's fields, or not
 * above `column` when the item is empty. */
bool scan_item(scan *s, size_t column);
/* An item that is a number, as a field of the list's name; scan_item has taken its dash. */
scan_field scan_item_scalar(const scan *s, const scan_field *list);

/* A plain, folded or quoted scalar. The text lives until the next scan_text; it is well-formed UTF-8 without
 * zero bytes. Errors: SYNTAX, LIMIT, MEMORY. */
sinew_result scan_text(scan *s, const scan_field *field, const char **text, size_t *length);

/* Numbers. One that stands on a line the file stops in is refused: its last digits may be missing. */
sinew_result scan_float(scan *s, const scan_field *field, float *value);
sinew_result scan_double(scan *s, const scan_field *field, double *value);
sinew_result scan_int(scan *s, const scan_field *field, int64_t *value);
/* 0 or another integer. */
sinew_result scan_flag(scan *s, const scan_field *field, bool *value);
/* {x: 0, y: 0, z: 0} into value[0..count), keys in any order from the first `count` of x, y, z, w; other keys
 * are skipped. Numbers may be infinite or NaN. */
sinew_result scan_vector(scan *s, const scan_field *field, int count, double *value);

/* A flow map, `{time: 0, value: 1}`, that begins with a field's value. Each pair that scan_flow_next finds is
 * then taken by exactly one of scan_flow_skip, _float, _double, _int; behind the last the scanner stands on
 * the line that follows. Nothing may stand behind the '}'. Errors: SYNTAX. */
typedef struct scan_flow {
  scan *s;
  const scan_field *field; /* where its '{' stands; lives as long */
  const char *p;
  bool begun;
} scan_flow;
scan_flow scan_flow_open(scan *s, const scan_field *field);
sinew_result scan_flow_next(scan_flow *f, scan_field *pair, bool *found);
/* Whatever brackets and quotes the value holds. */
sinew_result scan_flow_skip(scan_flow *f);
sinew_result scan_flow_float(scan_flow *f, const scan_field *pair, float *value);
sinew_result scan_flow_double(scan_flow *f, const scan_field *pair, double *value);
sinew_result scan_flow_int(scan_flow *f, const scan_field *pair, int64_t *value);

/* An error at a byte of the current line, at a field's value or at its key. */
sinew_result scan_fail(scan *s, sinew_result code, const char *at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
sinew_result scan_fail_value(scan *s, sinew_result code, const scan_field *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
sinew_result scan_fail_key(scan *s, sinew_result code, const scan_field *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The place of a value, for messages about it once the scanner has gone on. */
typedef struct scan_place {
  uint64_t byte;
  uint64_t line;
  uint32_t column;
} scan_place;
scan_place scan_place_of(const scan *s, const scan_field *field);
/* Of the current content. */
scan_place scan_here(const scan *s);
sinew_result scan_fail_place(scan *s, sinew_result code, const scan_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A text from the file for a message: printable, at most 60 bytes. */
typedef struct scan_quote {
  char text[64];
} scan_quote;
scan_quote scan_show(const char *text, size_t length);

/* Names files that are no Unity text at all: empty, a Git LFS pointer, binary, UTF-16. */
sinew_result unity_check_text(const char *bytes, size_t byte_count, sinew_error *error);

#endif
