/* Which node of a skeleton is which human bone.
 *
 * What decides, in this order: a given map file; what the file itself states (VRM, VRMA), which names then do
 * not add to; names, in the scheme that fits most of them, as far as the hierarchy bears them out; structure:
 * topology, lengths, twins and poses.
 *
 * Rules where a scheme does not say:
 *
 * Hips: the deepest joint that all limbs hang below. Joints of the legs before the thighs are left out.
 *
 * Trunk: of n joints between the hips (without) and the joint that the arms hang from (with it) the first is
 * Spine; of two the second is Chest; of three or more the last is UpperChest and joint n / 2, from 0, Chest.
 *
 * Neck: the first joint between there and the head, where there is one.
 *
 * Where several joints stand for one (the three hinges of a robot's hip), the bone is the first of them.
 *
 * Shoulder: the first joint of an arm's chain before the upper arm. Toes: the first joint behind the foot.
 *
 * Fingers: joints in the order of the chain are proximal, intermediate, distal. A finger's first joint (not a
 * thumb's) is a metacarpal, no bone, where its name says so, or where three more follow and it is nearer to
 * the wrist than to the next one. Without names the thumb is the chain that begins nearest to the wrist, then
 * come index, middle, ring, little across the palm; five chains at most, of two joints or more.
 *
 * Eyes and jaw need names.
 *
 * Left is left as the body faces: where the toes point, else where the knees bend to, else where it walks;
 * the format's convention where nothing tells. */
#ifndef SINEW_MAP_MAP_H
#define SINEW_MAP_MAP_H

#include "clip/motion.h"
#include "map/map_file.h"

typedef enum map_source {
  MAP_NONE,
  MAP_FILE, /* the file itself says so */
  MAP_GIVEN,
  MAP_NAME,
  MAP_STRUCTURE
} map_source;

enum { MAP_WARNING_LIMIT = 32 };

typedef struct human_map {
  arena memory;
  int32_t node_of_bone[HUMAN_BONE_COUNT]; /* of the skeleton, -1: none */
  map_source source[HUMAN_BONE_COUNT];
  const char *reason[HUMAN_BONE_COUNT]; /* "named \"mixamorig:LeftArm\"", "the joint behind the left foot";
                                           NULL: none */
  const char *scheme;                   /* of the names: "Mixamo", "SOMA"; NULL: they did not decide */
  const char *warnings[MAP_WARNING_LIMIT];
  uint32_t warning_count;
} human_map;

/* Finds the human bones. given: corrections, NULL: none. motions: the file's, where the rest alone is no
 * stance. Errors: RIG, which names what is missing in one sentence, MEMORY; the map is empty then. */
sinew_result human_map_find(const skeleton *s, const motion *motions, uint32_t motion_count,
                            const map_file *given, human_map *map, sinew_error *error);
void human_map_release(human_map *map);

#endif
