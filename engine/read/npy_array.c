#include "read/npy_array.h"
#include "base/checked.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the literal -------------------------------------------------------------------------------------- */

/* A dictionary of Python as NumPy prints it: three keys in any order, with any blanks. */
typedef struct npy_literal {
  const char *at, *end;
} npy_literal;

typedef struct npy_text {
  const char *text;
  size_t length;
} npy_text;

typedef struct npy_facts {
  npy_text descr;
  bool fortran;
  npy_array *array;
  bool has_descr, has_order, has_shape;
} npy_facts;

static void skip_blanks(npy_literal *l) {
  while (l->at < l->end && (*l->at == ' ' || *l->at == '\n' || *l->at == '\t' || *l->at == '\r')) l->at++;
}

static bool take(npy_literal *l, const char *token) {
  const size_t length = strlen(token);
  skip_blanks(l);
  if ((size_t)(l->end - l->at) < length || memcmp(l->at, token, length) != 0) return false;
  l->at += length;
  return true;
}

/* In either quotes, without escapes: none of the words has any. */
static bool take_text(npy_literal *l, npy_text *text) {
  skip_blanks(l);
  if (l->at == l->end || (*l->at != '\'' && *l->at != '"')) return false;
  const char quote = *l->at++;
  const char *end = memchr(l->at, quote, (size_t)(l->end - l->at));
  if (!end) return false;
  *text = (npy_text){l->at, (size_t)(end - l->at)};
  l->at = end + 1;
  return true;
}

static bool take_count(npy_literal *l, uint64_t *value) {
  skip_blanks(l);
  const char *begin = l->at;
  *value = 0;
  for (; l->at < l->end && *l->at >= '0' && *l->at <= '9'; l->at++)
    if (__builtin_mul_overflow(*value, 10, value) ||
        __builtin_add_overflow(*value, (uint64_t)(*l->at - '0'), value))
      return false;
  if (l->at > begin && l->at < l->end && *l->at == 'L') l->at++; /* Python 2's */
  return l->at > begin;
}

static bool text_is(npy_text text, const char *word) {
  return text.length == strlen(word) && memcmp(text.text, word, text.length) == 0;
}

/* A tuple; more dimensions than there is room for are counted. */
static bool take_shape(npy_literal *l, npy_array *array) {
  array->dimensions = 0;
  if (!take(l, "(")) return false;
  while (!take(l, ")")) {
    uint64_t count;
    if (!take_count(l, &count)) return false;
    if (array->dimensions < NPY_DIMENSIONS_MOST) array->shape[array->dimensions] = count;
    array->dimensions++;
    if (!take(l, ",")) return array->dimensions > 1 && take(l, ")");
  }
  return true;
}

static bool take_entry(npy_literal *l, npy_facts *facts) {
  npy_text key;
  if (!take_text(l, &key) || !take(l, ":")) return false;
  if (text_is(key, "descr") && !facts->has_descr) return facts->has_descr = take_text(l, &facts->descr);
  if (text_is(key, "shape") && !facts->has_shape) return facts->has_shape = take_shape(l, facts->array);
  if (!text_is(key, "fortran_order") || facts->has_order) return false;
  facts->has_order = true;
  facts->fortran = take(l, "True");
  return facts->fortran || take(l, "False");
}

static bool take_literal(npy_literal *l, npy_facts *facts) {
  if (!take(l, "{")) return false;
  while (!take(l, "}")) {
    if (!take_entry(l, facts)) return false;
    if (!take(l, ",")) {
      if (!take(l, "}")) return false;
      break;
    }
  }
  skip_blanks(l);
  return l->at == l->end && facts->has_descr && facts->has_order && facts->has_shape;
}

/* ---- what it says ------------------------------------------------------------------------------------- */

