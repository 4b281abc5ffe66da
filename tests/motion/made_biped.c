#include "motion/made_biped.h"

#include "read/motion_reader.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Depth first, as a BVH has them. */
static const struct {
  int depth;
  const char *part;
  double x, y, z;
} joints[] = {{0, "", 0, 100, 0},           {1, "Pelvis", 0, 0, 1},
              {2, "Spine", 0, 10, -1},      {3, "Spine1", 0, 12, 0},
              {4, "Spine2", 0, 13, 0.5},    {5, "Neck", 0, 15, 1},
              {6, "Head", 0, 9, 2},         {6, "L Clavicle", 3, -2, 0},
              {7, "LUpArmTwist", 14, 0, 0}, {8, "LUpArmTwist1", 9, 0, 0},
              {7, "L UpperArm", 14, 0, 0},  {8, "L Forearm", 28, 0, 0},
              {9, "L Hand", 26, 0, 0},      {10, "L Finger0", 6, 0, 1},
              {6, "R Clavicle", -3, -2, 0}, {7, "RUpArmTwist", -14, 0, 0},
              {7, "R UpperArm", -14, 0, 0}, {8, "R Forearm", -28, 0, 0},
              {9, "R Hand", -26, 0, 0},     {10, "R Finger0", -6, 0, 1},
              {3, "L Thigh", 9, -11, 1},    {4, "L Calf", 0, -42, 0},
              {5, "L Foot", 0, -40, 0},     {6, "L Toe0", 0, -6, 12},
              {3, "R Thigh", -9, -11, 1},   {4, "R Calf", 0, -42, 0},
              {5, "R Foot", 0, -40, 0},     {6, "R Toe0", 0, -6, 12},
              {1, "Prop1", -60, 40, 10}};
enum { JOINTS = sizeof joints / sizeof *joints };

static void put_name(FILE *out, const char *prefix, const char *separator, const char *part) {
  fputs(prefix, out);
  if (*part) fputs(separator, out);
  for (const char *p = part; *p; p++)
    if (*p == ' ')
      fputs(separator, out);
    else
      fputc(*p, out);
}

static void put_joint(FILE *out, const char *prefix, const char *separator, int i) {
  const bool placed = i == 0 || strcmp(joints[i].part, "Prop1") == 0;
  fputs(i == 0 ? "ROOT " : "JOINT ", out);
  put_name(out, prefix, separator, joints[i].part);
  fprintf(out, "\n{\nOFFSET %g %g %g\nCHANNELS %d %sZrotation Xrotation Yrotation\n", joints[i].x,
          joints[i].y, joints[i].z, placed ? 6 : 3, placed ? "Xposition Yposition Zposition " : "");
  const int next = i + 1 < JOINTS ? joints[i + 1].depth : 0;
  if (next <= joints[i].depth) fputs("End Site\n{\nOFFSET 0 1 0\n}\n", out);
  for (int depth = joints[i].depth; depth >= next; depth--) fputs("}\n", out);
}

static void put_row(FILE *out, uint32_t frame) {
  for (int i = 0; i < JOINTS; i++) {
    const double t = 0.06 * frame + i;
    if (i == 0) fprintf(out, "%.4f %.4f %.4f ", 90 * sin(0.1 * t), 100 + 5 * cos(t), 2.0 * frame);
    if (i == JOINTS - 1) fprintf(out, "%.4f %.4f %.4f ", -60 + 3 * sin(t), 40.0, 10 - 2 * cos(t));
    fprintf(out, "%.4f %.4f %.4f ", 40 * sin(t), 30 * cos(1.3 * t), 25 * sin(0.7 * t + 1));
  }
  fputc('\n', out);
}

char *biped_text(const char *prefix, const char *separator, uint32_t frame_count) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  cr_assert(out);
  fputs("HIERARCHY\n", out);
  for (int i = 0; i < JOINTS; i++) put_joint(out, prefix, separator, i);
  fprintf(out, "MOTION\nFrames: %u\nFrame Time: 0.0333333\n", frame_count);
  for (uint32_t frame = 0; frame < frame_count; frame++) put_row(out, frame);
  fclose(out);
  return text;
}

motion_file *biped_open(const char *prefix, const char *separator, uint32_t frame_count) {
  char *text = biped_text(prefix, separator, frame_count);
  motion_file *file;
  sinew_error error = {0};
  cr_assert_eq(read_motion_memory(text, strlen(text), "biped.bvh", NULL, &file, &error), SINEW_OK, "%u: %s",
               error.line, error.message);
  free(text);
  return file;
}

uint32_t biped_node(const skeleton *s, const char *prefix, const char *part) {
  char name[100];
  snprintf(name, sizeof name, "%s%s%s", prefix, *part ? " " : "", part);
  for (uint32_t i = 0; i < s->node_count; i++)
    if (strcmp(s->nodes[i].name, name) == 0) return i;
  cr_assert(0, "no node %s", name);
  return 0;
}
