/* What the reader of .npz files takes, how it stands in a clip, and what it refuses with which words. */
#include "read/motion_reader.h"
#include "readers/made_arrays.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static motion_file *read_made(const made_arrays *made) {
  motion_file *file;
  sinew_error error = {0};
  size_t count;
  char *bytes = made_arrays_zip(made, &count);
  cr_assert(read_motion_memory(bytes, count, "made.npz", NULL, &file, &error) == SINEW_OK, "%s",
            error.message);
  free(bytes);
  return file;
}

/* ---- what it takes ------------------------------------------------------------------------------------ */

static void expect_made(const motion_file *file) {
  static const float second[] = {0.25F, 1.5F, -0.75F, 0.5F, 0.5F, 0.5F, 0.5F, 0.6F, 0, 0, 0.8F, 0, 1, 0, 0};
  const skeleton *s = file->skeleton;
  cr_assert(s->node_count == 3 && file->motion_count == 1);
  const motion *m = file->motions;
  cr_expect_str_eq(s->kind, "npz");
  cr_expect_eq(s->unit_m, 1);
  cr_expect_str_eq(s->nodes[1].name, "Chést");
  cr_expect_str_eq(s->nodes[2].name, "H\xf0\x9f\x99\x82€");
  cr_expect(s->nodes[0].parent == -1 && s->nodes[2].parent == 1);
  cr_expect(s->nodes[2].t[1] == 0.5 && s->nodes[2].t[2] == 0.125 && fabs(s->nodes[2].q[1] - 0.6) < 1e-7);
  cr_expect(m->frame_count == 2 && m->channel_count == 15 && m->rate_hz == 30 && m->stop_s == 1.0 / 30);
  cr_expect_eq(memcmp(m->rows + 15, second, sizeof second), 0);
  cr_expect_eq(s->warning_count, 0);
}

Test(npz_rules, stored_and_deflated) {
  made_arrays made;
  made_arrays_open(&made);
  for (int deflated = 0; deflated < 2; deflated++)
    for (unsigned char version = 1; version <= 3; version++) {
      made.deflated = deflated;
      for (uint32_t i = 0; i < made.count; i++) made.arrays[i].version = version;
      motion_file *file = read_made(&made);
      expect_made(file);
      motion_file_close(file);
    }
}

Test(npz_rules, wider_numbers) {
  static const int64_t parents[] = {-1, 0, 1};
  static const double roots[] = {0, 1, 0, 0.25, 1.5, -0.75};
  static const int32_t fps = 30;
  made_arrays made;
  made_arrays_open(&made);
  made_array_set(made_arrays_find(&made, "parents"), "<i8", "(3,)", parents, sizeof parents);
  made_array_set(made_arrays_find(&made, "root_positions"), "<f8", "(2, 3)", roots, sizeof roots);
  made_array_set(made_arrays_find(&made, "fps"), "<i4", "(1,)", &fps, sizeof fps);
  motion_file *file = read_made(&made);
  expect_made(file);
  motion_file_close(file);
}

Test(npz_rules, headers_in_other_words) {
  made_arrays made;
  made_arrays_open(&made);
  strcpy(made_arrays_find(&made, "parents")->header,
         "{\"shape\":(3L,),'fortran_order':True , 'descr' :'<i4'}   ");
  motion_file *file = read_made(&made);
  expect_made(file);
  motion_file_close(file);
}

Test(npz_rules, three_components_have_w_above_zero) {
  static const float turns[2][3][3] = {{{0, 0, 0}, {0.6F, 0, 0}, {0, 0, 1}}, {{0.5F, 0.5F, 0.5F}}};
  made_arrays made;
  made_arrays_open(&made);
  made_array_set(made_arrays_find(&made, "local_rotations"), "<f4", "(2, 3, 3)", turns, sizeof turns);
  motion_file *file = read_made(&made);
  const float *row = file->motions->rows;
  cr_expect(row[6] == 1 && fabsf(row[10] - 0.8F) < 1e-7F && row[13] == 1 && row[14] == 0 &&
            row[15 + 6] == 0.5F);
  cr_expect_eq(file->skeleton->warning_count, 0);
  motion_file_close(file);
}

