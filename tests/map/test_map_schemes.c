/* A body for each naming scheme of the field, and what its names must map to. */
#include "map/made_body.h"
#include "map/changed_file.h"
#include "rig/quat.h"
#include "support/data.h"
#include "support/keep.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const made_side LONG = {"Left", "Right"}, SHORT = {"L", "R"}, LOW = {"l", "r"}, LOW_LONG = {"left", "right"};

static const made_joint mixamo[] = {
  {"Armature", NULL, "origin", NULL}, {"mixamorig:Hips", "Armature", "hips", "Hips"}, {"mixamorig:Spine", "mixamorig:Hips", "spine1", "Spine"}, {"mixamorig:Spine1", "mixamorig:Spine", "spine3", "Chest"},
  {"mixamorig:Spine2", "mixamorig:Spine1", "spine5", "UpperChest"}, {"mixamorig:Neck", "mixamorig:Spine2", "neck", "Neck"}, {"mixamorig:Head", "mixamorig:Neck", "head", "Head"},
  {"mixamorig:HeadTop_End", "mixamorig:Head", "crown", NULL}, {"mixamorig:#Eye", "mixamorig:Head", "eye", "#Eye"},
  {"mixamorig:#Shoulder", "mixamorig:Spine2", "shoulder", "#Shoulder"}, {"mixamorig:#Arm", "mixamorig:#Shoulder", "upperarm", "#UpperArm"}, {"mixamorig:#ForeArm", "mixamorig:#Arm", "lowerarm", "#LowerArm"},
  {"mixamorig:#Hand", "mixamorig:#ForeArm", "hand", "#Hand"}, {"mixamorig:#HandThumb1", "mixamorig:#Hand", "thumb1", "#ThumbProximal"}, {"mixamorig:#HandThumb2", "mixamorig:#HandThumb1", "thumb2", "#ThumbIntermediate"},
  {"mixamorig:#HandThumb3", "mixamorig:#HandThumb2", "thumb3", "#ThumbDistal"}, {"mixamorig:#HandThumb4", "mixamorig:#HandThumb3", "+.02 0 .01", NULL},
  {"mixamorig:#HandPinky1", "mixamorig:#Hand", "little1", "#LittleProximal"}, {"mixamorig:#HandPinky2", "mixamorig:#HandPinky1", "little2", "#LittleIntermediate"}, {"mixamorig:#HandPinky3", "mixamorig:#HandPinky2", "little3", "#LittleDistal"},
  {"mixamorig:#UpLeg", "mixamorig:Hips", "upperleg", "#UpperLeg"}, {"mixamorig:#Leg", "mixamorig:#UpLeg", "lowerleg", "#LowerLeg"}, {"mixamorig:#Foot", "mixamorig:#Leg", "foot", "#Foot"},
  {"mixamorig:#ToeBase", "mixamorig:#Foot", "toes", "#Toes"}, {"mixamorig:#Toe_End", "mixamorig:#ToeBase", "toeend", NULL}, {0}};

#define HIK_BODY(TOE) \
  {"Hips", NULL, "hips", "Hips"}, {"Spine", "Hips", "spine1", "Spine"}, {"Spine1", "Spine", "spine3", "Chest"}, {"Spine2", "Spine1", "spine5", "UpperChest"}, {"Neck", "Spine2", "neck", "Neck"}, {"Head", "Neck", "head", "Head"}, \
  {"#Shoulder", "Spine2", "shoulder", "#Shoulder"}, {"#Arm", "#Shoulder", "upperarm", "#UpperArm"}, {"#ForeArm", "#Arm", "lowerarm", "#LowerArm"}, {"#Hand", "#ForeArm", "hand", "#Hand"}, \
  {"#UpLeg", "Hips", "upperleg", "#UpperLeg"}, {"#Leg", "#UpLeg", "lowerleg", "#LowerLeg"}, {"#Foot", "#Leg", "foot", "#Foot"}, {TOE, "#Foot", "toes", "#Toes"}
static const made_joint ready_player_me[] = {HIK_BODY("#ToeBase"), {"HeadTop_End", "Head", "crown", NULL}, {"#Eye", "Head", "eye", "#Eye"}, {"#Toe_End", "#ToeBase", "toeend", NULL},
  {"#HandIndex1", "#Hand", "index1", "#IndexProximal"}, {"#HandIndex2", "#HandIndex1", "index2", "#IndexIntermediate"}, {"#HandIndex3", "#HandIndex2", "index3", "#IndexDistal"}, {0}};
static const made_joint lafan1[] = {HIK_BODY("#Toe"), {0}};

static const made_joint perception_neuron[] = {HIK_BODY("#ToeBase"), {"#InHandIndex", "#Hand", "indexm", NULL}, {"#HandIndex1", "#InHandIndex", "index1", "#IndexProximal"},
  {"#HandIndex2", "#HandIndex1", "index2", "#IndexIntermediate"}, {"#HandIndex3", "#HandIndex2", "index3", "#IndexDistal"}, {0}};

