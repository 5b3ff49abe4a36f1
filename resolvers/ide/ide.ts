import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, sep } from 'node:path';

import { getDistDirectory, renderAltair } from 'altair-static';

import { IDE_EXAMPLES, OPEN_AT_FIRST } from './examples.ts';
import type { IdeExamples } from './group.ts';
import { operationsOf, type IdeOperation } from './operations.ts';
import { OPERATIONS_PATH, renderOperations } from './operations-page.ts';
import { ENDPOINT_PATH, renderOptions } from './options.ts';

/** A file of the IDE. */
export interface IdeFile {
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly headers: Readonly<Record<string, string>>;
}

const STORAGE = 'strata_';
const SCRIPT = readFileSync(new URL('page-script.js', import.meta.url), 'utf8');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/**
 * Nothing is loaded from elsewhere and nothing is sent elsewhere, whatever the IDE or a plugin of it tries. `'self'` covers
 * the sockets of the same host. Its styles are set by scripts, which counts as inline.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache',
};
/** Paths of the files carry their version, so that what stands at one never changes. */
const FILE_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/**
 * The pages and files of the IDE by path; `null` for any other path. `/graphql` has a tab for each operation that one begins
 * with, `/graphql/operations` lists all, and each has a page of its own below that. Holds no data: what it shows it asks
 * for with a key. What was asked for once is kept, some megabytes at most, so that strangers do not make the process read
 * its disk.
 */
export function createIde(examples: readonly IdeExamples[] = IDE_EXAMPLES): (path: string) => IdeFile | null {
  const operations = operationsOf(examples);
  const first = namedOf(operations, OPEN_AT_FIRST);
  const said = [SCRIPT, renderOptions(STORAGE, first), renderOptions(STORAGE, operations)].join('');
  const base = `${ENDPOINT_PATH}/${assetVersion()}-${hashOf(said)}/`;
  const made = new Map<string, () => IdeFile>([
    [OPERATIONS_PATH, () => page(renderOperations(operations))],
    [`${base}page-script.js`, () => file('.js', SCRIPT)],
    ...ideOn(ENDPOINT_PATH, { base, storage: STORAGE, operations: first }),
    ...operations.flatMap((operation) =>
      ideOn(`${OPERATIONS_PATH}/${operation.name}`, {
        base,
        storage: `${STORAGE}${operation.name}_`,
        operations: [operation],
      }),
    ),
  ]);
  for (const [name, place] of distFiles()) {
    made.set(`${base}${name}`, () => file(extname(place), readFileSync(place)));
  }
  const served = new Map<string, IdeFile>();
  return (path) => {
    const answer = served.get(path) ?? made.get(path)?.() ?? null;
    if (answer !== null) served.set(path, answer);
    return answer;
  };
}

/** What one page of the IDE opens with. */
interface Opening {
  readonly base: string;
  readonly storage: string;
  readonly operations: readonly IdeOperation[];
}

/** A page of the IDE and the script that starts it. */
function ideOn(path: string, { base, storage, operations }: Opening): [string, () => IdeFile][] {
  const options = `options-${storage}.js`;
  return [
    [path, () => page(htmlWith(base, options))],
    [`${base}${options}`, () => file('.js', renderOptions(storage, operations))],
  ];
}

function htmlWith(base: string, options: string): string {
  return renderAltair({ baseURL: base, serveInitialOptionsInSeperateRequest: options })
    .replace('<title>Altair</title>', '<title>Strata GraphQL</title>')
    .replace('</head>', '  <script src="page-script.js"></script>\n  </head>');
}

function namedOf(operations: readonly IdeOperation[], names: readonly string[]): IdeOperation[] {
  return names.flatMap((wanted) => operations.filter(({ name }) => name === wanted));
}

function page(body: string): IdeFile {
  return { contentType: typeOf('.html'), body, headers: PAGE_HEADERS };
}

function file(extension: string, body: Buffer | string): IdeFile {
  return { contentType: typeOf(extension), body, headers: FILE_HEADERS };
}

/**
 * The files that are served, by their path; no other can be asked for. Left out is the frame that evaluates scripts: it
 * takes them from any page that embeds it.
 */
function distFiles(): ReadonlyMap<string, string> {
  const root = getDistDirectory();
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.split(sep).join('/'),
  );
  const served = names.filter((name) => Object.hasOwn(TYPES, extname(name)) && !isLeftOut(name));
  return new Map(served.map((name) => [name, join(root, name)]));
}

function isLeftOut(name: string): boolean {
  return name === 'index.html' || name.startsWith('iframe-sandbox/');
}

function typeOf(extension: string): string {
  return TYPES[extension] ?? 'application/octet-stream';
}

function assetVersion(): string {
  const { version } = createRequire(import.meta.url)('altair-static/package.json') as { version: string };
  return version;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
