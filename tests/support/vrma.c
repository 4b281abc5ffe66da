#include "support/vrma.h"

#include "base/error.h"
#include "output/formats.h"
#include "output/glb_output.h"
#include "verify/verify.h"

static sinew_result write_pieces(output *out, sinew_error *error) {
  output_worker worker;
  SINEW_TRY(output_worker_open(&worker, error));
  sinew_result result = SINEW_OK;
  for (uint64_t piece = 0; piece < output_piece_count(out) && result == SINEW_OK; piece++) {
    result = out->format->compute(out, piece, &worker.piece, error);
    if (result != SINEW_OK) break;
    output_join(out, piece, &worker.piece);
    result = out->format->write(out, piece, &worker.piece, error);
  }
  output_worker_close(&worker);
  return result;
}

static sinew_result check(const output *out, sinew_error *error) {
  verify_file *back;
  SINEW_TRY(verify_open(out->file->fd, &back, error));
  const sinew_result result = verify_human(back, out->plan->rig->node_of_bone, error);
  verify_close(back);
  return result;
}

/* A GLB's output, laid out anew. */
static sinew_result write_all(output *out, const char *path, sinew_error *error) {
  glb_output *own = out->own;
  own->glb.human_node = out->plan->rig->node_of_bone;
  glb_layout_release(&own->layout);
  SINEW_TRY(glb_layout_build(&own->glb, &own->layout, error));
  SINEW_TRY(outfile_open(path, out->file, error));
  SINEW_TRY(out->format->start(out, error));
  SINEW_TRY(write_pieces(out, error));
  SINEW_TRY(check(out, error));
  return outfile_publish(out->file, error);
}

sinew_result vrma_write(const bake_plan *plan, const char *path, sinew_error *error) {
  const sinew_bake_options options = {0};
  output out;
  outfile file = {.fd = -1};
  sinew_result result = output_begin(&output_glb, &options, plan, &file, 1, &out, error);
  if (result == SINEW_OK) result = write_all(&out, path, error);
  if (file.fd >= 0) outfile_discard(&file);
  output_release(&out);
  return result;
}
