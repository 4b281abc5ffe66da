/* Nodes moved by tracks of keys, by the plainest arithmetic in double precision: it shares nothing with the
 * engine but what the reader gives. */
#ifndef TESTS_ORACLE_TRACK_POSE_H
#define TESTS_ORACLE_TRACK_POSE_H

#include "read/motion_reader.h"

/* World places of all nodes at a time, in the file's frame and unit. moves NULL: at rest. */
void track_places(const skeleton *s, const motion *moves, double time_s, double (*places)[3]);

#endif
