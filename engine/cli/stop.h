/* SIGINT, SIGTERM and SIGHUP. While files are only read, either ends the program at once; while one is written they
 * ask for a stop, which the progress callback grants, so that nothing half written stays. */
#ifndef CLI_STOP_H
#define CLI_STOP_H

#include <stdbool.h>

void stop_watch(void);
/* Between true and false a signal only asks. */
void stop_defer(bool defer);
bool stop_asked(void);

#endif
