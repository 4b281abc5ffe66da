#include "output/text_output.h"
#include "base/error.h"

sinew_result text_output_append(output *out, text_out *text, sinew_error *error) {
  SINEW_CHECK(!text->failed, error, SINEW_ERROR_MEMORY, "out of memory for text");
  SINEW_TRY(outfile_write(out->file, text->bytes, text->byte_count, out->end, error));
  out->end += text->byte_count;
  text_out_clear(text);
  return SINEW_OK;
}

void text_output_join(output *out, piece_worker *worker) {
  worker->text_offset = out->end;
  out->end += worker->text.byte_count;
}

sinew_result text_output_write(const output *out, const piece_worker *worker, sinew_error *error) {
  SINEW_TRY(
      outfile_write(out->file, worker->text.bytes, worker->text.byte_count, worker->text_offset, error));
  outfile_begin_flush(out->file);
  return SINEW_OK;
}

sinew_result text_output_check(const output *out, const piece_worker *worker, sinew_error *error) {
  return output_read_back(out, worker->text.bytes, worker->text.byte_count, worker->text_offset, error);
}
