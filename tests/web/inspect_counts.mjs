// Compares what `sinew inspect` counts with what Khronos' glTF validator does: node inspect_counts.mjs SINEW FILES...
// One line per file that differs; exit code 1 on any.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import validator from 'gltf-validator';

const [sinew, ...files] = process.argv.slice(2);
if (!files.length) {
  console.error('usage: node inspect_counts.mjs SINEW FILES...');
  process.exit(2);
}
const told = execFileSync(sinew, ['inspect', '--json', '--', ...files], { maxBuffer: 1 << 28, encoding: 'utf8' })
  .trim().split('\n').map(JSON.parse);

// the validator counts a vertex once per primitive, sinew once per mesh: equal where no mesh shares its positions
const shares = root => (root.meshes ?? []).some(mesh => {
  const positions = mesh.primitives.map(primitive => primitive.attributes.POSITION);
  return new Set(positions).size !== positions.length;
});

let failed = told.length !== files.length;
for (const [i, file] of files.entries()) {
  const bytes = readFileSync(file);
  const root = JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());
  const { info, mimeType } = await validator.validateBytes(new Uint8Array(bytes), { uri: basename(file) });
  const pairs = {
    holds: [told[i].holds === 'glb', mimeType === 'model/gltf-binary'],
    animations: [told[i].animations.length, info.animationCount ?? 0],
    triangles: [told[i].triangles, info.totalTriangleCount ?? 0],
    skins: [told[i].skins.length > 0, info.hasSkins ?? false],
    morphs: [told[i].meshes.some(mesh => mesh.morphTargets), info.hasMorphTargets ?? false],
    primitives: [told[i].meshes.length ? told[i].meshes.reduce((sum, mesh) => sum + mesh.primitives, 0) : 0,
      (root.meshes ?? []).reduce((sum, mesh) => sum + mesh.primitives.length, 0)],
    generator: [told[i].written.generator, info.generator ?? null],
  };
  if (!shares(root)) pairs.vertices = [told[i].vertices, info.totalVertexCount ?? 0];
  for (const [name, [ours, theirs]] of Object.entries(pairs))
    if (ours !== theirs) {
      console.log(`${file}: ${name}: ${ours}, the validator: ${theirs}`);
      failed = true;
    }
}
console.log(`${files.length} files compared`);
process.exit(failed ? 1 : 0);
