/* A clip's settings as stored: the same fifteen in every report. */
#ifndef CLI_CLIP_SETTINGS_H
#define CLI_CLIP_SETTINGS_H

#include "json_line.h"
#include "sinew.h"

enum { CLIP_SETTINGS_BYTES = 1024 };

/* {"startTimeS":0.0,..,"mirror":false} */
json_t *clip_settings_json(const sinew_clip_settings *settings);
/* "start 0 s, .., mirror no"; returns text. */
const char *clip_settings_text(const sinew_clip_settings *settings, char text[CLIP_SETTINGS_BYTES]);
/* "start 0 s, .., cycle offset 0" */
const char *clip_settings_numbers(const sinew_clip_settings *settings, char text[CLIP_SETTINGS_BYTES]);
/* The flags that are set: "loop time, mirror", or "none". */
const char *clip_settings_flags(const sinew_clip_settings *settings, char text[CLIP_SETTINGS_BYTES]);

#endif