static const made_joint unreal[] = {
  {"root", NULL, "origin", NULL}, {"pelvis", "root", "hips", "Hips"}, {"spine_01", "pelvis", "spine1", "Spine"}, {"spine_02", "spine_01", "spine2", NULL}, {"spine_03", "spine_02", "spine3", "Chest"}, {"spine_04", "spine_03", "spine4", NULL},
  {"spine_05", "spine_04", "spine5", "UpperChest"}, {"neck_01", "spine_05", "neck", "Neck"}, {"neck_02", "neck_01", "neck2", NULL}, {"head", "neck_02", "head", "Head"}, {"clavicle_#", "spine_05", "shoulder", "#Shoulder"},
  {"upperarm_#", "clavicle_#", "upperarm", "#UpperArm"}, {"upperarm_twist_01_#", "upperarm_#", "armtwist", NULL}, {"lowerarm_#", "upperarm_#", "lowerarm", "#LowerArm"}, {"lowerarm_twist_01_#", "lowerarm_#", "foretwist", NULL}, {"hand_#", "lowerarm_#", "hand", "#Hand"},
  {"index_metacarpal_#", "hand_#", "indexm", NULL}, {"index_01_#", "index_metacarpal_#", "index1", "#IndexProximal"}, {"index_02_#", "index_01_#", "index2", "#IndexIntermediate"}, {"index_03_#", "index_02_#", "index3", "#IndexDistal"},
  {"thumb_01_#", "hand_#", "thumb1", "#ThumbProximal"}, {"thumb_02_#", "thumb_01_#", "thumb2", "#ThumbIntermediate"}, {"thumb_03_#", "thumb_02_#", "thumb3", "#ThumbDistal"},
  {"thigh_#", "pelvis", "upperleg", "#UpperLeg"}, {"thigh_twist_01_#", "thigh_#", "legtwist", NULL}, {"calf_#", "thigh_#", "lowerleg", "#LowerLeg"}, {"calf_twist_01_#", "calf_#", "shintwist", NULL}, {"foot_#", "calf_#", "foot", "#Foot"}, {"ball_#", "foot_#", "toes", "#Toes"},
  {"ik_foot_root", "root", "origin", NULL}, {"ik_foot_#", "ik_foot_root", "foot", NULL}, {"ik_hand_root", "root", "origin", NULL}, {"ik_hand_gun", "ik_hand_root", "hand", NULL}, {"ik_hand_#", "ik_hand_gun", "hand", NULL}, {0}};

static const made_joint vroid[] = {
  {"Root", NULL, "origin", NULL}, {"J_Bip_C_Hips", "Root", "hips", "Hips"}, {"J_Bip_C_Spine", "J_Bip_C_Hips", "spine1", "Spine"}, {"J_Bip_C_Chest", "J_Bip_C_Spine", "spine3", "Chest"}, {"J_Bip_C_UpperChest", "J_Bip_C_Chest", "spine5", "UpperChest"},
  {"J_Bip_C_Neck", "J_Bip_C_UpperChest", "neck", "Neck"}, {"J_Bip_C_Head", "J_Bip_C_Neck", "head", "Head"}, {"J_Adj_#_FaceEye", "J_Bip_C_Head", "eye", "#Eye"}, {"J_Sec_#_Bust1", "J_Bip_C_UpperChest", "breast", NULL},
  {"J_Sec_Hair1_#", "J_Bip_C_Head", "hair1", NULL}, {"J_Sec_Hair2_#", "J_Sec_Hair1_#", "hair2", NULL}, {"J_Sec_Hair3_#", "J_Sec_Hair2_#", "hair3", NULL}, {"J_Sec_Hair4_#", "J_Sec_Hair3_#", "hair4", NULL},
  {"J_Bip_#_Shoulder", "J_Bip_C_UpperChest", "shoulder", "#Shoulder"}, {"J_Bip_#_UpperArm", "J_Bip_#_Shoulder", "upperarm", "#UpperArm"}, {"J_Bip_#_LowerArm", "J_Bip_#_UpperArm", "lowerarm", "#LowerArm"}, {"J_Bip_#_Hand", "J_Bip_#_LowerArm", "hand", "#Hand"},
  {"J_Bip_#_Thumb1", "J_Bip_#_Hand", "thumb1", "#ThumbProximal"}, {"J_Bip_#_Thumb2", "J_Bip_#_Thumb1", "thumb2", "#ThumbIntermediate"}, {"J_Bip_#_Thumb3", "J_Bip_#_Thumb2", "thumb3", "#ThumbDistal"},
  {"J_Bip_#_Little1", "J_Bip_#_Hand", "little1", "#LittleProximal"}, {"J_Bip_#_Little2", "J_Bip_#_Little1", "little2", "#LittleIntermediate"}, {"J_Bip_#_Little3", "J_Bip_#_Little2", "little3", "#LittleDistal"},
  {"J_Sec_#_SkirtFront1", "J_Bip_C_Hips", "skirt1", NULL}, {"J_Sec_#_SkirtFront2", "J_Sec_#_SkirtFront1", "skirt2", NULL}, {"J_Sec_#_SkirtFront3", "J_Sec_#_SkirtFront2", "skirt3", NULL},
  {"J_Bip_#_UpperLeg", "J_Bip_C_Hips", "upperleg", "#UpperLeg"}, {"J_Bip_#_LowerLeg", "J_Bip_#_UpperLeg", "lowerleg", "#LowerLeg"}, {"J_Bip_#_Foot", "J_Bip_#_LowerLeg", "foot", "#Foot"}, {"J_Bip_#_ToeBase", "J_Bip_#_Foot", "toes", "#Toes"}, {0}};

