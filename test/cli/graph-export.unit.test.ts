import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cli, type CliOutcome } from './host.ts';

// A server that answers what the service answers; the command against the service itself is in test/api/graph-export.

let directory = '';
let server: Server;
let answering: RequestListener;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.headers.authorization ?? ''} ${request.url ?? ''}`);
    answering(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-cli-'));
  asked.length = 0;
  answering = (_request, response) => response.end('digraph strata {}\n');
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function exportGraph(...flags: string[]): Promise<CliOutcome> {
  const { port } = server.address() as AddressInfo;
  const url = ['--url', `http://127.0.0.1:${port}`, '--key', 'k'];
  return cli(['graph', 'export', ...url, ...flags], { directory });
}

it('writes the graph of a scope to standard output', async () => {
  const flags = [
    '--scope',
    'org:a',
    '--format',
    'dot',
    '--include-superseded',
    '--as-of-valid',
    '2026-01-01',
  ];
  expect(await exportGraph(...flags)).toEqual({ code: 0, stdout: 'digraph strata {}\n', stderr: '' });
  expect(asked).toEqual([
    'Bearer k /v1/graph/export?scope=org%3Aa&format=dot&as_of_valid=2026-01-01&include_superseded=true',
  ]);
});

it('writes the graph around a record to a file', async () => {
  const flags = ['--record', 'fact_1', '--format', 'mermaid', '--depth', '2', '--out', 'why.mmd'];
  expect(await exportGraph(...flags)).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(asked).toEqual(['Bearer k /v1/provenance/fact_1/export?depth=2&format=mermaid']);
  expect(readFileSync(join(directory, 'why.mmd'), 'utf8')).toBe('digraph strata {}\n');
});

it('tells that an export was cut short, and leaves no part of it in a file', async () => {
  answering = (_request, response) => {
    response.write('digraph strata {\n', () => response.destroy());
  };
  const outcome = await exportGraph('--scope', 'org:a', '--format', 'dot', '--out', 'graph.dot');
  expect(outcome).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^strata: the export was cut short/),
  });
  expect(readdirSync(directory)).toEqual([]);
});

it('tells what the service refuses', async () => {
  answering = (_request, response) => {
    response.statusCode = 403;
    response.end(JSON.stringify({ error_code: 'POLICY_DENIED', message: 'the policy refuses export' }));
  };
  expect(await exportGraph('--scope', 'org:a', '--format', 'dot')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'strata: POLICY_DENIED: the policy refuses export\n',
  });
});

it('tells that a file cannot be written, and that nothing answers', async () => {
  const nowhere = ['--scope', 'org:a', '--format', 'dot', '--out', 'no/such/folder'];
  expect(await exportGraph(...nowhere)).toMatchObject({
    code: 64,
    stderr: expect.stringMatching(/^strata: no\/such\/folder cannot be written: /),
  });
  const away = ['graph', 'export', '--url', 'http://127.0.0.1:1', '--scope', 'org:a', '--format', 'dot'];
  expect(await cli(away, { directory })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^strata: http:\/\/127.0.0.1:1 does not answer: /),
  });
});

it.each([
  [['--scope', 'org:a'], '--format is missing'],
  [['--format', 'dot'], 'name a scope by --scope, or a record by --record'],
  [['--format', 'dot', '--scope', 'org:a', '--record', 'fact_1'], 'name a scope by --scope'],
  [['--format', 'dot', '--scope', 'org:a', '--depth', '2'], '--depth is not for --scope'],
  [['--format', 'dot', '--record', 'fact_1', '--view', 'descend'], '--view is not for --record'],
  [
    ['--format', 'dot', '--record', 'fact_1', '--include-superseded'],
    '--include-superseded is not for --record',
  ],
])('refuses %j', async (flags, message) => {
  const { code, stderr } = await exportGraph(...flags);
  expect([code, stderr.split('\n')[0]]).toEqual([64, expect.stringContaining(message)]);
  expect(asked).toEqual([]);
});