Test(npz_rules, only_lengths_that_are_off_are_mended) {
  float turns[2][3][4] = {{{0, 0, 0, 1}, {0, 0, 0, 1.000004F}, {0, 0, 0, 2}},
                          {{0, 0, 0, -1}, {1}, {0, 1.001F}}};
  made_arrays made;
  made_arrays_open(&made);
  made_array_set(made_arrays_find(&made, "local_rotations"), "<f4", "(2, 3, 4)", turns, sizeof turns);
  motion_file *file = read_made(&made);
  const float *row = file->motions->rows;
  cr_expect(row[10] == 1.000004F && row[14] == 1 && row[15 + 12] == 1);
  cr_assert_eq(file->skeleton->warning_count, 1);
  cr_expect_str_eq(file->skeleton->warnings[0],
                   "local_rotations: 1 rotation has a length that is not 1: made 1");
  motion_file_close(file);
}

Test(npz_rules, every_joint_may_move) {
  float places[18];
  for (int i = 0; i < 18; i++) places[i] = (float)i;
  made_arrays made;
  made_arrays_open(&made);
  made_arrays_add(&made, "local_positions", "<f4", "(2, 3, 3)", places, sizeof places);
  motion_file *file = read_made(&made);
  const motion *m = file->motions;
  cr_assert_eq(m->channel_count, 21);
  cr_expect(m->rows[0] == 0 && m->rows[7] == 3 && m->rows[21 + 14 + 2] == 17);
  motion_file_close(file);
}

/* The chest as the root joint: turned a half about z, at height 1 and scaled by 2. */
Test(npz_rules, a_root_below_others_is_brought_into_its_parent) {
  static const float turns[2][3][4] = {{{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}},
                                       {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}}};
  static const float scales[3][3] = {{2, 2, 2}, {1, 1, 1}, {1, 1, 1}};
  static const float own[2][3] = {{7, 8, 9}, {1, 2, 3}};
  static const int32_t root = 1;
  made_arrays made;
  made_arrays_open(&made);
  made_array_set(made_arrays_find(&made, "local_rotations"), "<f4", "(2, 3, 4)", turns, sizeof turns);
  made_arrays_add(&made, "root_joint", "<i4", "()", &root, sizeof root);
  made_arrays_add(&made, "rest_scales", "<f4", "(3, 3)", scales, sizeof scales);
  motion_file *file = read_made(&made);
  const float *first = file->motions->rows + 4, *second = first + 15;
  cr_expect(first[0] == 0 && first[1] == 0 && first[2] == 0);
  cr_expect(second[0] == 0.125F && second[1] == 0.25F && second[2] == -0.375F);
  motion_file_close(file);
  made_arrays_add(&made, "root_local_positions", "<f4", "(2, 3)", own, sizeof own);
  file = read_made(&made);
  cr_expect(file->motions->rows[4] == 7 && file->motions->rows[15 + 6] == 3);
  motion_file_close(file);
}

/* ---- what it refuses ---------------------------------------------------------------------------------- */

/* message: how the text begins, or all of it. */
static void expect_bytes_refused(const char *bytes, size_t count, sinew_result code, const char *message) {
  motion_file *file;
  char text[1024];
  sinew_error error = {0};
  const sinew_read_options limits = {.nodes = 100, .keys = 1000};
  const sinew_result result = read_motion_memory(bytes, count, "made.npz", &limits, &file, &error);
  cr_expect_eq(result, code, "%d: '%s'", (int)result, message);
  sinew_error_text(&error, text, sizeof text);
  cr_expect(strncmp(text, message, strlen(message)) == 0, "'%s', expected '%s'", text, message);
  cr_expect_null(file);
}

static void expect_refused(const made_arrays *made, sinew_result code, const char *message) {
  size_t count;
  char *bytes = made_arrays_zip(made, &count);
  expect_bytes_refused(bytes, count, code, message);
  free(bytes);
}