static const made_joint vrm[] = {
  {"hips", NULL, "hips", "Hips"}, {"spine", "hips", "spine1", "Spine"}, {"chest", "spine", "spine5", "Chest"}, {"neck", "chest", "neck", "Neck"}, {"head", "neck", "head", "Head"}, {"jaw", "head", "jaw", "Jaw"}, {"#Eye", "head", "eye", "#Eye"},
  {"#Shoulder", "chest", "shoulder", "#Shoulder"}, {"#UpperArm", "#Shoulder", "upperarm", "#UpperArm"}, {"#LowerArm", "#UpperArm", "lowerarm", "#LowerArm"}, {"#Hand", "#LowerArm", "hand", "#Hand"},
  {"#ThumbMetacarpal", "#Hand", "thumb1", "#ThumbProximal"}, {"#ThumbProximal", "#ThumbMetacarpal", "thumb2", "#ThumbIntermediate"}, {"#ThumbDistal", "#ThumbProximal", "thumb3", "#ThumbDistal"},
  {"#RingProximal", "#Hand", "ring1", "#RingProximal"}, {"#RingIntermediate", "#RingProximal", "ring2", "#RingIntermediate"}, {"#RingDistal", "#RingIntermediate", "ring3", "#RingDistal"},
  {"#UpperLeg", "hips", "upperleg", "#UpperLeg"}, {"#LowerLeg", "#UpperLeg", "lowerleg", "#LowerLeg"}, {"#Foot", "#LowerLeg", "foot", "#Foot"}, {"#Toes", "#Foot", "toes", "#Toes"}, {0}};

static const made_joint smpl[] = {
  {"Pelvis", NULL, "hips", "Hips"}, {"#_Hip", "Pelvis", "upperleg", "#UpperLeg"}, {"#_Knee", "#_Hip", "lowerleg", "#LowerLeg"}, {"#_Ankle", "#_Knee", "foot", "#Foot"}, {"#_Foot", "#_Ankle", "toes", "#Toes"},
  {"Spine1", "Pelvis", "spine1", "Spine"}, {"Spine2", "Spine1", "spine3", "Chest"}, {"Spine3", "Spine2", "spine5", "UpperChest"}, {"Neck", "Spine3", "neck", "Neck"}, {"Head", "Neck", "head", "Head"},
  {"#_Collar", "Spine3", "shoulder", "#Shoulder"}, {"#_Shoulder", "#_Collar", "upperarm", "#UpperArm"}, {"#_Elbow", "#_Shoulder", "lowerarm", "#LowerArm"}, {"#_Wrist", "#_Elbow", "hand", "#Hand"}, {"#_Hand", "#_Wrist", "middle1", NULL}, {0}};

static const made_joint smpl_x[] = {
  {"pelvis", NULL, "hips", "Hips"}, {"#_hip", "pelvis", "upperleg", "#UpperLeg"}, {"#_knee", "#_hip", "lowerleg", "#LowerLeg"}, {"#_ankle", "#_knee", "foot", "#Foot"}, {"#_foot", "#_ankle", "toes", "#Toes"},
  {"spine1", "pelvis", "spine1", "Spine"}, {"spine2", "spine1", "spine3", "Chest"}, {"spine3", "spine2", "spine5", "UpperChest"}, {"neck", "spine3", "neck", "Neck"}, {"head", "neck", "head", "Head"}, {"jaw", "head", "jaw", "Jaw"}, {"#_eye_smplhf", "head", "eye", "#Eye"},
  {"#_collar", "spine3", "shoulder", "#Shoulder"}, {"#_shoulder", "#_collar", "upperarm", "#UpperArm"}, {"#_elbow", "#_shoulder", "lowerarm", "#LowerArm"}, {"#_wrist", "#_elbow", "hand", "#Hand"},
  {"#_index1", "#_wrist", "index1", "#IndexProximal"}, {"#_index2", "#_index1", "index2", "#IndexIntermediate"}, {"#_index3", "#_index2", "index3", "#IndexDistal"},
  {"#_pinky1", "#_wrist", "little1", "#LittleProximal"}, {"#_pinky2", "#_pinky1", "little2", "#LittleIntermediate"}, {"#_pinky3", "#_pinky2", "little3", "#LittleDistal"}, {0}};

static const made_joint soma[] = {
  {"Hips", NULL, "hips", "Hips"}, {"Spine1", "Hips", "spine1", "Spine"}, {"Spine2", "Spine1", "spine3", "Chest"}, {"Chest", "Spine2", "spine5", "UpperChest"}, {"Neck1", "Chest", "neck", "Neck"}, {"Neck2", "Neck1", "neck2", NULL}, {"Head", "Neck2", "head", "Head"},
  {"Jaw", "Head", "jaw", "Jaw"}, {"#Eye", "Head", "eye", "#Eye"}, {"#Shoulder", "Chest", "shoulder", "#Shoulder"}, {"#Arm", "#Shoulder", "upperarm", "#UpperArm"}, {"#ForeArm", "#Arm", "lowerarm", "#LowerArm"}, {"#Hand", "#ForeArm", "hand", "#Hand"},
  {"#HandThumbEnd", "#Hand", "thumb3", NULL}, {"#HandMiddleEnd", "#Hand", "middle3", NULL}, {"#Leg", "Hips", "upperleg", "#UpperLeg"}, {"#Shin", "#Leg", "lowerleg", "#LowerLeg"}, {"#Foot", "#Shin", "foot", "#Foot"}, {"#ToeBase", "#Foot", "toes", "#Toes"}, {0}};

