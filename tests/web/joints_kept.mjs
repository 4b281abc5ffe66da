// Compares where three.js puts joints and skinned vertices with matrices computed elsewhere:
//   node joints_kept.mjs CHROMIUM PLACES.json FILES...
// PLACES is what kept_places or bake_places prints for the same files. A vertex is where its joints' matrices put it.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { askPage } from './ask_page.mjs';

const [chromium, placesPath, ...files] = process.argv.slice(2);
const truth = JSON.parse(readFileSync(placesPath));
// Of how large the body is, or where that is not told how far it reaches; in metres where that is less than one.
const bound = 1e-5;
const answer = await askPage({
  chromium, page: 'joints_page.mjs', files, patience_ms: 100000,
  job: { files: files.map((_, i) => ({ url: `/file/${i}.glb`, times_s: truth[i].timesS, vertices: 24 })) },
});
if (answer.error) {
  console.error(answer.error);
  process.exit(1);
}

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
const times = (rows, [x, y, z]) => [0, 4, 8].map((r) => rows[r] * x + rows[r + 1] * y + rows[r + 2] * z + rows[r + 3]);
const rowsOf = (columns) => [0, 1, 2].flatMap((r) => [0, 1, 2, 3].map((c) => columns[c * 4 + r]));

function skinned({ position, joints }, matrices) {
  const sum = [0, 0, 0];
  for (const { node, weight, inverseBind } of joints)
    times(matrices[node], times(rowsOf(inverseBind), position)).forEach((v, k) => (sum[k] += weight * v));
  return sum;
}

let failed = 0, shown = 0, skins = 0;
function expect(condition, text) {
  if (!condition) failed++;
  console.log(`${condition ? 'ok' : 'FAIL'} ${text}`);
}

files.forEach((file, f) => {
  const found = answer.files[f], matrices = truth[f].matrices, name = basename(file);
  let reach = 0, joint = 0, corner = 0, swing = 0, moved = 0;
  const lost = new Set();
  found.nodes.forEach((places, t) => places.forEach((place, node) => {
    if (!place) return; // no scene shows it
    const m = matrices[t][node];
    if (!m) return lost.add(node);
    const own = [m[3], m[7], m[11]];
    reach = Math.max(reach, Math.hypot(...own));
    joint = Math.max(joint, apart(place, own));
    swing = Math.max(swing, apart(place, found.nodes[0][node]));
    shown++;
  }));
  for (const { morphed, vertices } of found.meshes)
    for (const vertex of morphed ? [] : vertices) {
      const weight = vertex.joints.reduce((sum, one) => sum + one.weight, 0);
      if (!(Math.abs(weight - 1) < 1e-3)) continue; // players differ in what they make of such a vertex
      skins++;
      vertex.places.forEach((place, t) => {
        corner = Math.max(corner, apart(place, skinned(vertex, matrices[t])));
        moved = Math.max(moved, apart(place, vertex.places[0]));
      });
    }
  // where scales differ along their axes, places by turns alone are off by as much
  const size = Math.max(1, truth[f].bodyM ?? reach), allowed = (bound + (truth[f].unevenness ?? 0)) * size;
  expect(!lost.size, `${name}: ${lost.size} nodes are shown that nothing is known of`);
  expect(joint <= allowed, `${name}: worst joint ${joint.toExponential(2)} of ${allowed.toExponential(2)}`);
  expect(swing > Math.max(1000 * bound * size, 100 * allowed), `${name}: joints move by ${swing.toPrecision(3)}`);
  if (!found.meshes.length) return;
  expect(corner <= allowed, `${name}: worst vertex ${corner.toExponential(2)}, of ${found.meshes.length} meshes`);
  expect(moved > 100 * allowed, `${name}: vertices move by ${moved.toPrecision(3)}`);
});
expect(shown > 1000 && skins > 100, `${shown} places of joints, ${skins} vertices`);
process.exit(failed ? 1 : 0);
