// Runs Khronos' glTF validator over files: node validate.mjs FILES...
// One line per file with the counts, one per issue; exit code 1 on any error or warning.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import validator from 'gltf-validator';

const severities = ['error', 'warning', 'info', 'hint'];
const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node validate.mjs FILES...');
  process.exit(2);
}

let failed = false;
for (const file of files) {
  let report;
  try {
    report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { uri: basename(file), maxIssues: 10000 });
  } catch (reason) {
    console.log(`${file}: ${reason.message ?? reason}`);
    failed = true;
    continue;
  }
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos, ${numHints} hints`);
  // an animation without a mesh has leaf nodes that hold nothing: counted, not listed
  for (const { severity, code, pointer, message } of messages.filter(({ code }) => code !== 'NODE_EMPTY'))
    console.log(`  ${severities[severity]} ${code} ${pointer ?? ''}: ${message}`);
  if (numErrors || numWarnings) failed = true;
}
process.exit(failed ? 1 : 0);
