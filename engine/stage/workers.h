/* How many threads can really be started here. */
#ifndef SINEW_STAGE_WORKERS_H
#define SINEW_STAGE_WORKERS_H

#include <stdint.h>

/* The OpenMP runtime ends the process when it cannot start a thread, as under a limit on processes or memory.
 * So the wanted number is tried first: up to `wanted`, at least 1 (the caller's own). They all stand at once
 * and end before this returns. */
uint32_t workers_startable(uint32_t wanted);

#endif
