/* What a file looks like, and that the door opens it as that. */
#include "inspect/made_glb.h"
#include "support/bake.h"
#include "support/data.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *text, *name;
  sinew_file_kind kind;
  const char *what;
} looks[] = {
    {"glTF", NULL, SINEW_FILE_GLB, "a binary glTF"},
    {"glTF\2", "x.anim", SINEW_FILE_GLB, "a binary glTF"},
    {"%YAML 1.1\n--- !u!74 &7400000\nAnimationClip:\n", "x.glb", SINEW_FILE_CLIP, "a Unity text clip"},
    {"\xef\xbb\xbf%YAML 1.1\r\n--- !u!74 &1\r\n", NULL, SINEW_FILE_CLIP, "a Unity text clip"},
    {"--- !u!74 &1\n", NULL, SINEW_FILE_CLIP, "a Unity text clip"},
    {"--- &1 !u!74\r\n", NULL, SINEW_FILE_CLIP, "a Unity text clip"},
    {"%YAML 1.1\n---\nx: '\n --- !u!74'\n--- !<tag:unity3d.com,2011:74> &1", NULL, SINEW_FILE_CLIP,
     "a Unity text clip"},
    {"--- &1 !<tag:unity3d.com,2011:90>\nAvatar:\n", "x.asset", SINEW_FILE_RIG, "a Unity avatar"},
    {"%YAML 1.1\n--- !u!90 &9000000\nAvatar:\n", "x.asset", SINEW_FILE_RIG, "a Unity avatar"},
    {"%YAML 1.1\n--- !u!1 &1\n--- !u!90 &2\n--- !u!74 &3\n", "x.prefab", SINEW_FILE_RIG, "a Unity avatar"},
    {"%YAML 1.1\n--- !u!90 &2\n--- !u!74 &3\n", "x.anim", SINEW_FILE_CLIP, "a Unity text clip"},
    {"%YAML 1.1\n--- !u!1 &1\nm_Name: '--- !u!74 &'\n", "x.prefab", SINEW_FILE_UNKNOWN,
     "without a clip or an avatar"},
    {"fileFormatVersion: 2\nguid: 0\n", NULL, SINEW_FILE_RIG, "a Unity .meta file"},
    {" {\"asset\":{\"version\":\"2.0\"}}", "x.gltf", SINEW_FILE_UNKNOWN, "outside a GLB"},
    {"{\"nodes\":[]}", "x.json", SINEW_FILE_RIG, "a rig in JSON"},
    {"HIERARCHY\nROOT hips", "x.bvh", SINEW_FILE_BVH, "a BVH clip"},
    {"\xef\xbb\xbf\r\n hierarchy root", "x.glb", SINEW_FILE_BVH, "a BVH clip"},
    {"frame,time,RootT.y\n0,0,1\n", NULL, SINEW_FILE_CLIP, "a CSV of muscles"},
    {"\xef\xbb\xbf\"Jaw Close\"\r\n1\r\n", "x.glb", SINEW_FILE_CLIP, "a CSV of muscles"},
    {"Nose,Jaw Close", "x.anim", SINEW_FILE_CLIP, "a CSV of muscles"},
    {"Nose,Mouth\n", "x.csv", SINEW_FILE_CLIP, "text"},
    {"time\n", NULL, SINEW_FILE_UNKNOWN, "text"},
    {"HIERARCH", NULL, SINEW_FILE_UNKNOWN, "text"},
    {"Kaydara FBX Binary  ", "x.fbx", SINEW_FILE_UNKNOWN, "a binary FBX model"},
    {"; FBX 7.3.0 project file", NULL, SINEW_FILE_UNKNOWN, "a text FBX model"},
    {"PK\3\4", "x.npz", SINEW_FILE_UNKNOWN, "a ZIP archive"},
    {"\x93NUMPY", NULL, SINEW_FILE_UNKNOWN, "a NumPy array"},
    {"\x89PNG\r\n", "x.glb", SINEW_FILE_UNKNOWN, "a PNG image"},
    {"version https://git-lfs.github.com/spec/v1\n", "x.glb", SINEW_FILE_UNKNOWN, "a Git LFS pointer"},
    {"", NULL, SINEW_FILE_UNKNOWN, "an empty file"},
    {" \n\t ", NULL, SINEW_FILE_UNKNOWN, "an empty file"},
    {"\1\2\3", NULL, SINEW_FILE_UNKNOWN, "binary data"},
    {"hello", NULL, SINEW_FILE_UNKNOWN, "text"},
    /* what the bytes leave open, the suffix decides: the reader then says what is wrong */
    {"hello", "a.ANIM", SINEW_FILE_CLIP, "text"},
    {"", "a.anim", SINEW_FILE_CLIP, "an empty file"},
    {"hello", "a.fbx.meta", SINEW_FILE_RIG, "text"},
    {"\1\2\3", "a.vrm", SINEW_FILE_GLB, "binary data"},
    {"\1\2\3", "a.BVH", SINEW_FILE_BVH, "binary data"},
    {"hello", "a.npz", SINEW_FILE_CLIP, "text"},
    {"hello", "anim", SINEW_FILE_UNKNOWN, "text"},
};

