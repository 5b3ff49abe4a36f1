import type { Operation } from './definition.ts';

const OFF = {
  noun: 'code',
  description:
    'Not part of this release: whoever passes the gate is answered 503 `CODE_PLANE_DISABLED`, whatever is sent.',
  answers: {},
  errors: ['CODE_PLANE_DISABLED'],
  off: { code: 'CODE_PLANE_DISABLED', why: 'the code plane is not part of this release' },
  graphql: {
    reason:
      'The code plane is not part of this release; a field that nothing but refuses tells nobody anything.',
  },
} as const;
const READS = { ...OFF, access: { capability: 'code.read' } } as const;
const READS_BY_BODY = { ...READS, method: 'POST', rate: 'read' } as const;
const CHANGES = { ...OFF, access: { capability: 'code.write' }, audited: true } as const;
const REPOSITORY = { name: 'Name of the repository.' };

/** Operations on source code, as published clients call them; all of them are off. */
export const CODE_OPERATIONS = {
  registerRepository: {
    ...CHANGES,
    method: 'POST',
    path: '/v1/code/repos',
    summary: 'Register a repository',
  },
  listRepositories: { ...READS, method: 'GET', path: '/v1/code/repos', summary: 'List repositories' },
  getRepository: {
    ...READS,
    method: 'GET',
    path: '/v1/code/repos/{name}',
    params: REPOSITORY,
    summary: 'Read a repository',
  },
  removeRepository: {
    ...CHANGES,
    method: 'DELETE',
    path: '/v1/code/repos/{name}',
    params: REPOSITORY,
    summary: 'Remove a repository',
  },
  resolveSymbol: {
    ...READS,
    method: 'GET',
    path: '/v1/code/symbol/resolve',
    summary: 'Find a symbol by name',
  },
  searchSymbols: {
    ...READS,
    method: 'GET',
    path: '/v1/code/symbol/search',
    summary: 'Find symbols by a prefix',
  },
  listCalls: { ...READS, method: 'GET', path: '/v1/code/calls', summary: 'Callers and callees of a symbol' },
  codeImpact: {
    ...READS,
    method: 'GET',
    path: '/v1/code/impact',
    summary: 'What a change of a symbol reaches',
  },
  queryCodeGraph: { ...READS_BY_BODY, path: '/v1/code/graph/query', summary: 'Walk the graph of the code' },
  codeInventory: { ...READS_BY_BODY, path: '/v1/code/inventory', summary: 'What a repository holds' },
  codeContext: { ...READS_BY_BODY, path: '/v1/code/context', summary: 'Code that bears on a task' },
  workspaceContext: {
    ...READS_BY_BODY,
    path: '/v1/code/workspace/context',
    summary: 'Code of several repositories that bears on a task',
  },
  codeCoverage: {
    ...READS,
    method: 'GET',
    path: '/v1/code/coverage/status',
    summary: 'How far tests cover a repository',
  },
  symbolHistory: {
    ...READS,
    method: 'GET',
    path: '/v1/code/history/for-symbol',
    summary: 'What happened to a symbol',
  },
  testsForChange: {
    ...READS,
    method: 'GET',
    path: '/v1/code/tests/for-change',
    summary: 'Tests that a change touches',
  },
  certifyCode: {
    ...READS_BY_BODY,
    path: '/v1/code/certify',
    summary: 'Answer a question about all of the code',
  },
  collectCodeGarbage: {
    ...CHANGES,
    method: 'POST',
    path: '/v1/code/gc',
    summary: 'Drop what nothing of a repository uses',
  },
  codeMatrix: {
    ...READS,
    method: 'GET',
    path: '/v1/code/matrix',
    summary: 'What is understood of each language',
  },
  importScip: {
    ...CHANGES,
    method: 'POST',
    path: '/v1/code/import/scip',
    summary: 'Import an index of a compiler',
  },
  importCoverage: {
    ...CHANGES,
    method: 'POST',
    path: '/v1/code/import/coverage',
    summary: 'Import the coverage of tests',
  },
  exportCodeIndex: {
    ...READS,
    method: 'GET',
    path: '/v1/code/export-index',
    summary: 'Export the index of a repository',
  },
  importCodeIndex: {
    ...CHANGES,
    method: 'POST',
    path: '/v1/code/import-index',
    summary: 'Import the index of a repository',
  },
  pinManifest: { ...CHANGES, method: 'POST', path: '/v1/code/pins', summary: 'Keep a state of a repository' },
  unpinManifest: {
    ...CHANGES,
    method: 'DELETE',
    path: '/v1/code/pins',
    summary: 'Keep a state of a repository no longer',
  },
} as const satisfies Record<string, Operation>;
