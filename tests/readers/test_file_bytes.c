/* The default limit of a file's bytes. Of its own: a sanitizer takes minutes over so much memory. */
#include "base/error.h"
#include "support/bake.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* A file of 4 GiB without contents: exactly that is looked into, more is not. */
Test(file_bytes, the_default_limit) {
  char *folder = test_folder_make();
  char path[1100];
  snprintf(path, sizeof path, "%s/sparse", folder);
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  cr_assert_geq(fd, 0);
  for (int over = 0; over <= 1; over++) {
    cr_assert_eq(ftruncate(fd, (off_t)((INT64_C(4) << 30) + over)), 0);
    sinew_error error = {0};
    sinew_clip_file *file;
    sinew_rig *rig;
    cr_expect_eq(sinew_clip_file_open(path, NULL, &file, &error),
                 over ? SINEW_ERROR_LIMIT : SINEW_ERROR_UNSUPPORTED, "%s", error.message);
    cr_expect_eq(sinew_rig_open(path, NULL, &rig, &error), over ? SINEW_ERROR_LIMIT : SINEW_ERROR_UNSUPPORTED,
                 "%s", error.message);
    cr_expect_str_eq(error.path, path);
  }
  close(fd);
  test_folder_remove(folder);
}
