import { operationOf, SERVED_IDS } from '../../../schemas/operation.ts';

/** A published client, and what it calls: read from its package. */
interface PublishedClient {
  readonly name: string;
  readonly version: string;
  readonly what: string;
  /** Method and path of each operation; a path that ends in `…` is a family of them. */
  readonly calls: readonly string[];
}

const CAPTURE = ['POST /v1/experience', 'POST /v1/experience/bulk', 'GET /v1/experience/status'];
const ASK = ['POST /v1/recall', 'POST /v1/answer', 'POST /v1/compose'];
const LAYERS = [
  'GET /v1/events',
  'GET /v1/facts',
  'GET /v1/episodes',
  'GET /v1/beliefs',
  'POST /v1/beliefs/build',
  'GET /v1/beliefs/why',
  'POST /v1/understanding/synthesize',
];
const CONFLICTS = [
  'GET /v1/conflicts',
  'GET /v1/conflicts/{id}',
  'POST /v1/conflicts/{id}/resolve',
  'GET /v1/claims/history',
];
const AUDIT = ['GET /v1/audit/chain', 'POST /v1/audit/chain/verify'];
const OPERATOR = [
  'GET /v1/admin/layers/stats',
  'GET /v1/admin/retention',
  'GET /v1/admin/retention/policies',
  'PUT /v1/admin/retention/policies',
  'DELETE /v1/admin/retention/policies',
  'POST /v1/admin/retention/sweep',
  'GET /v1/admin/wal',
  'POST /v1/admin/wal/compact',
];
const FORGET = ['POST /v1/forget', 'POST /v1/forget/preview'];

/** The published clients that the service is held to. */
export const CLIENTS: readonly PublishedClient[] = [
  {
    name: 'cortexdbai (PyPI)',
    version: '0.12.0',
    what: 'Python SDK, with adapters for frameworks of agents',
    calls: [
      ...['POST /v1/auth/signup', 'GET /v1/auth/whoami', 'POST /v1/auth/tokens', 'GET /v1/admin/version'],
      ...[...CAPTURE, 'POST /v1/blobs', 'DELETE /v1/blobs/{id}', ...ASK, ...LAYERS],
      ...['GET /v1/understanding', 'GET /v1/concepts/{id}/history', 'POST /v1/episodes/build'],
      ...['POST /v1/beliefs', 'GET /v1/beliefs/history', ...CONFLICTS, 'GET /v1/claims'],
      ...['GET /v1/audit', 'POST /v1/audit/verify', ...AUDIT, ...FORGET],
      ...['POST /v1/erasures', 'POST /v1/erasures/preview', 'POST /v1/import', 'GET /v1/import/{id}'],
      ...['PATCH /v1/vocabularies/{name}', ...OPERATOR, 'POST /v1/admin/index-audit'],
      ...['GET /v1/admin/events/{id}/chunks', 'GET /v1/code…', 'POST /v1/code…'],
    ],
  },
  {
    name: 'cortexdb-cli (PyPI)',
    version: '0.6.0',
    what: 'command line',
    calls: [
      ...['GET /v1/admin/health', 'GET /v1/admin/ready', 'GET /v1/auth/whoami', 'POST /v1/auth/signup'],
      ...['POST /v1/auth/tokens', 'POST /v1/auth/revoke', 'POST /v1/experience', 'POST /v1/experience/bulk'],
      ...['GET /v1/events/{id}', ...ASK, ...LAYERS, 'GET /v1/facts/timeline', ...CONFLICTS],
      ...['GET /v1/concepts', 'GET /v1/concepts/coverage', 'POST /v1/scopes', 'GET /v1/scopes/list'],
      ...['GET /v1/scopes', 'GET /v1/policy/effective', 'GET /v1/policy/deployment', ...AUDIT, ...FORGET],
      ...['POST /v1/export', 'POST /v1/import', ...OPERATOR, 'GET /v1/code…', 'POST /v1/code…'],
    ],
  },
  {
    name: 'cortexdb-mcp (PyPI)',
    version: '0.8.0',
    what: 'MCP server over stdio, 27 tools',
    calls: [
      ...['GET /v1/health', 'GET /v1/admin/health', 'GET /v1/admin/ready', 'GET /v1/auth/whoami'],
      ...[
        'POST /v1/auth/signup',
        ...CAPTURE,
        ...ASK,
        'GET /v1/events',
        'GET /v1/events/{id}',
        'GET /v1/facts',
      ],
      ...['GET /v1/beliefs', 'POST /v1/beliefs', 'GET /v1/conflicts', 'POST /v1/conflicts/{id}/resolve'],
      ...['GET /v1/claims/history', ...FORGET, 'GET /v1/code…', 'POST /v1/code…'],
    ],
  },
  {
    name: 'cortexdb-connectors (PyPI)',
    version: '0.2.22',
    what: 'imports from 18 sources',
    calls: [
      ...['GET /v1/auth/whoami', 'POST /v1/experience', 'GET /v1/experience/status', 'POST /v1/blobs'],
      ...['DELETE /v1/blobs/{id}', 'GET /v1/derivation/status', 'GET /v1/episodes', 'POST /v1/forget'],
      ...['POST /v1/blobs/idempotent', 'DELETE /v1/blobs/idempotent', 'GET /v1/blobs/idempotent/status'],
    ],
  },
];

