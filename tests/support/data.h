/* The folder of real clips and rigs beside the project. Tests that need it skip themselves, with a line, when
 * it is missing. */
#ifndef TESTS_SUPPORT_DATA_H
#define TESTS_SUPPORT_DATA_H

#include <stdbool.h>
#include <stddef.h>

/* The path of a data file or folder ("humanoid/clips/x.anim") in static storage that lasts until the eighth
 * later call, or NULL when it does not exist. */
const char *test_data(const char *relative);

/* The sorted paths below a folder of data whose names end with suffix; count 0 when the folder is missing.
 * The array and the strings live until the process ends. */
char **test_data_list(const char *relative_folder, const char *suffix, size_t *count);

/* A whole file in heap memory (caller frees), a zero byte after it; NULL when it cannot be read. */
char *test_read_file(const char *path, size_t *byte_count);

/* Skips the running Criterion test when the data folder is missing. */
#define NEED_DATA()                                                                                          \
  do {                                                                                                       \
    if (!test_data("README.md")) cr_skip_test("no data folder beside the project: skipped");                 \
  } while (0)

#endif
