/* One line on a terminal that is overwritten while clips are baked: clips, frames per second, time left. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

/* Switches the line on when stderr is a terminal. frame_count over all clips is an estimate. */
void progress_start(size_t clip_count, double frame_count);
void progress_show(size_t clips_done, double frames_done);
/* Takes the line away until the next progress_show. */
void progress_clear(void);

#endif
