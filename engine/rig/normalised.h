/* A rig made plain: its human bones alone, in T-pose, none of them turned. What VRM calls normalised, and
 * what files that only speak of humans hold. */
#ifndef SINEW_RIG_NORMALISED_H
#define SINEW_RIG_NORMALISED_H

#include "rig/rig.h"

typedef struct rig_normalise_options {
  bool without_eyes; /* as VRM animations want them */
} rig_normalise_options;

/* A rig that stands as `rig` does whenever both are driven by the same muscles and root: joints in the same
 * places, a bone's rotation in root space being that of the rig's times the conjugate of its rotation in
 * T-pose, a constant. Node 0, "Root", stands at the origin; the human bones hang from it and from each other,
 * named as VRM 1.0 names them, at rest in T-pose without any rotation or scale, in metres, in root space:
 * facing +Z. What stood in between is gone, what was no human bone too. Masses, scale, shares and limits are
 * the rig's. options may be NULL. Closed by sinew_rig_close. Errors: RIG, MEMORY. */
sinew_result rig_normalise(const sinew_rig *rig, const rig_normalise_options *options, sinew_rig **normalised,
                           sinew_error *error);

enum { RIG_VRM_NAME_BYTES = 32 };
/* The bone as VRM 1.0 calls it: "leftUpperArm", "leftThumbMetacarpal". */
void rig_vrm_name(int bone, char name[RIG_VRM_NAME_BYTES]);

#endif
