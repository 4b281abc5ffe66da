/* A file on its way, as its format has it: begun, its pieces computed, joined and written, checked, finished.
 * Who calls what when is the queue's matter (job/queue.h). One file and one line in the registry a format. */
#ifndef SINEW_OUTPUT_OUTPUT_H
#define SINEW_OUTPUT_OUTPUT_H

#include "stage/bake_checker.h"
#include "stage/piece.h"
#include "write/outfile.h"

typedef struct output output;

/* What one worker owns, for files of any format. */
typedef struct output_worker {
  piece_worker piece;
  check_worker check;
} output_worker;

/* A zeroed worker is closed. Errors: MEMORY. */
sinew_result output_worker_open(output_worker *worker, sinew_error *error);
void output_worker_close(output_worker *worker);

typedef struct output_format {
  const char *name; /* also the suffix */
  bool wants_pose;
  bool wants_planes;     /* muscles, root and goals */
  bool wants_normalised; /* a rig of human bones alone, none of them turned in T-pose (rig/normalised.h) */
  bool may_have_tdof;    /* beside those, a clip's translations below the hips */
  bool planes_if_any;    /* these as well, where the clip or its body has them */
  /* Lays the file out, before it is opened. Sets owed_bytes where it is known by then. Errors: LIMIT,
   * UNSUPPORTED, ARGUMENT, MEMORY. */
  sinew_result (*begin)(output *out, sinew_error *error);
  /* Writes what is known before the first frame. Errors: IO, MEMORY. */
  sinew_result (*start)(output *out, sinew_error *error);
  /* Pieces behind those of the clip, begun when all of them are written; NULL: none. */
  uint64_t (*late_piece_count)(const output *out);
  /* The steps of a piece, by one worker; compute and write of different pieces side by side, write by one
   * worker at a time; join, unless NULL, one after the other in the pieces' order, after the signs of a
   * clip's piece are joined. Errors: POSE, IO, MEMORY. */
  sinew_result (*compute)(output *out, uint64_t piece, piece_worker *worker, sinew_error *error);
  void (*join)(output *out, uint64_t piece, piece_worker *worker);
  sinew_result (*write)(output *out, uint64_t piece, piece_worker *worker, sinew_error *error);
  /* After the first piece is written and before any is checked; NULL: nothing is to do. Errors: VERIFY, IO,
   * MEMORY. */
  sinew_result (*begin_check)(output *out, sinew_error *error);
  /* A piece that was written, read back: what is worse than what `found` holds is put into it. The worker is
   * the one that wrote it and holds it still. Errors: VERIFY, IO, MEMORY, POSE. */
  sinew_result (*check)(output *out, uint64_t piece, output_worker *worker, check_findings *found,
                        sinew_error *error);
  /* What stands behind the last piece; NULL: nothing. Sets owed_bytes where begin could not. Errors: IO,
   * MEMORY. */
  sinew_result (*finish)(output *out, sinew_error *error);
  /* Whether what was found will do, told in the report; NULL: whatever was read back was right. Errors:
   * VERIFY. */
  sinew_result (*judge)(output *out, const check_findings *found, sinew_bake_report *report,
                        sinew_error *error);
  void (*release)(output *out); /* NULL: nothing is held */
} output_format;

struct output {
  const output_format *format;
  const sinew_bake_options *options;
  const bake_plan *plan;
  outfile *file;
  piece_source source;
  arena memory;        /* released with the output */
  uint64_t owed_bytes; /* what all writes must add up to */
  uint64_t end;        /* of a file whose pieces stand one behind the other: where the next one goes */
  void *own;           /* the format's */
};

/* NULL: there is none. */
const output_format *output_format_find(sinew_format format);

/* file is opened before `start`. number: not 0, another for each output that shares workers. Errors: those of
 * begin; the output is to be released all the same. */
sinew_result output_begin(const output_format *format, const sinew_bake_options *options,
                          const bake_plan *plan, outfile *file, uint64_t number, output *out,
                          sinew_error *error);
uint64_t output_piece_count(const output *out);
/* Of output_piece_count, those that need nothing but the clip. */
uint64_t output_clip_piece_count(const output *out);
/* Late pieces hold none. */
uint64_t output_piece_frames(const output *out, uint64_t piece);
void output_join(output *out, uint64_t piece, piece_worker *worker);
void output_release(output *out);

/* Errors: VERIFY where the file holds other bytes at that place. For formats whose pieces lie in `packed`. */
sinew_result output_read_back(const output *out, const void *bytes, size_t byte_count, uint64_t offset,
                              sinew_error *error);

#endif
