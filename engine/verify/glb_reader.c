#include "base/error.h"
#include "base/json_text.h"
#include "base/os.h"
#include "verify/glb_document.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
  MAGIC = 0x46546c67,
  TYPE_JSON = 0x4e4f534a,
  TYPE_BIN = 0x004e4942,
  JSON_BYTE_LIMIT = 256 << 20,
};
static const uint64_t MEMORY_LIMIT = (uint64_t)1 << 30;

sinew_result document_read_bytes(const verify_file *file, void *bytes, size_t count, uint64_t offset,
                                 sinew_error *error) {
  if (os_read_all(file->fd, bytes, count, offset)) return SINEW_OK;
  SINEW_CHECK(errno, error, SINEW_ERROR_VERIFY, "the file ends before its byte %llu",
              (unsigned long long)(offset + count));
  return error_set(error, SINEW_ERROR_IO, "cannot be read back: %s", strerror(errno));
}

/* ---- container ---------------------------------------------------------------------------------------- */

typedef struct chunk_places {
  uint64_t json_offset, json_byte_count;
} chunk_places;

/* The chunks must fill the stated length exactly; kinds other than JSON and BIN are passed over, as the
 * format says. */
static sinew_result walk_chunks(verify_file *file, uint64_t file_bytes, chunk_places *places,
                                sinew_error *error) {
  uint64_t at = 12;
  for (uint32_t i = 0; at < file_bytes; i++) {
    uint32_t head[2]; /* length, kind */
    SINEW_CHECK(file_bytes - at >= sizeof head, error, SINEW_ERROR_VERIFY, "chunk %u is cut short", i);
    SINEW_TRY(document_read_bytes(file, head, sizeof head, at, error));
    at += sizeof head;
    SINEW_CHECK(head[0] <= file_bytes - at, error, SINEW_ERROR_VERIFY,
                "chunk %u has %u bytes, only %llu are left", i, head[0],
                (unsigned long long)(file_bytes - at));
    SINEW_CHECK(head[0] % 4 == 0, error, SINEW_ERROR_VERIFY, "chunk %u has %u bytes, no multiple of 4", i,
                head[0]);
    SINEW_CHECK((i == 0) == (head[1] == TYPE_JSON), error, SINEW_ERROR_VERIFY, "chunk %u is %s JSON", i,
                i ? "another" : "not");
    SINEW_CHECK((i == 1) || head[1] != TYPE_BIN, error, SINEW_ERROR_VERIFY,
                "the BIN chunk is number %u, expected 1", i);
    if (i == 0) *places = (chunk_places){at, head[0]};
    if (head[1] == TYPE_BIN) file->bin_offset = at, file->bin_byte_count = head[0];
    at += head[0];
  }
  SINEW_CHECK(places->json_byte_count, error, SINEW_ERROR_VERIFY, "there is no JSON");
  return SINEW_OK;
}

