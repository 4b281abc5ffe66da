/* What is told of muscles: what a clip of bones loses by them, and which leave their range. */
#ifndef CLI_MUSCLE_REPORT_H
#define CLI_MUSCLE_REPORT_H

#include "json_line.h"
#include "sinew.h"

/* A line per kind of thing that there is to tell; none of a clip of muscles. */
void muscle_report_say(const sinew_muscle_report *report);
/* Null of a clip of muscles, and where no muscles were made. */
json_t *muscle_report_json(const sinew_muscle_report *report);

/* One line. */
void limit_report_say(const sinew_limit_report *report);
json_t *limit_report_json(const sinew_limit_report *report);

#endif
