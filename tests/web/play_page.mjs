// In the browser: plays each GLB of the job with three.js as any page would and tells where it puts nodes and
// corners, and what it draws. Nothing here knows what is right.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const side_px = 256;
const renderer = new THREE.WebGLRenderer({ antialias: false, alpha: true, preserveDrawingBuffer: true });
renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
renderer.setSize(side_px, side_px);

function nodesByIndex(gltf) {
  const nodes = [];
  gltf.scene.traverse((object) => {
    const index = gltf.parser.associations.get(object)?.nodes;
    if (index !== undefined) nodes[index] = object;
  });
  return nodes;
}

// A camera from the front that keeps still and has all of the clip's places in view. Parallel rays: what faces the
// camera then has a normal with z above 0, everywhere in the picture.
function cameraFor(places) {
  const box = new THREE.Box3().setFromPoints(places);
  const middle = box.getCenter(new THREE.Vector3()), size = box.getSize(new THREE.Vector3());
  const half = Math.max(size.x, size.y, size.z) * 0.7;
  const camera = new THREE.OrthographicCamera(-half, half, half, -half, half * 0.01, half * 10);
  camera.position.set(middle.x + half, middle.y + half * 0.5, middle.z + half * 4);
  camera.lookAt(middle);
  return camera;
}

function picture(scene, camera, side) {
  scene.overrideMaterial = new THREE.MeshNormalMaterial({ side });
  renderer.render(scene, camera);
  const gl = renderer.getContext(), pixels = new Uint8Array(side_px * side_px * 4);
  gl.readPixels(0, 0, side_px, side_px, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  return pixels;
}

function countPixels(pixels, is) {
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) count += is(i) ? 1 : 0;
  return count;
}

function pixelsThatDiffer(a, b) {
  return countPixels(a, (i) => a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2] || a[i + 3] !== b[i + 3]);
}

async function play(file) {
  const gltf = await new GLTFLoader().loadAsync(file.url);
  const scene = new THREE.Scene();
  scene.add(gltf.scene);
  const nodes = nodesByIndex(gltf);
  let mesh;
  gltf.scene.traverse((object) => (mesh = object.isSkinnedMesh ? object : mesh));
  const clip = gltf.animations[0], mixer = new THREE.AnimationMixer(gltf.scene), action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  const at = (time_s) => {
    action.reset();
    mixer.setTime(time_s);
    scene.updateMatrixWorld(true);
  };
  const result = { duration_s: clip.duration, nodes: [], corners: [] };
  const places = [];
  for (const time_s of file.times_s) {
    at(time_s);
    result.nodes.push(nodes.map((node) => new THREE.Vector3().setFromMatrixPosition(node.matrixWorld).toArray()));
    result.corners.push(mesh ? file.corners.map((corner) => {
      const place = mesh.getVertexPosition(corner, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld);
      places.push(place);
      return place.toArray();
    }) : []);
  }
  if (!mesh) return result;
  const camera = cameraFor(places);
  result.pictures = file.drawn.map((index) => {
    at(file.times_s[index]);
    const front = picture(scene, camera, THREE.FrontSide);
    const both = picture(scene, camera, THREE.DoubleSide);
    return {
      pixels: front,
      covered: countPixels(front, (i) => front[i + 3] > 0),
      facing_away: countPixels(front, (i) => front[i + 3] > 0 && front[i + 2] < 127),
      changed_by_back_faces: pixelsThatDiffer(front, both),
    };
  });
  result.changed_pixels = pixelsThatDiffer(result.pictures[0].pixels, result.pictures[1].pixels);
  for (const drawn of result.pictures) delete drawn.pixels;
  return result;
}

let answer;
try {
  const job = await (await fetch('/job')).json();
  const gl = renderer.getContext(), names = gl.getExtension('WEBGL_debug_renderer_info');
  answer = { three: THREE.REVISION, renderer: gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER) };
  answer.files = [];
  for (const file of job.files) answer.files.push(await play(file));
} catch (reason) {
  answer = { error: `${reason?.stack ?? reason}` };
}
await fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });
