/* A compiled rig as a file of our own, which read/rig_json.c takes back to the last bit.
 *
 * One JSON object. Version 1 has exactly these members, all of them but those called optional:
 *   sinewRig        1, the version
 *   name
 *   unitScale       metres per unit of the file the rig came from; unitInferred: whether that was a guess
 *   height          lowest foot or toe to head, humanScale: height of the centre of mass, both in T-pose
 *   rootT, rootQ    centre of mass and body frame in T-pose; hipsRestQ: the hips' rotation there, in root
 * space armTwist, foreArmTwist, upperLegTwist, legTwist, armStretch, legStretch, feetSpacing, translationDof
 *   alignQ          optional: root space = alignQ * the frame of the nodes; without it they are one
 *   nodes           [{name, parent, t, q, s, source}]: the output's hierarchy and rest; parent: an index before
 * it, -1 a root; source, optional, in all nodes or none: its index in the model that the rig came from
 *   bones           [{bone, node, restQ, preQ, postQ, sgn, minRad, maxRad, length, customLimits,
 * mass}]: of each mapped human bone its node, its local rotation in T-pose, its muscle referential warnings
 * [sentences] Lengths are metres, angles radians, quaternions x, y, z, w, all in Unity's frame (left-handed,
 * Y up, facing +Z). Every number is the shortest that reads back as the same double. */
#ifndef SINEW_WRITE_RIG_JSON_H
#define SINEW_WRITE_RIG_JSON_H

#include "rig/rig.h"
#include "write/json_out.h"

/* Memory that ran out is remembered in `out`. */
void rig_json_write(const sinew_rig *rig, json_out *out);

#endif
