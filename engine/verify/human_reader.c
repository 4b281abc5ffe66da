/* What a VRM animation says of human bones. The names are spelled out: nothing here is what wrote them. */
#include "base/error.h"
#include "verify/glb_document.h"
#include "verify/json_field.h"

#include <string.h>

/* By the humanoid's numbers; eyes are no bones of such a file. */
static const char *const names[DOCUMENT_HUMAN_BONES] = {
    "hips",
    "leftUpperLeg",
    "rightUpperLeg",
    "leftLowerLeg",
    "rightLowerLeg",
    "leftFoot",
    "rightFoot",
    "spine",
    "chest",
    "neck",
    "head",
    "leftShoulder",
    "rightShoulder",
    "leftUpperArm",
    "rightUpperArm",
    "leftLowerArm",
    "rightLowerArm",
    "leftHand",
    "rightHand",
    "leftToes",
    "rightToes",
    NULL,
    NULL,
    "jaw",
    "leftThumbMetacarpal",
    "leftThumbProximal",
    "leftThumbDistal",
    "leftIndexProximal",
    "leftIndexIntermediate",
    "leftIndexDistal",
    "leftMiddleProximal",
    "leftMiddleIntermediate",
    "leftMiddleDistal",
    "leftRingProximal",
    "leftRingIntermediate",
    "leftRingDistal",
    "leftLittleProximal",
    "leftLittleIntermediate",
    "leftLittleDistal",
    "rightThumbMetacarpal",
    "rightThumbProximal",
    "rightThumbDistal",
    "rightIndexProximal",
    "rightIndexIntermediate",
    "rightIndexDistal",
    "rightMiddleProximal",
    "rightMiddleIntermediate",
    "rightMiddleDistal",
    "rightRingProximal",
    "rightRingIntermediate",
    "rightRingDistal",
    "rightLittleProximal",
    "rightLittleIntermediate",
    "rightLittleDistal",
    "upperChest",
};

static bool is_listed(const json_t *root, const char *name) {
  const json_t *used = json_object_get(root, "extensionsUsed");
  for (size_t i = 0; i < json_array_size(used); i++) {
    const char *entry = json_string_value(json_array_get(used, i));
    if (entry && strcmp(entry, name) == 0) return true;
  }
  return false;
}

static int bone_named(const char *name) {
  for (int b = 0; b < DOCUMENT_HUMAN_BONES; b++)
    if (names[b] && strcmp(names[b], name) == 0) return b;
  return -1;
}

static sinew_result read_bones(verify_file *file, json_place bones, sinew_error *error) {
  const char *name;
  json_t *member;
  json_object_foreach((json_t *)bones.object, name, member) {
    const int bone = bone_named(name);
    SINEW_CHECK(bone >= 0, error, SINEW_ERROR_VERIFY, "a VRM animation names a human bone that is none");
    uint64_t node;
    json_place entry;
    SINEW_TRY(field_object(bones, name, &entry, error));
    SINEW_TRY(field_index(entry, "node", file->node_count, &node, error));
    file->human_node[bone] = (int32_t)node;
  }
  return SINEW_OK;
}

sinew_result document_read_human(verify_file *file, const json_t *root, sinew_error *error) {
  static const char extension[] = "VRMC_vrm_animation";
  for (int b = 0; b < DOCUMENT_HUMAN_BONES; b++) file->human_node[b] = -1;
  json_place top = {root, "file", 0}, child, humanoid, bones;
  if (!json_object_get(json_object_get(root, "extensions"), extension)) return SINEW_OK;
  SINEW_CHECK(is_listed(root, extension), error, SINEW_ERROR_VERIFY, "extensionsUsed has no %s", extension);
  SINEW_TRY(field_object(top, "extensions", &child, error));
  SINEW_TRY(field_object(child, extension, &child, error));
  const char *version;
  SINEW_TRY(field_text(child, "specVersion", &version, error));
  SINEW_CHECK(version && strcmp(version, "1.0") == 0, error, SINEW_ERROR_VERIFY, "%s is not of version 1.0",
              extension);
  SINEW_TRY(field_object(child, "humanoid", &humanoid, error));
  SINEW_TRY(field_object(humanoid, "humanBones", &bones, error));
  file->has_human = true;
  return read_bones(file, bones, error);
}

sinew_result verify_human(const verify_file *file, const int32_t *human_node, sinew_error *error) {
  SINEW_CHECK(file->has_human, error, SINEW_ERROR_VERIFY, "the file is no VRM animation");
  for (int b = 0; b < DOCUMENT_HUMAN_BONES; b++)
    SINEW_CHECK(file->human_node[b] == human_node[b], error, SINEW_ERROR_VERIFY,
                "human bone %d is node %d in the file, expected %d", b, file->human_node[b], human_node[b]);
  return SINEW_OK;
}
