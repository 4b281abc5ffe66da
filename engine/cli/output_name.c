#include "output_name.h"

#include "console.h"
#include "printable.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAME_BYTES = 200 }; /* leaves room below 255 for the suffix and for a temporary name beside it */

static char *join(const char *a, const char *b, const char *c) {
  char *text = NULL;
  if (asprintf(&text, "%s%s%s", a, b, c) < 0) text = NULL;
  return or_die(text);
}

static char *stem_of(const char *input_path) {
  const char *slash = strrchr(input_path, '/');
  char *stem = or_die(strdup(slash ? slash + 1 : input_path));
  char *dot = strrchr(stem, '.');
  if (dot && dot > stem) *dot = 0;
  return stem;
}

static char *file_name_part(const char *clip_name) {
  if (!*clip_name) return or_die(strdup("clip"));
  char *part = or_die(malloc(strlen(clip_name) + 1));
  char *out = part;
  for (const char *p = clip_name; *p;) {
    const size_t length = utf8_sequence(p);
    const bool refused = length == 0 || utf8_is_control(p, length) || strchr("/\\|:*?\"<>", *p) ||
                         (*p == '.' && p == clip_name);
    if (refused) {
      *out++ = '_';
    } else {
      memcpy(out, p, length);
      out += length;
    }
    p += length ? length : 1;
  }
  *out = 0;
  return part;
}

static void cut(char *name) {
  size_t length = strlen(name);
  if (length <= NAME_BYTES) return;
  length = NAME_BYTES;
  while (length && ((unsigned char)name[length] & 0xc0) == 0x80) length--;
  name[length] = 0;
}

char *output_path(const char *folder, const char *input_path, const char *clip_name, const char *suffix) {
  char *name = stem_of(input_path);
  if (clip_name) {
    char *part = file_name_part(clip_name);
    char *both = join(name, "_", part);
    free(part);
    free(name);
    name = both;
  }
  cut(name);
  const bool needs_slash = folder && *folder && folder[strlen(folder) - 1] != '/';
  char *above = join(folder ? folder : "", needs_slash ? "/" : "", "");
  char *stem = join(above, name, ".");
  char *path = join(stem, suffix, "");
  free(stem);
  free(above);
  free(name);
  return path;
}

static bool make_folder(const char *path) {
  if (mkdir(path, 0777) == 0) return true;
  if (errno != EEXIST) return false;
  struct stat status;
  if (stat(path, &status) != 0) return false;
  errno = ENOTDIR;
  return S_ISDIR(status.st_mode);
}

bool make_folders(const char *path) {
  char *copy = or_die(strdup(path));
  bool made = true;
  for (char *p = copy; made && *p; p++) {
    if (*p != '/' || p == copy) continue;
    *p = 0;
    made = make_folder(copy);
    *p = '/';
  }
  made = made && make_folder(copy);
  const int reason = errno;
  free(copy);
  errno = reason;
  return made;
}
