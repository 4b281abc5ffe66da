/* Buffers outside the file: in the JSON itself, and in files, which stand beneath the glTF's folder or are
 * not read. */
#include "readers/made_gltf.h"
#include "base/beneath.h"
#include "support/keep.h"
#include "support/os_faults.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder "model" beside a file "secret.bin", both in a folder of their own. */
typedef struct place {
  char top[64];
  char gltf[128];
} place;

static void write_file(const char *path, const void *bytes, size_t count) {
  FILE *file = fopen(path, "wb");
  cr_assert(file && fwrite(bytes, 1, count, file) == count, "%s", path);
  fclose(file);
}

static place make_place(void) {
  place made;
  char path[160];
  unsigned char bin[GLTF_BIN_BYTES];
  gltf_bin(bin);
  strcpy(made.top, "/tmp/sinew-gltf-XXXXXX");
  cr_assert(mkdtemp(made.top));
  snprintf(path, sizeof path, "%s/model", made.top);
  cr_assert_eq(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/model/deep", made.top);
  cr_assert_eq(mkdir(path, 0700), 0);
  static const char *const files[] = {"secret.bin", "model/plain.bin", "model/deep/sp ace%.bin"};
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", made.top, files[i]);
    write_file(path, bin, sizeof bin);
  }
  snprintf(path, sizeof path, "%s/model/short.bin", made.top);
  write_file(path, bin, 100);
  static const char *const links[][2] = {{"../secret.bin", "model/link.bin"},
                                         {"plain.bin", "model/inside.bin"},
                                         {"..", "model/up"},
                                         {"deep", "model/also"}};
  for (int i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/%s", made.top, links[i][1]);
    cr_assert_eq(symlink(links[i][0], path), 0);
  }
  snprintf(path, sizeof path, "%s/model/pipe", made.top);
  cr_assert_eq(mkfifo(path, 0600), 0);
  snprintf(made.gltf, sizeof made.gltf, "%s/model/made.gltf", made.top);
  return made;
}

static void remove_place(const place *made) {
  char command[128];
  snprintf(command, sizeof command, "rm -r '%s'", made->top);
  cr_assert_eq(system(command), 0);
}

static char *json_with_uri(const char *uri) {
  char text[1024];
  snprintf(text, sizeof text, "'buffers':[{'byteLength':360,'uri':'%s'}]", uri);
  return gltf_quoted(gltf_json_but("'buffers':[{'byteLength':360}]", text));
}

static sinew_result try_uri(const char *path, const char *uri, const sinew_read_options *limits,
                            sinew_error *error) {
  motion_file *file;
  const char *json = json_with_uri(uri);
  const sinew_result result = gltf_read(json, strlen(json), path, limits, &file, error);
  if (file) {
    cr_expect_eq(file->motions[0].tracks[0].values[7], 0.8F);
    gltf_walk(file);
  }
  motion_file_close(file);
  return result;
}

Test(gltf_outside, files_beneath_the_folder) {
  const place made = make_place();
  static const char *const uris[] = {"plain.bin",     "./plain.bin",          ".//plain.bin",
                                     "%70lain%2Ebin", "deep/sp%20ace%25.bin", "deep/./sp ace%25.bin"};
  sinew_error error;
  for (size_t i = 0; i < sizeof uris / sizeof *uris; i++)
    cr_expect_eq(try_uri(made.gltf, uris[i], NULL, &error), SINEW_OK, "%s: %s", uris[i], error.message);
  /* a path without a folder is one in the folder that the process runs in */
  char folder[128];
  snprintf(folder, sizeof folder, "%s/model", made.top);
  cr_assert_eq(chdir(folder), 0);
  cr_expect_eq(try_uri("made.gltf", "plain.bin", NULL, &error), SINEW_OK, "%s", error.message);
  cr_assert_eq(chdir("/"), 0);
  remove_place(&made);
}