static sinew_result read_container(verify_file *file, chunk_places *places, sinew_error *error) {
  struct stat status;
  SINEW_CHECK(os->fstat(file->fd, &status) == 0, error, SINEW_ERROR_IO, "cannot be examined: %s",
              strerror(errno));
  uint32_t head[3]; /* magic, version, length */
  SINEW_TRY(document_read_bytes(file, head, sizeof head, 0, error));
  SINEW_CHECK(head[0] == MAGIC && head[1] == 2, error, SINEW_ERROR_VERIFY, "is no GLB of version 2");
  SINEW_CHECK(head[2] == (uint64_t)status.st_size, error, SINEW_ERROR_VERIFY,
              "the header says %u bytes, the file has %llu", head[2], (unsigned long long)status.st_size);
  return walk_chunks(file, head[2], places, error);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static sinew_result parse_json(const verify_file *file, chunk_places places, json_t **root,
                               sinew_error *error) {
  SINEW_CHECK(places.json_byte_count <= JSON_BYTE_LIMIT, error, SINEW_ERROR_VERIFY,
              "the JSON has %llu bytes, the limit is %d", (unsigned long long)places.json_byte_count,
              JSON_BYTE_LIMIT);
  size_t count = (size_t)places.json_byte_count;
  char *text = heap_alloc(count, 1);
  SINEW_CHECK(text, error, SINEW_ERROR_MEMORY, "out of memory for %zu bytes of JSON", count);
  sinew_result result = document_read_bytes(file, text, count, places.json_offset, error);
  if (result == SINEW_OK) {
    json_error_t reason;
    bool out_of_memory;
    *root = json_text_parse(text, count, &reason, &out_of_memory);
    if (!*root)
      result = out_of_memory ? error_set(error, SINEW_ERROR_MEMORY, "out of memory while parsing the JSON")
                             : error_set(error, SINEW_ERROR_VERIFY, "the JSON is broken at byte %d: %s",
                                         reason.position, reason.text);
  }
  heap_free(text);
  return result;
}

static sinew_result check_asset(const verify_file *file, const json_t *root, sinew_error *error) {
  SINEW_CHECK(json_is_object(root), error, SINEW_ERROR_VERIFY, "the JSON is no object");
  const char *version = json_string_value(json_object_get(json_object_get(root, "asset"), "version"));
  SINEW_CHECK(version && strcmp(version, "2.0") == 0, error, SINEW_ERROR_VERIFY, "asset.version is not 2.0");
  SINEW_CHECK(file->is_model || !json_object_get(root, "extensionsRequired"), error, SINEW_ERROR_VERIFY,
              "extensions are required, and none is known here");
  return SINEW_OK;
}

static sinew_result read_file(verify_file *file, sinew_error *error) {
  chunk_places places = {0};
  SINEW_TRY(read_container(file, &places, error));
  json_t *root = NULL;
  SINEW_TRY(parse_json(file, places, &root, error));
  sinew_result result = check_asset(file, root, error);
  if (result == SINEW_OK) result = document_read_nodes(file, root, error);
  if (result == SINEW_OK) result = document_read_animation(file, root, error);
  if (result == SINEW_OK && !file->is_model) result = document_read_skin(file, root, error);
  if (result == SINEW_OK && !file->is_model) result = document_read_human(file, root, error);
  json_decref(root);
  return result;
}

static sinew_result open_file(int fd, bool is_model, verify_file **file, sinew_error *error) {
  *file = NULL;
  verify_file *opened = heap_alloc(1, sizeof *opened);
  SINEW_CHECK(opened, error, SINEW_ERROR_MEMORY, "out of memory");
  opened->fd = fd;
  opened->is_model = is_model;
  opened->memory.byte_limit = MEMORY_LIMIT;
  sinew_result result = read_file(opened, error);
  if (result == SINEW_OK)
    *file = opened;
  else
    verify_close(opened);
  return result;
}

sinew_result verify_open(int fd, verify_file **file, sinew_error *error) {
  return open_file(fd, false, file, error);
}

sinew_result verify_open_model(int fd, verify_file **file, sinew_error *error) {
  return open_file(fd, true, file, error);
}

void verify_close(verify_file *file) {
  if (!file) return;
  arena_release(&file->memory);
  heap_free(file);
}

uint32_t verify_node_count(const verify_file *file) {
  return file->node_count;
}

const char *verify_node_name(const verify_file *file, uint32_t node) {
  return node < file->node_count ? file->nodes[node].name : NULL;
}

uint64_t verify_frame_count(const verify_file *file) {
  return file->clock.count;
}

sinew_result verify_frame_time(const verify_file *file, uint64_t frame, double *time_s, sinew_error *error) {
  float time;
  SINEW_CHECK(frame < file->clock.count, error, SINEW_ERROR_VERIFY,
              "the file has %llu frames, asked for %llu", (unsigned long long)file->clock.count,
              (unsigned long long)frame);
  SINEW_TRY(document_read_bytes(file, &time, sizeof time, file->clock.offset + frame * sizeof time, error));
  *time_s = (double)time;
  return SINEW_OK;
}
