/* A small BVH that the tests change. */
#ifndef TESTS_READERS_MADE_BVH_H
#define TESTS_READERS_MADE_BVH_H

/* 2 joints and an End Site, 9 channels, 3 frames at 30 a second. Its lines are numbered from 1, rows from 19.
 */
static const char made_bvh_base[] =
    "HIERARCHY\n"
    "ROOT Hips\n"
    "{\n"
    "  OFFSET 0 90 0\n"
    "  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "  JOINT Chest\n"
    "  {\n"
    "    OFFSET 0 12.5 0.25\n"
    "    CHANNELS 3 Zrotation Xrotation Yrotation\n"
    "    End Site\n"
    "    {\n"
    "      OFFSET 0 20 0\n"
    "    }\n"
    "  }\n"
    "}\n"
    "MOTION\n"
    "Frames: 3\n"
    "Frame Time: 0.0333333\n"
    "0 90 0 1.5 -2.25 3 0 10.125 -4\n"
    "0.5 90.25 0 2 -2.5 3 0 11 -4.5\n"
    "1 90.5 0.125 2.5 -2.75 3 0 12 -5\n";

#endif
