/* Every public function called with NULL for each thing that it needs. check_nulls.py holds the list
 * complete: a function of sinew.h that does not stand here fails the test of that name. */
#include "sinew.h"

#include "support/bake.h"

#include <criterion/criterion.h>
#include <string.h>

/* ARGUMENT, said in the error too, with a sentence; and no harm without an error to fill. */
#define EXPECT_ARGUMENT(call, without_error)                                                                 \
  do {                                                                                                       \
    memset(&error, 0xee, sizeof error);                                                                      \
    cr_expect_eq((call), SINEW_ERROR_ARGUMENT, #call);                                                       \
    cr_expect_eq(error.code, SINEW_ERROR_ARGUMENT, #call);                                                   \
    cr_expect(memchr(error.message, 0, sizeof error.message) && strlen(error.message) > 8, #call);           \
    cr_expect(error.path[0] == 0 && !error.has_place && error.line == 0, #call);                             \
    cr_expect_eq((without_error), SINEW_ERROR_ARGUMENT, #without_error);                                     \
  } while (0)

static sinew_error error;

#define EXPECT_FAILS_IN(file_path, expected, call)                                                           \
  do {                                                                                                       \
    memset(&error, 0xee, sizeof error);                                                                      \
    cr_expect_eq((call), (expected), #call);                                                                 \
    cr_expect_eq(error.code, (expected), #call);                                                             \
    cr_expect_str_eq(error.path, (file_path), #call);                                                        \
    cr_expect(strlen(error.message) > 8, #call);                                                             \
  } while (0)

static bool is_zero(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (((const unsigned char *)bytes)[i]) return false;
  return true;
}
#define EXPECT_EMPTIED(type, call)                                                                           \
  do {                                                                                                       \
    type info;                                                                                               \
    memset(&info, 0xee, sizeof info);                                                                        \
    call;                                                                                                    \
    cr_expect(is_zero(&info, sizeof info), #call);                                                           \
  } while (0)

Test(nulls, what_makes_a_handle) {
  const char *clip = test_source("scripts/sample/walk.anim"),
             *rig = test_source("scripts/sample/walker.fbx.meta");
  const char bytes[4] = "%YAM";
  sinew_context *context;
  sinew_clip_file *file;
  sinew_rig *opened;
  sinew_glb *glb;
  sinew_bvh *bvh;
  sinew_inspection *inspection;
  sinew_player *player;
  EXPECT_ARGUMENT(sinew_context_open(NULL, NULL, &error), sinew_context_open(NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_clip_file_open(clip, NULL, NULL, &error),
                  sinew_clip_file_open(NULL, NULL, &file, NULL));
  EXPECT_ARGUMENT(sinew_clip_file_open(NULL, NULL, &file, &error),
                  sinew_clip_file_open(NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_clip_file_open_memory(NULL, 4, NULL, NULL, &file, &error),
                  sinew_clip_file_open_memory(bytes, 4, NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_clip_from_rows(NULL, NULL, &file, &error),
                  sinew_clip_from_rows(&(sinew_row_clip){0}, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_clip_from_rows(&(sinew_row_clip){0}, NULL, &file, &error),
                  sinew_clip_from_rows(NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_rig_open(rig, NULL, NULL, &error), sinew_rig_open(NULL, NULL, &opened, NULL));
  EXPECT_ARGUMENT(sinew_rig_open(NULL, NULL, &opened, &error), sinew_rig_open(NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_rig_open_memory(NULL, 4, NULL, NULL, &opened, &error),
                  sinew_rig_open_memory(bytes, 4, NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_glb_open(clip, NULL, NULL, &error), sinew_glb_open(NULL, NULL, &glb, NULL));
  EXPECT_ARGUMENT(sinew_glb_open(NULL, NULL, &glb, &error), sinew_glb_open(NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_glb_open_memory(NULL, 4, NULL, NULL, &glb, &error),
                  sinew_glb_open_memory(bytes, 4, NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_bvh_open(clip, NULL, NULL, &error), sinew_bvh_open(NULL, NULL, &bvh, NULL));
  EXPECT_ARGUMENT(sinew_bvh_open(NULL, NULL, &bvh, &error), sinew_bvh_open(NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_bvh_open_memory(NULL, 4, NULL, NULL, &bvh, &error),
                  sinew_bvh_open_memory(bytes, 4, NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_inspect(NULL, NULL, &inspection, &error), sinew_inspect(clip, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_player_open(NULL, NULL, NULL, NULL, &player, &error),
                  sinew_player_open(NULL, NULL, NULL, NULL, NULL, NULL));
  cr_expect(!file && !opened && !glb && !bvh && !inspection && !player);
  cr_assert_eq(sinew_context_open(NULL, &context, NULL), SINEW_OK);
  sinew_context_close(context);
}

/* Neither a label nor an error is needed to fail for another reason. */
Test(nulls, failures_that_nobody_listens_to) {
  sinew_clip_file *file;
  sinew_rig *rig;
  sinew_glb *glb;
  sinew_bvh *bvh;
  sinew_inspection *inspection;
  cr_expect_neq(sinew_clip_file_open_memory(NULL, 0, NULL, NULL, &file, NULL), SINEW_OK);
  cr_expect_neq(sinew_clip_file_open_memory("junk", 4, NULL, NULL, &file, &error), SINEW_OK);
  cr_expect(error.path[0] == 0);
  cr_expect_neq(sinew_rig_open_memory(NULL, 0, NULL, NULL, &rig, NULL), SINEW_OK);
  cr_expect_neq(sinew_rig_open_memory("junk", 4, NULL, NULL, &rig, &error), SINEW_OK);
  cr_expect_neq(sinew_glb_open_memory(NULL, 0, NULL, NULL, &glb, NULL), SINEW_OK);
  cr_expect_neq(sinew_glb_open_memory("junk", 4, NULL, NULL, &glb, &error), SINEW_OK);
  cr_expect_neq(sinew_bvh_open_memory(NULL, 0, NULL, NULL, &bvh, NULL), SINEW_OK);
  cr_expect_neq(sinew_bvh_open_memory("junk", 4, NULL, NULL, &bvh, &error), SINEW_OK);
  cr_expect_eq(sinew_bvh_open("/nowhere/a.bvh", NULL, &bvh, NULL), SINEW_ERROR_IO);
  cr_expect_eq(sinew_clip_file_open("/nowhere/a.anim", NULL, &file, NULL), SINEW_ERROR_IO);
  cr_expect_eq(sinew_rig_open("/nowhere/a.fbx.meta", NULL, &rig, NULL), SINEW_ERROR_IO);
  cr_expect_eq(sinew_inspect("/nowhere/a", NULL, &inspection, &error), SINEW_ERROR_IO);
  cr_expect_str_eq(error.path, "/nowhere/a");
  cr_expect(!file && !rig && !glb && !bvh && !inspection);
}

/* Which file, and where in it. */
Test(nulls, errors_have_a_place) {
  sinew_context *context = test_open_context(NULL, 1);
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk_cut.anim")), *bad;
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker_cut.fbx.meta")), *none;
  char text[1024];
  EXPECT_FAILS_IN("/nowhere/a.anim", SINEW_ERROR_IO,
                  sinew_clip_file_open("/nowhere/a.anim", NULL, &bad, &error));
  EXPECT_FAILS_IN("/nowhere/a.meta", SINEW_ERROR_IO, sinew_rig_open("/nowhere/a.meta", NULL, &none, &error));
  EXPECT_FAILS_IN("/nowhere/a.json", SINEW_ERROR_IO, sinew_rig_save(rig, "/nowhere/a.json", &error));
  EXPECT_FAILS_IN("/nowhere/m.json", SINEW_ERROR_IO, sinew_rig_save_map(rig, "/nowhere/m.json", &error));
  EXPECT_FAILS_IN(
      "/nowhere/a.glb", SINEW_ERROR_IO,
      sinew_bake(context, sinew_clip_file_clip(file, 0), rig, NULL, "/nowhere/a.glb", NULL, &error));
  static const char broken[] =
      "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: [\n";
  EXPECT_FAILS_IN("made.anim", SINEW_ERROR_SYNTAX,
                  sinew_clip_file_open_memory(broken, sizeof broken - 1, "made.anim", NULL, &bad, &error));
  cr_expect(error.has_place && error.line >= 5, "line %u", error.line);
  sinew_error_text(&error, text, sizeof text);
  cr_expect(strncmp(text, "made.anim:", 10) == 0, "%s", text);
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  sinew_context_close(context);
}

Test(nulls, what_works_with_handles) {
  sinew_context *context = test_open_context(NULL, 1);
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk_cut.anim"));
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker_cut.fbx.meta"));
  const sinew_clip *clip = sinew_clip_file_clip(file, 0);
  static sinew_clip_ranges ranges;
  sinew_player *player;
  EXPECT_ARGUMENT(sinew_bake(NULL, clip, rig, NULL, "x.glb", NULL, &error),
                  sinew_bake(context, NULL, rig, NULL, "x.glb", NULL, NULL));
  EXPECT_ARGUMENT(sinew_bake(context, clip, NULL, NULL, "x.glb", NULL, &error),
                  sinew_bake(context, clip, rig, NULL, NULL, NULL, NULL));
  const sinew_batch batch = {.job_count = 1};
  EXPECT_ARGUMENT(sinew_bake_batch(NULL, &batch, &error), sinew_bake_batch(context, NULL, NULL));
  EXPECT_ARGUMENT(sinew_bake_batch(context, &batch, &error), sinew_bake_batch(NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_clip_measure(NULL, clip, 0, &ranges, &error),
                  sinew_clip_measure(context, NULL, 0, &ranges, NULL));
  EXPECT_ARGUMENT(sinew_clip_measure(context, clip, 0, NULL, &error),
                  sinew_clip_measure(NULL, NULL, 0, NULL, NULL));
  EXPECT_ARGUMENT(sinew_rig_save(NULL, "x.json", &error), sinew_rig_save(rig, NULL, NULL));
  EXPECT_ARGUMENT(sinew_rig_save_map(NULL, "x.json", &error), sinew_rig_save_map(rig, NULL, NULL));
  sinew_kernel_speed kernels;
  sinew_memory_speed memory;
  sinew_clip_speed clips;
  EXPECT_ARGUMENT(sinew_measure_kernels(NULL, 0, &kernels, &error),
                  sinew_measure_kernels(context, 0, NULL, NULL));
  EXPECT_ARGUMENT(sinew_measure_kernels(context, UINT32_MAX, &kernels, &error),
                  sinew_measure_kernels(NULL, 0, NULL, NULL));
  EXPECT_ARGUMENT(sinew_measure_memory(NULL, &memory, &error), sinew_measure_memory(context, NULL, NULL));
  EXPECT_ARGUMENT(sinew_measure_clips(context, NULL, 0, NULL, NULL, &clips, &error),
                  sinew_measure_clips(NULL, ".", 0, NULL, NULL, &clips, NULL));
  EXPECT_ARGUMENT(sinew_measure_clips(context, ".", -1, NULL, NULL, &clips, &error),
                  sinew_measure_clips(context, ".", 0, NULL, NULL, NULL, NULL));
  EXPECT_ARGUMENT(sinew_player_open(context, clip, NULL, NULL, &player, &error),
                  sinew_player_open(NULL, clip, rig, NULL, &player, NULL));
  EXPECT_ARGUMENT(sinew_player_evaluate(NULL, NULL, 0, NULL, 0, NULL, &error),
                  sinew_player_evaluate(NULL, NULL, 0, NULL, 1, NULL, NULL));
  EXPECT_ARGUMENT(sinew_player_pose(NULL, NULL, 0, NULL, NULL, 0, NULL, &error),
                  sinew_player_pose(NULL, NULL, 0, NULL, NULL, 1, NULL, NULL));
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
  sinew_context_close(context);
}

Test(nulls, what_tells_of_a_handle) {
  cr_expect_null(sinew_context_isa(NULL));
  cr_expect_null(sinew_context_profile(NULL));
  cr_expect_eq(sinew_context_threads(NULL), 0);
  cr_expect_eq(sinew_clip_file_count(NULL), 0);
  cr_expect_null(sinew_clip_file_clip(NULL, 0));
  EXPECT_EMPTIED(sinew_clip_info, sinew_clip_get_info(NULL, &info));
  sinew_clip_get_info(NULL, NULL);
  cr_expect_null(sinew_clip_warning(NULL, 0));
  cr_expect_not(sinew_clip_get_curve(NULL, 0, &(sinew_curve_info){0}));
  cr_expect_eq(sinew_clip_frame_count(NULL, 30), 0);
  cr_expect_eq(sinew_clip_frame_time(NULL, 30, 1), 0);
  EXPECT_EMPTIED(sinew_rig_info, sinew_rig_get_info(NULL, &info));
  sinew_rig_get_info(NULL, NULL);
  cr_expect_not(sinew_rig_get_bone(NULL, 0, &(sinew_rig_bone){0}));
  cr_expect_not(sinew_rig_get_node(NULL, 0, &(sinew_rig_node){0}));
  cr_expect_null(sinew_rig_warning(NULL, 0));
  cr_expect_eq(sinew_player_bone_count(NULL), 0);
  cr_expect_eq(sinew_player_bone(NULL, 0), SINEW_HUMAN_BONE_COUNT);
  cr_expect_eq(sinew_player_scratch_bytes(NULL), 0);
  EXPECT_EMPTIED(sinew_glb_info, sinew_glb_get_info(NULL, &info));
  sinew_glb_get_info(NULL, NULL);
  cr_expect_not(sinew_glb_get_node(NULL, 0, &(sinew_glb_node){0}));
  cr_expect_not(sinew_glb_get_skin(NULL, 0, &(sinew_glb_skin){0}));
  cr_expect_not(sinew_glb_get_mesh(NULL, 0, &(sinew_glb_mesh){0}));
  cr_expect_not(sinew_glb_get_animation(NULL, 0, &(sinew_glb_animation){0}));
  cr_expect_not(sinew_glb_get_channel(NULL, 0, 0, &(sinew_glb_channel){0}));
  cr_expect_not(sinew_glb_get_extension(NULL, 0, &(sinew_glb_extension){0}));
  cr_expect_not(sinew_glb_get_human(NULL, &(sinew_glb_human){0}));
  cr_expect_eq(sinew_glb_human_node(NULL, 0), -1);
  cr_expect_null(sinew_glb_warning(NULL, 0));
  EXPECT_EMPTIED(sinew_bvh_info, sinew_bvh_get_info(NULL, &info));
  sinew_bvh_get_info(NULL, NULL);
  cr_expect_not(sinew_bvh_get_node(NULL, 0, &(sinew_bvh_node){0}));
  cr_expect_null(sinew_bvh_row(NULL, 0));
  cr_expect_null(sinew_bvh_warning(NULL, 0));
  cr_expect_eq(sinew_inspection_kind(NULL), SINEW_FILE_UNKNOWN);
  cr_expect_eq(sinew_inspection_byte_count(NULL), 0);
  cr_expect_null(sinew_inspection_clips(NULL));
  cr_expect_null(sinew_inspection_rig(NULL));
  cr_expect_null(sinew_inspection_glb(NULL));
  cr_expect_null(sinew_inspection_bvh(NULL));
}

/* A handle, but no place for the answer. */
Test(nulls, answers_without_a_place) {
  sinew_clip_file *file = test_open_clip(test_source("scripts/sample/walk_cut.anim"));
  sinew_rig *rig = test_open_rig(test_source("scripts/sample/walker_cut.fbx.meta"));
  sinew_clip_get_info(sinew_clip_file_clip(file, 0), NULL);
  cr_expect_not(sinew_clip_get_curve(sinew_clip_file_clip(file, 0), 0, NULL));
  sinew_rig_get_info(rig, NULL);
  cr_expect_not(sinew_rig_get_bone(rig, 0, NULL));
  cr_expect_not(sinew_rig_get_node(rig, 0, NULL));
  sinew_rig_close(rig);
  sinew_clip_file_close(file);
}

Test(nulls, closing_nothing) {
  sinew_context_close(NULL);
  sinew_clip_file_close(NULL);
  sinew_rig_close(NULL);
  sinew_glb_close(NULL);
  sinew_bvh_close(NULL);
  sinew_inspection_close(NULL);
  sinew_player_close(NULL);
}

Test(nulls, texts_and_names) {
  char text[8] = "unused";
  cr_expect_str_eq(sinew_error_text(NULL, text, sizeof text), "");
  cr_expect_str_eq(sinew_error_text(&error, NULL, 0), "");
  cr_expect_str_eq(sinew_error_text(NULL, NULL, 10), "");
  cr_expect_str_eq(sinew_isa_names(NULL, 10), "");
  cr_expect_str_eq(sinew_isa_names(text, 0), "");
  cr_expect_not_null(sinew_version());
  cr_expect_not_null(sinew_isa_available(0));
  cr_expect_null(sinew_isa_available(UINT32_MAX));
  cr_expect_null(sinew_bone_name(UINT32_MAX));
  cr_expect_not(sinew_bone_required(UINT32_MAX));
  cr_expect_null(sinew_muscle_name(UINT32_MAX));
  cr_expect_null(sinew_format_name(UINT32_MAX));
  cr_expect_eq(sinew_file_identify(NULL, 0, NULL, NULL), SINEW_FILE_UNKNOWN);
  cr_expect_eq(sinew_file_identify(NULL, 100, NULL, NULL), SINEW_FILE_UNKNOWN);
}

Test(nulls, selftest_without_listeners, .timeout = 120) {
  cr_expect_eq(sinew_selftest(NULL, NULL, NULL, NULL), 0);
}
