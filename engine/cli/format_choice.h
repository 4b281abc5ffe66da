/* Which format a run writes, and which options it has a use for. */
#ifndef CLI_FORMAT_CHOICE_H
#define CLI_FORMAT_CHOICE_H

#include "args.h"

/* "glb" and the others, as sinew_format_name has them; false: there is none of that name. */
bool format_of_name(const char *name, sinew_format *format);
/* By the end of a path, in any case of its letters, with a name before it. */
bool format_of_path(const char *path, sinew_format *format);

enum { FORMAT_LIST_BYTES = 64 };
/* "glb, vrma, bvh, npz, anim or csv", with `before` in front of each. Returns the buffer. */
const char *format_list(const char *before, char buffer[FORMAT_LIST_BYTES]);

/* By --to, by the suffix of -o, else GLB. A mistake is told in one line; then the result is false. */
bool format_choose(const arguments *given, sinew_format *format);

/* Bones turn in it, so that a clip of muscles needs a rig. */
bool format_holds_bones(sinew_format format);
bool format_holds_muscles(sinew_format format);

/* False, and told, where an option would do nothing with this format whatever the clips. */
bool format_options_fit(const arguments *given, sinew_format format);
/* The same of the options that are done to muscles, for a source with a clip of bones. */
bool format_fits_bones(const arguments *given, sinew_format format, const char *source);

#endif
