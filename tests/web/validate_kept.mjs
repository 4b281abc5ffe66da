// Compares models before and after a clip was written into them, as Khronos' glTF validator sees them:
//   node validate_kept.mjs SOURCE_FOLDER OUTPUT_FOLDER NAMES...
// An error or a warning that the source did not have, or a count of the body that changed, is a failure.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import validator from 'gltf-validator';

const [sources, outputs, ...names] = process.argv.slice(2);
if (!names.length) {
  console.error('usage: node validate_kept.mjs SOURCE_FOLDER OUTPUT_FOLDER NAMES...');
  process.exit(2);
}

async function judge(folder, name) {
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  const report = await validator.validateBytes(bytes, { uri: name, maxIssues: 0 });
  const serious = report.issues.messages.filter(({ severity }) => severity <= 1);
  return { info: report.info, counts: report.issues, serious: new Map(serious.map((m) => [`${m.code} ${m.pointer}`, m.message])) };
}

const kept = ['materialCount', 'hasSkins', 'hasMorphTargets', 'hasTextures', 'drawCallCount', 'totalVertexCount',
  'totalTriangleCount', 'maxUVs', 'maxInfluences', 'maxAttributes', 'extensionsUsed', 'extensionsRequired'];
let failed = false;
for (const name of names) {
  const before = await judge(sources, name), after = await judge(outputs, name);
  const line = (r) => `${r.counts.numErrors} errors, ${r.counts.numWarnings} warnings`;
  console.log(`${name}: ${line(before)} before, ${line(after)} after`);
  const complain = (text) => {
    console.log(`  ${name}: ${text}`);
    failed = true;
  };
  for (const [place, message] of after.serious) if (!before.serious.has(place)) complain(`new: ${place}: ${message}`);
  for (const key of kept)
    if (JSON.stringify(before.info[key]) !== JSON.stringify(after.info[key]))
      complain(`${key} was ${JSON.stringify(before.info[key])}, is ${JSON.stringify(after.info[key])}`);
  if (after.info.animationCount !== 1) complain(`${after.info.animationCount} animations, expected 1`);
}
process.exit(failed ? 1 : 0);