/* One array of another type or shape, of zeros. */
static const struct {
  const char *array, *descr, *shape;
  size_t bytes;
  sinew_result code;
  const char *message;
} other_arrays[] = {
    {"joint_names", "|S4", "(3,)", 12, SINEW_ERROR_UNSUPPORTED,
     "made.npz: joint_names: is of type '|S4', expected <f4, <f8, <i4, <i8 or text (<U)"},
    {"joint_names", "|O", "(3,)", 24, SINEW_ERROR_UNSUPPORTED,
     "made.npz: joint_names: is of type '|O' (Python objects), expected <f4, <f8, <i4, <i8 or text (<U)"},
    {"joint_names", "<f4", "(3,)", 12, SINEW_ERROR_SYNTAX,
     "made.npz: joint_names: is of another type, expected text (<U)"},
    {"joint_names", "<U2", "(3, 1)", 24, SINEW_ERROR_SYNTAX,
     "made.npz: joint_names: has shape (3, 1), expected (J,)"},
    {"joint_names", "<U2", "(0,)", 0, SINEW_ERROR_UNSUPPORTED,
     "made.npz: joint_names: is empty: no skeleton"},
    {"joint_names", "<U1", "(101,)", 404, SINEW_ERROR_LIMIT,
     "made.npz: joint_names: 101 joints, the limit is 100"},
    {"joint_names", "<U0", "(99999999999999999,)", 0, SINEW_ERROR_LIMIT,
     "made.npz: joint_names: 99999999999999999 joints, the limit is 100"},
    {"joint_names", "<U2", "(4611686018427387904,)", 24, SINEW_ERROR_SYNTAX,
     "made.npz: joint_names: has 24 bytes of values, which shape (4611686018427387904,) does not"},
    {"parents", "<f4", "(3,)", 12, SINEW_ERROR_SYNTAX,
     "made.npz: parents: is of another type, expected integers (<i4, <i8)"},
    {"parents", "<i4", "(2,)", 8, SINEW_ERROR_SYNTAX, "made.npz: parents: has shape (2,), expected (3,)"},
    {"parents", "<i4", "(3,)", 12, SINEW_ERROR_SYNTAX,
     "made.npz: parents: joint 0 has 0, expected -1 or a joint before it"},
    {"parents", "<i4", "(3,)", 11, SINEW_ERROR_SYNTAX,
     "made.npz: parents: has 11 bytes of values, which shape (3,) does not"},
    {"rest_positions", ">f4", "(3, 3)", 36, SINEW_ERROR_UNSUPPORTED,
     "made.npz: rest_positions: is of type '>f4', expected <f4, <f8, <i4, <i8 or text (<U)"},
    {"rest_positions", "<i4", "(3, 3)", 36, SINEW_ERROR_SYNTAX,
     "made.npz: rest_positions: is of another type, expected floats (<f4, <f8)"},
    {"rest_rotations", "<f4", "(3, 3)", 36, SINEW_ERROR_SYNTAX,
     "made.npz: rest_rotations: has shape (3, 3), expected (3, 4)"},
    {"rest_rotations", "<f4", "(3, 4)", 48, SINEW_ERROR_SYNTAX,
     "made.npz: rest_rotations: joint 0 has 0 0 0 0, which turns nowhere"},
    {"local_rotations", "<f4", "(2, 3, 4)", 96, SINEW_ERROR_SYNTAX,
     "made.npz: local_rotations: frame 0 of joint 0 has 0 0 0 0, which turns nowhere"},
    {"local_rotations", "<f4", "(2, 3, 5)", 120, SINEW_ERROR_SYNTAX,
     "made.npz: local_rotations: has shape (2, 3, 5), expected (T, 3, 4 or 3)"},
    {"local_rotations", "<f4", "(2, 3, 4, 1)", 96, SINEW_ERROR_SYNTAX,
     "made.npz: local_rotations: has shape (2, 3, 4, 1), expected (T, 3, 4 or 3)"},
    {"local_rotations", "<f4", "(2, 3, 4, 1, 1)", 96, SINEW_ERROR_UNSUPPORTED,
     "made.npz: local_rotations: has 5 dimensions, at most 4 are read"},
    {"local_rotations", "<f4", "(0, 3, 4)", 0, SINEW_ERROR_UNSUPPORTED,
     "made.npz: local_rotations: holds no frames"},
    {"local_rotations", "<f4", "(3, 3, 4)", 144, SINEW_ERROR_SYNTAX,
     "made.npz: root_positions: has shape (2, 3), expected (3, 3)"},
    {"fps", "<f8", "()", 8, SINEW_ERROR_SYNTAX,
     "made.npz: fps: is 0, expected frames a second, 0.000001 to 1000000"},
    {"fps", "<f8", "(2,)", 16, SINEW_ERROR_SYNTAX, "made.npz: fps: has shape (2,), expected one number"},
    {"fps", "<U3", "()", 12, SINEW_ERROR_SYNTAX, "made.npz: fps: is of another type, expected a number"},
};

