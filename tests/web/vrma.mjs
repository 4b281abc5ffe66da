// Plays VRM animations on VRM models with three-vrm-animation in a headless browser and compares the humanoid's normalised
// rotations and its hips with the engine's own figures, and the joints of a model with those of a bake on it:
//   node vrma.mjs CHROMIUM FOLDER NAME=MODEL.vrm[=own]...
// FOLDER/NAME.json and FOLDER/NAME.vrma are what vrma_dump writes; `own`: of that very model, so that its joints must come
// to stand where the engine's do.
import { readFileSync } from 'node:fs';
import { askPage } from './ask_page.mjs';

const [chromium, folder, ...rest] = process.argv.slice(2);
const cases = rest.map((argument) => {
  const [name, model, own] = argument.split('=');
  return { name, model, own: own === 'own', truth: JSON.parse(readFileSync(`${folder}/${name}.json`)) };
});
const files = cases.flatMap(({ name, model }) => [model, `${folder}/${name}.vrma`]);
const job = {
  cases: cases.map(({ truth }, i) => ({
    model: `/file/${2 * i}.glb`, animation: `/file/${2 * i + 1}.glb`, times_s: truth.timesS,
  })),
};

// three.js slerps between float32 keys and normalises, at a float32 time that need not be the key's last bit: some 1e-6 rad
const turnBound = 1e-5;
// the same over a body's length, and the model's own hierarchy in double
const placeBound = 1e-5;

let passed = 0, failed = 0;
function expect(condition, what) {
  if (condition) passed++;
  else failed++;
  console.log(`${condition ? 'ok' : 'FAIL'} ${what}`);
}

// the half turn between VRM 0.x, which faces -Z, and VRM 1.0
const facing = (values, old) => values.map((v, i) => (old && (i === 0 || i === 2) ? -v : v));

function turned(a, b) {
  const sign = a.reduce((sum, v, i) => sum + v * b[i], 0) < 0 ? -1 : 1;
  return 2 * Math.hypot(...a.map((v, i) => v - sign * b[i]));
}
const apart = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));
const most = (values) => values.reduce((worst, v) => (v <= worst ? worst : v), 0); // NaN stays

function compare({ name, own, truth }, found) {
  const say = (text) => `${name}: ${text}`, old = found.metaVersion === '0';
  const shared = Object.keys(truth.bones[0]).filter((bone) => bone in found.frames[0].bones);
  const turnAt = (f, g) => most(shared.map((bone) => turned(found.frames[f].bones[bone], facing(truth.bones[g][bone], old))));
  const turns = truth.timesS.map((_, f) => turnAt(f, f)), shifted = truth.timesS.slice(1).map((_, f) => turnAt(f, f + 1));
  expect(shared.length >= 15, say(`VRM ${found.metaVersion}, ${shared.length} bones`));
  expect(most(turns) <= turnBound, say(`worst rotation ${most(turns).toExponential(2)} rad of ${turnBound}`));
  expect(most(shifted) > 1000 * turnBound, say(`the next frame is ${most(shifted).toFixed(3)} rad off`));
  expect(Math.abs(found.animationHipsM - truth.hipsRestM) < 1e-6, say(`the file's hips rest at ${found.animationHipsM} m`));
  const ratio = found.hipsRestM / truth.hipsRestM;
  const hips = most(truth.timesS.map((_, f) => apart(found.frames[f].hips, facing(truth.hips[f], old).map((v) => v * ratio))));
  expect(hips <= placeBound * found.hipsRestM, say(`hips, ratio ${ratio.toFixed(4)}: ${hips.toExponential(2)} m off`));
  expect(Math.abs(found.durationS - truth.timesS.at(-1)) < 1e-5, say(`plays for ${found.durationS} s`));
  expect(found.animations === 1, say('one animation'));
  if (!own) return;
  const places = most(truth.timesS.flatMap((_, f) => shared.map((bone) =>
    apart(found.frames[f].places[bone], facing(truth.places[f][bone], old)))));
  expect(places <= placeBound * truth.heightM, say(`its own joints ${places.toExponential(2)} m off`));
}

const answer = await askPage({ chromium, page: 'vrma_page.mjs', job, files, patience_ms: 100000 });
if (answer.error) {
  console.log(`FAIL ${answer.error}`);
  process.exit(1);
}
console.log(`three.js ${answer.three}`);
cases.forEach((one, index) => compare(one, answer.cases[index]));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