static const made_joint cmu[] = {
  {"Hips", NULL, "hips", "Hips"}, {"#HipJoint", "Hips", "hips", NULL}, {"#UpLeg", "#HipJoint", "upperleg", "#UpperLeg"}, {"#Leg", "#UpLeg", "lowerleg", "#LowerLeg"}, {"#Foot", "#Leg", "foot", "#Foot"}, {"#ToeBase", "#Foot", "toes", "#Toes"},
  {"LowerBack", "Hips", "hips", "Spine"}, {"Spine", "LowerBack", "spine2", "Chest"}, {"Spine1", "Spine", "spine5", "UpperChest"}, {"Neck", "Spine1", "spine5", "Neck"}, {"Neck1", "Neck", "neck", NULL}, {"Head", "Neck1", "head", "Head"},
  {"#Shoulder", "Spine1", "spine5", "#Shoulder"}, {"#Arm", "#Shoulder", "upperarm", "#UpperArm"}, {"#ForeArm", "#Arm", "lowerarm", "#LowerArm"}, {"#Hand", "#ForeArm", "hand", "#Hand"}, {0}};

static const made_joint xsens[] = {
  {"Pelvis", NULL, "hips", "Hips"}, {"L5", "Pelvis", "waist", "Spine"}, {"L3", "L5", "spine1", NULL}, {"T12", "L3", "spine3", "Chest"}, {"T8", "T12", "spine5", "UpperChest"}, {"Neck", "T8", "neck", "Neck"}, {"Head", "Neck", "head", "Head"},
  {"#Shoulder", "T8", "shoulder", "#Shoulder"}, {"#UpperArm", "#Shoulder", "upperarm", "#UpperArm"}, {"#ForeArm", "#UpperArm", "lowerarm", "#LowerArm"}, {"#Hand", "#ForeArm", "hand", "#Hand"},
  {"#UpperLeg", "Pelvis", "upperleg", "#UpperLeg"}, {"#LowerLeg", "#UpperLeg", "lowerleg", "#LowerLeg"}, {"#Foot", "#LowerLeg", "foot", "#Foot"}, {"#Toe", "#Foot", "toes", "#Toes"}, {0}};

static const made_joint rokoko[] = {
  {"Hips", NULL, "hips", "Hips"}, {"Spine1", "Hips", "spine1", "Spine"}, {"Spine2", "Spine1", "spine2", NULL}, {"Spine3", "Spine2", "spine4", "Chest"}, {"Spine4", "Spine3", "spine5", "UpperChest"}, {"Neck", "Spine4", "neck", "Neck"}, {"Head", "Neck", "head", "Head"},
  {"#Shoulder", "Spine4", "shoulder", "#Shoulder"}, {"#Arm", "#Shoulder", "upperarm", "#UpperArm"}, {"#ForeArm", "#Arm", "lowerarm", "#LowerArm"}, {"#Hand", "#ForeArm", "hand", "#Hand"},
  {"#Thigh", "Hips", "upperleg", "#UpperLeg"}, {"#Shin", "#Thigh", "lowerleg", "#LowerLeg"}, {"#Foot", "#Shin", "foot", "#Foot"}, {"#Toe", "#Foot", "toes", "#Toes"}, {"#ToeTip", "#Toe", "toeend", NULL}, {0}};

/* Thighs below the spine, clavicles below the neck, as the default has it. */
static const made_joint biped[] = {
  {"Bip001", NULL, "hips", NULL}, {"Bip001 Footsteps", "Bip001", "origin", NULL}, {"Bip001 Pelvis", "Bip001", "hips", "Hips"}, {"Bip001 Spine", "Bip001 Pelvis", "waist", "Spine"}, {"Bip001 Spine1", "Bip001 Spine", "spine3", "Chest"}, {"Bip001 Spine2", "Bip001 Spine1", "spine5", "UpperChest"},
  {"Bip001 Neck", "Bip001 Spine2", "neck", "Neck"}, {"Bip001 Head", "Bip001 Neck", "head", "Head"}, {"Bip001 HeadNub", "Bip001 Head", "crown", NULL}, {"Bip001 # Clavicle", "Bip001 Neck", "shoulder", "#Shoulder"}, {"Bip001 # UpperArm", "Bip001 # Clavicle", "upperarm", "#UpperArm"},
  {"Bip001 # UpArmTwist", "Bip001 # UpperArm", "armtwist", NULL}, {"Bip001 # Forearm", "Bip001 # UpperArm", "lowerarm", "#LowerArm"}, {"Bip001 # ForeTwist", "Bip001 # Forearm", "foretwist", NULL}, {"Bip001 # Hand", "Bip001 # Forearm", "hand", "#Hand"}, {"Bip001 Prop1", "Bip001", "prop1", NULL},
  {"Bip001 # Finger0", "Bip001 # Hand", "thumb1", "#ThumbProximal"}, {"Bip001 # Finger01", "Bip001 # Finger0", "thumb2", "#ThumbIntermediate"}, {"Bip001 # Finger02", "Bip001 # Finger01", "thumb3", "#ThumbDistal"},
  {"Bip001 # Finger1", "Bip001 # Hand", "index1", "#IndexProximal"}, {"Bip001 # Finger11", "Bip001 # Finger1", "index2", "#IndexIntermediate"}, {"Bip001 # Finger12", "Bip001 # Finger11", "index3", "#IndexDistal"}, {"Bip001 # Finger1Nub", "Bip001 # Finger12", "+.02 0 0", NULL},
  {"Bip001 # Finger4", "Bip001 # Hand", "little1", "#LittleProximal"}, {"Bip001 # Finger41", "Bip001 # Finger4", "little2", "#LittleIntermediate"}, {"Bip001 # Finger42", "Bip001 # Finger41", "little3", "#LittleDistal"},
  {"Bip001 # Thigh", "Bip001 Spine", "upperleg", "#UpperLeg"}, {"Bip001 # Calf", "Bip001 # Thigh", "lowerleg", "#LowerLeg"}, {"Bip001 # Foot", "Bip001 # Calf", "foot", "#Foot"}, {"Bip001 # Toe0", "Bip001 # Foot", "toes", "#Toes"}, {"Bip001 # Toe0Nub", "Bip001 # Toe0", "toeend", NULL}, {0}};

