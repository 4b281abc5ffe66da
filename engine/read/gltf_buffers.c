/* Buffers and views, opened when something is read of them. */
#include "base/error.h"
#include "read/gltf_document.h"

#include <string.h>

static sinew_result open_outside(gltf_document *d, const doc_place *place, const char *uri,
                                 doc_buffer *buffer) {
  const uint64_t limit = d->source->limits.file_bytes;
  if (doc_uri_is_data(uri)) return doc_uri_data(d, place, uri, &buffer->bytes, &buffer->byte_count);
  const uint64_t left = d->buffer_bytes < limit ? limit - d->buffer_bytes : 0;
  SINEW_TRY(doc_uri_file(d, place, uri, left, &buffer->file));
  buffer->bytes = (const unsigned char *)buffer->file.bytes;
  buffer->byte_count = buffer->file.byte_count;
  return SINEW_OK;
}

static sinew_result open_bin(gltf_document *d, const doc_place *place, uint32_t index, uint64_t stated,
                             doc_buffer *buffer) {
  if (index != 0 || !d->bin)
    return doc_fail(d, SINEW_ERROR_SYNTAX, place, "has neither a uri nor the BIN chunk of a GLB");
  buffer->bytes = d->bin;
  buffer->byte_count = d->bin_bytes;
  if (d->bin_bytes >= stated && d->bin_bytes - stated >= 4)
    DOC_WARN(d, "the BIN chunk has %llu bytes, buffers[0] only %llu", (unsigned long long)d->bin_bytes,
             (unsigned long long)stated);
  return SINEW_OK;
}

static sinew_result open_buffer(gltf_document *d, uint32_t index, const doc_buffer **opened) {
  doc_buffer *buffer = &d->buffers[index];
  *opened = buffer;
  if (buffer->opened) return SINEW_OK;
  const doc_place list = doc_at_key(&d->root, "buffers"), place = doc_at_index(&list, index);
  const doc_place length = doc_at_key(&place, "byteLength"), uri_place = doc_at_key(&place, "uri");
  uint64_t stated;
  const char *uri;
  SINEW_TRY(doc_object(d, &place));
  SINEW_TRY(doc_size(d, &place, "byteLength", 0, &stated));
  if (!length.json) return doc_fail(d, SINEW_ERROR_SYNTAX, &length, "is missing");
  SINEW_TRY(doc_string(d, &place, "uri", &uri));
  SINEW_TRY(uri ? open_outside(d, &uri_place, uri, buffer) : open_bin(d, &place, index, stated, buffer));
  if (stated > buffer->byte_count)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &length, "is %llu, but there are %llu bytes",
                    (unsigned long long)stated, (unsigned long long)buffer->byte_count);
  buffer->byte_count = stated;
  d->buffer_bytes += stated;
  buffer->opened = true;
  return SINEW_OK;
}

/* Compressed views hold none of the bytes that are asked for. */
static sinew_result check_plain(const gltf_document *d, const doc_place *view) {
  static const char *const compressions[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  const doc_place extensions = doc_at_key(view, "extensions");
  for (size_t i = 0; i < sizeof compressions / sizeof *compressions; i++)
    if (json_object_get(extensions.json, compressions[i]))
      return doc_fail(d, SINEW_ERROR_UNSUPPORTED, view, "is compressed (%s), expected plain data",
                      compressions[i]);
  return SINEW_OK;
}

sinew_result doc_view_open(gltf_document *d, uint32_t index, const doc_place *user, doc_view *view) {
  const doc_place list = doc_at_key(&d->root, "bufferViews"), place = doc_at_index(&list, index);
  int32_t buffer_index;
  uint64_t offset, length, stride;
  const doc_buffer *buffer;
  SINEW_TRY(doc_object(d, &place));
  SINEW_TRY(check_plain(d, &place));
  SINEW_TRY(doc_index(d, &place, "buffer", d->buffer_count, "buffers", &buffer_index));
  SINEW_TRY(doc_size(d, &place, "byteOffset", 0, &offset));
  SINEW_TRY(doc_size(d, &place, "byteLength", 0, &length));
  SINEW_TRY(doc_size(d, &place, "byteStride", 0, &stride));
  if (buffer_index < 0)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "has no buffer, but %s reads of it", user->path);
  if (doc_at_key(&place, "byteStride").json && (stride < 4 || stride > 252 || stride % 4 != 0))
    return doc_fail(d, SINEW_ERROR_SYNTAX, &place,
                    "byteStride is %llu, expected a multiple of 4 from 4 to 252", (unsigned long long)stride);
  SINEW_TRY(open_buffer(d, (uint32_t)buffer_index, &buffer));
  if (length == 0 || offset > buffer->byte_count || length > buffer->byte_count - offset)
    return doc_fail(d, SINEW_ERROR_SYNTAX, &place, "%llu bytes from %llu on: buffers[%d] has %llu",
                    (unsigned long long)length, (unsigned long long)offset, buffer_index,
                    (unsigned long long)buffer->byte_count);
  *view = (doc_view){buffer->bytes + offset, length, (uint32_t)stride};
  return SINEW_OK;
}
