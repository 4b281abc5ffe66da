/* Where the head is in each frame of a clip: example walk.anim hero.fbx.meta */
#include <sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const sinew_error *error) {
  char text[1024];
  fprintf(stderr, "%s\n", sinew_error_text(error, text, sizeof text));
  return 1;
}

int main(int argc, char **argv) {
  sinew_error error;
  sinew_context *context;
  sinew_clip_file *file;
  sinew_rig *rig;
  sinew_player *player;
  if (argc != 3) return 2;
  if (sinew_context_open(NULL, &context, &error) != SINEW_OK) return fail(&error);
  if (sinew_clip_file_open(argv[1], NULL, &file, &error) != SINEW_OK) return fail(&error);
  if (sinew_rig_open(argv[2], NULL, &rig, &error) != SINEW_OK) return fail(&error);
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  if (sinew_player_open(context, clip, rig, NULL, &player, &error) != SINEW_OK) return fail(&error);

  size_t count = sinew_clip_frame_count(clip, 0), bones = sinew_player_bone_count(player), head = 0;
  while (strcmp(sinew_bone_name(sinew_player_bone(player, head)), "Head") != 0) head++;
  size_t scratch_bytes = sinew_player_scratch_bytes(player);
  void *scratch = malloc(scratch_bytes);
  double *time_s = malloc(count * sizeof *time_s);
  float *joints = malloc(count * bones * 3 * sizeof *joints);
  if (!scratch || !time_s || !joints) return 1;
  for (size_t f = 0; f < count; f++) time_s[f] = sinew_clip_frame_time(clip, 0, f);
  sinew_pose_buffers out = {.model_m = joints};
  if (sinew_player_evaluate(player, scratch, scratch_bytes, time_s, count, &out, &error) != SINEW_OK)
    return fail(&error);
  for (size_t f = 0; f < count; f++) {
    const float *at = joints + (f * bones + head) * 3;
    printf("%.6f s: %.6f %.6f %.6f m\n", time_s[f], at[0], at[1], at[2]);
  }

  free(joints), free(time_s), free(scratch);
  sinew_player_close(player), sinew_rig_close(rig), sinew_clip_file_close(file), sinew_context_close(context);
  return 0;
}
