// Tells where three.js in a headless browser puts the joints and the skinned vertices of GLBs while their first animation
// plays:
//   node joints.mjs CHROMIUM TIMES FILES...
// TIMES: how many, from the beginning to the end, or @FILE.json with a list of seconds. Prints JSON:
//   {three, files: [{durationS, timesS, clips, tracks, names: [node], nodes: [time][node] = [x, y, z] or null where no
//     scene shows it, meshes: [{name, morphed, vertices: [{vertex, position, joints: [{node, weight, inverseBind}],
//     places: [time] = [x, y, z]}]}]}]}
// in glTF's frame, metres; places are the world's. inverseBind: column by column.
import { readFileSync } from 'node:fs';
import { askPage } from './ask_page.mjs';

const [chromium, times, ...files] = process.argv.slice(2);
if (!files.length) {
  console.error('usage: node joints.mjs CHROMIUM TIMES FILES...');
  process.exit(2);
}
const times_s = times.startsWith('@') ? JSON.parse(readFileSync(times.slice(1))) : Number(times);
const answer = await askPage({
  chromium, page: 'joints_page.mjs', files, patience_ms: 100000,
  job: { files: files.map((_, index) => ({ url: `/file/${index}.glb`, times_s, vertices: 24 })) },
});
if (answer.error) {
  console.error(answer.error);
  process.exit(1);
}
process.stdout.write(JSON.stringify(answer));