static const struct {
  const char *uri;
  sinew_result code;
  const char *message;
} refused[] = {
    {"none.bin", SINEW_ERROR_IO, "'none.bin' cannot be opened: No such file or directory"},
    {"none/plain.bin", SINEW_ERROR_IO, "'none/plain.bin' cannot be opened: No such file or directory"},
    {"plain.bin/x", SINEW_ERROR_IO, "'plain.bin/x' cannot be opened: Not a directory"},
    {"", SINEW_ERROR_IO, "'' names no file"},
    {"././", SINEW_ERROR_IO, "'././' names no file"},
    {"deep", SINEW_ERROR_IO, "'deep' is no regular file"},
    {"pipe", SINEW_ERROR_IO, "'pipe' is no regular file"},
    {"link.bin", SINEW_ERROR_IO, "'link.bin' is a symbolic link, or leads through one"},
    {"inside.bin", SINEW_ERROR_IO, "'inside.bin' is a symbolic link, or leads through one"},
    {"up/secret.bin", SINEW_ERROR_IO, "'up/secret.bin' is a symbolic link, or leads through one"},
    {"also/x", SINEW_ERROR_IO, "'also/x' is a symbolic link, or leads through one"},
    {"../secret.bin", SINEW_ERROR_UNSUPPORTED,
     "'../secret.bin' leads elsewhere, expected a file beneath the glTF's folder"},
    {"deep/../plain.bin", SINEW_ERROR_UNSUPPORTED,
     "'deep/../plain.bin' leads elsewhere, expected a file beneath the glTF's folder"},
    {"%2e%2e/secret.bin", SINEW_ERROR_UNSUPPORTED,
     "'%2e%2e/secret.bin' leads elsewhere, expected a file beneath the glTF's folder"},
    {"..%2fsecret.bin", SINEW_ERROR_UNSUPPORTED,
     "'..%2fsecret.bin' leads elsewhere, expected a file beneath the glTF's folder"},
    {"deep/..", SINEW_ERROR_UNSUPPORTED,
     "'deep/..' leads elsewhere, expected a file beneath the glTF's folder"},
    {"/etc/passwd", SINEW_ERROR_UNSUPPORTED,
     "'/etc/passwd' leads elsewhere, expected a file beneath the glTF's folder"},
    {"%2fetc/passwd", SINEW_ERROR_UNSUPPORTED,
     "'%2fetc/passwd' leads elsewhere, expected a file beneath the glTF's folder"},
    {"../../etc/passwd", SINEW_ERROR_UNSUPPORTED,
     "'../../etc/passwd' leads elsewhere, expected a file beneath the glTF's folder"},
    {"file:///etc/passwd", SINEW_ERROR_UNSUPPORTED,
     "'file:///etc/passwd' has a scheme, expected data or a file beneath the glTF's folder"},
    {"HTTPS://x/y.bin", SINEW_ERROR_UNSUPPORTED,
     "'HTTPS://x/y.bin' has a scheme, expected data or a file beneath the glTF's folder"},
    {"c:/x.bin", SINEW_ERROR_UNSUPPORTED,
     "'c:/x.bin' has a scheme, expected data or a file beneath the glTF's folder"},
    {"`touch made`", SINEW_ERROR_IO, "'`touch made`' cannot be opened: No such file or directory"},
    {"%252e%252e/secret.bin", SINEW_ERROR_IO,
     "'%252e%252e/secret.bin' cannot be opened: No such file or directory"},
    {"plain%.bin", SINEW_ERROR_SYNTAX, "has a '%' without two hexadecimal digits"},
    {"plain%2", SINEW_ERROR_SYNTAX, "has a '%' without two hexadecimal digits"},
    {"plain.bin%00.png", SINEW_ERROR_SYNTAX, "holds a zero byte"},
};

Test(gltf_outside, nothing_else) {
  const place made = make_place();
  const int before = os_lowest_free_descriptor();
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    sinew_error error;
    char message[256];
    const sinew_result result = try_uri(made.gltf, refused[i].uri, NULL, &error);
    snprintf(message, sizeof message, "buffers[0].uri: %s", refused[i].message);
    cr_expect(result == refused[i].code && strcmp(error.message, message) == 0,
              "%s: code %d\n got      %s\n expected %s", refused[i].uri, (int)result, error.message, message);
  }
  cr_expect_eq(os_lowest_free_descriptor(), before);
  remove_place(&made);
}

Test(gltf_outside, sizes_are_bounded) {
  const place made = make_place();
  sinew_error error;
  cr_expect_eq(try_uri(made.gltf, "short.bin", NULL, &error), SINEW_ERROR_SYNTAX);
  cr_expect_str_eq(error.message, "buffers[0].byteLength: is 360, but there are 100 bytes");
  const sinew_read_options limits = {.file_bytes = 359};
  cr_expect_eq(try_uri(made.gltf, "plain.bin", &limits, &error), SINEW_ERROR_LIMIT);
  cr_expect_str_eq(error.message, "buffers[0].uri: 'plain.bin' has 360 bytes, the limit is 359");
  char uri[5000];
  memset(uri, 'a', sizeof uri - 1), uri[sizeof uri - 1] = 0;
  char *json = test_keep(sizeof uri + 512, 1);
  sprintf(
      json,
      "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"skins\":[{\"joints\":[0],\"inverseBindMatrices\":0}]"
      ","
      "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":1,\"type\":\"MAT4\"}],"
      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":64}],\"buffers\":[{\"byteLength\":64,\"uri\":\"%s\"}]}",
      uri);
  motion_file *file;
  cr_expect_eq(gltf_read(json, strlen(json), made.gltf, NULL, &file, &error), SINEW_ERROR_LIMIT);
  cr_expect_str_eq(error.message, "buffers[0].uri: is longer than 4095 bytes");
  remove_place(&made);
}