Test(npz_rules, arrays_of_other_kinds) {
  static const char zeros[MADE_ARRAY_BYTES];
  for (size_t i = 0; i < sizeof other_arrays / sizeof *other_arrays; i++) {
    made_arrays made;
    made_arrays_open(&made);
    made_array_set(made_arrays_find(&made, other_arrays[i].array), other_arrays[i].descr,
                   other_arrays[i].shape, zeros, other_arrays[i].bytes);
    expect_refused(&made, other_arrays[i].code, other_arrays[i].message);
  }
}

Test(npz_rules, headers_that_are_none) {
  static const char *const headers[] = {
      "",
      "{}",
      "{'descr': '<i4', 'shape': (3,)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), 'more': 1}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), 'descr': '<i4'}",
      "{'descr': '<i4', 'fortran_order': 0, 'shape': (3,)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (3)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': 3}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (-3,)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
      "{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (3,)}",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (3,)} x",
      "{'descr': '<i4', 'fortran_order': False, 'shape': (3,)",
      "{'descr': '<i4' 'fortran_order': False, 'shape': (3,)}",
      "{'descr': '<i4, 'fortran_order': False, 'shape': (3,)}",
  };
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    made_arrays made;
    made_arrays_open(&made);
    strcpy(made_arrays_find(&made, "parents")->header, headers[i]);
    expect_refused(&made, SINEW_ERROR_SYNTAX,
                   "made.npz: parents: its header is no dictionary of descr, fortran_order and shape");
  }
}

Test(npz_rules, order_and_version) {
  made_arrays made;
  made_arrays_open(&made);
  strcpy(made_arrays_find(&made, "rest_positions")->header,
         "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 3), }");
  expect_refused(&made, SINEW_ERROR_UNSUPPORTED,
                 "made.npz: rest_positions: is in Fortran order, expected C order (numpy.ascontiguousarray)");
  made_arrays_open(&made);
  made_arrays_find(&made, "rest_positions")->version = 4;
  expect_refused(&made, SINEW_ERROR_SYNTAX,
                 "made.npz: rest_positions: is no NumPy array of version 1.0 to 3.0");
}

Test(npz_rules, arrays_that_are_missing) {
  static const char *const names[] = {
      "joint_names",    "parents", "rest_positions", "rest_rotations", "local_rotations",
      "root_positions", "fps"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    made_arrays made;
    char message[256];
    made_arrays_open(&made);
    made_arrays_drop(&made, names[i]);
    snprintf(message, sizeof message,
             "made.npz: holds no array %s: expected joint_names, parents, rest_positions, rest_rotations, "
             "local_rotations, root_positions and fps",
             names[i]);
    expect_refused(&made, SINEW_ERROR_UNSUPPORTED, message);
  }
}

