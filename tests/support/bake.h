/* Baking in tests: the sample clip and rig of the repository, temporary folders, whole files as bytes. */
#ifndef TESTS_SUPPORT_BAKE_H
#define TESTS_SUPPORT_BAKE_H

#include "sinew.h"

/* A path below the project's source folder, in static storage that lasts until the eighth later call. */
const char *test_source(const char *relative);

/* A new empty folder; the caller removes it with test_folder_remove, which deletes the files in it. */
char *test_folder_make(void);
void test_folder_remove(char *folder);
/* Number of entries in a folder, hidden ones included. */
size_t test_folder_count(const char *folder);

sinew_clip_file *test_open_clip(const char *path);
sinew_rig *test_open_rig(const char *path);
sinew_context *test_open_context(const char *isa, uint32_t threads);

/* 64-bit FNV-1a. */
uint64_t test_hash(const void *bytes, size_t byte_count);

#endif
