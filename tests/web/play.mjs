// Plays GLBs with three.js in a headless browser and compares what it shows with the engine's own figures:
//   node play.mjs CHROMIUM TRUTH.json NAME=FILE.glb:BOUND...
// TRUTH is what pose_dump writes; BOUND is the distance allowed, as a share of the body's height.
// The browser loads a page from a server of this process and posts its answer back: no driver is needed.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [chromium, truthPath, ...rest] = process.argv.slice(2);
const truth = JSON.parse(readFileSync(truthPath));
const files = rest.map((argument) => {
  const [, name, path, share] = argument.match(/^(.+?)=(.+):([0-9.e-]+)$/);
  return { name, path, bound_m: Number(share) * truth.heightM };
});
const patience_ms = 50000;

const job = {
  files: files.map((file, index) => ({
    url: `/file/${index}.glb`,
    times_s: truth.timesS,
    corners: truth.corners,
    drawn: [0, Math.floor(truth.timesS.length / 2)],
  })),
};

// ---- server and browser ----

const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.glb': 'model/gltf-binary' };

function content(path) {
  if (path === '/') return readFileSync(join(here, 'play.html'));
  if (path === '/play_page.mjs') return readFileSync(join(here, 'play_page.mjs'));
  if (path === '/job') return JSON.stringify(job);
  const file = path.match(/^\/file\/(\d+)\.glb$/);
  if (file) return readFileSync(files[file[1]].path);
  if (path.startsWith('/three/')) return readFileSync(join(here, 'node_modules', normalize(path)));
  throw new Error(`nothing at ${path}`);
}

function serve(onAnswer) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    if (request.method === 'POST') {
      let body = '';
      request.setEncoding('utf8').on('data', (piece) => (body += piece)).on('end', () => {
        response.end();
        onAnswer(JSON.parse(body));
      });
      return;
    }
    try {
      response.setHeader('content-type', types[path === '/' ? '.html' : extname(path)] ?? 'application/json');
      response.end(content(path));
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  return new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(server)));
}

function browse(url, profile) {
  const flags = ['--headless=new', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader', '--no-first-run', '--disable-extensions', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', `--user-data-dir=${profile}`, '--window-size=320,320'];
  if (process.getuid?.() === 0) flags.push('--no-sandbox'); // Chromium's sandbox refuses root
  const child = spawn(chromium, [...flags, url], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (piece) => (words = (words + piece).slice(-4000)));
  return { child, words: () => words };
}

async function ask() {
  const profile = mkdtempSync(join(tmpdir(), 'sinew-play-'));
  let server, browser, timer;
  try {
    return await new Promise(async (resolve, reject) => {
      server = await serve(resolve);
      browser = browse(`http://127.0.0.1:${server.address().port}/`, profile);
      browser.child.on('error', reject);
      browser.child.on('exit', (code) => reject(new Error(`the browser ended with ${code}: ${browser.words()}`)));
      timer = setTimeout(() => reject(new Error(`no answer in ${patience_ms} ms: ${browser.words()}`)), patience_ms);
    });
  } finally {
    clearTimeout(timer);
    if (browser?.child.pid) {
      browser.child.removeAllListeners('exit');
      const gone = new Promise((done) => browser.child.on('exit', done));
      try {
        process.kill(-browser.child.pid, 'SIGKILL'); // the browser is the leader of its own group
        await gone;
      } catch {
        // it has ended by itself
      }
    }
    server?.closeAllConnections();
    server?.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

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

const answer = await ask();
if (answer.error) {
  console.log(`FAIL ${answer.error}`);
  process.exit(1);
}
console.log(`three.js ${answer.three} on ${answer.renderer}`);
files.forEach((file, index) => compare(file, answer.files[index]));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
