/* An .npz: its arrays, found by name and held to their shapes. */
#include "read/npz.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

/* Shapes: J joints, T frames, '4' may be '3' where it is 'r', 1 a scalar or a single value. */
typedef struct array_rule {
  const char *name;
  const char *shape;
  enum { OF_TEXT, OF_INTEGERS, OF_NUMBERS, OF_FLOATS } of;
} array_rule;

static const array_rule rules[ARRAY_COUNT] = {
    [ARRAY_JOINT_NAMES] = {"joint_names", "J", OF_TEXT},
    [ARRAY_PARENTS] = {"parents", "J", OF_INTEGERS},
    [ARRAY_REST_POSITIONS] = {"rest_positions", "J3", OF_FLOATS},
    [ARRAY_REST_ROTATIONS] = {"rest_rotations", "J4", OF_FLOATS},
    [ARRAY_LOCAL_ROTATIONS] = {"local_rotations", "TJr", OF_FLOATS},
    [ARRAY_ROOT_POSITIONS] = {"root_positions", "T3", OF_FLOATS},
    [ARRAY_FPS] = {"fps", "1", OF_NUMBERS},
    [ARRAY_REST_SCALES] = {"rest_scales", "J3", OF_FLOATS},
    [ARRAY_ROOT_JOINT] = {"root_joint", "1", OF_INTEGERS},
    [ARRAY_ROOT_LOCAL_POSITIONS] = {"root_local_positions", "T3", OF_FLOATS},
    [ARRAY_LOCAL_POSITIONS] = {"local_positions", "TJ3", OF_FLOATS},
};

const char *npz_array_name(npz_array array) {
  return rules[array].name;
}

sinew_result npz_out_of_memory(const npz_reading *r) {
  return error_set(r->error, SINEW_ERROR_MEMORY, "out of memory, or past the limit of %llu bytes",
                   (unsigned long long)r->source->limits.memory_bytes);
}

/* ---- members ------------------------------------------------------------------------------------------ */

static bool is_named(const zip_member *member, const char *name) {
  static const char suffix[] = ".npy";
  const size_t length = strlen(name), tail = sizeof suffix - 1;
  return member->name_length == length + tail && memcmp(member->name, name, length) == 0 &&
         memcmp(member->name + length, suffix, tail) == 0;
}

/* NULL: there is none. */
static sinew_result find_member(const npz_reading *r, const char *name, const zip_member **found) {
  *found = NULL;
  for (uint32_t i = 0; i < r->archive.member_count; i++) {
    if (!is_named(&r->archive.members[i], name)) continue;
    SINEW_CHECK(!*found, r->error, SINEW_ERROR_SYNTAX, "%s: is there twice", name);
    *found = &r->archive.members[i];
  }
  return SINEW_OK;
}

/* Another layout of arrays: rotations as matrices, and neither names nor parents. */
static sinew_result refuse_kimodo(const npz_reading *r) {
  static const char *const names[] = {"posed_joints", "local_rot_mats", "global_rot_mats"};
  const zip_member *found = NULL, *joints = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
    SINEW_TRY(find_member(r, names[i], &found));
  SINEW_TRY(find_member(r, rules[ARRAY_JOINT_NAMES].name, &joints));
  SINEW_CHECK(!found || joints, r->error, SINEW_ERROR_UNSUPPORTED,
              "Kimodo's arrays (posed_joints, local_rot_mats), which name no joints and no parents, are not "
              "read: expected the BVH of the same movement, or an .npz with joint_names and parents");
  return SINEW_OK;
}

static sinew_result missing(const npz_reading *r, const char *name) {
  return error_set(r->error, SINEW_ERROR_UNSUPPORTED,
                   "holds no array %s: expected joint_names, parents, rest_positions, rest_rotations, "
                   "local_rotations, root_positions and fps",
                   name);
}

/* ---- shapes ------------------------------------------------------------------------------------------- */

static void print_wanted(const npz_reading *r, const char *shape, char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "(");
  for (const char *p = shape; *p && used < size; p++) {
    const char *comma = p[1] ? ", " : "";
    char count[24];
    snprintf(count, sizeof count, "%llu", (unsigned long long)(*p == 'J' ? r->joint_count : r->frame_count));
    const char letter[2] = {*p, 0};
    const char *one = *p == 'J' && r->joint_count   ? count
                      : *p == 'T' && r->frame_count ? count
                      : *p == 'r'                   ? "4 or 3"
                                                    : letter;
    used += (size_t)snprintf(text + used, size - used, "%s%s", one, comma);
  }
  if (used < size) snprintf(text + used, size - used, shape[1] ? ")" : ",)");
}

