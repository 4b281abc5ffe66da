#include "base/number.h"
#include "write/bvh_plan.h"

#include <math.h>
#include <string.h>

enum { DEGREE_DECIMALS = 6, MOST_INDENT = 32 };

/* ---- HIERARCHY ---------------------------------------------------------------------------------------- */

static void indent(text_out *out, uint32_t depth) {
  for (uint32_t i = 0; i < depth && i < MOST_INDENT; i++) text_out_text(out, "\t");
}

static void write_offset(const bvh_plan *plan, const double offset[3], uint32_t depth, text_out *out) {
  indent(out, depth);
  text_out_text(out, "OFFSET");
  for (int k = 0; k < 3; k++) {
    char text[NUMBER_PRINT_BYTES];
    text_out_text(out, " ");
    text_out_bytes(out, text, number_print_fixed(text, offset[k], plan->decimals));
  }
  text_out_text(out, "\n");
}

static void open_block(text_out *out, uint32_t depth) {
  indent(out, depth);
  text_out_text(out, "{\n");
}
static void close_block(text_out *out, uint32_t depth) {
  indent(out, depth);
  text_out_text(out, "}\n");
}

static void write_channels(const bvh_plan *plan, const bvh_joint *joint, text_out *out) {
  static const char *const rotation[3] = {" Xrotation", " Yrotation", " Zrotation"};
  indent(out, joint->depth + 1);
  text_out_text(out, joint->has_position ? "CHANNELS 6 Xposition Yposition Zposition" : "CHANNELS 3");
  for (int t = 0; t < 3; t++) text_out_text(out, rotation[plan->order[t]]);
  text_out_text(out, "\n");
}

static void write_joint(const bvh_plan *plan, const bvh_joint *joint, text_out *out) {
  indent(out, joint->depth);
  text_out_text(out, joint->parent < 0 ? "ROOT " : "JOINT ");
  text_out_text(out, joint->name);
  text_out_text(out, "\n");
  open_block(out, joint->depth);
  write_offset(plan, joint->offset, joint->depth + 1, out);
  write_channels(plan, joint, out);
  if (!joint->has_end) return;
  indent(out, joint->depth + 1);
  text_out_text(out, "End Site\n");
  open_block(out, joint->depth + 1);
  write_offset(plan, joint->end, joint->depth + 2, out);
  close_block(out, joint->depth + 1);
}

/* From 2 on whole seconds are taken for frames per second: a step further they are not. */
static double frame_time(double rate_hz) {
  const double time_s = 1 / rate_hz;
  return time_s >= 2 && time_s == floor(time_s) ? nextafter(time_s, HUGE_VAL) : time_s;
}

void bvh_head(const bvh_plan *plan, text_out *out) {
  text_out_text(out, "HIERARCHY\n");
  for (uint32_t i = 0; i < plan->joint_count; i++) {
    write_joint(plan, &plan->joints[i], out);
    const uint32_t next = i + 1 < plan->joint_count ? plan->joints[i + 1].depth : 0;
    for (uint32_t depth = plan->joints[i].depth + 1; depth-- > next;) close_block(out, depth);
  }
  text_out_text(out, "MOTION\nFrames: ");
  text_out_uint(out, plan->frame_count);
  text_out_text(out, "\nFrame Time: ");
  text_out_double(out, frame_time(plan->rate_hz));
  text_out_text(out, "\n");
}

/* ---- rows --------------------------------------------------------------------------------------------- */

void bvh_planes_begin(const bvh_plan *plan, float *planes) {
  for (uint32_t c = 0; c < plan->channel_count; c++)
    for (int f = 0; f < SINEW_BLOCK; f++) planes[(size_t)c * SINEW_BLOCK + f] = plan->fixed[c];
}

static void move(const bvh_place *place, const float *from, float *to) {
  for (int row = 0; row < 3; row++)
    for (int f = 0; f < SINEW_BLOCK; f++)
      to[row * SINEW_BLOCK + f] =
          (float)(place->m[row][0] * (double)from[f] + place->m[row][1] * (double)from[SINEW_BLOCK + f] +
                  place->m[row][2] * (double)from[2 * SINEW_BLOCK + f]);
}

void bvh_planes(const bvh_plan *plan, const sinew_kernels *kernels, const float *local, const float *places,
                float *planes) {
  kernels->angles(plan->angles, plan->angle_count, local, planes);
  for (uint32_t i = 0; i < plan->place_count; i++) {
    const bvh_place *place = &plan->places[i];
    move(place, places + (size_t)place->place * 3 * SINEW_BLOCK,
         planes + (size_t)place->channel * SINEW_BLOCK);
  }
}

size_t bvh_line_bytes(const bvh_plan *plan) {
  return (size_t)plan->channel_count * (NUMBER_PRINT_BYTES + 1) + 1;
}

/* ---- numbers: as number_print_fixed has them, of floats alone and in half of its time ---------------------
 */

/* Below it a float's 24 bits times 10^8, whose odd part has 19, are exact in a double, and fit 64 bits. */
static const double exact_limit = 0x1p36;

static char *print_pairs(char *at, uint64_t value, int pairs) {
  static const char digits[] =
      "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243"
      "4445464748495051525354555657585960616263646566676869707172737475767778798081828384858687"
      "888990919293949596979899";
  for (int i = pairs; i-- > 0; value /= 100) memcpy(at + 2 * i, digits + 2 * (value % 100), 2);
  return at + 2 * pairs;
}

static char *print_whole(char *at, uint64_t value) {
  char text[20], *first = text + sizeof text;
  do *--first = (char)('0' + value % 10);
  while (value /= 10);
  const size_t length = (size_t)(text + sizeof text - first);
  memcpy(at, first, length);
  return at + length;
}

/* half: half of the decimals. Ties go to the even decimal. */
static inline char *print_one(char *at, float number, double scale, uint64_t unit, int half) {
  const double value = (double)number;
  if (!(fabs(value) < exact_limit)) return at + number_print_fixed(at, value, 2 * half);
  const int64_t scaled = lrint(value * scale);
  const uint64_t size = (uint64_t)(scaled < 0 ? -scaled : scaled);
  if (scaled < 0) *at++ = '-';
  at = print_whole(at, size / unit);
  *at++ = '.';
  return print_pairs(at, size % unit, half);
}

static char *print(char *at, const float *plane, int decimals, uint32_t count) {
  for (uint32_t c = 0; c < count; c++) {
    const float value = plane[(size_t)c * SINEW_BLOCK];
    at = decimals == 6 ? print_one(at, value, 1e6, 1000000, 3) : print_one(at, value, 1e8, 100000000, 4);
    *at++ = ' ';
  }
  return at;
}

void bvh_lines(const bvh_plan *plan, const float *planes, uint32_t frames, text_out *out) {
  for (uint32_t f = 0; f < frames; f++) {
    char *at = text_out_room(out, bvh_line_bytes(plan));
    if (!at) return;
    for (uint32_t i = 0; i < plan->joint_count; i++) {
      const bvh_joint *joint = &plan->joints[i];
      const float *plane = planes + (size_t)joint->channel * SINEW_BLOCK + f;
      if (joint->has_position) {
        at = print(at, plane, plan->decimals, 3);
        plane += 3 * SINEW_BLOCK;
      }
      at = print(at, plane, DEGREE_DECIMALS, 3);
    }
    at[-1] = '\n';
    text_out_end(out, at);
  }
}
