/* Texts of `sinew help` that are no command's. */
#ifndef CLI_HELP_TOPICS_H
#define CLI_HELP_TOPICS_H

extern const char help_rigs[];
extern const char help_formats[];

#endif
