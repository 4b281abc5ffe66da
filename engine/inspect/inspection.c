/* A file opened as what its bytes say it is. */
#include "base/error.h"
#include "base/heap.h"
#include "base/os.h"
#include "read/reader.h"

struct sinew_inspection {
  sinew_file_kind kind;
  uint64_t byte_count;
  sinew_clip_file *clips;
  sinew_rig *rig;
  sinew_glb *glb;
  sinew_bvh *bvh;
};

static sinew_result open_kind(sinew_inspection *opened, const os_file *file, const char *path,
                              const sinew_rig_options *options, sinew_error *error) {
  const sinew_read_options *read = options ? &options->read : NULL;
  const char *what;
  opened->byte_count = file->byte_count;
  opened->kind = sinew_file_identify(file->bytes, file->byte_count, path, &what);
  switch (opened->kind) {
  case SINEW_FILE_CLIP:
    return sinew_clip_file_open_memory(file->bytes, file->byte_count, path, read, &opened->clips, error);
  case SINEW_FILE_RIG:
    return sinew_rig_open_memory(file->bytes, file->byte_count, path, options, &opened->rig, error);
  case SINEW_FILE_GLB:
    return sinew_glb_open_memory(file->bytes, file->byte_count, path, read, &opened->glb, error);
  case SINEW_FILE_BVH:
    return sinew_bvh_open_memory(file->bytes, file->byte_count, path, read, &opened->bvh, error);
  case SINEW_FILE_UNKNOWN:
    break;
  }
  error_set(error, SINEW_ERROR_UNSUPPORTED,
            "looks like %s; expected a clip (Unity text .anim, .npz), a rig (a model's .fbx.meta, a Unity "
            "Avatar, a "
            "rig file), a binary glTF (.glb) or a BVH",
            what);
  return error_in_file(error, SINEW_ERROR_UNSUPPORTED, path);
}

sinew_result sinew_inspect(const char *path, const sinew_rig_options *options, sinew_inspection **inspection,
                           sinew_error *error) {
  SINEW_CHECK(inspection, error, SINEW_ERROR_ARGUMENT, "inspection is NULL");
  *inspection = NULL;
  SINEW_CHECK(path, error, SINEW_ERROR_ARGUMENT, "path is NULL");
  const sinew_read_options complete = read_limits_complete(options ? &options->read : NULL);
  SINEW_TRY(heap_check_allocator(complete.allocator, error));
  HEAP_SCOPE(complete.allocator);
  sinew_inspection *opened = heap_alloc(1, sizeof *opened);
  SINEW_CHECK(opened, error, SINEW_ERROR_MEMORY, "out of memory");
  os_file file;
  sinew_result result = os_file_open(path, complete.file_bytes, &file, error);
  if (result == SINEW_OK) {
    result = open_kind(opened, &file, path, options, error);
    os_file_close(&file);
  }
  if (result == SINEW_OK)
    *inspection = opened;
  else
    sinew_inspection_close(opened);
  return result;
}

void sinew_inspection_close(sinew_inspection *inspection) {
  if (!inspection) return;
  sinew_clip_file_close(inspection->clips);
  sinew_rig_close(inspection->rig);
  sinew_glb_close(inspection->glb);
  sinew_bvh_close(inspection->bvh);
  heap_free(inspection);
}

sinew_file_kind sinew_inspection_kind(const sinew_inspection *inspection) {
  return inspection ? inspection->kind : SINEW_FILE_UNKNOWN;
}
uint64_t sinew_inspection_byte_count(const sinew_inspection *inspection) {
  return inspection ? inspection->byte_count : 0;
}
const sinew_clip_file *sinew_inspection_clips(const sinew_inspection *inspection) {
  return inspection ? inspection->clips : NULL;
}
const sinew_rig *sinew_inspection_rig(const sinew_inspection *inspection) {
  return inspection ? inspection->rig : NULL;
}
const sinew_glb *sinew_inspection_glb(const sinew_inspection *inspection) {
  return inspection ? inspection->glb : NULL;
}
const sinew_bvh *sinew_inspection_bvh(const sinew_inspection *inspection) {
  return inspection ? inspection->bvh : NULL;
}
