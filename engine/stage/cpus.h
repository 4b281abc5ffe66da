/* How many CPUs this process may use. */
#ifndef SINEW_STAGE_CPUS_H
#define SINEW_STAGE_CPUS_H

#include <stdint.h>

/* The CPUs it may run on, no more than what a control group's quota adds up to, at least 1. */
uint32_t cpus_usable(void);

/* The quota of the control groups that the lines of `membership` (proc_pid_cgroup(5)) name, in CPUs rounded
 * up; 0: there is none. root: where their file systems are mounted, "/sys/fs/cgroup". Groups above count as
 * well; version 1 and 2. */
uint32_t cpus_of_quota(const char *membership, const char *root);

#endif
