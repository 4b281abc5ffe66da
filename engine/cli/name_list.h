/* Names from files in one line of a report: long ones are cut, of many only the first are shown. */
#ifndef CLI_NAME_LIST_H
#define CLI_NAME_LIST_H

#include <stddef.h>
#include <stdint.h>

enum { SHORT_NAME_BYTES = 48, NAME_LIST_SHOWN = 4 };

/* The name, or its first 40 bytes, cut between two characters, with "..."; "" for NULL. Returns buffer. */
const char *short_name(const char *name, char buffer[SHORT_NAME_BYTES]);

typedef struct name_list {
  char text[NAME_LIST_SHOWN * (SHORT_NAME_BYTES + 2) + 32];
  size_t length;
  uint32_t count;
} name_list;

/* The list begins as {0}. */
void name_list_add(name_list *list, const char *name);
/* "a, b, c, d and 12 more" */
const char *name_list_text(name_list *list);

#endif
