/* A clip to a file of a format and back: how far what is read is from what was computed. */
#ifndef TESTS_FORMATS_TRIP_H
#define TESTS_FORMATS_TRIP_H

#include "posed.h"

/* What is compared, each with a limit of its own. */
typedef enum trip_measure {
  TRIP_BITS,       /* values of other bits: of muscles, root and goals; of local rotations and places */
  TRIP_TURN_DEG,   /* a joint's rotation in the model */
  TRIP_PLACE,      /* where a joint stands, over the skeleton's height */
  TRIP_HUMAN_DEG,  /* a human bone's turn away from its T-pose */
  TRIP_HIPS_PLACE, /* over the height */
  TRIP_THREE_DEG,  /* a joint's own rotation, of which three components were kept */
  TRIP_MEASURES
} trip_measure;
extern const char *const trip_measure_name[TRIP_MEASURES];

typedef struct trip {
  const sinew_context *context;
  const sinew_clip *clip;
  const sinew_rig *rig; /* NULL: the clip's own skeleton */
  const char *folder;
  uint64_t most_frames;       /* longer clips go at a rate that gives so many; 0: any */
  sinew_bake_options options; /* rate_hz is set by trip_go */
} trip;

typedef struct trip_result {
  sinew_result result; /* of the bake, or of the reading */
  sinew_error error;
  uint64_t frames;
  bool compared[TRIP_MEASURES];
  double worst[TRIP_MEASURES];   /* INFINITY: shapes do not fit, see error */
  uint64_t frame[TRIP_MEASURES]; /* of the worst */
  char name[TRIP_MEASURES][64];  /* its node or bone */
} trip_result;

trip_result trip_go(const trip *t);

#endif
