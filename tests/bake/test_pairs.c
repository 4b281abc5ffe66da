/* Every real clip on every real rig: each pair converts and passes its own verification, each rig that cannot
 * be used is refused for its stated reason. The list of rigs is here, so that one that stops being read is
 * noticed. */
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

typedef struct rig_entry {
  const char *path;
  uint32_t human_bones; /* 0: refused */
  const char *refusal;  /* part of the message */
} rig_entry;

static const rig_entry rigs[] = {
    {"humanoid/avatars/OneYoungMean_SMPLX.fbx.meta", 22, NULL},
    {"humanoid/avatars/OneYoungMean_SOMA30.fbx.meta", 25, NULL},
    {"humanoid/avatars/OneYoungMean_SOMA77.fbx.meta", 55, NULL},
    {"humanoid/avatars/OneYoungMean_Resources_SMPLXAvatar.asset", 22, NULL},
    {"humanoid/avatars/OneYoungMean_Resources_SOMAAvatar.asset", 55, NULL},
    {"humanoid/avatars/co1umbine_SampleScene_BoxMan.prefab", 20, NULL},
    {"humanoid/avatars/malaybaku_vroid_sample_a.Avatar_VrmAvatar.asset", 54, NULL},
    {"humanoid/avatars/readyplayerme_Animations_ArmatureAvatar.asset", 52, NULL},
    {"humanoid/avatars/uezo_Unagirl.Avatar_VrmAvatar.asset", 54, NULL},
    {"humanoid/metas/CuteWaterBeary_run.fbx.meta", 34, NULL},
    {"humanoid/metas/JLPM22_HipHopDancing.fbx.meta", 52, NULL},
    {"humanoid/metas/SeedV_unitychan_HANDUP00_R.fbx.meta", 0, "needs its model"},
    {"humanoid/metas/SeedV_unitychan_JUMP00B.fbx.meta", 0, "needs its model"},
    {"humanoid/metas/readyplayerme_Idle.fbx.meta", 52, NULL},
    {"humanoid/metas/readyplayerme_Masculine.fbx.meta", 54, NULL},
    {"humanoid/metas/readyplayerme_Run.fbx.meta", 54, NULL},
    {"humanoid/metas/vrm-c_new_seedsan_betterfbx.fbx.meta", 51, NULL},
    {"humanoid/truth/HEL-d_Y_BotHead_Nod_Yes.fbx.meta", 52, NULL},
    {"humanoid/truth/HEL-d_Y_BotLaughing.fbx.meta", 52, NULL},
    {"humanoid/truth/N1rium_female_move_run_back_left.fbx.meta", 52, NULL},
    {"humanoid/truth/N1rium_female_move_run_front.fbx.meta", 52, NULL},
    {"humanoid/truth/ibrahimozturk47_TwinSword_Idle.fbx.meta", 52, NULL},
};
enum { RIG_COUNT = sizeof rigs / sizeof *rigs };

Test(pairs, the_list_holds_every_rig_of_the_data) {
  NEED_DATA();
  size_t found = 0, count;
  static const char *const folders[] = {"humanoid/avatars", "humanoid/metas", "humanoid/truth"};
  static const char *const suffixes[] = {".fbx.meta", ".asset", ".prefab"};
  for (size_t i = 0; i < 9; i++) {
    test_data_list(folders[i / 3], suffixes[i % 3], &count);
    found += count;
  }
  cr_assert(found == RIG_COUNT, "%zu rigs in the data, %d in the list", found, RIG_COUNT);
}

static void bake_all(const sinew_context *context, const sinew_rig *rig, const char *rig_path, char **clips,
                     size_t clip_count, const char *folder) {
  for (size_t i = 0; i < clip_count; i++) {
    sinew_clip_file *file = test_open_clip(clips[i]);
    for (uint32_t c = 0; c < sinew_clip_file_count(file); c++) {
      const sinew_clip *clip = sinew_clip_file_clip(file, c);
      char path[1024], text[1024];
      snprintf(path, sizeof path, "%s/%zu_%u.glb", folder, i, c);
      sinew_bake_report report;
      sinew_error error;
      sinew_result result = sinew_bake(context, clip, rig, NULL, path, &report, &error);
      cr_expect(result == SINEW_OK, "%s on %s: %s", clips[i], rig_path,
                sinew_error_text(&error, text, sizeof text));
      if (result == SINEW_OK)
        cr_expect(report.verified && report.frame_count == sinew_clip_frame_count(clip, 0), "%s on %s",
                  clips[i], rig_path);
      remove(path);
    }
    sinew_clip_file_close(file);
  }
}

Test(pairs, every_clip_bakes_on_every_rig, .timeout = 600) {
  NEED_DATA();
  size_t clip_count, truth_count;
  char **clips = test_data_list("humanoid/clips", ".anim", &clip_count);
  char **truth = test_data_list("humanoid/truth", ".anim", &truth_count);
  cr_assert(clip_count >= 34 && truth_count >= 5);
  sinew_context *context = test_open_context(NULL, 1);
  char *folder = test_folder_make();
  for (size_t i = 0; i < RIG_COUNT; i++) {
    sinew_rig *rig;
    sinew_error error;
    char text[1024];
    sinew_result result = sinew_rig_open(test_data(rigs[i].path), NULL, &rig, &error);
    if (rigs[i].human_bones == 0) {
      cr_expect(result == SINEW_ERROR_UNSUPPORTED && strstr(error.message, rigs[i].refusal), "%s: %s",
                rigs[i].path, result == SINEW_OK ? "was read" : sinew_error_text(&error, text, sizeof text));
      if (result == SINEW_OK) sinew_rig_close(rig);
      continue;
    }
    cr_assert(result == SINEW_OK, "%s", sinew_error_text(&error, text, sizeof text));
    sinew_rig_info info;
    sinew_rig_get_info(rig, &info);
    cr_expect(info.human_bone_count == rigs[i].human_bones, "%s: %u human bones, expected %u", rigs[i].path,
              info.human_bone_count, rigs[i].human_bones);
    bake_all(context, rig, rigs[i].path, clips, clip_count, folder);
    bake_all(context, rig, rigs[i].path, truth, truth_count, folder);
    sinew_rig_close(rig);
  }
  cr_assert(test_folder_count(folder) == 0, "temporary files were left behind");
  test_folder_remove(folder);
  sinew_context_close(context);
}
