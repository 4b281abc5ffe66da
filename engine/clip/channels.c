#include "clip/clip.h"

#include <string.h>

/* clang-format off */

/* Attribute names in the order of their binding index, as clips written by the editor pair them. */
static const char *const channel_names[CLIP_CHANNEL_COUNT] = {
    "MotionT.x", "MotionT.y", "MotionT.z", "MotionQ.x", "MotionQ.y", "MotionQ.z", "MotionQ.w", "RootT.x",
    "RootT.y", "RootT.z", "RootQ.x", "RootQ.y", "RootQ.z", "RootQ.w", "LeftFootT.x", "LeftFootT.y",
    "LeftFootT.z", "LeftFootQ.x", "LeftFootQ.y", "LeftFootQ.z", "LeftFootQ.w", "RightFootT.x",
    "RightFootT.y", "RightFootT.z", "RightFootQ.x", "RightFootQ.y", "RightFootQ.z", "RightFootQ.w",
    "LeftHandT.x", "LeftHandT.y", "LeftHandT.z", "LeftHandQ.x", "LeftHandQ.y", "LeftHandQ.z",
    "LeftHandQ.w", "RightHandT.x", "RightHandT.y", "RightHandT.z", "RightHandQ.x", "RightHandQ.y",
    "RightHandQ.z", "RightHandQ.w", "Spine Front-Back", "Spine Left-Right", "Spine Twist Left-Right",
    "Chest Front-Back", "Chest Left-Right", "Chest Twist Left-Right", "UpperChest Front-Back",
    "UpperChest Left-Right", "UpperChest Twist Left-Right", "Neck Nod Down-Up", "Neck Tilt Left-Right",
    "Neck Turn Left-Right", "Head Nod Down-Up", "Head Tilt Left-Right", "Head Turn Left-Right",
    "Left Eye Down-Up", "Left Eye In-Out", "Right Eye Down-Up", "Right Eye In-Out", "Jaw Close",
    "Jaw Left-Right", "Left Upper Leg Front-Back", "Left Upper Leg In-Out", "Left Upper Leg Twist In-Out",
    "Left Lower Leg Stretch", "Left Lower Leg Twist In-Out", "Left Foot Up-Down",
    "Left Foot Twist In-Out", "Left Toes Up-Down", "Right Upper Leg Front-Back", "Right Upper Leg In-Out",
    "Right Upper Leg Twist In-Out", "Right Lower Leg Stretch", "Right Lower Leg Twist In-Out",
    "Right Foot Up-Down", "Right Foot Twist In-Out", "Right Toes Up-Down", "Left Shoulder Down-Up",
    "Left Shoulder Front-Back", "Left Arm Down-Up", "Left Arm Front-Back", "Left Arm Twist In-Out",
    "Left Forearm Stretch", "Left Forearm Twist In-Out", "Left Hand Down-Up", "Left Hand In-Out",
    "Right Shoulder Down-Up", "Right Shoulder Front-Back", "Right Arm Down-Up", "Right Arm Front-Back",
    "Right Arm Twist In-Out", "Right Forearm Stretch", "Right Forearm Twist In-Out", "Right Hand Down-Up",
    "Right Hand In-Out", "LeftHand.Thumb.1 Stretched", "LeftHand.Thumb.Spread",
    "LeftHand.Thumb.2 Stretched", "LeftHand.Thumb.3 Stretched", "LeftHand.Index.1 Stretched",
    "LeftHand.Index.Spread", "LeftHand.Index.2 Stretched", "LeftHand.Index.3 Stretched",
    "LeftHand.Middle.1 Stretched", "LeftHand.Middle.Spread", "LeftHand.Middle.2 Stretched",
    "LeftHand.Middle.3 Stretched", "LeftHand.Ring.1 Stretched", "LeftHand.Ring.Spread",
    "LeftHand.Ring.2 Stretched", "LeftHand.Ring.3 Stretched", "LeftHand.Little.1 Stretched",
    "LeftHand.Little.Spread", "LeftHand.Little.2 Stretched", "LeftHand.Little.3 Stretched",
    "RightHand.Thumb.1 Stretched", "RightHand.Thumb.Spread", "RightHand.Thumb.2 Stretched",
    "RightHand.Thumb.3 Stretched", "RightHand.Index.1 Stretched", "RightHand.Index.Spread",
    "RightHand.Index.2 Stretched", "RightHand.Index.3 Stretched", "RightHand.Middle.1 Stretched",
    "RightHand.Middle.Spread", "RightHand.Middle.2 Stretched", "RightHand.Middle.3 Stretched",
    "RightHand.Ring.1 Stretched", "RightHand.Ring.Spread", "RightHand.Ring.2 Stretched",
    "RightHand.Ring.3 Stretched", "RightHand.Little.1 Stretched", "RightHand.Little.Spread",
    "RightHand.Little.2 Stretched", "RightHand.Little.3 Stretched", "SpineTDOF.x", "SpineTDOF.y",
    "SpineTDOF.z", "ChestTDOF.x", "ChestTDOF.y", "ChestTDOF.z", "UpperChestTDOF.x", "UpperChestTDOF.y",
    "UpperChestTDOF.z", "NeckTDOF.x", "NeckTDOF.y", "NeckTDOF.z", "HeadTDOF.x", "HeadTDOF.y",
    "HeadTDOF.z", "LeftUpperLegTDOF.x", "LeftUpperLegTDOF.y", "LeftUpperLegTDOF.z", "LeftLowerLegTDOF.x",
    "LeftLowerLegTDOF.y", "LeftLowerLegTDOF.z", "LeftFootTDOF.x", "LeftFootTDOF.y", "LeftFootTDOF.z",
    "LeftToesTDOF.x", "LeftToesTDOF.y", "LeftToesTDOF.z", "RightUpperLegTDOF.x", "RightUpperLegTDOF.y",
    "RightUpperLegTDOF.z", "RightLowerLegTDOF.x", "RightLowerLegTDOF.y", "RightLowerLegTDOF.z",
    "RightFootTDOF.x", "RightFootTDOF.y", "RightFootTDOF.z", "RightToesTDOF.x", "RightToesTDOF.y",
    "RightToesTDOF.z", "LeftShoulderTDOF.x", "LeftShoulderTDOF.y", "LeftShoulderTDOF.z",
    "LeftUpperArmTDOF.x", "LeftUpperArmTDOF.y", "LeftUpperArmTDOF.z", "LeftLowerArmTDOF.x",
    "LeftLowerArmTDOF.y", "LeftLowerArmTDOF.z", "LeftHandTDOF.x", "LeftHandTDOF.y", "LeftHandTDOF.z",
    "RightShoulderTDOF.x", "RightShoulderTDOF.y", "RightShoulderTDOF.z", "RightUpperArmTDOF.x",
    "RightUpperArmTDOF.y", "RightUpperArmTDOF.z", "RightLowerArmTDOF.x", "RightLowerArmTDOF.y",
    "RightLowerArmTDOF.z", "RightHandTDOF.x", "RightHandTDOF.y", "RightHandTDOF.z",
};

