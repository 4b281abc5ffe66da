/* Quotas of control groups, in folders made for the purpose. */
#include "stage/cpus.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[64];

static void make_root(void) {
  strcpy(root, "/tmp/sinew_cgroup_XXXXXX");
  cr_assert_not_null(mkdtemp(root));
}
static void remove_root(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", root);
  cr_assert_eq(system(command), 0);
}
TestSuite(cpus, .init = make_root, .fini = remove_root);

static void put(const char *name, const char *text) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", root, name);
  for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(path, 0777);
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  cr_assert_not_null(file);
  fputs(text, file);
  fclose(file);
}

Test(cpus, without_a_quota) {
  put("cpu.max", "max 100000\n");
  cr_expect_eq(cpus_of_quota("0::/\n", root), 0u);
  cr_expect_eq(cpus_of_quota("0::/gone\n", root), 0u);
  cr_expect_eq(cpus_of_quota("", root), 0u);
  cr_expect_eq(cpus_of_quota("nonsense", root), 0u);
}

Test(cpus, version_2_rounds_up) {
  put("cpu.max", "250000 100000\n");
  cr_expect_eq(cpus_of_quota("0::/\n", root), 3u);
  put("cpu.max", "200000 100000\n");
  cr_expect_eq(cpus_of_quota("0::/\n", root), 2u);
  put("cpu.max", "5000 100000\n");
  cr_expect_eq(cpus_of_quota("0::/\n", root), 1u);
}

Test(cpus, the_least_of_the_groups_above) {
  put("a/cpu.max", "150000 100000\n");
  put("a/b/cpu.max", "800000 100000\n");
  put("a/b/c/cpu.max", "max 100000\n");
  cr_expect_eq(cpus_of_quota("0::/a/b/c\n", root), 2u);
  put("a/b/c/cpu.max", "50000 100000\n");
  cr_expect_eq(cpus_of_quota("0::/a/b/c\n", root), 1u);
}

Test(cpus, version_1) {
  put("cpu,cpuacct/box/cpu.cfs_quota_us", "400000\n");
  put("cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  put("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  put("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  cr_expect_eq(cpus_of_quota("5:memory:/box\n4:cpu,cpuacct:/box\n", root), 4u);
  cr_expect_eq(cpus_of_quota("4:cpuset:/box\n", root), 0u, "cpuset is another controller");
}

Test(cpus, at_least_one_here) {
  cr_expect_geq(cpus_usable(), 1u);
}
