// Plays GLBs with three.js in a headless browser and compares what it shows with the engine's own figures:
//   node play.mjs CHROMIUM TRUTH.json NAME=FILE.glb:BOUND...
// TRUTH is what pose_dump writes; BOUND is the distance allowed, as a share of the body's height.
import { readFileSync } from 'node:fs';
import { askPage } from './ask_page.mjs';

const [chromium, truthPath, ...rest] = process.argv.slice(2);
const truth = JSON.parse(readFileSync(truthPath));
const files = rest.map((argument) => {
  const [, name, path, share] = argument.match(/^(.+?)=(.+):([0-9.e-]+)$/);
  return { name, path, bound_m: Number(share) * truth.heightM };
});
const job = {
  files: files.map((file, index) => ({
    url: `/file/${index}.glb`,
    times_s: truth.timesS,
    corners: truth.corners,
    drawn: [0, Math.floor(truth.timesS.length / 2)],
  })),
};

// ---- comparison ----

const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

function worst(found, expected) {
  let distance_m = 0;
  expected.forEach((frame, f) => frame.forEach((place, i) => {
    const d = found[f]?.[i] ? apart(found[f][i], place) : NaN;
    if (!(d <= distance_m)) distance_m = d;
  }));
  return distance_m;
}

let passed = 0, failed = 0;
function expect(condition, what) {
  if (condition) passed++;
  else failed++;
  console.log(`${condition ? 'ok' : 'FAIL'} ${what}`);
}

function compare(file, found) {
  const say = (text) => `${file.name}: ${text}`;
  const joints_m = worst(found.nodes, truth.nodes), corners_m = worst(found.corners, truth.places);
  expect(joints_m <= file.bound_m, say(`worst joint ${joints_m.toExponential(2)} m of ${file.bound_m.toExponential(2)} m`));
  expect(corners_m <= file.bound_m, say(`worst corner ${corners_m.toExponential(2)} m of ${file.bound_m.toExponential(2)} m`));
  // the comparison can tell frames apart
  const shifted_m = worst(found.nodes.slice(1), truth.nodes.slice(0, -1));
  expect(shifted_m > 20 * file.bound_m, say(`the next frame is ${shifted_m.toExponential(2)} m off`));
  const moved_m = truth.corners.map((_, i) => Math.max(...found.corners.map((frame) => apart(frame[i], found.corners[0][i]))));
  expect(moved_m.length > 14 && moved_m.every((d) => d > 0.001), say(`each of ${moved_m.length} boxes moves, the least by ${Math.min(...moved_m).toFixed(4)} m`));
  expect(Math.abs(found.duration_s - truth.durationS) <= 1e-6 * truth.durationS, say(`plays for ${found.duration_s} s`));
  found.pictures.forEach((picture, i) => {
    expect(picture.covered > 500, say(`picture ${i}: the body covers ${picture.covered} pixels`));
    expect(picture.facing_away === 0, say(`picture ${i}: ${picture.facing_away} pixels show a side from behind`));
    // boxes that cross share edges of a pixel, where either may win
    expect(picture.changed_by_back_faces <= picture.covered / 200,
      say(`picture ${i}: ${picture.changed_by_back_faces} pixels change when back faces are drawn too`));
  });
  expect(found.changed_pixels > 200, say(`${found.changed_pixels} pixels differ between the two pictures`));
}

const answer = await askPage({
  chromium, page: 'play_page.mjs', job, files: files.map(({ path }) => path), patience_ms: 50000,
});
if (answer.error) {
  console.log(`FAIL ${answer.error}`);
  process.exit(1);
}
console.log(`three.js ${answer.three} on ${answer.renderer}`);
files.forEach((file, index) => compare(file, answer.files[index]));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
