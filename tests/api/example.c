/* Where the head is in each frame of a clip: head walk.anim hero.fbx.meta */
#include <sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sinew_result print_head(const sinew_player *player, const sinew_clip *clip, sinew_error *error) {
  size_t count = sinew_clip_frame_count(clip, 0), bones = sinew_player_bone_count(player), head = 0;
  while (strcmp(sinew_bone_name(sinew_player_bone(player, (uint32_t)head)), "Head") != 0) head++;
  size_t scratch_bytes = sinew_player_scratch_bytes(player);
  void *scratch = malloc(scratch_bytes);
  double *time_s = malloc(count * sizeof *time_s);
  float *joints = malloc(count * bones * 3 * sizeof *joints);
  if (!scratch || !time_s || !joints) abort();
  for (size_t f = 0; f < count; f++) time_s[f] = sinew_clip_frame_time(clip, 0, f);

  sinew_pose_buffers out = {.model_m = joints};
  sinew_result result = sinew_player_evaluate(player, scratch, scratch_bytes, time_s, count, &out, error);
  for (size_t f = 0; result == SINEW_OK && f < count; f++) {
    const float *at = joints + (f * bones + head) * 3;
    printf("%.6f s: %.6f %.6f %.6f m\n", time_s[f], at[0], at[1], at[2]);
  }
  free(joints), free(time_s), free(scratch);
  return result;
}

int main(int argc, char **argv) {
  sinew_error error;
  sinew_context *context = NULL;
  sinew_clip_file *file = NULL;
  sinew_rig *rig = NULL;
  sinew_player *player = NULL;
  if (argc != 3) return 2;
  sinew_result result = sinew_context_open(NULL, &context, &error);
  if (result == SINEW_OK) result = sinew_clip_file_open(argv[1], NULL, &file, &error);
  if (result == SINEW_OK) result = sinew_rig_open(argv[2], NULL, &rig, &error);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  if (result == SINEW_OK) result = sinew_player_open(context, clip, rig, NULL, &player, &error);
  if (result == SINEW_OK) result = print_head(player, clip, &error);
  char text[1024];
  if (result != SINEW_OK) fprintf(stderr, "%s\n", sinew_error_text(&error, text, sizeof text));
  sinew_player_close(player), sinew_rig_close(rig), sinew_clip_file_close(file), sinew_context_close(context);
  return result == SINEW_OK ? 0 : 1;
}
