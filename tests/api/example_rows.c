/* Muscles in memory to a GLB: nod hero.fbx.meta nod.glb */
#include <math.h>
#include <sinew.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 120 };
static float muscles[FRAMES][SINEW_MUSCLE_COUNT]; /* a row a frame; may as well be a mapped file */

int main(int argc, char **argv) {
  uint32_t nod = 0;
  while (strcmp(sinew_muscle_name(nod), "Head Nod Down-Up") != 0) nod++;
  for (int f = 0; f < FRAMES; f++) muscles[f][nod] = 0.5f * sinf(0.2f * (float)f);

  sinew_row_clip rows = {0};
  rows.name = "nod";
  rows.rate_hz = 30;
  rows.frame_count = FRAMES;
  rows.values = muscles[0];
  rows.column_count = SINEW_MUSCLE_COUNT; /* others, in any order: rows.columns names them */

  sinew_error error;
  sinew_context *context = NULL;
  sinew_clip_file *file = NULL;
  sinew_rig *rig = NULL;
  if (argc != 3) return 2;
  sinew_result result = sinew_context_open(NULL, &context, &error);
  if (result == SINEW_OK) result = sinew_clip_from_rows(&rows, NULL, &file, &error);
  if (result == SINEW_OK) result = sinew_rig_open(argv[1], NULL, &rig, &error);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  if (result == SINEW_OK) result = sinew_bake(context, clip, rig, NULL, argv[2], NULL, &error);
  char text[1024];
  if (result != SINEW_OK) fprintf(stderr, "%s\n", sinew_error_text(&error, text, sizeof text));
  sinew_rig_close(rig), sinew_clip_file_close(file), sinew_context_close(context);
  return result == SINEW_OK ? 0 : 1;
}
