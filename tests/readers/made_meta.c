#include "readers/made_meta.h"

#include <stdio.h>

const char made_meta_base[] = "fileFormatVersion: 2\n"
                              "guid: 0123456789abcdef0123456789abcdef\n"
                              "ModelImporter:\n"
                              "  serializedVersion: 22\n"
                              "  fileIDToRecycleName:\n"
                              "    100000: Hips\n"
                              "  humanDescription:\n"
                              "    serializedVersion: 3\n"
                              "    human:\n"
                              "    - boneName: Hips\n" /* 10 */
                              "      humanName: Hips\n"
                              "      limit:\n"
                              "        min: {x: 0, y: 0, z: 0}\n"
                              "        max: {x: 0, y: 0, z: 0}\n"
                              "        value: {x: 0, y: 0, z: 0}\n"
                              "        length: 0\n"
                              "        modified: 0\n"
                              "    - boneName: rig:Spine\n"
                              "      humanName: Spine\n"
                              "      limit:\n" /* 20 */
                              "        min: {x: -40, y: -30, z: -20}\n"
                              "        max: {x: 40, y: 30, z: 20}\n"
                              "        value: {x: 0, y: 0, z: 0}\n"
                              "        length: 0.1\n"
                              "        modified: 1\n"
                              "    - boneName: Jaw\n"
                              "      humanName: Jaw\n"
                              "    skeleton:\n"
                              "    - name: Model(Clone)\n"
                              "      parentName: \n" /* 30 */
                              "      position: {x: 0, y: 0, z: 0}\n"
                              "      rotation: {x: -0.7071068, y: 0, z: -0, w: 0.7071067}\n"
                              "      scale: {x: 100, y: 100, z: 100}\n"
                              "    - name: Hips\n"
                              "      parentName: Model(Clone)\n"
                              "      position: {x: 0, y: 1, z: 0}\n"
                              "      rotation: {x: 0, y: 0, z: 0, w: 1}\n"
                              "      scale: {x: 1, y: 1, z: 1}\n"
                              "    - name: rig:Spine\n"
                              "      parentName: Hips\n" /* 40 */
                              "      position: {x: 0, y: 0.1, z: -2e-3}\n"
                              "      rotation: {x: 0, y: 0, z: 0, w: 1}\n"
                              "      scale: {x: 1, y: 1, z: 1}\n"
                              "    - name: Jaw\n"
                              "      parentName: rig:Spine\n"
                              "      position: {x: 0, y: .25, z: 0}\n"
                              "      rotation: {x: 0, y: 0, z: 0, w: 1}\n"
                              "      scale: {x: 1, y: 1, z: 1}\n"
                              "    armTwist: 0.5\n"
                              "    foreArmTwist: 0.4\n" /* 50 */
                              "    upperLegTwist: 0.3\n"
                              "    legTwist: .2\n"
                              "    armStretch: 0.05\n"
                              "    legStretch: 0.06\n"
                              "    feetSpacing: 0.1\n"
                              "    globalScale: 1\n"
                              "    rootMotionBoneName: \n"
                              "    hasTranslationDoF: 1\n"
                              "    hasExtraRoot: 1\n"
                              "    skeletonHasParents: 1\n" /* 60 */
                              "  lastHumanDescriptionAvatarSource: {instanceID: 0}\n"
                              "  animationType: 3\n"
                              "  humanoidOversampling: 1\n"
                              "  userData: \n"
                              "  assetBundleName: \n"; /* 65 */

text made_meta_chain(int nodes) {
  static const char *const humans[] = {"Hips", "Spine", "Head"};
  text t = {0};
  text_add(&t, "fileFormatVersion: 2\nModelImporter:\n  humanDescription:\n    human:\n");
  for (int i = 0; i < 3; i++) text_add(&t, "    - boneName: node %d\n      humanName: %s\n", i, humans[i]);
  text_add(&t, "    skeleton:\n");
  for (int i = -1; i < nodes; i++) {
    char parent[32] = "";
    if (i >= 0) snprintf(parent, sizeof parent, i ? "node %d" : "Chain(Clone)", i - 1);
    char name[32] = "Chain(Clone)";
    if (i >= 0) snprintf(name, sizeof name, "node %d", i);
    text_add(&t, "    - name: %s\n      parentName: %s\n      position: {x: 0, y: 0.%d, z: -0.5}\n", name,
             parent, i + 1);
    text_add(&t, "      rotation: {x: 0.6, y: 0,\n        z: 0, w: 0.8}\n      scale: {x: 1, y: 1, z: 1}\n");
  }
  text_add(&t,
           "    armTwist: 0.5\n    foreArmTwist: 0.5\n    hasTranslationDoF: 0\n    skeletonHasParents: 1\n");
  text_add(&t, "  animationType: 3\n");
  return t;
}
