/* Made-up Avatars: a description and what the compiler makes of it, written down as the editor would an
 * asset. */
#ifndef TESTS_READERS_MADE_AVATAR_H
#define TESTS_READERS_MADE_AVATAR_H

#include "readers/text.h"
#include "rig/rig.h"

enum made_avatar_form {
  AVATAR_LISTS = 1,     /* integers one a line, not as one string of hexadecimal words */
  AVATAR_OLD_POSES = 2, /* `data:` is the list of transforms, not a map with m_X */
  AVATAR_PREFAB = 4,    /* other documents stand before and behind */
  AVATAR_QUOTED = 8,    /* paths in quotes */
  AVATAR_SHORT = 16     /* numbers of at most 9 digits, no description behind the paths */
};

/* The human skeleton holds the hips' parent, the mapped bones and the nodes between. */
text made_avatar(const rig_description *description, unsigned form);
/* Of a body with the 15 required bones, and a node between spine and head: what the rule tests edit. */
text made_small_avatar(unsigned form);

/* `base` with the first `from` behind the first `after` replaced; *line: where it stands. Aborts where it
 * does not. */
text text_replace(const char *base, const char *after, const char *from, const char *to, unsigned *line);

#endif
