/* A clip as read: curves of keys. Keys stand in planes, one per field, the curves end to end. A clip of rows
 * has its curves, without planes of keys: their values are the rows'. */
#ifndef SINEW_CLIP_CLIP_H
#define SINEW_CLIP_CLIP_H

#include "base/arena.h"
#include "clip/rows.h"
#include "sinew.h"

/* Channels are the binding attributes of an Animator (spec: tables/anim_attributes): 0..6 motion, 7..13 root,
 * 14..41 goals, 42..136 muscles, 137..199 translation degrees of freedom. */
enum {
  CLIP_CHANNEL_MOTION = 0,
  CLIP_CHANNEL_ROOT = 7,
  CLIP_CHANNEL_GOAL = 14,
  CLIP_CHANNEL_MUSCLE = 42,
  CLIP_CHANNEL_TDOF = 137,
  CLIP_CHANNEL_COUNT = 200,
  CLIP_CHANNEL_FOREIGN = -1
};

typedef struct clip_curve {
  const char *attribute;
  int16_t channel;     /* 0..199, or CLIP_CHANNEL_FOREIGN */
  uint8_t before_code; /* m_PreInfinity as stored: 0 ping-pong, 1 repeat, 2 clamp */
  uint8_t after_code;
  bool constant; /* every value is the same and no tangent leaves it; not known here of rows */
  uint64_t first_key;
  uint64_t key_count; /* at least 1 */
} clip_curve;

enum { CLIP_WEIGHT_IN = 1, CLIP_WEIGHT_OUT = 2 };

struct figure;
struct glb_model;
struct human_map;
struct motion;
struct motion_file;
struct skeleton;
struct stance;

/* What the clips of bones in a file share. */
typedef struct clip_body {
  const struct skeleton *skeleton;
  const struct figure *figure; /* NULL: the skeleton is no human body's; so are: */
  const struct human_map *map; /* NULL, and stance too: the skeleton is no human body's */
  const struct stance *stance;
  sinew_error why;               /* no body was found */
  const struct glb_model *model; /* the file itself, where its body can be kept; NULL: none */
  double unit_m;                 /* metres per unit of the file */
  bool unit_known;               /* stated, given or measured; else it is 1, for want of anything to measure */
  const char *const *warnings;
  uint32_t warning_count;
} clip_body;

struct sinew_clip {
  const clip_body
      *body; /* NULL: a clip of muscles; else one of bones: `motion`, without curves, rows and keys */
  const struct motion *motion; /* NULL: the skeleton stands at rest */
  const char *name;
  double rate_hz; /* > 0 */
  double start_s; /* <= stop_s, both finite */
  double stop_s;
  sinew_clip_settings settings;
  clip_curve *curves;
  uint32_t curve_count;
  clip_rows *rows; /* NULL: the keys follow; else there are none, and each curve's key_count is the rows' */
  /* key planes; times strictly ascending within a curve, values and weights finite, slopes finite or infinite
   */
  uint64_t key_count;
  float *time_s;
  float *value;
  float *in_slope;
  float *out_slope;
  float *in_weight; /* 0..1; meaningful where weighted_mode says so */
  float *out_weight;
  uint8_t *weighted_mode;                       /* CLIP_WEIGHT_* bits */
  int32_t curve_of_channel[CLIP_CHANNEL_COUNT]; /* -1: absent */
  const char *const *warnings;                  /* of a clip of muscles; one of bones has its body's */
  uint32_t warning_count;
};

struct sinew_clip_file {
  arena memory;
  struct motion_file *bones; /* of clips of bones; the figure's where there is one */
  struct figure *figure;     /* NULL: no human body */
  struct glb_model *model;   /* of a GLB whose body can be kept */
  clip_body body;
  sinew_clip *clips;
  uint32_t clip_count;
};

/* The channel of an attribute name as Unity writes it ("LeftHand.Index.1 Stretched", "RootT.x"), or
 * CLIP_CHANNEL_FOREIGN. */
int clip_channel_find(const char *name, size_t length);
/* The name of a channel, 0..199. */
const char *clip_channel_name(int channel);
sinew_curve_kind clip_channel_kind(int channel);
/* The plane a humanoid channel is sampled into, -1 where it has none (motion, TDoF). */
int clip_plane_of_channel(int channel);

/* Sets each curve's `constant`, the channel index and start/stop sanity once a reader has filled the rest. */
void clip_finish(sinew_clip *clip);

/* The time of frame `index` of `frame_count` at rate_hz: start + index / rate, the last at the stop time. */
double clip_frame_time(const sinew_clip *clip, double rate_hz, uint64_t index, uint64_t frame_count);

#endif