Test(identify, by_bytes_then_by_suffix) {
  for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
    const size_t length = strlen(looks[i].text);
    char *exact = malloc(length ? length : 1); /* no zero behind it */
    memcpy(exact, looks[i].text, length);
    const char *what = NULL;
    const sinew_file_kind kind = sinew_file_identify(exact, length, looks[i].name, &what);
    cr_expect_eq(kind, looks[i].kind, "%zu: '%s' is %d", i, looks[i].text, (int)kind);
    cr_expect(what && strstr(what, looks[i].what), "%zu: '%s' lacks '%s'", i, what, looks[i].what);
    cr_expect_eq(sinew_file_identify(exact, length, looks[i].name, NULL), kind);
    free(exact);
  }
  cr_expect_eq(sinew_file_identify(NULL, 0, NULL, NULL), SINEW_FILE_UNKNOWN);
}

/* An archive is told by the name of its first file, which stands behind 30 bytes. */
Test(identify, arrays_in_an_archive) {
  char bytes[35] = "PK\3\4";
  const char *what;
  bytes[26] = 5;
  memcpy(bytes + 30, "a.npy", 5);
  cr_expect_eq(sinew_file_identify(bytes, sizeof bytes, "x.zip", &what), SINEW_FILE_CLIP);
  cr_expect_str_eq(what, "a clip in NumPy arrays");
  cr_expect_eq(sinew_file_identify(bytes, sizeof bytes - 1, "x.npz", NULL), SINEW_FILE_UNKNOWN);
  bytes[34] = 'z';
  cr_expect_eq(sinew_file_identify(bytes, sizeof bytes, "x.npz", &what), SINEW_FILE_UNKNOWN);
  cr_expect_str_eq(what, "a ZIP archive");
}

static sinew_inspection *inspected(const char *path) {
  sinew_inspection *found;
  sinew_error error;
  char text[1024];
  const sinew_result result = sinew_inspect(path, NULL, &found, &error);
  cr_assert(result == SINEW_OK, "%s", sinew_error_text(&error, text, sizeof text));
  return found;
}

Test(identify, the_door_opens_each_kind) {
  sinew_inspection *found = inspected(test_source("scripts/sample/walk_cut.anim"));
  cr_expect_eq(sinew_inspection_kind(found), SINEW_FILE_CLIP);
  cr_expect(sinew_inspection_clips(found) && !sinew_inspection_rig(found) && !sinew_inspection_glb(found));
  cr_expect_eq(sinew_clip_file_count(sinew_inspection_clips(found)), 1u);
  size_t byte_count;
  free(test_read_file(test_source("scripts/sample/walk_cut.anim"), &byte_count));
  cr_expect_eq(sinew_inspection_byte_count(found), byte_count);
  sinew_inspection_close(found);

  found = inspected(test_source("scripts/sample/walker_cut.fbx.meta"));
  cr_expect_eq(sinew_inspection_kind(found), SINEW_FILE_RIG);
  cr_expect(!sinew_inspection_clips(found) && sinew_inspection_rig(found) && !sinew_inspection_glb(found));
  sinew_inspection_close(found);
}

Test(identify, the_door_opens_a_glb_under_any_name_and_names_what_it_does_not_know) {
  char *folder = test_folder_make(), path[1100];
  snprintf(path, sizeof path, "%s/model.anim", folder);
  const made_glb glb = made_but(NULL, NULL);
  FILE *file = fopen(path, "wb");
  cr_assert(file && fwrite(glb.bytes, 1, glb.byte_count, file) == glb.byte_count && fclose(file) == 0);
  sinew_inspection *found = inspected(path);
  cr_expect_eq(sinew_inspection_kind(found), SINEW_FILE_GLB);
  cr_expect(sinew_inspection_glb(found) && !sinew_inspection_bvh(found));
  sinew_inspection_close(found);

  file = fopen(path, "wb");
  cr_assert(file && fputs("HIERARCHY ROOT a { OFFSET 0 1 0 CHANNELS 0 }", file) >= 0 && fclose(file) == 0);
  found = inspected(path);
  cr_expect_eq(sinew_inspection_kind(found), SINEW_FILE_BVH);
  cr_expect(sinew_inspection_bvh(found) && !sinew_inspection_glb(found) && !sinew_inspection_clips(found));
  sinew_inspection_close(found);

  file = fopen(path, "wb");
  cr_assert(file && fputs("\x93NUMPY", file) >= 0 && fclose(file) == 0);
  sinew_error error;
  cr_expect_eq(sinew_inspect(path, NULL, &found, &error), SINEW_ERROR_UNSUPPORTED);
  cr_expect_null(found);
  cr_expect(strstr(error.message, "looks like a NumPy array; expected a clip"), "%s", error.message);
  cr_expect_str_eq(error.path, path);
  const sinew_rig_options limits = {.read = {.file_bytes = 5}};
  cr_expect_eq(sinew_inspect(path, &limits, &found, &error), SINEW_ERROR_LIMIT);
  cr_expect_eq(sinew_inspect(folder, NULL, &found, &error), SINEW_ERROR_IO);
  cr_expect_eq(sinew_inspect(NULL, NULL, &found, &error), SINEW_ERROR_ARGUMENT);
  cr_expect_eq(sinew_inspect(path, NULL, NULL, &error), SINEW_ERROR_ARGUMENT);
  test_folder_remove(folder);
}
