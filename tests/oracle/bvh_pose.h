/* Joints of a BVH by the plainest arithmetic: matrices in double precision, straight from the rows. It shares
 * nothing with the engine but what the reader gives. */
#ifndef TESTS_ORACLE_BVH_POSE_H
#define TESTS_ORACLE_BVH_POSE_H

#include "read/motion_reader.h"

/* World places of all nodes in one frame of the file's rows, in the file's frame and unit. */
void bvh_places(const motion_file *file, uint64_t frame, double (*places)[3]);
/* The longest way from a root to a node along its bones at rest: what errors of angles grow with. */
double bvh_reach(const skeleton *s);

#endif
