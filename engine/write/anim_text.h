/* A humanoid clip as the text of an AnimationClip asset: pure functions from numbers to bytes, in pieces that
 * are put one behind the other:
 *
 *   anim_text_head
 *   for every curve: anim_text_curve_begin, its keys in any number of pieces, anim_text_curve_end
 *   anim_text_tail
 *
 * Layout and forms (spec: unity-anim, A1 to A8): serializedVersion 6 with keys of version 3, as the editors
 * 2018.3 to 2022.1 write it, older than which nothing needs to read and which newer ones upgrade. Binding
 * constants and editor curves are left empty, as in real clips: the editor makes them of the curves, and the
 * constants' channel numbers are not the same in all editors.
 *
 * A key a frame. Frame k stands at float32(k * float32(1 / rate)), the editor's own arithmetic, or where that
 * is before k / rate at the next float32 that is not: a reader who looks for the frame at k / rate, and takes
 * a key that float32 cannot tell from it for it, finds the frame's value and no other. The last stands at the
 * clip's length.
 *
 * Slopes are the same on both sides of a key: that of the parabola through the key and its two neighbours,
 * over the frames' own distances (for equal ones the central difference); at the ends that of the straight
 * line to the only neighbour. The cubic between keys then follows the motion with an error of the third order
 * in the distance. */
#ifndef SINEW_WRITE_ANIM_TEXT_H
#define SINEW_WRITE_ANIM_TEXT_H

#include "sinew.h"
#include "write/text_out.h"

typedef struct anim_facts {
  const char *name;
  double rate_hz;
  double length_s;              /* time of the last frame; the first is at 0 */
  uint64_t frame_count;         /* at least 1 */
  sinew_clip_settings settings; /* but for start and stop time, which are 0 and the length */
} anim_facts;

/* What the functions below rely on. Errors: ARGUMENT: no frames, a rate outside 1e-6..1e6 Hz, a length
 * that is none or out of reach of the frames, a name that is no UTF-8, a setting that is not finite. LIMIT:
 * so long a clip that float32 cannot tell the times of its frames apart. */
sinew_result anim_facts_check(const anim_facts *facts, sinew_error *error);

/* The time of a frame as it is written. */
float anim_key_time(const anim_facts *facts, uint64_t frame);

/* What the keys of all curves share in a range of frames: their times' text, and the weights of slopes. */
typedef struct anim_frame {
  double before; /* slope = before (value - value before) + after (value after - value) */
  double after;
  uint8_t length;
  char time[23];
} anim_frame;
typedef struct anim_times {
  uint64_t first_frame;
  uint64_t frame_count;
  anim_frame *frames;
} anim_times;
/* 40 bytes a frame; false when out of memory. anim_times_release takes a zeroed struct too. */
bool anim_times_make(anim_times *times, const anim_facts *facts, uint64_t first_frame, uint64_t frame_count);
void anim_times_release(anim_times *times);

void anim_text_head(text_out *out, const anim_facts *facts);
void anim_text_curve_begin(text_out *out);
/* The keys of `count` frames from first_frame on, all within `times`: values[0 .. count), finite; values[-1]
 * is read where first_frame is not the clip's first, and values[count] where the last is not the clip's last.
 */
void anim_text_keys(text_out *out, const anim_times *times, uint64_t first_frame, uint64_t count,
                    const float *values, bool has_before, bool has_after);
/* Instead of anim_text_keys: a curve that keeps one value, as keys at the first and the last frame. */
void anim_text_still(text_out *out, const anim_facts *facts, float value);
/* attribute: such as clip_channel_name's. */
void anim_text_curve_end(text_out *out, const char *attribute);
void anim_text_tail(text_out *out, const anim_facts *facts);

#endif
