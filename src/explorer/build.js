// Builds the explorer into dist/explorer, where the service looks for it. With --if-needed only where it is not built or older than its
// sources, and only where what builds it is installed: an installation without development packages starts without the explorer.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const SOURCES = fileURLToPath(new URL('./', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BUILT = join(ROOT, 'dist', 'explorer');

/** All scripts and styles of the explorer together, compressed, at most, bytes: so much a browser loads that opens every view. */
const MOST_BYTES = 400_000;

/** @param {string} path */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isFresh() {
  const builtAt = changedAt(join(BUILT, 'index.html'));
  const sources = readdirSync(SOURCES, { recursive: true }).map((name) => join(SOURCES, name));
  return [...sources, join(ROOT, 'package-lock.json')].every((path) => changedAt(path) <= builtAt);
}

/** @param {string} name */
function isInstalled(name) {
  try {
    return createRequire(import.meta.url).resolve(name) !== '';
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return false;
    throw error;
  }
}

/** Stylesheets and scripts are files of their own, so that the page needs no permission for anything inline. */
async function build() {
  const vite = await import('vite');
  await vite.build({
    configFile: false,
    root: SOURCES,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: BUILT,
      emptyOutDir: true,
      assetsDir: 'explorer',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      // The library that draws a why is as large as that, and loaded with that view alone.
      chunkSizeWarningLimit: 600,
      // The first versions with light-dark(), which is kept as it is.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    },
  });
  const bytes = compressedBytes();
  if (bytes > MOST_BYTES)
    throw new Error(`the explorer is ${bytes} bytes compressed, more than ${MOST_BYTES}`);
}

function compressedBytes() {
  const files = readdirSync(join(BUILT, 'explorer')).filter((name) => /\.(?:js|css)$/.test(name));
  const sizes = files.map((name) => gzipSync(readFileSync(join(BUILT, 'explorer', name))).length);
  return sizes.reduce((sum, size) => sum + size, 0);
}

const { values } = parseArgs({ options: { 'if-needed': { type: 'boolean', default: false } } });
if (!values['if-needed'] || (isInstalled('vite') && !isFresh())) await build();
