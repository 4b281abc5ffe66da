#include "map/name_words.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct {
  const char *name;
  name_side side;
  const char *base, *digits;
  bool helper;
} names[] = {
    {"mixamorig:LeftHandIndex1", NAME_LEFT, "handindex", "1", false},
    {"mixamorig1:RightUpLeg", NAME_RIGHT, "upleg", "", false},
    {"Armature|mixamorig:Hips", NAME_CENTRE, "hips", "", false},
    {"mixamorigHips", NAME_CENTRE, "hips", "", false},
    {"Bip001 L Thigh", NAME_LEFT, "thigh", "", false},
    {"Bip001 Spine1", NAME_CENTRE, "spine", "1", false},
    {"Bip01 R Finger01", NAME_RIGHT, "finger", "01", false},
    {"ValveBiped.Bip01_R_Forearm", NAME_RIGHT, "forearm", "", false},
    {"Character1_LeftArm", NAME_LEFT, "arm", "", false},
    {"J_Bip_L_UpperArm", NAME_LEFT, "upperarm", "", false},
    {"J_Sec_Hair1_01", NAME_CENTRE, "sechair", "01", true},
    {"DEF-upper_arm.L", NAME_LEFT, "upperarm", "", false},
    {"DEF-upper_arm.L.001", NAME_LEFT, "upperarm", "001", false},
    {"ORG-hand.R", NAME_RIGHT, "orghand", "", true},
    {"CC_Base_L_ThighTwist01", NAME_LEFT, "thightwist", "01", true},
    {"lShldrBend", NAME_LEFT, "shldrbend", "", false},
    {"upperarm_twist_01_l", NAME_LEFT, "upperarmtwist", "01", true},
    {"spine_03", NAME_CENTRE, "spine", "03", false},
    {"LHipJoint", NAME_LEFT, "hipjoint", "", false},
    {"leg_joint_L_1", NAME_LEFT, "leg", "1", false},
    {"lhand", NAME_LEFT, "hand", "", false},
    {"leftupleg", NAME_LEFT, "upleg", "", false},
    {"lowerneck", NAME_CENTRE, "lowerneck", "", false},
    {"LowerBack", NAME_CENTRE, "lowerback", "", false},
    {"ring", NAME_CENTRE, "ring", "", false},
    {"left_hip_pitch_skel", NAME_LEFT, "hippitch", "", false},
    {"HeadTop_End", NAME_CENTRE, "headtopend", "", true},
    {"Upper Arm (R)", NAME_RIGHT, "upperarm", "", false},
    {"arm_left", NAME_LEFT, "arm", "", false},
    {"ArmL", NAME_LEFT, "arm", "", false},
    {"L5", NAME_CENTRE, "vertebral", "5", false},
    {"T12", NAME_CENTRE, "vertebrat", "12", false},
    {"左腕", NAME_CENTRE, "左腕", "", false},
    {"Bone", NAME_CENTRE, "bone", "", false},
    {"", NAME_CENTRE, "", "", false},
    {"...", NAME_CENTRE, "", "", false},
    {"L", NAME_LEFT, "", "", false},
    {"a:", NAME_CENTRE, "a", "", false},
    {"\xff\xfe", NAME_CENTRE, "\xff\xfe", "", false},
};

Test(name_words, names_come_apart) {
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const name_words words = name_take_apart(names[i].name, false);
    cr_expect_eq(words.side, names[i].side, "%s", names[i].name);
    cr_expect_str_eq(words.base, names[i].base, "%s: %s", names[i].name, words.base);
    cr_expect_str_eq(words.digits, names[i].digits, "%s: %s", names[i].name, words.digits);
    cr_expect_eq(words.helper, names[i].helper, "%s", names[i].name);
  }
}

Test(name_words, a_number_at_the_end_may_be_dropped) {
  const name_words words = name_take_apart("b_LeftLeg01_015", true);
  unsigned long number;
  cr_expect_str_eq(words.base, "leg");
  cr_expect_str_eq(words.digits, "01");
  cr_expect(name_last_number("b_LeftLeg01_015", &number) && number == 15);
  cr_expect(!name_last_number("spine01", &number) && !name_last_number("12", &number) &&
            !name_last_number("x_", &number));
}

Test(name_words, long_names_fit) {
  char name[4000];
  memset(name, 'a', sizeof name);
  name[sizeof name - 1] = 0;
  cr_expect(strlen(name_take_apart(name, false).base) < NAME_BASE);
  for (size_t i = 0; i + 1 < sizeof name; i++) name[i] = i % 3 == 0 ? 'X' : i % 3 == 1 ? '1' : '_';
  const name_words words = name_take_apart(name, false);
  cr_expect(strlen(words.base) < NAME_BASE && strlen(words.digits) < NAME_DIGITS);
}