/* J and T are what the first array says that has them. */
static bool is_dimension(const npz_reading *r, char rule, uint64_t count) {
  switch (rule) {
  case 'J':
    return !r->joint_count || count == r->joint_count;
  case 'T':
    return !r->frame_count || count == r->frame_count;
  case 'r':
    return count == 3 || count == 4;
  default:
    return count == (uint64_t)(rule - '0');
  }
}

static bool has_shape(const npz_reading *r, const npy_array *array, const char *shape) {
  if (strcmp(shape, "1") == 0) return array->count == 1;
  if (array->dimensions != strlen(shape)) return false;
  for (uint32_t i = 0; i < array->dimensions; i++)
    if (!is_dimension(r, shape[i], array->shape[i])) return false;
  return true;
}

static bool is_of(const npy_array *array, const array_rule *rule) {
  const bool text = array->type == NPY_TEXT, whole = array->type == NPY_INT32 || array->type == NPY_INT64;
  switch (rule->of) {
  case OF_TEXT:
    return text;
  case OF_INTEGERS:
    return whole;
  case OF_NUMBERS:
    return !text;
  default:
    return !text && !whole;
  }
}

static sinew_result check_array(const npz_reading *r, const npy_array *array, const array_rule *rule) {
  static const char *const kinds[] = {"text (<U)", "integers (<i4, <i8)", "a number", "floats (<f4, <f8)"};
  char found[128], wanted[128];
  SINEW_CHECK(is_of(array, rule), r->error, SINEW_ERROR_SYNTAX, "%s: is of another type, expected %s",
              rule->name, kinds[rule->of]);
  if (has_shape(r, array, rule->shape)) return SINEW_OK;
  npy_shape_text(array, found, sizeof found);
  if (strcmp(rule->shape, "1") == 0)
    return error_set(r->error, SINEW_ERROR_SYNTAX, "%s: has shape %s, expected one number", rule->name,
                     found);
  print_wanted(r, rule->shape, wanted, sizeof wanted);
  return error_set(r->error, SINEW_ERROR_SYNTAX, "%s: has shape %s, expected %s", rule->name, found, wanted);
}

/* ---- all arrays --------------------------------------------------------------------------------------- */

static sinew_result set_counts(npz_reading *r, npz_array index) {
  const npy_array *array = &r->arrays[index];
  const sinew_read_options *limits = &r->source->limits;
  if (index == ARRAY_JOINT_NAMES) {
    SINEW_CHECK(array->count > 0, r->error, SINEW_ERROR_UNSUPPORTED, "joint_names: is empty: no skeleton");
    SINEW_CHECK(array->count <= limits->nodes, r->error, SINEW_ERROR_LIMIT,
                "joint_names: %llu joints, the limit is %u", (unsigned long long)array->count, limits->nodes);
    r->joint_count = (uint32_t)array->count;
  }
  if (index == ARRAY_LOCAL_ROTATIONS) {
    SINEW_CHECK(array->shape[0] > 0, r->error, SINEW_ERROR_UNSUPPORTED, "local_rotations: holds no frames");
    r->frame_count = array->shape[0];
  }
  return SINEW_OK;
}

static sinew_result open_array(npz_reading *r, npz_array index) {
  const array_rule *rule = &rules[index];
  const zip_member *member = NULL;
  const unsigned char *bytes = NULL;
  SINEW_TRY(find_member(r, rule->name, &member));
  if (!member) return index < ARRAY_REST_SCALES ? missing(r, rule->name) : SINEW_OK;
  SINEW_TRY(zip_member_read(&r->archive, member, &r->scratch, &bytes, r->error));
  SINEW_TRY(npy_array_open(rule->name, bytes, member->byte_count, &r->arrays[index], r->error));
  SINEW_TRY(check_array(r, &r->arrays[index], rule));
  r->has[index] = true;
  return set_counts(r, index);
}

static sinew_result read_all(npz_reading *r) {
  SINEW_TRY(zip_archive_open(r->source, &r->scratch, &r->archive, r->error));
  SINEW_TRY(refuse_kimodo(r));
  for (int i = 0; i < ARRAY_COUNT; i++) SINEW_TRY(open_array(r, (npz_array)i));
  SINEW_TRY(npz_read_skeleton(r));
  return npz_read_rows(r);
}

bool is_npz(const read_source *source) {
  return is_zip(source);
}

sinew_result read_npz(const read_source *source, motion_file *file, sinew_error *error) {
  npz_reading r = {
      .source = source, .file = file, .error = error, .scratch = {.byte_limit = source->limits.memory_bytes}};
  file->skeleton = r.skeleton = skeleton_new(source->limits.memory_bytes);
  if (!r.skeleton) return npz_out_of_memory(&r);
  const sinew_result result = read_all(&r);
  arena_release(&r.scratch);
  return result;
}
