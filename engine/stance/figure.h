/* A figure: a file's skeleton with its movement, the human bones found in it and its stance, in one handle
 * that several may hold. It does not change once opened. */
#ifndef SINEW_STANCE_FIGURE_H
#define SINEW_STANCE_FIGURE_H

#include "map/map.h"
#include "rig/rig.h"
#include "stance/stance.h"

#include <stdatomic.h>

typedef struct figure {
  atomic_uint holders;
  motion_file *file;
  human_map map;
  map_ranges ranges; /* what the given map says */
  stance stance;
} figure;

/* The share of its twist that a limb bone keeps where nobody says: no model's file does. */
extern const double figure_usual_twist;

/* Checks what a caller gave. NULL is none, and right. Errors: ARGUMENT. */
sinew_result figure_check_options(const sinew_figure_options *options, sinew_error *error);

/* Finds bones and stance of a file, which belongs to the figure then; after an error it stays the caller's.
 * Of the options `figure` counts, and what limits the reading of its map; NULL: all found. Errors: ARGUMENT,
 * IO, SYNTAX, UNSUPPORTED (of the map), RIG, MEMORY. */
sinew_result figure_open(motion_file *file, const sinew_read_options *options, figure **out,
                         sinew_error *error);
/* One more holder; each closes it once. */
figure *figure_hold(figure *f);
void figure_close(figure *f);

/* The rig of a figure, in Unity's frame: the file's nodes, all of them and in their order, with the T-pose
 * apart from their rest. Errors: RIG, MEMORY. */
sinew_result figure_rig(const figure *f, sinew_rig **rig, sinew_error *error);

#endif