/** What clients rely on, and the test that holds it: a file below `test`, and a part of the title of a case in it. */
export const HELD: readonly { readonly what: string; readonly file: string; readonly title: string }[] = [
  {
    what: 'headers `X-Cortex-…` on input and output, by `STRATA_HEADER_ALIASES`',
    file: 'api/operations.exclusive.test.ts',
    title: 'sends every family of headers and reads any of them',
  },
  {
    what: 'the envelopes that they send, with `observed_actor` without a type and a `source` of version 2',
    file: 'capture/envelope.unit.test.ts',
    title: 'accepts what published clients send',
  },
  {
    what: 'triples with `kind` for `type` and `concept` for `entity`',
    file: 'api/capture.int.test.ts',
    title: 'a triple in the words of published clients',
  },
  {
    what: 'one `owner` in place of `members`',
    file: 'api/scope.int.test.ts',
    title: 'takes one owner in place of members, as published clients send it',
  },
  {
    what: 'their segment types (`verify`, `ns`, `channel`, `issue`, `repo`) under `dev_local`, and not in the cloud presets',
    file: 'config/config.unit.test.ts',
    title: 'leaves the segment types of published clients out of the cloud presets',
  },
  {
    what: 'the bodies of a forget, with `confirm_all: false` beside a selector, and `reason` for `audit_note`',
    file: 'services/forget-request.unit.test.ts',
    title: 'takes the forgets that published clients send',
  },
  {
    what: 'the protocol `keyed-blob-v1` of the connectors, to the keys of its answers',
    file: 'api/keyed-blob.int.test.ts',
    title: 'is answered the same each time, in the keys of the protocol',
  },
  {
    what: 'the npm package `graphql-ws` over sockets',
    file: 'resolvers/socket-protocol.unit.test.ts',
    title: 'work with the client of graphql-ws',
  },
];

const OPERATIONS = SERVED_IDS.flatMap((id) => {
  const { method, path, alias = path } = operationOf(id);
  return [path, alias].map((one) => `${method} ${one.replaceAll(/\{\w+\}/g, '{}')}`);
});

function isThere(call: string): boolean {
  const wanted = call.replaceAll(/\{\w+\}/g, '{}');
  return wanted.endsWith('…')
    ? OPERATIONS.some((one) => one.startsWith(wanted.slice(0, -1)))
    : OPERATIONS.includes(wanted);
}

/** The clients as a table in markdown: what of their calls works, and which calls have no operation yet. */
export function clientsTable(): string {
  const rows = CLIENTS.map(({ name, version, what, calls }) => {
    const missing = calls.filter((call) => !isThere(call));
    const paths = [...new Set(missing.map((call) => call.slice(call.indexOf(' ') + 1)))];
    const told = paths.length === 0 ? 'nothing' : paths.map((path) => `\`${path}\``).join(', ');
    return `| ${name} ${version} | ${what} | ${calls.length - missing.length} of ${calls.length} | ${told} |`;
  });
  return ['| Client | What it is | Calls that work | Not there yet |', '|---|---|---|---|', ...rows].join(
    '\n',
  );
}

/** What clients rely on, as a table in markdown. */
export function heldTable(): string {
  const rows = HELD.map(({ what, file, title }) => `| ${what} | \`test/${file}\`: ${title} |`);
  return ['| What they rely on | Test |', '|---|---|', ...rows].join('\n');
}
