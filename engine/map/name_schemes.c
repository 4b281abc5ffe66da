#include "map/name_schemes.h"

#include <string.h>

/* clang-format off */
#define HIPS HUMAN_HIPS
#define NECK HUMAN_NECK
#define HEAD HUMAN_HEAD
#define THIGH HUMAN_LEFT_UPPER_LEG
#define SHIN HUMAN_LEFT_LOWER_LEG
#define FOOT HUMAN_LEFT_FOOT
#define TOES HUMAN_LEFT_TOES
#define SHOULDER HUMAN_LEFT_SHOULDER
#define ARM HUMAN_LEFT_UPPER_ARM
#define FOREARM HUMAN_LEFT_LOWER_ARM
#define HAND HUMAN_LEFT_HAND
#define EYE HUMAN_LEFT_EYE
#define JAW HUMAN_JAW
#define TRUNK WORD_TRUNK

/* HumanIK and its kin: Leg is the shin. */
static const scheme_word humanik[] = {
  {"hips", HIPS}, {"hip", HIPS}, {"lowerback", TRUNK}, {"spine", TRUNK}, {"chest", TRUNK}, {"neck", NECK}, {"head", HEAD},
  {"upleg", THIGH}, {"leg", SHIN}, {"foot", FOOT}, {"toebase", TOES}, {"toe", TOES}, {"toes", TOES}, {"forefoot", TOES},
  {"shoulder", SHOULDER}, {"arm", ARM}, {"forearm", FOREARM}, {"hand", HAND}, {"eye", EYE}, {"jaw", JAW}, {NULL, 0}};

/* Leg is the thigh. */
static const scheme_word soma[] = {
  {"hips", HIPS}, {"spine", TRUNK}, {"chest", TRUNK}, {"neck", NECK}, {"head", HEAD}, {"leg", THIGH}, {"shin", SHIN}, {"foot", FOOT},
  {"toebase", TOES}, {"shoulder", SHOULDER}, {"arm", ARM}, {"forearm", FOREARM}, {"hand", HAND}, {"eye", EYE}, {"jaw", JAW}, {NULL, 0}};

static const scheme_word rokoko[] = {
  {"hips", HIPS}, {"spine", TRUNK}, {"chest", TRUNK}, {"neck", NECK}, {"head", HEAD}, {"thigh", THIGH}, {"shin", SHIN}, {"foot", FOOT},
  {"toe", TOES}, {"toes", TOES}, {"shoulder", SHOULDER}, {"arm", ARM}, {"forearm", FOREARM}, {"hand", HAND}, {NULL, 0}};

/* Joints by the name of what bends: Biovision, Poser, Acclaim by way of Blender, Xsens' BVH. */
static const scheme_word joints[] = {
  {"hips", HIPS}, {"lowerback", TRUNK}, {"ab", TRUNK}, {"abdomen", TRUNK}, {"spine", TRUNK}, {"chest", TRUNK}, {"neck", NECK}, {"lowerneck", NECK}, {"upperneck", NECK},
  {"head", HEAD}, {"hip", THIGH}, {"knee", SHIN}, {"ankle", FOOT}, {"toe", TOES}, {"toes", TOES}, {"collar", SHOULDER},
  {"shoulder", ARM}, {"elbow", FOREARM}, {"wrist", HAND}, {NULL, 0}};

/* The same, but a foot is what is behind the ankle. */
static const scheme_word smpl[] = {
  {"pelvis", HIPS}, {"hips", HIPS}, {"spine", TRUNK}, {"neck", NECK}, {"head", HEAD}, {"hip", THIGH}, {"knee", SHIN}, {"ankle", FOOT},
  {"foot", TOES}, {"collar", SHOULDER}, {"shoulder", ARM}, {"elbow", FOREARM}, {"wrist", HAND}, {"jaw", JAW}, {"eyesmplhf", EYE}, {"eye", EYE}, {NULL, 0}};

static const scheme_word unreal[] = {
  {"pelvis", HIPS}, {"spine", TRUNK}, {"neck", NECK}, {"head", HEAD}, {"thigh", THIGH}, {"calf", SHIN}, {"foot", FOOT}, {"ball", TOES},
  {"clavicle", SHOULDER}, {"upperarm", ARM}, {"lowerarm", FOREARM}, {"hand", HAND}, {"eye", EYE}, {"jaw", JAW}, {NULL, 0}};

/* The humanoid's own names. */
static const scheme_word humanoid[] = {
  {"hips", HIPS}, {"spine", HUMAN_SPINE}, {"chest", HUMAN_CHEST}, {"upperchest", HUMAN_UPPER_CHEST}, {"neck", NECK}, {"head", HEAD},
  {"upperleg", THIGH}, {"lowerleg", SHIN}, {"foot", FOOT}, {"toes", TOES}, {"toebase", TOES}, {"toe", TOES}, {"shoulder", SHOULDER},
  {"upperarm", ARM}, {"lowerarm", FOREARM}, {"hand", HAND}, {"eye", EYE}, {"faceeye", EYE}, {"adjfaceeye", EYE}, {"jaw", JAW}, {NULL, 0}};