Test(npz_rules, arrays_of_others) {
  static const float values[9] = {0};
  made_arrays made = {0};
  made_arrays_add(&made, "posed_joints", "<f4", "(1, 3, 3)", values, sizeof values);
  made_arrays_add(&made, "local_rot_mats", "<f4", "(1, 1, 3, 3)", values, sizeof values);
  expect_refused(
      &made, SINEW_ERROR_UNSUPPORTED,
      "made.npz: Kimodo's arrays (posed_joints, local_rot_mats), which name no joints and no parents, "
      "are not read: expected the BVH of the same movement, or an .npz with joint_names and parents");
  made_arrays_open(&made);
  made_arrays_add(&made, "fps", "<f8", "()", values, 8);
  expect_refused(&made, SINEW_ERROR_SYNTAX, "made.npz: fps: is there twice");
}

Test(npz_rules, values_that_are_none) {
  const float inf = INFINITY, nan = NAN, far = 2e9F;
  const int32_t last = 3;
  const int64_t absurd = INT64_MIN;
  made_arrays made;
  made_arrays_open(&made);
  memcpy(made_arrays_find(&made, "local_rotations")->values + 48 + 20, &nan, sizeof nan);
  expect_refused(
      &made, SINEW_ERROR_SYNTAX,
      "made.npz: local_rotations: frame 1 of joint 1 has 0.6 nan 0 0.8, expected a unit quaternion");
  made_arrays_open(&made);
  memcpy(made_arrays_find(&made, "root_positions")->values + 12, &inf, sizeof inf);
  expect_refused(&made, SINEW_ERROR_SYNTAX,
                 "made.npz: root_positions: frame 1 has inf, expected a finite number within float32");
  made_arrays_open(&made);
  memcpy(made_arrays_find(&made, "rest_positions")->values + 12, &far, sizeof far);
  expect_refused(&made, SINEW_ERROR_SYNTAX,
                 "made.npz: rest_positions: joint 1 has 2e+09, expected a number within -1e9..1e9");
  made_arrays_open(&made);
  made_arrays_add(&made, "root_joint", "<i4", "()", &last, sizeof last);
  expect_refused(&made, SINEW_ERROR_SYNTAX, "made.npz: root_joint: is 3, expected one of 3 joints");
  made_arrays_open(&made);
  made_arrays_add(&made, "root_joint", "<i8", "()", &absurd, sizeof absurd);
  expect_refused(&made, SINEW_ERROR_SYNTAX,
                 "made.npz: root_joint: is -9.2233720368547758e+18, expected one of 3 joints");
}

/* ---- archives ----------------------------------------------------------------------------------------- */

typedef struct changed_zip {
  char *bytes;
  size_t count;
} changed_zip;

static changed_zip zip_of(bool deflated) {
  static made_arrays made;
  changed_zip zip;
  made_arrays_open(&made);
  made.deflated = deflated;
  zip.bytes = made_arrays_zip(&made, &zip.count);
  return zip;
}

static void set(char *at, uint64_t value, int count) {
  for (int i = 0; i < count; i++) at[i] = (char)(value >> (8 * i));
}

