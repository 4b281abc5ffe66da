/* What is told about one converted clip: lines for a person, an object for a program. */
#ifndef CLI_CLIP_REPORT_H
#define CLI_CLIP_REPORT_H

#include "sinew.h"

typedef struct clip_report {
  const char *input;
  const char *output;
  const sinew_context *context;
  const sinew_clip *clip;
  const sinew_bake_report *bake;
  bool tells_limits; /* which muscles leave their range */
} clip_report;

/* Two lines on stdout, and one for each thing that there is to tell. */
void clip_report_say(const clip_report *report);
/* One object on stdout; `sinew help convert` states its members. */
void clip_report_json(const clip_report *report);
/* Notes on stderr: what is odd about the file's body, curves that moved nothing; with verbose also counts and
 * settings. first: no clip of this file was told of before. */
void clip_report_notes(const char *input, const sinew_clip *clip, bool first, bool verbose);

#endif
