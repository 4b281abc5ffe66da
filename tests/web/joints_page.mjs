// In the browser: plays each GLB of the job with three.js and tells where it puts every node, and where it puts some
// vertices of each skinned mesh, with what they hang on. Nothing here knows what is right.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

// [index] objects of the file's nodes; holes where no scene shows one
function nodesByIndex(gltf, scene) {
  const nodes = [];
  scene.traverse((object) => {
    const index = gltf.parser.associations.get(object)?.nodes;
    if (index !== undefined) nodes[index] ??= object;
  });
  return nodes;
}

// `count` vertices spread over the mesh, each with the joints that move it
function verticesOf(mesh, nodes, count) {
  const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
  const chosen = [];
  for (let i = 0; i < Math.min(count, position.count); i++) chosen.push(Math.floor(i * position.count / count));
  return [...new Set(chosen)].map((vertex) => ({
    vertex,
    position: new THREE.Vector3().fromBufferAttribute(position, vertex).toArray(),
    joints: [0, 1, 2, 3].map((c) => {
      const joint = skinIndex.getComponent(vertex, c);
      return {
        node: nodes.indexOf(mesh.skeleton.bones[joint]),
        weight: skinWeight.getComponent(vertex, c),
        inverseBind: mesh.skeleton.boneInverses[joint].toArray(), // column by column
      };
    }).filter(({ weight }) => weight !== 0),
    places: [],
  }));
}

async function follow(file) {
  const gltf = await new GLTFLoader().loadAsync(file.url);
  const root = gltf.scene ?? gltf.scenes[0], scene = new THREE.Scene();
  scene.add(root);
  const nodes = nodesByIndex(gltf, root), meshes = [];
  root.traverse((mesh) => {
    if (!mesh.isSkinnedMesh) return;
    const morphed = (mesh.morphTargetInfluences ?? []).some((influence) => influence !== 0);
    meshes.push({ name: mesh.name, morphed, mesh, vertices: verticesOf(mesh, nodes, file.vertices) });
  });
  const clip = gltf.animations[0], mixer = new THREE.AnimationMixer(root), action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  const times_s = Array.isArray(file.times_s) ? file.times_s
    : Array.from({ length: file.times_s }, (_, i) => clip.duration * i / Math.max(file.times_s - 1, 1));
  const places = times_s.map((time_s) => {
    action.reset();
    mixer.setTime(time_s);
    scene.updateMatrixWorld(true);
    for (const { mesh, vertices } of meshes)
      for (const one of vertices)
        one.places.push(mesh.getVertexPosition(one.vertex, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld).toArray());
    return Array.from(nodes, (node) => node ? new THREE.Vector3().setFromMatrixPosition(node.matrixWorld).toArray() : null);
  });
  return {
    durationS: clip.duration, clips: gltf.animations.length, tracks: clip.tracks.length, timesS: times_s,
    names: gltf.parser.json.nodes.map(({ name }) => name ?? null), nodes: places,
    meshes: meshes.map(({ name, morphed, vertices }) => ({ name, morphed, vertices })),
  };
}

let answer;
try {
  const job = await (await fetch('/job')).json();
  answer = { three: THREE.REVISION, files: [] };
  for (const file of job.files) answer.files.push(await follow(file));
} catch (reason) {
  answer = { error: `${reason?.stack ?? reason}` };
}
await fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });
