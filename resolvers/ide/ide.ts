import type { IdeTab } from './tab.ts';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, sep } from 'node:path';

import { getDistDirectory, renderAltair, renderInitSnippet } from 'altair-static';

import { IDE_TABS } from './examples.ts';

/** A file of the IDE. */
export interface IdeFile {
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly headers: Readonly<Record<string, string>>;
}

const PAGE = '/graphql';
/** Stands in the options for the address of the endpoint, which only the browser knows: the host that the page came from. */
const ENDPOINT = 'address of the endpoint';
const SOCKETS = 'address of its sockets';

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
 * The pages and files of the IDE by path; `null` for any other path. Holds no data: what it shows it asks for with a key.
 * What was asked for once is kept, some megabytes at most, so that strangers do not make the process read its disk.
 */
export function createIde(tabs: readonly IdeTab[] = IDE_TABS): (path: string) => IdeFile | null {
  const options = addressed(renderInitSnippet(optionsOf(tabs)));
  const base = `${PAGE}/${assetVersion()}-${hashOf(options)}/`;
  const files = distFiles();
  const read = new Map<string, Buffer>();
  const page = renderAltair({ baseURL: base, serveInitialOptionsInSeperateRequest: 'options.js' }).replace(
    '<title>Altair</title>',
    '<title>Strata GraphQL</title>',
  );
  return (path) => {
    if (path === PAGE) return { contentType: typeOf('.html'), body: page, headers: PAGE_HEADERS };
    if (path === `${base}options.js`)
      return { contentType: typeOf('.js'), body: options, headers: FILE_HEADERS };
    const file = path.startsWith(base) ? files.get(path.slice(base.length)) : undefined;
    if (file === undefined) return null;
    const body = read.get(file) ?? readFileSync(file);
    read.set(file, body);
    return { contentType: typeOf(extname(file)), body, headers: FILE_HEADERS };
  };
}

function optionsOf(tabs: readonly IdeTab[]): Parameters<typeof renderInitSnippet>[0] {
  const shared = {
    endpointURL: ENDPOINT,
    subscriptionsEndpoint: SOCKETS,
    initialHeaders: { Authorization: 'Bearer {{key}}' },
    initialSubscriptionRequestHandlerId: 'graphql-ws' as const,
    initialSubscriptionsPayload: { authorization: 'Bearer {{key}}' },
  };
  return {
    ...shared,
    initialWindows: tabs.map(({ name, document, variables }) => ({
      ...shared,
      initialName: name,
      initialQuery: document,
      initialVariables: JSON.stringify(variables, null, 2),
    })),
    initialEnvironments: {
      activeSubEnvironment: 'strata',
      subEnvironments: [
        {
          id: 'strata',
          title: 'Strata',
          variables: {
            key: '<key>',
            event_id: '<eventId that capture answered>',
            conflict_id: '<id of a conflict>',
            record_id: '<id of one of its records>',
            blob_id: '<blob_id of an upload>',
            audit_id: '<id of an audit row>',
            fact_id: '<id of a fact>',
            belief_id: '<id of a belief>',
            concept_id: '<id of a concept>',
            link_id: '<id of a link>',
            suppression_id: '<id of a suppression>',
            erasure_id: '<id of an erasure>',
            episode_id: '<id of an episode>',
            job_id: '<jobId of a job that derives again>',
          },
        },
      ],
    },
    instanceStorageNamespace: 'strata_',
    disableAccount: true,
    persistedSettings: {
      'alert.disableUpdateNotification': true,
      'banners.disable': true,
      disablePushNotification: true,
      'plugin.list': [],
    },
    initialSettings: { theme: 'system', 'schema.reloadOnStart': false },
  };
}

function addressed(script: string): string {
  return script
    .replaceAll(`\`${ENDPOINT}\``, `location.origin + '${PAGE}'`)
    .replaceAll(`\`${SOCKETS}\``, `location.origin.replace('http', 'ws') + '${PAGE}'`);
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