/* The walk itself lets nothing out, whoever asks. */
Test(gltf_outside, a_walk_stays_beneath) {
  const place made = make_place();
  static const struct {
    const char *folder, *path;
    sinew_result code;
    const char *message;
  } rows[] = {{"model", "plain.bin", SINEW_OK, ""},
              {"model", "deep/../plain.bin", SINEW_ERROR_IO, "leads out of the folder"},
              {"model", "..", SINEW_ERROR_IO, "leads out of the folder"},
              {"model", "/etc/passwd", SINEW_ERROR_IO, "is an absolute path"},
              {"none", "plain.bin", SINEW_ERROR_IO, "its folder cannot be opened: No such file or directory"},
              {"secret.bin", "plain.bin", SINEW_ERROR_IO, "its folder cannot be opened: Not a directory"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char folder[128];
    snprintf(folder, sizeof folder, "%s/%s", made.top, rows[i].folder);
    os_file file;
    sinew_error error = {0};
    const sinew_result result = os_file_open_beneath(folder, rows[i].path, 1000, &file, &error);
    cr_expect(result == rows[i].code && strcmp(error.message, rows[i].message) == 0, "%s: %s", rows[i].path,
              error.message);
    cr_expect_eq(file.byte_count, result == SINEW_OK ? GLTF_BIN_BYTES : 0);
    os_file_close(&file);
  }
  remove_place(&made);
}

/* Opened by its path: the folder is the path's, and messages name the file. */
Test(gltf_outside, opened_as_movement) {
  const place made = make_place();
  const char *json = json_with_uri("plain.bin");
  motion_file *file;
  sinew_error error;
  write_file(made.gltf, json, strlen(json));
  cr_assert_eq(read_motion_file(made.gltf, NULL, &file, &error), SINEW_OK, "%s", error.message);
  cr_expect_eq(file->motion_count, 2);
  gltf_walk(file);
  motion_file_close(file);
  cr_expect_eq(read_motion_memory(json, strlen(json), made.gltf, NULL, &file, &error), SINEW_OK);
  motion_file_close(file);
  json = json_with_uri("none.bin");
  char text[512], wanted[256];
  cr_expect_eq(read_motion_memory(json, strlen(json), made.gltf, NULL, &file, &error), SINEW_ERROR_IO);
  cr_expect_null(file);
  snprintf(wanted, sizeof wanted,
           "%s: buffers[0].uri: 'none.bin' cannot be opened: No such file or directory", made.gltf);
  cr_expect_str_eq(sinew_error_text(&error, text, sizeof text), wanted);
  cr_expect_eq(read_motion_memory("hello", 5, "x", NULL, &file, &error), SINEW_ERROR_UNSUPPORTED);
  cr_expect(strstr(error.message, "expected a BVH, a glTF or an .npz"));
  remove_place(&made);
}

/* ---- data --------------------------------------------------------------------------------------------- */

static char *base64(const unsigned char *bytes, size_t count, bool padded) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = test_keep(count * 2 + 8, 1), *at = text;
  for (size_t i = 0; i < count; i += 3) {
    const size_t left = count - i;
    const uint32_t group = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                           (left > 2 ? (uint32_t)bytes[i + 2] : 0);
    for (size_t k = 0; k < 4; k++)
      if (k <= left)
        *at++ = digits[group >> (18 - 6 * k) & 63];
      else if (padded)
        *at++ = '=';
  }
  return text;
}

Test(gltf_outside, data_in_the_uri) {
  unsigned char bin[GLTF_BIN_BYTES + 2] = {0};
  gltf_bin(bin);
  for (size_t more = 0; more < 3; more++)
    for (int padded = 0; padded < 2; padded++)
      for (int typed = 0; typed < 2; typed++) {
        char uri[1024];
        sinew_error error;
        snprintf(uri, sizeof uri, "%s;base64,%s", typed ? "DATA:application/octet-stream" : "data:",
                 base64(bin, GLTF_BIN_BYTES + more, padded));
        cr_expect_eq(try_uri(NULL, uri, NULL, &error), SINEW_OK, "%zu: %s", more, error.message);
      }
}

/* ---- faults ------------------------------------------------------------------------------------------- */

Test(gltf_outside, every_call_may_fail) {
  const place made = make_place();
  const int before = os_lowest_free_descriptor();
  int call = 0;
  for (;; call++) {
    cr_assert_lt(call, 40);
    sinew_error error;
    os_faults_use(call, EIO);
    const sinew_result result = try_uri(made.gltf, "deep/sp%20ace%25.bin", NULL, &error);
    const bool came = os_fault.failed_kind >= 0;
    const bool closing = os_fault.failed_kind == CALL_CLOSE;
    os_faults_end();
    cr_expect_eq(os_lowest_free_descriptor(), before, "call %d", call);
    if (!came) {
      cr_expect_eq(result, SINEW_OK);
      break;
    }
    /* what is read stays right where a descriptor of it cannot be closed */
    cr_expect_eq(result, closing ? SINEW_OK : SINEW_ERROR_IO, "call %d: %s", call, error.message);
  }
  cr_expect_geq(call, 9); /* three parts opened and closed, two looks at the file, its bytes */
  os_faults_use(-1, EIO);
  os_fault.interrupted = os_fault.short_transfers = true;
  sinew_error error;
  const sinew_result result = try_uri(made.gltf, "deep/sp%20ace%25.bin", NULL, &error);
  os_faults_end();
  cr_expect_eq(result, SINEW_OK, "%s", error.message);
  remove_place(&made);
}
