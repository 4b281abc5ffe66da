/* What is told about one rig: lines for a person, members of an object for a program. */
#ifndef CLI_RIG_REPORT_H
#define CLI_RIG_REPORT_H

#include "json_line.h"
#include "sinew.h"

/* Of an .fbx.meta, an Avatar or a rig file: its bones are stated and its T-pose is, none is found. */
bool rig_states_bones(const sinew_rig *rig);
/* unit_given: the command line states the unit. */
void rig_report_say(const char *path, const sinew_rig *rig, bool unit_given);
/* The members that `sinew help rig` states, from "name" on. */
void rig_report_fill(json_t *object, const sinew_rig *rig);

#endif