static const made_joint rigify[] = {
  {"rig", NULL, "origin", NULL}, {"DEF-spine", "rig", "hips", "Hips"}, {"DEF-spine.001", "DEF-spine", "spine1", "Spine"}, {"DEF-spine.002", "DEF-spine.001", "spine3", "Chest"}, {"DEF-spine.003", "DEF-spine.002", "spine5", "UpperChest"},
  {"DEF-spine.004", "DEF-spine.003", "neck", "Neck"}, {"DEF-spine.005", "DEF-spine.004", "neck2", NULL}, {"DEF-spine.006", "DEF-spine.005", "head", "Head"}, {"DEF-breast.#", "DEF-spine.003", "breast", NULL}, {"DEF-pelvis.#", "DEF-spine", "pelvis", NULL},
  {"DEF-shoulder.#", "DEF-spine.003", "shoulder", "#Shoulder"}, {"DEF-upper_arm.#", "DEF-shoulder.#", "upperarm", "#UpperArm"}, {"DEF-upper_arm.#.001", "DEF-upper_arm.#", "armtwist", NULL}, {"DEF-forearm.#", "DEF-upper_arm.#.001", "lowerarm", "#LowerArm"}, {"DEF-forearm.#.001", "DEF-forearm.#", "foretwist", NULL},
  {"DEF-hand.#", "DEF-forearm.#.001", "hand", "#Hand"}, {"DEF-f_index.01.#", "DEF-hand.#", "index1", "#IndexProximal"}, {"DEF-f_index.02.#", "DEF-f_index.01.#", "index2", "#IndexIntermediate"}, {"DEF-f_index.03.#", "DEF-f_index.02.#", "index3", "#IndexDistal"},
  {"DEF-thigh.#", "DEF-spine", "upperleg", "#UpperLeg"}, {"DEF-thigh.#.001", "DEF-thigh.#", "legtwist", NULL}, {"DEF-shin.#", "DEF-thigh.#.001", "lowerleg", "#LowerLeg"}, {"DEF-shin.#.001", "DEF-shin.#", "shintwist", NULL}, {"DEF-foot.#", "DEF-shin.#.001", "foot", "#Foot"}, {"DEF-toe.#", "DEF-foot.#", "toes", "#Toes"}, {0}};

static const made_joint daz[] = {
  {"Genesis8Female", NULL, "origin", NULL}, {"hip", "Genesis8Female", "hips", "Hips"}, {"pelvis", "hip", "hips", NULL}, {"#ThighBend", "pelvis", "upperleg", "#UpperLeg"}, {"#ThighTwist", "#ThighBend", "legtwist", NULL}, {"#Shin", "#ThighTwist", "lowerleg", "#LowerLeg"},
  {"#Foot", "#Shin", "foot", "#Foot"}, {"#Metatarsals", "#Foot", "+0 -.03 .05", NULL}, {"#Toe", "#Metatarsals", "toes", "#Toes"}, {"abdomenLower", "hip", "waist", "Spine"}, {"abdomenUpper", "abdomenLower", "spine2", NULL}, {"chestLower", "abdomenUpper", "spine3", "Chest"},
  {"chestUpper", "chestLower", "spine5", "UpperChest"}, {"#Pectoral", "chestLower", "breast", NULL}, {"neckLower", "chestUpper", "neck", "Neck"}, {"neckUpper", "neckLower", "neck2", NULL}, {"head", "neckUpper", "head", "Head"}, {"lowerJaw", "head", "jaw", "Jaw"}, {"#Eye", "head", "eye", "#Eye"},
  {"#Collar", "chestUpper", "shoulder", "#Shoulder"}, {"#ShldrBend", "#Collar", "upperarm", "#UpperArm"}, {"#ShldrTwist", "#ShldrBend", "armtwist", NULL}, {"#ForearmBend", "#ShldrTwist", "lowerarm", "#LowerArm"}, {"#ForearmTwist", "#ForearmBend", "foretwist", NULL}, {"#Hand", "#ForearmTwist", "hand", "#Hand"},
  {"#Thumb1", "#Hand", "thumb1", "#ThumbProximal"}, {"#Thumb2", "#Thumb1", "thumb2", "#ThumbIntermediate"}, {"#Thumb3", "#Thumb2", "thumb3", "#ThumbDistal"}, {"#Carpal1", "#Hand", "indexm", NULL}, {"#Index1", "#Carpal1", "index1", "#IndexProximal"}, {"#Index2", "#Index1", "index2", "#IndexIntermediate"}, {"#Index3", "#Index2", "index3", "#IndexDistal"},
  {"#Mid1", "#Hand", "middle1", "#MiddleProximal"}, {"#Mid2", "#Mid1", "middle2", "#MiddleIntermediate"}, {"#Mid3", "#Mid2", "middle3", "#MiddleDistal"}, {0}};

static const made_joint reallusion[] = {
  {"CC_Base_BoneRoot", NULL, "origin", NULL}, {"CC_Base_Hip", "CC_Base_BoneRoot", "hips", "Hips"}, {"CC_Base_Pelvis", "CC_Base_Hip", "hips", NULL}, {"CC_Base_#_Thigh", "CC_Base_Pelvis", "upperleg", "#UpperLeg"}, {"CC_Base_#_ThighTwist01", "CC_Base_#_Thigh", "legtwist", NULL}, {"CC_Base_#_Calf", "CC_Base_#_Thigh", "lowerleg", "#LowerLeg"},
  {"CC_Base_#_KneeShareBone", "CC_Base_#_Calf", "lowerleg", NULL}, {"CC_Base_#_Foot", "CC_Base_#_Calf", "foot", "#Foot"}, {"CC_Base_#_ToeBase", "CC_Base_#_Foot", "toes", "#Toes"}, {"CC_Base_Waist", "CC_Base_Hip", "waist", "Spine"}, {"CC_Base_Spine01", "CC_Base_Waist", "spine2", "Chest"}, {"CC_Base_Spine02", "CC_Base_Spine01", "spine5", "UpperChest"},
  {"CC_Base_NeckTwist01", "CC_Base_Spine02", "neck", "Neck"}, {"CC_Base_NeckTwist02", "CC_Base_NeckTwist01", "neck2", NULL}, {"CC_Base_Head", "CC_Base_NeckTwist02", "head", "Head"}, {"CC_Base_JawRoot", "CC_Base_Head", "jaw", "Jaw"}, {"CC_Base_#_Eye", "CC_Base_Head", "eye", "#Eye"},
  {"CC_Base_#_Clavicle", "CC_Base_Spine02", "shoulder", "#Shoulder"}, {"CC_Base_#_Upperarm", "CC_Base_#_Clavicle", "upperarm", "#UpperArm"}, {"CC_Base_#_Forearm", "CC_Base_#_Upperarm", "lowerarm", "#LowerArm"}, {"CC_Base_#_Hand", "CC_Base_#_Forearm", "hand", "#Hand"},
  {"CC_Base_#_Mid1", "CC_Base_#_Hand", "middle1", "#MiddleProximal"}, {"CC_Base_#_Mid2", "CC_Base_#_Mid1", "middle2", "#MiddleIntermediate"}, {"CC_Base_#_Mid3", "CC_Base_#_Mid2", "middle3", "#MiddleDistal"}, {0}};

static const made_joint blender[] = {
  {"Armature", NULL, "origin", NULL}, {"Pelvis", "Armature", "hips", "Hips"}, {"Torso", "Pelvis", "spine1", "Spine"}, {"Chest", "Torso", "spine5", "Chest"}, {"Neck", "Chest", "neck", "Neck"}, {"Head", "Neck", "head", "Head"},
  {"Clavicle.#", "Chest", "shoulder", "#Shoulder"}, {"Arm Upper.#", "Clavicle.#", "upperarm", "#UpperArm"}, {"Arm Lower.#", "Arm Upper.#", "lowerarm", "#LowerArm"}, {"Hand.#", "Arm Lower.#", "hand", "#Hand"},
  {"Leg Upper.#", "Pelvis", "upperleg", "#UpperLeg"}, {"Leg Lower.#", "Leg Upper.#", "lowerleg", "#LowerLeg"}, {"Foot.#", "Leg Lower.#", "foot", "#Foot"}, {"Toes.#", "Foot.#", "toes", "#Toes"}, {0}};

/* Upper and lower are but a leg and a shin; sides stand in front without a capital. */
static const made_joint glued[] = {
  {"hip", NULL, "hips", "Hips"}, {"spine", "hip", "spine1", "Spine"}, {"chest", "spine", "spine5", "Chest"}, {"neck", "chest", "neck", "Neck"}, {"head", "neck", "head", "Head"}, {"#shoulder", "chest", "shoulder", "#Shoulder"},
  {"#arm", "#shoulder", "upperarm", "#UpperArm"}, {"#forearm", "#arm", "lowerarm", "#LowerArm"}, {"#hand", "#forearm", "hand", "#Hand"}, {"#leg", "hip", "upperleg", "#UpperLeg"}, {"#calf", "#leg", "lowerleg", "#LowerLeg"}, {"#foot", "#calf", "foot", "#Foot"}, {0}};

static const struct {
  const char *label;
  const char *scheme;
  const made_joint *joints;
  const made_side *side;
} schemes[] = {
  {"Mixamo", "Mixamo", mixamo, &LONG}, {"Ready Player Me", "Ready Player Me", ready_player_me, &LONG}, {"LAFAN1", "LAFAN1", lafan1, &LONG}, {"Perception Neuron", "Perception Neuron", perception_neuron, &LONG},
  {"Unreal", "Unreal", unreal, &LOW}, {"VRoid", "VRoid", vroid, &SHORT}, {"VRM", "VRM", vrm, &LOW_LONG}, {"SMPL", "SMPL", smpl, &SHORT}, {"SMPL-X", "SMPL", smpl_x, &LOW_LONG}, {"SOMA", "SOMA", soma, &LONG}, {"CMU", "CMU", cmu, &LONG},
  {"Xsens", "Xsens", xsens, &LONG}, {"Rokoko", "Rokoko", rokoko, &LONG}, {"Biped", "3ds Max Biped", biped, &SHORT}, {"Rigify", "Rigify", rigify, &SHORT}, {"Daz", "Daz", daz, &LOW}, {"Reallusion", "Reallusion", reallusion, &SHORT},
  {"Blender", "plain words", blender, &SHORT}, {"glued", "plain words", glued, &LOW},
};
/* clang-format on */

Test(map_schemes, each_maps_by_its_names) {
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    skeleton *s = made_body(schemes[i].joints, *schemes[i].side, i % 2 ? "bvh" : "gltf");
    human_map map = made_check(schemes[i].joints, *schemes[i].side, s, schemes[i].label);
    cr_expect(map.scheme && strcmp(map.scheme, schemes[i].scheme) == 0, "%s: %s", schemes[i].label,
              map.scheme ? map.scheme : "-");
    cr_expect_eq(map.warning_count, 0, "%s: %s", schemes[i].label, map.warning_count ? map.warnings[0] : "");
    human_map_release(&map);
  }
}

/* The names alone: every bone lies along one axis, twins do not stand apart. */
Test(map_schemes, names_do_without_a_stance) {
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    skeleton *s = made_body(schemes[i].joints, *schemes[i].side, "bvh");
    for (uint32_t n = 0; n < s->node_count; n++) {
      const double length = vec_normalise(s->nodes[n].t);
      memcpy(s->nodes[n].t, (double[3]){length, 0, 0}, sizeof s->nodes[n].t);
    }
    human_map map;
    sinew_error error = {0};
    cr_expect_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_OK, "%s: %s", schemes[i].label,
                 error.message);
    int32_t nodes[HUMAN_BONE_COUNT];
    made_expect(schemes[i].joints, *schemes[i].side, s, nodes);
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
      if (human_bones[bone].required)
        cr_expect_eq(map.node_of_bone[bone], nodes[bone], "%s: %s", schemes[i].label, human_bones[bone].name);
    human_map_release(&map);
  }
}

/* What no scheme can name is found by structure, in the schemes that hang as a tree of limbs does. */
Test(map_schemes, random_names_map_alike) {
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    if (strcmp(schemes[i].label, "Biped") == 0)
      continue; /* its thighs hang from the spine: no other sign of it */
    skeleton *s = made_body(schemes[i].joints, *schemes[i].side, "bvh");
    int32_t nodes[HUMAN_BONE_COUNT];
    made_expect(schemes[i].joints, *schemes[i].side, s, nodes);
    motion_file file = {.skeleton = s};
    changed_rename(&file, (unsigned)i + 1);
    human_map map;
    sinew_error error = {0};
    cr_expect_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_OK, "%s: %s", schemes[i].label,
                 error.message);
    for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++)
      if (human_bones[bone].required && map.node_of_bone[HUMAN_HIPS] >= 0)
        cr_expect_eq(map.node_of_bone[bone], nodes[bone], "%s without names: %s is %d, expected %d",
                     schemes[i].label, human_bones[bone].name, map.node_of_bone[bone], nodes[bone]);
    human_map_release(&map);
  }
}

/* ---- the robot that has no head ------------------------------------------------------------------------ */

/* clang-format off */
static const made_joint g1[] = {
  {"pelvis_skel", NULL, "hips", "Hips"}, {"#_hip_pitch_skel", "pelvis_skel", "+.064 -.103 0", "#UpperLeg"}, {"#_hip_roll_skel", "#_hip_pitch_skel", "+.052 -.03 0", NULL}, {"#_hip_yaw_skel", "#_hip_roll_skel", "+0 -.124 .025", NULL},
  {"#_knee_skel", "#_hip_yaw_skel", "+.002 -.177 -.078", "#LowerLeg"}, {"#_ankle_pitch_skel", "#_knee_skel", "+0 -.3 0", "#Foot"}, {"#_ankle_roll_skel", "#_ankle_pitch_skel", "+0 -.018 0", NULL}, {"#_toe_base", "#_ankle_roll_skel", "+0 -.035 .14", "#Toes"},
  {"waist_yaw_skel", "pelvis_skel", "+0 0 0", "Spine"}, {"waist_roll_skel", "waist_yaw_skel", "+0 .044 -.004", "Chest"}, {"waist_pitch_skel", "waist_roll_skel", "+0 0 0", "UpperChest"},
  {"#_shoulder_pitch_skel", "waist_pitch_skel", "+.1 .248 .004", "#UpperArm"}, {"#_shoulder_roll_skel", "#_shoulder_pitch_skel", "+.038 -.014 0", NULL}, {"#_shoulder_yaw_skel", "#_shoulder_roll_skel", "+.006 -.103 0", NULL},
  {"#_elbow_skel", "#_shoulder_yaw_skel", "+0 -.081 .016", "#LowerArm"}, {"#_wrist_roll_skel", "#_elbow_skel", "+.002 -.01 .1", "#Hand"}, {"#_wrist_pitch_skel", "#_wrist_roll_skel", "+0 0 .038", NULL}, {"#_wrist_yaw_skel", "#_wrist_pitch_skel", "+0 0 .046", NULL},
  {"#_hand_roll_skel", "#_wrist_yaw_skel", "+0 0 .1", NULL}, {0}, {0}};
/* clang-format on */

Test(map_schemes, a_robot_without_a_head_is_refused_for_that) {
  human_map map;
  sinew_error error = {0};
  skeleton *s = made_body(g1, LOW_LONG, "bvh");
  cr_expect_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_ERROR_RIG);
  cr_expect_str_eq(error.message, "no human map: the head is missing");
}

/* Of a group of hinges the bone is the first. */
Test(map_schemes, a_robot_with_a_head_maps) {
  made_joint joints[sizeof g1 / sizeof *g1];
  memcpy(joints, g1, sizeof g1);
  joints[sizeof g1 / sizeof *g1 - 2] = (made_joint){"head_skel", "waist_pitch_skel", "+0 .4 0", "Head"};
  skeleton *s = made_body(joints, LOW_LONG, "bvh");
  human_map map = made_check(joints, LOW_LONG, s, "G1 with a head");
  cr_expect_str_eq(map.scheme, "Kimodo G1");
  human_map_release(&map);
}

/* ---- the public tables --------------------------------------------------------------------------------- */

static skeleton *table_body(const char *relative) {
  size_t count;
  char *bytes = test_read_file(test_data(relative), &count);
  json_t *root = json_loadb(bytes, count, 0, NULL);
  const json_t *joints = json_object_get(root, "joint");
  skeleton *s = test_keep(1, sizeof *s);
  s->kind = "gltf", s->name = "";
  s->nodes = test_keep(json_array_size(joints), sizeof *s->nodes);
  for (int bone = 0; bone < HUMAN_BONE_COUNT; bone++) s->node_of_bone[bone] = -1;
  for (; s->node_count < json_array_size(joints); s->node_count++) {
    const json_t *joint = json_array_get(joints, s->node_count),
                 *offset = json_object_get(joint, "offset_cm");
    skeleton_node *node = &s->nodes[s->node_count];
    *node =
        (skeleton_node){.q = {0, 0, 0, 1}, .s = {1, 1, 1}, .is_joint = true, .source_index = s->node_count};
    node->parent = changed_find(s, json_string_value(json_object_get(joint, "parent")));
    node->name = test_keep_text(json_string_value(json_object_get(joint, "name")));
    for (size_t k = 0; k < 3; k++) node->t[k] = json_number_value(json_array_get(offset, k));
  }
  json_decref(root);
  free(bytes);
  return s;
}

/* Their offsets run along each bone's own axis and make no stance: the names must do. */
static void check_table(const char *relative, const char *chest, const char *upper_chest) {
  skeleton *s = table_body(relative);
  human_map map;
  sinew_error error = {0};
  cr_assert_eq(human_map_find(s, NULL, 0, NULL, &map, &error), SINEW_OK, "%s: %s", relative, error.message);
  cr_expect_str_eq(map.scheme, "Unreal");
  cr_expect_str_eq(s->nodes[map.node_of_bone[HUMAN_HIPS]].name, "pelvis");
  cr_expect_str_eq(s->nodes[map.node_of_bone[HUMAN_SPINE]].name, "spine_01");
  cr_expect_str_eq(s->nodes[map.node_of_bone[HUMAN_CHEST]].name, chest);
  cr_expect_str_eq(s->nodes[map.node_of_bone[HUMAN_UPPER_CHEST]].name, upper_chest);
  cr_expect_str_eq(s->nodes[map.node_of_bone[HUMAN_NECK]].name, "neck_01");
  cr_expect_str_eq(s->nodes[map.node_of_bone[HUMAN_LEFT_UPPER_ARM]].name, "upperarm_l");
  cr_expect_str_eq(s->nodes[map.node_of_bone[HUMAN_RIGHT_LOWER_ARM]].name, "lowerarm_r");
  cr_expect_str_eq(s->nodes[map.node_of_bone[HUMAN_RIGHT_UPPER_LEG]].name, "thigh_r");
  cr_expect_str_eq(s->nodes[map.node_of_bone[HUMAN_LEFT_TOES]].name, "ball_l");
  human_map_release(&map);
}

Test(map_schemes, public_tables_map) {
  NEED_DATA();
  check_table("rigs/tables/ue4_mannequin_offsets.json", "spine_02", "spine_03");
  check_table("rigs/tables/ue5_metahuman_offsets_rounded.json", "spine_03", "spine_05");
}
