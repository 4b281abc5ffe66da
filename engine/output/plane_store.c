#include "output/plane_store.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/os.h"

#include <errno.h>
#include <string.h>

uint64_t plane_store_memory_bytes = UINT64_C(1) << 20;

sinew_result plane_store_open(const char *path, uint32_t column_count, uint64_t frame_count,
                              plane_store *store, sinew_error *error) {
  *store = (plane_store){.column_count = column_count, .frame_count = frame_count, .spool = {.fd = -1}};
  /* counts of channels and of frames have limits far below */
  const uint64_t byte_count = column_count * frame_count * sizeof *store->values;
  if (byte_count > plane_store_memory_bytes) return outfile_open_nameless(path, &store->spool, error);
  store->values = heap_alloc_unset(byte_count ? byte_count : 1);
  SINEW_CHECK(store->values, error, SINEW_ERROR_MEMORY, "out of memory for %u columns of a clip",
              column_count);
  return SINEW_OK;
}

void plane_store_close(plane_store *store) {
  heap_free(store->values);
  outfile_discard(&store->spool);
  store->values = NULL;
}

sinew_result plane_store_write(plane_store *store, uint32_t column, uint64_t first, const float *values,
                               uint64_t count, sinew_error *error) {
  const uint64_t at = column * store->frame_count + first;
  if (!store->values)
    return outfile_write(&store->spool, values, count * sizeof *values, at * sizeof *values, error);
  memcpy(store->values + at, values, count * sizeof *values);
  return SINEW_OK;
}

sinew_result plane_store_read(const plane_store *store, uint32_t column, uint64_t first, float *values,
                              uint64_t count, sinew_error *error) {
  const uint64_t at = column * store->frame_count + first;
  if (store->values) {
    memcpy(values, store->values + at, count * sizeof *values);
    return SINEW_OK;
  }
  if (os_read_all(store->spool.fd, values, count * sizeof *values, at * sizeof *values)) return SINEW_OK;
  error_set(error, SINEW_ERROR_IO, "cannot read back what was put aside: %s",
            errno ? strerror(errno) : "it is cut short");
  return error_in_file(error, SINEW_ERROR_IO, store->spool.path);
}