static const scheme_word biped[] = {
  {"pelvis", HIPS}, {"spine", TRUNK}, {"neck", NECK}, {"head", HEAD}, {"thigh", THIGH}, {"calf", SHIN}, {"foot", FOOT}, {"toe", TOES},
  {"clavicle", SHOULDER}, {"upperarm", ARM}, {"forearm", FOREARM}, {"hand", HAND}, {NULL, 0}};

static const scheme_word rigify[] = {
  {"spine", WORD_SPINE_CHAIN}, {"face", HEAD}, {"thigh", THIGH}, {"shin", SHIN}, {"foot", FOOT}, {"toe", TOES}, {"shoulder", SHOULDER},
  {"upperarm", ARM}, {"forearm", FOREARM}, {"hand", HAND}, {"eye", EYE}, {"jaw", JAW}, {NULL, 0}};

static const scheme_word daz[] = {
  {"hip", HIPS}, {"abdomen", TRUNK}, {"abdomenlower", TRUNK}, {"abdomenupper", TRUNK}, {"chest", TRUNK}, {"chestlower", TRUNK}, {"chestupper", TRUNK},
  {"neck", NECK}, {"necklower", NECK}, {"neckupper", NECK}, {"head", HEAD}, {"thigh", THIGH}, {"thighbend", THIGH}, {"shin", SHIN}, {"foot", FOOT},
  {"toe", TOES}, {"collar", SHOULDER}, {"shldr", ARM}, {"shldrbend", ARM}, {"forearm", FOREARM}, {"forearmbend", FOREARM}, {"hand", HAND},
  {"eye", EYE}, {"lowerjaw", JAW}, {NULL, 0}};

static const scheme_word reallusion[] = {
  {"hip", HIPS}, {"waist", TRUNK}, {"spine", TRUNK}, {"necktwist", NECK}, {"head", HEAD}, {"thigh", THIGH}, {"calf", SHIN}, {"foot", FOOT},
  {"toebase", TOES}, {"clavicle", SHOULDER}, {"upperarm", ARM}, {"forearm", FOREARM}, {"hand", HAND}, {"eye", EYE}, {"jawroot", JAW}, {NULL, 0}};

static const scheme_word xsens[] = {
  {"pelvis", HIPS}, {"hips", HIPS}, {"vertebral", TRUNK}, {"vertebrat", TRUNK}, {"neck", NECK}, {"head", HEAD}, {"upperleg", THIGH}, {"lowerleg", SHIN},
  {"foot", FOOT}, {"toe", TOES}, {"shoulder", SHOULDER}, {"upperarm", ARM}, {"forearm", FOREARM}, {"hand", HAND}, {NULL, 0}};

/* One joint for every hinge: the first of a group is the bone. */
static const scheme_word g1[] = {
  {"pelvis", HIPS}, {"waistyaw", TRUNK}, {"waistroll", TRUNK}, {"waistpitch", TRUNK}, {"torso", TRUNK}, {"head", HEAD}, {"neck", NECK},
  {"hippitch", THIGH}, {"hiproll", THIGH}, {"hipyaw", THIGH}, {"knee", SHIN}, {"anklepitch", FOOT}, {"ankleroll", FOOT}, {"toe", TOES}, {"toebase", TOES},
  {"shoulderpitch", ARM}, {"shoulderroll", ARM}, {"shoulderyaw", ARM}, {"elbow", FOREARM}, {"wristroll", HAND}, {"wristpitch", HAND}, {"wristyaw", HAND}, {NULL, 0}};

#define ANYWHERE \
  {"hips", HIPS}, {"pelvis", HIPS}, {"hip", HIPS}, {"lowerback", TRUNK}, {"waist", TRUNK}, {"torso", TRUNK}, {"abdomen", TRUNK}, {"tummy", TRUNK}, {"stomach", TRUNK}, \
  {"spine", TRUNK}, {"chest", TRUNK}, {"upperchest", TRUNK}, {"neck", NECK}, {"head", HEAD}, {"upleg", THIGH}, {"upperleg", THIGH}, {"legupper", THIGH}, {"thigh", THIGH}, \
  {"lowleg", SHIN}, {"lowerleg", SHIN}, {"leglower", SHIN}, {"calf", SHIN}, {"shin", SHIN}, {"knee", SHIN}, {"toebase", TOES}, {"toe", TOES}, {"toes", TOES}, {"ball", TOES}, {"forefoot", TOES}, \
  {"clavicle", SHOULDER}, {"collar", SHOULDER}, {"collarbone", SHOULDER}, {"uparm", ARM}, {"upperarm", ARM}, {"armupper", ARM}, \
  {"lowarm", FOREARM}, {"lowerarm", FOREARM}, {"armlower", FOREARM}, {"forearm", FOREARM}, {"elbow", FOREARM}, {"eye", EYE}, {"jaw", JAW}