/* The same channels, sorted by the bytes of their names. */
static const uint8_t channels_by_name[CLIP_CHANNEL_COUNT] = {
    45, 46, 47, 140, 141, 142, 54, 55, 56, 149, 150, 151, 61, 62, 81, 82, 83, 57, 58, 69, 68, 84, 85, 86,
    87, 66, 67, 79, 80, 70, 63, 64, 65, 20, 17, 18, 19, 14, 15, 16, 158, 159, 160, 101, 103, 104, 102,
    113, 115, 116, 114, 105, 107, 108, 106, 109, 111, 112, 110, 97, 99, 100, 98, 34, 31, 32, 33, 28, 29,
    30, 185, 186, 187, 182, 183, 184, 155, 156, 157, 176, 177, 178, 161, 162, 163, 179, 180, 181, 152,
    153, 154, 6, 3, 4, 5, 0, 1, 2, 51, 52, 53, 146, 147, 148, 90, 91, 92, 59, 60, 77, 76, 93, 94, 95, 96,
    74, 75, 88, 89, 78, 71, 72, 73, 27, 24, 25, 26, 21, 22, 23, 170, 171, 172, 121, 123, 124, 122, 133,
    135, 136, 134, 125, 127, 128, 126, 129, 131, 132, 130, 117, 119, 120, 118, 41, 38, 39, 40, 35, 36, 37,
    197, 198, 199, 194, 195, 196, 167, 168, 169, 188, 189, 190, 173, 174, 175, 191, 192, 193, 164, 165,
    166, 13, 10, 11, 12, 7, 8, 9, 42, 43, 44, 137, 138, 139, 48, 49, 50, 143, 144, 145,
};

/* clang-format on */

int clip_channel_find(const char *name, size_t length) {
  int low = 0, high = CLIP_CHANNEL_COUNT;
  while (low < high) {
    int middle = (low + high) / 2;
    const char *candidate = channel_names[channels_by_name[middle]];
    size_t candidate_length = strlen(candidate);
    int order = memcmp(name, candidate, length < candidate_length ? length : candidate_length);
    if (order == 0 && length == candidate_length) return channels_by_name[middle];
    if (order < 0 || (order == 0 && length < candidate_length))
      high = middle;
    else
      low = middle + 1;
  }
  return CLIP_CHANNEL_FOREIGN;
}

const char *clip_channel_name(int channel) {
  return channel >= 0 && channel < CLIP_CHANNEL_COUNT ? channel_names[channel] : NULL;
}

sinew_curve_kind clip_channel_kind(int channel) {
  if (channel < 0 || channel >= CLIP_CHANNEL_COUNT) return SINEW_CURVE_FOREIGN;
  if (channel >= CLIP_CHANNEL_TDOF) return SINEW_CURVE_TDOF;
  if (channel >= CLIP_CHANNEL_MUSCLE) return SINEW_CURVE_MUSCLE;
  if (channel >= CLIP_CHANNEL_GOAL) return SINEW_CURVE_GOAL;
  return channel >= CLIP_CHANNEL_ROOT ? SINEW_CURVE_ROOT : SINEW_CURVE_MOTION;
}

int clip_plane_of_channel(int channel) {
  if (channel >= CLIP_CHANNEL_ROOT && channel < CLIP_CHANNEL_GOAL)
    return SINEW_PLANE_ROOT_T + channel - CLIP_CHANNEL_ROOT;
  if (channel >= CLIP_CHANNEL_GOAL && channel < CLIP_CHANNEL_MUSCLE)
    return SINEW_PLANE_GOAL + channel - CLIP_CHANNEL_GOAL;
  if (channel >= CLIP_CHANNEL_MUSCLE && channel < CLIP_CHANNEL_TDOF)
    return SINEW_PLANE_MUSCLE + channel - CLIP_CHANNEL_MUSCLE;
  return -1;
}
