#include "stage/cpus.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096, TEXT_BYTES = 1 << 16, CPUS_MOST = 1 << 16 };

/* A small file's text; empty where there is none. */
static void read_text(const char *path, char *text, size_t size) {
  size_t count = 0;
  FILE *file = fopen(path, "re");
  if (file) {
    count = fread(text, 1, size - 1, file);
    fclose(file);
  }
  text[count] = 0;
}

static void keep_least(uint32_t *least, double quota, double period) {
  if (!(quota > 0 && period > 0)) return;
  const double cpus = quota / period;
  const uint32_t whole = cpus < 1 ? 1 : cpus < CPUS_MOST ? (uint32_t)cpus : CPUS_MOST;
  const uint32_t rounded = whole < cpus ? whole + 1 : whole;
  if (*least == 0 || rounded < *least) *least = rounded;
}

/* Version 2: "max 100000" or "250000 100000". Version 1: a file each, -1 for none. */
static void read_group(const char *folder, bool unified, uint32_t *least) {
  char path[PATH_BYTES + 64], text[128], period[64];
  snprintf(path, sizeof path, "%s/%s", folder, unified ? "cpu.max" : "cpu.cfs_quota_us");
  read_text(path, text, sizeof text);
  if (unified) {
    char *rest;
    const double quota = strtod(text, &rest);
    if (rest != text) keep_least(least, quota, strtod(rest, NULL));
    return;
  }
  snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
  read_text(path, period, sizeof period);
  keep_least(least, strtod(text, NULL), strtod(period, NULL));
}

/* The group and those above it: a quota holds for all below. A path from outside a container's view is not
 * there, its root is. */
static void read_groups(const char *mount, const char *group, bool unified, uint32_t *least) {
  char path[PATH_BYTES];
  const int length = snprintf(path, sizeof path, "%s%s", mount, group);
  if (length < 0 || length >= (int)sizeof path) return;
  const size_t shortest = strlen(mount);
  for (;;) {
    read_group(path, unified, least);
    char *slash = strrchr(path, '/');
    if (strlen(path) <= shortest || !slash || slash < path + shortest) return;
    *slash = 0;
  }
}

static bool has_word(const char *words, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = words; (at = strstr(at, word)); at += length) {
    const bool begins = at == words || at[-1] == ',', ends = at[length] == 0 || at[length] == ',';
    if (begins && ends) return true;
  }
  return false;
}

/* "0::/user.slice" (version 2) or "4:cpu,cpuacct:/user.slice". */
static void read_line(char *line, const char *root, uint32_t *least) {
  char *controllers = strchr(line, ':');
  char *group = controllers ? strchr(controllers + 1, ':') : NULL;
  if (!group) return;
  *group++ = 0;
  controllers++;
  if (!*controllers) {
    read_groups(root, group, true, least);
  } else if (has_word(controllers, "cpu")) {
    char mount[PATH_BYTES];
    snprintf(mount, sizeof mount, "%s/%s", root, controllers);
    read_groups(mount, group, false, least);
    snprintf(mount, sizeof mount, "%s/cpu", root);
    read_groups(mount, group, false, least);
  }
}

uint32_t cpus_of_quota(const char *membership, const char *root) {
  uint32_t least = 0;
  char *text = strdup(membership), *rest;
  if (!text) return 0;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    read_line(line, root, &least);
  free(text);
  return least;
}

static uint32_t cpus_of_affinity(void) {
  for (int most = 1024; most <= CPUS_MOST; most *= 4) {
    cpu_set_t *set = CPU_ALLOC((size_t)most);
    if (!set) return 1;
    const size_t size = CPU_ALLOC_SIZE((size_t)most);
    const bool known = sched_getaffinity(0, size, set) == 0;
    const int count = known ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (known) return count > 0 ? (uint32_t)count : 1;
  }
  return 1;
}

uint32_t cpus_usable(void) {
  static const char root[] = "/sys/fs/cgroup";
  const uint32_t allowed = cpus_of_affinity();
  char *membership = malloc(TEXT_BYTES);
  if (!membership) return allowed;
  read_text("/proc/self/cgroup", membership, TEXT_BYTES);
  const uint32_t quota = cpus_of_quota(membership, root);
  free(membership);
  return quota && quota < allowed ? quota : allowed;
}