/* A field of a record: kind 1 local, 2 in the directory, 3 the end. */
static const struct {
  int kind, at, bytes;
  uint64_t value;
  bool deflated;
  sinew_result code;
  const char *message;
} other_fields[] = {
    {2, 8, 2, 1, false, SINEW_ERROR_UNSUPPORTED, "made.npz: parents.npy: is encrypted"},
    {2, 10, 2, 12, false, SINEW_ERROR_UNSUPPORTED,
     "made.npz: parents.npy: is compressed by method 12, expected 0 (stored) or 8 (deflated)"},
    {2, 16, 4, 7, false, SINEW_ERROR_SYNTAX,
     "made.npz: parents.npy: is damaged, its sum (CRC-32) is another"},
    {2, 16, 4, 7, true, SINEW_ERROR_SYNTAX, "made.npz: parents.npy: is damaged, its sum (CRC-32) is another"},
    {2, 20, 4, 1 << 30, false, SINEW_ERROR_SYNTAX,
     "made.npz: parents.npy: reaches past the end of the archive"},
    {2, 24, 4, 50, false, SINEW_ERROR_SYNTAX, "made.npz: parents.npy: is stored, but of 50 and of 80 bytes"},
    {2, 24, 4, UINT32_MAX - 1, true, SINEW_ERROR_SYNTAX,
     "made.npz: parents.npy: states 4294967294 bytes, which "},
    {2, 24, 4, 82, true, SINEW_ERROR_SYNTAX, "made.npz: parents.npy: its deflated bytes are broken"},
    {2, 24, 4, 84, true, SINEW_ERROR_SYNTAX, "made.npz: parents.npy: its deflated bytes are broken"},
    {2, 42, 4, 1, false, SINEW_ERROR_SYNTAX,
     "made.npz: parents.npy: is not where the archive's directory says"},
    {2, 42, 4, UINT32_MAX - 1, false, SINEW_ERROR_SYNTAX,
     "made.npz: parents.npy: is not where the archive's directory says"},
    {2, 42, 4, UINT32_MAX, false, SINEW_ERROR_SYNTAX,
     "made.npz: parents.npy: is not where the archive's directory says"},
    {1, 28, 2, UINT16_MAX, false, SINEW_ERROR_SYNTAX,
     "made.npz: parents.npy: reaches past the end of the archive"},
    {2, 0, 4, 0, false, SINEW_ERROR_SYNTAX, "made.npz: a ZIP archive whose directory is broken"},
    {2, 28, 2, UINT16_MAX, false, SINEW_ERROR_SYNTAX, "made.npz: a ZIP archive whose directory is broken"},
    {3, 4, 2, 1, false, SINEW_ERROR_UNSUPPORTED, "made.npz: a part of a ZIP archive of several"},
    {3, 8, 2, 3, false, SINEW_ERROR_UNSUPPORTED, "made.npz: a part of a ZIP archive of several"},
    {3, 12, 4, UINT32_MAX, false, SINEW_ERROR_SYNTAX,
     "made.npz: a ZIP archive whose directory reaches past its end"},
    {3, 16, 4, UINT32_MAX, false, SINEW_ERROR_SYNTAX,
     "made.npz: a ZIP archive whose directory reaches past its end"},
    {3, 8, 4, UINT32_MAX, false, SINEW_ERROR_SYNTAX,
     "made.npz: a ZIP archive whose directory reaches past its end"},
    {3, 0, 4, 0, false, SINEW_ERROR_SYNTAX,
     "made.npz: byte 1571: a ZIP archive that is cut: its directory, which stands at its end, is missing"},
    {3, 20, 2, 1, false, SINEW_ERROR_SYNTAX,
     "made.npz: byte 1571: a ZIP archive that is cut: its directory, which stands at its end, is missing"},
};

Test(npz_rules, archives_that_are_broken) {
  for (size_t i = 0; i < sizeof other_fields / sizeof *other_fields; i++) {
    changed_zip zip = zip_of(other_fields[i].deflated);
    char *record = other_fields[i].kind == 3
                       ? zip.bytes + zip.count - 22
                       : made_zip_record(zip.bytes, zip.count, other_fields[i].kind, "parents.npy");
    set(record + other_fields[i].at, other_fields[i].value, other_fields[i].bytes);
    expect_bytes_refused(zip.bytes, zip.count, other_fields[i].code, other_fields[i].message);
    free(zip.bytes);
  }
}

Test(npz_rules, too_many_values) {
  static const float turns[99][3][4];
  made_arrays made;
  made_arrays_open(&made);
  /* 2048 bytes of an array hold 42 frames of 3 joints, whose rows have 630 values */
  made_array_set(made_arrays_find(&made, "local_rotations"), "<f4", "(42, 3, 4)", turns, 42 * sizeof *turns);
  made_array_set(made_arrays_find(&made, "root_positions"), "<f4", "(42, 3)", turns, 42 * 12);
  motion_file *file;
  sinew_error error = {0};
  size_t count;
  const sinew_read_options limits = {.keys = 600};
  char *bytes = made_arrays_zip(&made, &count);
  cr_expect_eq(read_motion_memory(bytes, count, NULL, &limits, &file, &error), SINEW_ERROR_LIMIT);
  cr_expect_str_eq(error.message, "local_rotations: more than 600 values in all, the limit");
  free(bytes);
}
