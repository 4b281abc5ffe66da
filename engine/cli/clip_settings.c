#include "clip_settings.h"

#include "console.h"

#include <stdio.h>
#include <string.h>

typedef struct setting {
  const char *json_name;
  const char *text;
  const char *unit; /* NULL: a flag */
  double number;
  bool flag;
} setting;

enum { SETTING_COUNT = 15 };

static void settings_list(const sinew_clip_settings *s, setting out[SETTING_COUNT]) {
  const setting all[SETTING_COUNT] = {
      {"startTimeS", "start", " s", s->start_time_s, false},
      {"stopTimeS", "stop", " s", s->stop_time_s, false},
      {"orientationOffsetYDeg", "orientation offset", " deg", s->orientation_offset_y_deg, false},
      {"level", "level", "", s->level, false},
      {"cycleOffset", "cycle offset", "", s->cycle_offset, false},
      {"loopTime", "loop time", NULL, 0, s->loop_time},
      {"loopBlend", "loop blend", NULL, 0, s->loop_blend},
      {"loopBlendOrientation", "loop blend orientation", NULL, 0, s->loop_blend_orientation},
      {"loopBlendPositionY", "loop blend position y", NULL, 0, s->loop_blend_position_y},
      {"loopBlendPositionXZ", "loop blend position xz", NULL, 0, s->loop_blend_position_xz},
      {"keepOriginalOrientation", "keep original orientation", NULL, 0, s->keep_original_orientation},
      {"keepOriginalPositionY", "keep original position y", NULL, 0, s->keep_original_position_y},
      {"keepOriginalPositionXZ", "keep original position xz", NULL, 0, s->keep_original_position_xz},
      {"heightFromFeet", "height from feet", NULL, 0, s->height_from_feet},
      {"mirror", "mirror", NULL, 0, s->mirror},
  };
  memcpy(out, all, sizeof all);
}

json_t *clip_settings_json(const sinew_clip_settings *s) {
  setting settings[SETTING_COUNT];
  settings_list(s, settings);
  json_t *stored = or_die(json_object());
  for (int i = 0; i < SETTING_COUNT; i++)
    json_put(stored, settings[i].json_name,
             settings[i].unit ? json_of_number(settings[i].number) : json_boolean(settings[i].flag));
  return stored;
}

const char *clip_settings_text(const sinew_clip_settings *s, char text[CLIP_SETTINGS_BYTES]) {
  setting settings[SETTING_COUNT];
  settings_list(s, settings);
  size_t length = 0;
  for (int i = 0; i < SETTING_COUNT; i++) {
    const char *comma = i ? ", " : "";
    if (settings[i].unit)
      length += (size_t)snprintf(text + length, CLIP_SETTINGS_BYTES - length, "%s%s %g%s", comma,
                                 settings[i].text, settings[i].number, settings[i].unit);
    else
      length += (size_t)snprintf(text + length, CLIP_SETTINGS_BYTES - length, "%s%s %s", comma,
                                 settings[i].text, settings[i].flag ? "yes" : "no");
  }
  return text;
}

const char *clip_settings_numbers(const sinew_clip_settings *s, char text[CLIP_SETTINGS_BYTES]) {
  setting settings[SETTING_COUNT];
  settings_list(s, settings);
  size_t length = 0;
  for (int i = 0; i < SETTING_COUNT; i++)
    if (settings[i].unit)
      length += (size_t)snprintf(text + length, CLIP_SETTINGS_BYTES - length, "%s%s %g%s", length ? ", " : "",
                                 settings[i].text, settings[i].number, settings[i].unit);
  return text;
}

const char *clip_settings_flags(const sinew_clip_settings *s, char text[CLIP_SETTINGS_BYTES]) {
  setting settings[SETTING_COUNT];
  settings_list(s, settings);
  size_t length = 0;
  for (int i = 0; i < SETTING_COUNT; i++)
    if (!settings[i].unit && settings[i].flag)
      length += (size_t)snprintf(text + length, CLIP_SETTINGS_BYTES - length, "%s%s", length ? ", " : "",
                                 settings[i].text);
  if (length == 0) strcpy(text, "none");
  return text;
}
