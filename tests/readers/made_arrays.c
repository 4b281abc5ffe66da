#include "readers/made_arrays.h"

#include <criterion/criterion.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 3, FRAMES = 2, NAME_LETTERS = 8 };

/* ---- arrays ------------------------------------------------------------------------------------------- */

made_array *made_arrays_find(made_arrays *made, const char *name) {
  for (uint32_t i = 0; i < made->count; i++)
    if (strcmp(made->arrays[i].name, name) == 0) return &made->arrays[i];
  cr_assert_fail("no array %s", name);
  return NULL;
}

void made_array_set(made_array *array, const char *descr, const char *shape, const void *values,
                    size_t bytes) {
  cr_assert_leq(bytes, sizeof array->values);
  snprintf(array->header, sizeof array->header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }",
           descr, shape);
  if (values) memcpy(array->values, values, bytes);
  array->value_bytes = bytes;
  array->version = 1;
}

void made_arrays_add(made_arrays *made, const char *name, const char *descr, const char *shape,
                     const void *values, size_t bytes) {
  cr_assert_lt(made->count, MADE_ARRAYS_MOST);
  made_array *array = &made->arrays[made->count++];
  memset(array, 0, sizeof *array);
  snprintf(array->name, sizeof array->name, "%s", name);
  made_array_set(array, descr, shape, values, bytes);
}

void made_arrays_drop(made_arrays *made, const char *name) {
  made_array *array = made_arrays_find(made, name);
  memmove(array, array + 1, (size_t)(&made->arrays[--made->count] - array) * sizeof *array);
}

void made_arrays_open(made_arrays *made) {
  static const uint32_t names[JOINTS][NAME_LETTERS] = {
      {'H', 'i', 'p', 's'}, {'C', 'h', 0xe9, 's', 't'}, {'H', 0x1f642, 0x20ac}};
  static const int32_t parents[JOINTS] = {-1, 0, 1};
  static const float positions[JOINTS][3] = {{0, 1, 0}, {0, 0.25F, 0}, {0, 0.5F, 0.125F}};
  static const float rest[JOINTS][4] = {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0.6F, 0, 0.8F}};
  static const float turns[FRAMES][JOINTS][4] = {
      {{0, 0, 0, 1}, {0.6F, 0, 0, 0.8F}, {0, 0, -0.6F, -0.8F}},
      {{0.5F, 0.5F, 0.5F, 0.5F}, {0.6F, 0, 0, 0.8F}, {0, 1, 0, 0}}};
  static const float roots[FRAMES][3] = {{0, 1, 0}, {0.25F, 1.5F, -0.75F}};
  static const double fps = 30;
  memset(made, 0, sizeof *made);
  made_arrays_add(made, "joint_names", "<U8", "(3,)", names, sizeof names);
  made_arrays_add(made, "parents", "<i4", "(3,)", parents, sizeof parents);
  made_arrays_add(made, "rest_positions", "<f4", "(3, 3)", positions, sizeof positions);
  made_arrays_add(made, "rest_rotations", "<f4", "(3, 4)", rest, sizeof rest);
  made_arrays_add(made, "local_rotations", "<f4", "(2, 3, 4)", turns, sizeof turns);
  made_arrays_add(made, "root_positions", "<f4", "(2, 3)", roots, sizeof roots);
  made_arrays_add(made, "fps", "<f8", "()", &fps, sizeof fps);
}

/* ---- the archive -------------------------------------------------------------------------------------- */

typedef struct bytes {
  unsigned char *at;
  size_t count;
} bytes;

static void put(bytes *b, uint64_t value, int count) {
  for (int i = 0; i < count; i++) b->at[b->count++] = (unsigned char)(value >> (8 * i));
}

static void put_bytes(bytes *b, const void *from, size_t count) {
  memcpy(b->at + b->count, from, count);
  b->count += count;
}

static size_t array_bytes(const made_array *array, unsigned char *out) {
  bytes b = {out, 0};
  const size_t text = strlen(array->header) + 1;
  put_bytes(&b, "\x93NUMPY", 6);
  put(&b, array->version, 2);
  put(&b, text, array->version == 1 ? 2 : 4);
  put_bytes(&b, array->header, text - 1);
  put(&b, '\n', 1);
  put_bytes(&b, array->values, array->value_bytes);
  return b.count;
}

