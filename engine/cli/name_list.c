#include "name_list.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *short_name(const char *name, char buffer[SHORT_NAME_BYTES]) {
  enum { MOST = 40 };
  if (!name) name = "";
  int bytes = (int)strnlen(name, MOST + 1);
  const bool cut = bytes > MOST;
  if (cut)
    for (bytes = MOST; bytes && ((unsigned char)name[bytes] & 0xc0) == 0x80;) bytes--;
  snprintf(buffer, SHORT_NAME_BYTES, "%.*s%s", bytes, name, cut ? "..." : "");
  return buffer;
}

void name_list_add(name_list *list, const char *name) {
  if (list->count++ >= NAME_LIST_SHOWN) return;
  char shown[SHORT_NAME_BYTES];
  list->length += (size_t)snprintf(list->text + list->length, sizeof list->text - list->length, "%s%s",
                                   list->count > 1 ? ", " : "", short_name(name, shown));
}

const char *name_list_text(name_list *list) {
  if (list->count > NAME_LIST_SHOWN)
    snprintf(list->text + list->length, sizeof list->text - list->length, " and %u more",
             list->count - NAME_LIST_SHOWN);
  return list->text;
}
