/* What a file looks like, from its bytes. */
#include "sinew.h"

#include "read/muscle_csv.h"
#include "read/unity_scan.h"

#include <string.h>
#include <strings.h>

typedef struct look {
  const char *bytes;
  size_t byte_count;
} look;

static bool begins(look file, const char *text, size_t length) {
  return file.byte_count >= length && memcmp(file.bytes, text, length) == 0;
}

static bool holds(look file, const char *text) {
  return memmem(file.bytes, file.byte_count, text, strlen(text)) != NULL;
}

static bool ends_with(const char *name, const char *suffix) {
  if (!name) return false;
  const size_t length = strlen(name), tail = strlen(suffix);
  return length >= tail && strcasecmp(name + length - tail, suffix) == 0;
}

/* ---- Unity's YAML ------------------------------------------------------------------------------------- */

/* The class of the document whose `---` begins at p: "--- !u!74 &7400000". */
static int64_t class_at(look file, const char *p) {
  const char *end = file.bytes + file.byte_count, *feed = memchr(p, '\n', (size_t)(end - p));
  const char *line_end = feed ? feed : end;
  if (line_end > p && line_end[-1] == '\r') line_end--;
  return scan_document_mark(p, line_end) ? scan_document_class(p + 3, line_end) : 0;
}

static bool has_document(look file, int64_t class_id) {
  const char *p = file.bytes, *end = file.bytes + file.byte_count;
  for (; (p = memmem(p, (size_t)(end - p), "---", 3)); p += 3)
    if ((p == file.bytes || p[-1] == '\n') && class_at(file, p) == class_id) return true;
  return false;
}

static sinew_file_kind unity_kind(look file, const char *name, const char **what) {
  const bool clip = has_document(file, 74), avatar = has_document(file, 90);
  const bool named_rig = ends_with(name, ".asset") || ends_with(name, ".prefab");
  if (clip && !(avatar && named_rig)) {
    *what = "a Unity text clip";
    return SINEW_FILE_CLIP;
  }
  if (avatar) {
    *what = "a Unity avatar";
    return SINEW_FILE_RIG;
  }
  *what = "a Unity text file without a clip or an avatar";
  return SINEW_FILE_UNKNOWN;
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static sinew_file_kind json_kind(look file, const char **what) {
  if (holds(file, "\"asset\"") && holds(file, "\"version\"")) {
    *what = "a glTF with its JSON outside a GLB";
    return SINEW_FILE_UNKNOWN;
  }
  *what = "a rig in JSON";
  return SINEW_FILE_RIG;
}

/* ---- arrays ------------------------------------------------------------------------------------------- */

/* A ZIP archive whose first file is an array: its name stands 30 bytes behind the header's start. */
static bool is_npz_archive(look file) {
  enum { NAME_AT = 30 };
  static const char suffix[] = ".npy";
  if (!begins(file, "PK\3\4", 4) || file.byte_count < NAME_AT) return false;
  const size_t length = (size_t)(unsigned char)file.bytes[26] | (size_t)(unsigned char)file.bytes[27] << 8;
  const size_t tail = sizeof suffix - 1;
  return length > tail && length <= file.byte_count - NAME_AT &&
         memcmp(file.bytes + NAME_AT + length - tail, suffix, tail) == 0;
}

/* ---- others, by their first bytes --------------------------------------------------------------------- */

typedef struct signature {
  const char *bytes;
  size_t length;
  const char *what;
} signature;

#define SIGNATURE(text, what)                                                                                \
  { text, sizeof(text) - 1, what }
static const signature others[] = {
    SIGNATURE("Kaydara FBX Binary", "a binary FBX model"),
    SIGNATURE("; FBX", "a text FBX model"),
    SIGNATURE("\x93NUMPY", "a NumPy array"),
    SIGNATURE("PK\3\4", "a ZIP archive"),
    SIGNATURE("version https://git-lfs", "a Git LFS pointer: the file itself was not fetched"),
    SIGNATURE("UnityFS", "a Unity asset bundle"),
    SIGNATURE("\x89PNG", "a PNG image"),
    SIGNATURE("\xff\xd8\xff", "a JPEG image"),
    SIGNATURE("\x1f\x8b", "a gzip file"),
    SIGNATURE("\x7f"
              "ELF",
              "a program"),
    SIGNATURE("<?xml", "an XML file"),
    SIGNATURE("#!", "a script"),
};

/* Bytes that no text holds, near the start. */
static bool is_binary(look file) {
  enum { NEAR = 4096 };
  const size_t count = file.byte_count < NEAR ? file.byte_count : NEAR;
  for (size_t i = 0; i < count; i++) {
    const unsigned char c = (unsigned char)file.bytes[i];
    if (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f') return true;
  }
  return false;
}

/* What the bytes leave open: then the reader of that kind says what is wrong. */
static sinew_file_kind kind_of_suffix(const char *name) {
  if (ends_with(name, ".anim") || ends_with(name, ".csv") || ends_with(name, ".npz")) return SINEW_FILE_CLIP;
  if (ends_with(name, ".meta") || ends_with(name, ".asset")) return SINEW_FILE_RIG;
  if (ends_with(name, ".glb") || ends_with(name, ".vrm") || ends_with(name, ".vrma")) return SINEW_FILE_GLB;
  if (ends_with(name, ".bvh")) return SINEW_FILE_BVH;
  return SINEW_FILE_UNKNOWN;
}

static sinew_file_kind kind_of_bytes(look file, const char *name, const char **what) {
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (begins(file, others[i].bytes, others[i].length)) {
      *what = others[i].what;
      return SINEW_FILE_UNKNOWN;
    }
  *what = file.byte_count == 0 ? "an empty file" : is_binary(file) ? "binary data" : "text";
  return kind_of_suffix(name);
}

sinew_file_kind sinew_file_identify(const void *bytes, size_t byte_count, const char *name,
                                    const char **what) {
  const char *unused;
  if (!what) what = &unused;
  look file = {bytes ? bytes : "", bytes ? byte_count : 0};
  if (begins(file, "glTF", 4)) {
    *what = "a binary glTF";
    return SINEW_FILE_GLB;
  }
  if (is_npz_archive(file)) {
    *what = "a clip in NumPy arrays";
    return SINEW_FILE_CLIP;
  }
  if (begins(file, "\xef\xbb\xbf", 3)) file = (look){file.bytes + 3, file.byte_count - 3};
  while (file.byte_count && memchr(" \t\r\n", *file.bytes, 4))
    file = (look){file.bytes + 1, file.byte_count - 1};
  if (begins(file, "%YAML", 5) || (begins(file, "---", 3) && class_at(file, file.bytes)))
    return unity_kind(file, name, what);
  if (begins(file, "fileFormatVersion:", 18)) {
    *what = "a Unity .meta file";
    return SINEW_FILE_RIG;
  }
  if (begins(file, "{", 1)) return json_kind(file, what);
  if (file.byte_count >= 9 && strncasecmp(file.bytes, "HIERARCHY", 9) == 0) {
    *what = "a BVH clip";
    return SINEW_FILE_BVH;
  }
  if (is_muscle_csv(file.bytes, file.byte_count)) {
    *what = "a CSV of muscles";
    return SINEW_FILE_CLIP;
  }
  return kind_of_bytes(file, name, what);
}
