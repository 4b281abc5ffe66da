// What a page answers: a browser loads it from a server of this process and posts its answer back, so that no driver is
// needed.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.glb': 'model/gltf-binary' };

function content(asked, path) {
  if (path === '/') return readFileSync(join(here, 'page.html'));
  if (path === '/page.mjs') return readFileSync(join(here, asked.page));
  if (path === '/job') return JSON.stringify(asked.job);
  const file = path.match(/^\/file\/(\d+)\.glb$/);
  if (file) return readFileSync(asked.files[file[1]]);
  if (path.startsWith('/three/') || path.startsWith('/@pixiv/')) return readFileSync(join(here, 'node_modules', normalize(path)));
  throw new Error(`nothing at ${path}`);
}

function serve(asked, onAnswer) {
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
      response.end(content(asked, path));
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  return new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(server)));
}

function browse(chromium, url, profile) {
  const flags = ['--headless=new', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader', '--no-first-run', '--disable-extensions', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', `--user-data-dir=${profile}`, '--window-size=320,320'];
  if (process.getuid?.() === 0) flags.push('--no-sandbox'); // Chromium's sandbox refuses root
  const child = spawn(chromium, [...flags, url], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (piece) => (words = (words + piece).slice(-4000)));
  return { child, words: () => words };
}

// page: the script beside this file; job: what it finds at /job; files: paths of what it finds at /file/INDEX.glb
export async function askPage(asked) {
  const { chromium, patience_ms } = asked;
  const profile = mkdtempSync(join(tmpdir(), 'sinew-play-'));
  let server, browser, timer;
  try {
    return await new Promise(async (resolve, reject) => {
      server = await serve(asked, resolve);
      browser = browse(chromium, `http://127.0.0.1:${server.address().port}/`, profile);
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