typedef struct packed_array {
  unsigned char bytes[2 * MADE_ARRAY_BYTES];
  size_t count, whole;
  uint32_t crc, offset;
} packed_array;

static void pack(const made_array *array, bool deflated, packed_array *out) {
  unsigned char whole[sizeof out->bytes];
  out->whole = array_bytes(array, whole);
  out->crc = libdeflate_crc32(0, whole, out->whole);
  if (!deflated) {
    memcpy(out->bytes, whole, out->whole);
    out->count = out->whole;
    return;
  }
  struct libdeflate_compressor *deflater = libdeflate_alloc_compressor(6);
  out->count = libdeflate_deflate_compress(deflater, whole, out->whole, out->bytes, sizeof out->bytes);
  libdeflate_free_compressor(deflater);
  cr_assert_gt(out->count, 0);
}

/* What both headers have in common. */
static void put_facts(bytes *b, const packed_array *packed, bool deflated, size_t name) {
  put(b, 20, 2);
  put(b, 0, 2);
  put(b, deflated ? 8 : 0, 2);
  put(b, 0, 2);
  put(b, 0x21, 2);
  put(b, packed->crc, 4);
  put(b, packed->count, 4);
  put(b, packed->whole, 4);
  put(b, name, 2);
  put(b, 0, 2);
}

static void put_record(bytes *b, const made_array *array, const packed_array *packed, bool deflated) {
  char name[80];
  const size_t length = (size_t)snprintf(name, sizeof name, "%s.npy", array->name);
  put(b, 0x02014b50, 4);
  put(b, 20, 2);
  put_facts(b, packed, deflated, length);
  put(b, 0, 6);
  put(b, 0, 4);
  put(b, packed->offset, 4);
  put_bytes(b, name, length);
}

static void put_member(bytes *b, const made_array *array, packed_array *packed, bool deflated) {
  char name[80];
  const size_t length = (size_t)snprintf(name, sizeof name, "%s.npy", array->name);
  packed->offset = (uint32_t)b->count;
  put(b, 0x04034b50, 4);
  put_facts(b, packed, deflated, length);
  put_bytes(b, name, length);
  put_bytes(b, packed->bytes, packed->count);
}

char *made_arrays_zip(const made_arrays *made, size_t *byte_count) {
  packed_array *packed = calloc(MADE_ARRAYS_MOST, sizeof *packed);
  bytes b = {malloc((size_t)MADE_ARRAYS_MOST * (2 * MADE_ARRAY_BYTES + 256) + 64), 0};
  cr_assert(packed && b.at);
  for (uint32_t i = 0; i < made->count; i++) {
    pack(&made->arrays[i], made->deflated, &packed[i]);
    put_member(&b, &made->arrays[i], &packed[i], made->deflated);
  }
  const size_t directory = b.count;
  for (uint32_t i = 0; i < made->count; i++) put_record(&b, &made->arrays[i], &packed[i], made->deflated);
  const size_t directory_bytes = b.count - directory;
  put(&b, 0x06054b50, 4);
  put(&b, 0, 4);
  put(&b, made->count, 2);
  put(&b, made->count, 2);
  put(&b, directory_bytes, 4);
  put(&b, directory, 4);
  put(&b, 0, 2);
  free(packed);
  *byte_count = b.count;
  return (char *)b.at;
}

char *made_zip_record(char *zip, size_t byte_count, int kind, const char *name) {
  const char *signature = kind == 1 ? "PK\3\4" : "PK\1\2";
  const size_t name_at = kind == 1 ? 30 : 46, length = strlen(name);
  for (char *p = zip; (p = memmem(p, (size_t)(zip + byte_count - p), signature, 4)); p++)
    if ((size_t)(zip + byte_count - p) > name_at + length && memcmp(p + name_at, name, length) == 0) return p;
  cr_assert_fail("no record of %s", name);
  return NULL;
}
