// In the browser: plays the VRM animation of each case on its VRM model with three-vrm-animation, as its own examples do, and
// tells what the model's humanoid then holds. Nothing here knows what is right.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { VRMAnimationLoaderPlugin, createVRMAnimationClip } from '@pixiv/three-vrm-animation';

async function play({ model, animation, times_s }) {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  const { vrm } = (await loader.loadAsync(model)).userData;
  const animations = (await loader.loadAsync(animation)).userData.vrmAnimations;
  const scene = new THREE.Scene();
  scene.add(vrm.scene);
  const clip = createVRMAnimationClip(animations[0], vrm), mixer = new THREE.AnimationMixer(vrm.scene);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  const frames = times_s.map((time_s) => {
    action.reset();
    mixer.setTime(time_s);
    vrm.humanoid.update(); // normalised bones to the model's own
    scene.updateMatrixWorld(true);
    const bones = {}, places = {};
    for (const name of Object.keys(vrm.humanoid.humanBones)) {
      bones[name] = vrm.humanoid.getNormalizedBoneNode(name).quaternion.toArray();
      places[name] = new THREE.Vector3().setFromMatrixPosition(vrm.humanoid.getRawBoneNode(name).matrixWorld).toArray();
    }
    return { bones, places, hips: vrm.humanoid.getNormalizedBoneNode('hips').position.toArray() };
  });
  return {
    frames, durationS: clip.duration, animations: animations.length, metaVersion: vrm.meta.metaVersion,
    hipsRestM: vrm.humanoid.normalizedRestPose.hips.position[1],
    animationHipsM: animations[0].restHipsPosition.y,
  };
}

let answer;
try {
  const job = await (await fetch('/job')).json();
  answer = { three: THREE.REVISION, cases: [] };
  for (const one of job.cases) answer.cases.push(await play(one));
} catch (reason) {
  answer = { error: `${reason?.stack ?? reason}` };
}
await fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });
