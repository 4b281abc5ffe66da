/* A biped as Max exports it: thighs below the spine, clavicles below the neck, a prop in the right hand below
 * the root, twists below the clavicles. */
#ifndef TESTS_MOTION_MADE_BIPED_H
#define TESTS_MOTION_MADE_BIPED_H

#include "clip/motion.h"

/* The text of a BVH; 180 units high, every joint turning. `separator` stands between the words of a name. The
 * caller frees it. */
char *biped_text(const char *prefix, const char *separator, uint32_t frame_count);
/* Read. */
motion_file *biped_open(const char *prefix, const char *separator, uint32_t frame_count);
/* The node called `part`, without the prefix and with blanks; the test fails where there is none. */
uint32_t biped_node(const skeleton *s, const char *prefix, const char *part);

#endif