static sinew_result set_type(const char *name, npy_text descr, npy_array *array, sinew_error *error) {
  static const struct {
    const char *descr;
    npy_type type;
    uint8_t bytes;
  } types[] = {
      {"<f4", NPY_FLOAT32, 4}, {"<f8", NPY_FLOAT64, 8}, {"<i4", NPY_INT32, 4}, {"<i8", NPY_INT64, 8}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (text_is(descr, types[i].descr)) {
      array->type = types[i].type;
      array->item_bytes = types[i].bytes;
      return SINEW_OK;
    }
  npy_literal l = {descr.text, descr.text + descr.length};
  uint64_t width;
  if (take(&l, "<U") && take_count(&l, &width) && l.at == l.end && width <= UINT32_MAX) {
    array->type = NPY_TEXT;
    array->item_bytes = (size_t)width * 4;
    return SINEW_OK;
  }
  char shown[32];
  error_printable(descr.text, descr.length < 30 ? descr.length : 30, shown, sizeof shown);
  const bool objects = text_is(descr, "|O") || text_is(descr, "O");
  return error_set(error, SINEW_ERROR_UNSUPPORTED,
                   "%s: is of type '%s'%s, expected <f4, <f8, <i4, <i8 or text (<U)", name, shown,
                   objects ? " (Python objects)" : "");
}

static sinew_result check_size(const char *name, size_t left, npy_array *array, sinew_error *error) {
  char text[128];
  size_t count = 1, bytes;
  bool fits = true;
  SINEW_CHECK(array->dimensions <= NPY_DIMENSIONS_MOST, error, SINEW_ERROR_UNSUPPORTED,
              "%s: has %u dimensions, at most %d are read", name, array->dimensions, NPY_DIMENSIONS_MOST);
  for (uint32_t i = 0; i < array->dimensions; i++) fits = fits && checked_mul(count, array->shape[i], &count);
  array->count = count;
  fits = fits && checked_mul(count, array->item_bytes, &bytes) && bytes == left;
  SINEW_CHECK(fits, error, SINEW_ERROR_SYNTAX, "%s: has %zu bytes of values, which shape %s does not", name,
              left, npy_shape_text(array, text, sizeof text));
  return SINEW_OK;
}

/* Where the literal stands. */
static bool find_literal(const unsigned char *bytes, size_t byte_count, npy_literal *l) {
  if (byte_count < 10 || memcmp(bytes, "\x93NUMPY", 6) != 0 || bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
    return false;
  const size_t wide = bytes[6] > 1 ? 4 : 2;
  if (byte_count < 8 + wide) return false;
  size_t length = 0;
  for (size_t i = wide; i-- > 0;) length = length << 8 | bytes[8 + i];
  if (length > byte_count - 8 - wide) return false;
  l->at = (const char *)bytes + 8 + wide;
  l->end = l->at + length;
  return true;
}

sinew_result npy_array_open(const char *name, const unsigned char *bytes, size_t byte_count, npy_array *array,
                            sinew_error *error) {
  npy_literal l;
  npy_facts facts = {.array = array};
  *array = (npy_array){0};
  SINEW_CHECK(find_literal(bytes, byte_count, &l), error, SINEW_ERROR_SYNTAX,
              "%s: is no NumPy array of version 1.0 to 3.0", name);
  const size_t left = byte_count - (size_t)(l.end - (const char *)bytes);
  SINEW_CHECK(take_literal(&l, &facts), error, SINEW_ERROR_SYNTAX,
              "%s: its header is no dictionary of descr, fortran_order and shape", name);
  SINEW_TRY(set_type(name, facts.descr, array, error));
  SINEW_TRY(check_size(name, left, array, error));
  SINEW_CHECK(!facts.fortran || array->dimensions < 2, error, SINEW_ERROR_UNSUPPORTED,
              "%s: is in Fortran order, expected C order (numpy.ascontiguousarray)", name);
  array->values = bytes + (byte_count - left);
  return SINEW_OK;
}

/* ---- values ------------------------------------------------------------------------------------------- */

double npy_number(const npy_array *array, uint64_t index) {
  const unsigned char *p = array->values + index * array->item_bytes;
  float f;
  double d;
  int32_t i;
  int64_t l;
  switch (array->type) {
  case NPY_FLOAT32:
    memcpy(&f, p, sizeof f);
    return (double)f;
  case NPY_FLOAT64:
    memcpy(&d, p, sizeof d);
    return d;
  case NPY_INT32:
    memcpy(&i, p, sizeof i);
    return (double)i;
  case NPY_INT64:
    memcpy(&l, p, sizeof l);
    return (double)l;
  case NPY_TEXT:
    break;
  }
  return 0;
}

const char *npy_shape_text(const npy_array *array, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "(");
  for (uint32_t i = 0; i < array->dimensions && i < NPY_DIMENSIONS_MOST && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, i ? ", " : "", array->shape[i]);
  if (used < size) snprintf(text + used, size - used, array->dimensions == 1 ? ",)" : ")");
  return text;
}