static const scheme_word plain[] = {ANYWHERE, {"leg", SHIN}, {"foot", FOOT}, {"ankle", FOOT}, {"shoulder", SHOULDER}, {"arm", ARM},
  {"hand", HAND}, {"wrist", HAND}, {NULL, 0}};
static const scheme_word plain_leg[] = {ANYWHERE, {"leg", THIGH}, {"foot", FOOT}, {"ankle", FOOT}, {"shoulder", SHOULDER}, {"arm", ARM},
  {"hand", HAND}, {"wrist", HAND}, {NULL, 0}};
static const scheme_word plain_joint[] = {ANYWHERE, {"hip", THIGH}, {"foot", TOES}, {"ankle", FOOT}, {"shoulder", ARM}, {"wrist", HAND}, {NULL, 0}};
/* clang-format on */

#define NEED(...)                                                                                            \
  (const char *const[]) {                                                                                    \
    __VA_ARGS__, NULL                                                                                        \
  }
const name_scheme name_schemes[] = {
    {"Mixamo", NULL, "mixamorig", humanik},
    {"VRoid", NULL, "j_", humanoid},
    {"3ds Max Biped", NULL, "bip", biped},
    {"3ds Max Biped", NULL, "valvebiped", biped},
    {"Reallusion", NULL, "cc_base_", reallusion},
    {"SOMA", NEED("leg", "shin", "forearm"), NULL, soma},
    {"Kimodo G1", NEED("hippitch", "shoulderpitch"), NULL, g1},
    {"CMU", NEED("hipjoint", "upleg", "lowerback"), NULL, humanik},
    {"CMU", NEED("hipjoint", "knee", "lowerback"), NULL, joints},
    {"Perception Neuron", NEED("inhandindex", "upleg"), NULL, humanik},
    {"Rokoko", NEED("thigh", "shin", "arm", "hips"), NULL, rokoko},
    {"LAFAN1", NEED("upleg", "leg", "toe", "spine"), NULL, humanik},
    {"Ready Player Me", NEED("upleg", "leg", "toebase", "headtopend"), NULL, humanik},
    {"HumanIK", NEED("upleg", "leg"), NULL, humanik},
    {"SMPL", NEED("pelvis", "knee", "ankle", "foot"), NULL, smpl},
    {"Xsens", NEED("vertebral", "vertebrat"), NULL, xsens},
    {"Xsens", NEED("chest", "collar", "knee", "ankle", "toe"), NULL, joints},
    {"Biovision", NEED("knee", "elbow"), NULL, joints},
    {"Unreal", NEED("thigh", "calf", "clavicle", "lowerarm"), NULL, unreal},
    {"Rigify", NEED("spine", "thigh", "shin", "forearm"), NULL, rigify},
    {"Daz", NEED("abdomenlower", "shin"), NULL, daz},
    {"Daz", NEED("hip", "abdomen", "shldr"), NULL, daz},
    {"VRM", NEED("upperleg", "lowerleg", "upperarm", "lowerarm"), NULL, humanoid},
    {"plain words", NULL, NULL, plain},
    {"plain words", NULL, NULL, plain_leg},
    {"plain words", NULL, NULL, plain_joint},
};
const unsigned name_scheme_count = sizeof name_schemes / sizeof *name_schemes;

/* ---- fingers ------------------------------------------------------------------------------------------- */

static const struct {
  const char *word;
  int finger;
} finger_words[] = {{"thumb", 0}, {"index", 1}, {"middle", 2}, {"mid", 2},
                    {"ring", 3},  {"pinky", 4}, {"pinkie", 4}, {"little", 4}};

static const char *drop_front(const char *base, const char *word) {
  const size_t length = strlen(word);
  return strncmp(base, word, length) == 0 && base[length] ? base + length : base;
}

static bool is_rest(const char *rest) {
  static const char *const rests[] = {"",       "finger",     "proximal", "intermediate",
                                      "distal", "metacarpal", "carpal"};
  for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
    if (strcmp(rest, rests[i]) == 0) return true;
  return false;
}

int name_finger(const char *base, const char *digits, bool *metacarpal) {
  *metacarpal = strncmp(base, "inhand", 6) == 0 || strstr(base, "metacarpal") || strstr(base, "carpal");
  if (strcmp(base, "finger") == 0 && digits[0] >= '0' && digits[0] <= '4' && (!digits[1] || !digits[2]))
    return digits[0] - '0';
  const char *bare = drop_front(drop_front(drop_front(base, "inhand"), "hand"), "finger");
  for (size_t i = 0; i < sizeof finger_words / sizeof *finger_words; i++) {
    const size_t length = strlen(finger_words[i].word);
    for (const char *word = bare; word <= bare + (bare[0] == 'f'); word++)
      if (strncmp(word, finger_words[i].word, length) == 0 && is_rest(word + length))
        return finger_words[i].finger;
  }
  return -1;
}
