import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** A file of the explorer, as it is sent. */
export interface ExplorerFile {
  readonly contentType: string;
  readonly body: Buffer;
  /** The same in gzip; null where that would not be smaller. */
  readonly gzip: Buffer | null;
  /** A hash of the body, without quotes. */
  readonly hash: string;
}

/** The files of the explorer. */
export interface ExplorerFiles {
  /**
   * The file at a path; null for none, and for all of them until they are built. Looks at the disk when `path` is `/`, so that what was
   * built anew is served without a restart.
   */
  read: (path: string) => ExplorerFile | null;
}

/** The path of the page. */
export const EXPLORER_PATH = '/';
/** What the paths of all other files begin with. */
export const EXPLORER_ASSETS = '/explorer/';

const INDEX = 'index.html';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the build puts the explorer: dist/explorer, seen from rest/ where sources run, from dist/rest/ where compiled files do. */
export function builtExplorer(): string {
  const relative = import.meta.url.endsWith('.ts') ? '../dist/explorer/' : '../explorer/';
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** The files in a folder, each read and compressed once for as long as the page stays the same. */
export function explorerFiles(folder: string = builtExplorer()): ExplorerFiles {
  let files: ReadonlyMap<string, ExplorerFile> = new Map();
  let builtAt: number | null = null;
  const refresh = (): void => {
    const changedAt = statSync(join(folder, INDEX), { throwIfNoEntry: false })?.mtimeMs ?? null;
    if (changedAt === builtAt) return;
    files = changedAt === null ? new Map() : readFiles(folder);
    builtAt = changedAt;
  };
  return {
    read: (path) => {
      if (path === EXPLORER_PATH || builtAt === null) refresh();
      return files.get(path) ?? null;
    },
  };
}

function readFiles(folder: string): ReadonlyMap<string, ExplorerFile> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const served = names.filter((name) => Object.hasOwn(TYPES, extname(name)));
  return new Map(served.map((name) => [pathOf(name), readFile(join(folder, name))]));
}

function pathOf(name: string): string {
  return name === INDEX ? EXPLORER_PATH : `/${name.split(sep).join('/')}`;
}

function readFile(place: string): ExplorerFile {
  const body = readFileSync(place);
  const gzip = gzipSync(body, { level: 9 });
  return {
    contentType: TYPES[extname(place)] ?? 'application/octet-stream',
    body,
    gzip: gzip.length < body.length ? gzip : null,
    hash: createHash('sha256').update(body).digest('hex').slice(0, 32),
  };
}
