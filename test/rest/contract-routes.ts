/** A route that the contract names, and where. */
export interface ContractRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with its parameters in braces. */
  readonly path: string;
  /** `specification: <part>`, `decisions <section>` or `wire facts <section>`. */
  readonly named: string;
}

type Line = readonly [methods: string, path: string];

const METHODS = /^(GET|POST|PUT|PATCH|DELETE)$/;

/** The routes that one place names, each line with one or several methods. */
function namedBy(named: string, ...lines: readonly Line[]): ContractRoute[] {
  return lines.flatMap(([methods, path]) =>
    methods.split(' ').map((method) => {
      if (!METHODS.test(method)) throw new Error(`${method} is no method of a route`);
      return { method: method as ContractRoute['method'], path, named };
    }),
  );
}

/** Every route that the specification, the decisions and the wire facts name, at the first place that does. */
export const CONTRACT_ROUTES: readonly ContractRoute[] = [
  ...namedBy(
    'specification: Auth',
    ['POST', '/v1/auth/signup'],
    ['POST', '/v1/auth/tokens'],
    ['GET', '/v1/auth/whoami'],
    ['POST', '/v1/auth/revoke'],
  ),
  ...namedBy('specification: Capture', ['POST', '/v1/experience'], ['GET', '/v1/experience/status']),
  ...namedBy(
    'specification: Reading memory',
    ['GET', '/v1/events'],
    ['GET', '/v1/events/{id}'],
    ['GET', '/v1/episodes'],
    ['GET', '/v1/facts'],
    ['GET', '/v1/facts/{id}'],
    ['GET', '/v1/facts/timeline'],
    ['GET', '/v1/beliefs'],
    ['GET', '/v1/beliefs/why'],
    ['POST', '/v1/beliefs/build'],
    ['GET', '/v1/understanding'],
    ['POST', '/v1/understanding/synthesize'],
  ),
  ...namedBy(
    'specification: Recall and answer',
    ['POST', '/v1/recall'],
    ['POST', '/v1/answer'],
    ['POST', '/v1/compose'],
  ),
  ...namedBy(
    'specification: Forget and erasure',
    ['POST', '/v1/forget'],
    ['POST', '/v1/erasures'],
    ['GET', '/v1/erasures/{id}'],
    ['POST', '/v1/erasures/{id}/cancel'],
  ),
  ...namedBy(
    'specification: Scopes and policy',
    ['POST', '/v1/scopes'],
    ['GET', '/v1/policy/effective'],
    ['GET', '/v1/policy/deployment'],
  ),
  ...namedBy(
    'specification: Lifecycle',
    ['GET', '/v1/lifecycle'],
    ['GET', '/v1/lifecycle/stream'],
    ['GET', '/v1/lifecycle/event/{id}'],
    ['GET', '/v1/lifecycle/memory-event/{id}'],
    ['POST', '/v1/lifecycle/memory-event/{id}/cancel'],
  ),
  ...namedBy(
    'specification: Other',
    ['POST', '/v1/remember'],
    ['POST GET', '/v1/webhooks'],
    ['DELETE', '/v1/webhooks/{id}'],
    ['POST', '/v1/blobs'],
    ['GET', '/v1/admin/ready'],
    ['GET', '/v1/admin/metrics'],
    ['GET', '/v1/admin/layers/stats'],
    ['GET', '/v1/admin/version'],
    ['GET', '/v1/admin/usage'],
    ['POST', '/v1/admin/index-audit/source-blob-links'],
    ['POST', '/v1/admin/derived/rederive'],
    ['GET', '/v1/schemas/{name}'],
  ),
  ...namedBy(
    'decisions 1.10',
    ['GET', '/v1/audit'],
    ['GET', '/v1/audit/{id}'],
    ['POST', '/v1/audit/verify'],
    ['GET', '/v1/audit/chain'],
    ['POST', '/v1/audit/chain/verify'],
  ),
  ...namedBy(
    'decisions 2.4',
    ['GET PUT DELETE', '/v1/scopes'],
    ['PUT', '/v1/scopes/members'],
    ['GET', '/v1/scopes/list'],
    ['POST', '/v1/scopes/prune'],
  ),
  ...namedBy('decisions 3.9', ['POST', '/v1/experience/bulk']),
  ...namedBy(
    'decisions 4.6',
    ['POST', '/v1/beliefs'],
    ['GET', '/v1/beliefs/{id}'],
    ['GET', '/v1/beliefs/history'],
  ),
  ...namedBy(
    'decisions 4.7',
    ['GET', '/v1/episodes/{id}'],
    ['GET', '/v1/understanding/{id}'],
    ['GET', '/v1/understanding/{id}/related'],
    ['GET', '/v1/understanding/coverage'],
    ['GET', '/v1/concepts'],
    ['GET', '/v1/concepts/{id}'],
    ['GET', '/v1/concepts/{id}/related'],
    ['GET', '/v1/concepts/{id}/history'],
    ['GET', '/v1/concepts/coverage'],
    ['POST', '/v1/concepts/synthesize'],
  ),
  ...namedBy(
    'decisions 4.8',
    ['GET', '/v1/entities'],
    ['GET', '/v1/entities/{id}'],
    ['GET', '/v1/entities/{id}/edges'],
    ['POST', '/v1/entities/link'],
    ['DELETE', '/v1/entities/link/{id}'],
  ),
  ...namedBy(
    'decisions 4.9',
    ['GET', '/v1/conflicts'],
    ['GET', '/v1/conflicts/{id}'],
    ['POST', '/v1/conflicts/{id}/resolve'],
    ['GET', '/v1/claims'],
    ['GET', '/v1/claims/history'],
  ),
  ...namedBy('decisions 4.10', ['GET', '/v1/derivation/status']),
  ...namedBy(
    'decisions 6.6',
    ['POST GET', '/v1/temporal/phrases'],
    ['DELETE', '/v1/temporal/phrases/{name}'],
  ),
  ...namedBy('decisions 7.3', ['POST', '/v1/forget/preview']),
  ...namedBy(
    'decisions 7.4',
    ['POST', '/v1/erasures/preview'],
    ['GET', '/v1/erasures/preview/{id}/manifest'],
    ['GET', '/v1/erasures/{id}/receipt'],
    ['POST', '/v1/erasures/{id}/verify'],
  ),
  ...namedBy('decisions 9.1', ['GET DELETE', '/v1/blobs/{id}']),
  ...namedBy(
    'decisions 9.3',
    ['POST', '/v1/import'],
    ['POST', '/v1/import/jsonl'],
    ['POST', '/v1/import/mem0'],
    ['POST', '/v1/import/zep'],
    ['POST', '/v1/import/letta'],
    ['POST', '/v1/import/openai'],
    ['GET', '/v1/import/{id}'],
    ['POST', '/v1/export'],
  ),
  ...namedBy(
    'decisions 9.4',
    ['GET', '/v1/health'],
    ['GET', '/v1/ready'],
    ['GET', '/v1/admin/health'],
    ['GET', '/v1/openapi.json'],
  ),
  ...namedBy('decisions 10.1', ['POST', '/graphql']),
  ...namedBy('decisions 10.3', ['GET', '/graphql']),
  ...namedBy('wire facts 4.3', ['POST', '/v1/episodes/build']),
  ...namedBy(
    'wire facts 4.5',
    ['PATCH', '/v1/vocabularies/{name}'],
    ['POST', '/v1/admin/index-audit'],
    ['GET', '/v1/admin/events/{id}/chunks'],
    ['GET', '/v1/admin/retention'],
    ['GET PUT DELETE', '/v1/admin/retention/policies'],
    ['POST', '/v1/admin/retention/sweep'],
    ['GET', '/v1/admin/wal'],
    ['POST', '/v1/admin/wal/compact'],
  ),
  ...namedBy(
    'wire facts 6.2',
    ['GET', '/v1/blobs/idempotent/status'],
    ['POST DELETE', '/v1/blobs/idempotent'],
  ),
  ...namedBy(
    'wire facts 7',
    ['POST GET', '/v1/code/repos'],
    ['GET DELETE', '/v1/code/repos/{name}'],
    ['GET', '/v1/code/symbol/resolve'],
    ['GET', '/v1/code/symbol/search'],
    ['GET', '/v1/code/calls'],
    ['GET', '/v1/code/impact'],
    ['POST', '/v1/code/graph/query'],
    ['POST', '/v1/code/inventory'],
    ['POST', '/v1/code/context'],
    ['POST', '/v1/code/workspace/context'],
    ['GET', '/v1/code/coverage/status'],
    ['GET', '/v1/code/history/for-symbol'],
    ['GET', '/v1/code/tests/for-change'],
    ['POST', '/v1/code/certify'],
    ['POST', '/v1/code/gc'],
    ['GET', '/v1/code/matrix'],
    ['POST', '/v1/code/import/scip'],
    ['POST', '/v1/code/import/coverage'],
    ['GET', '/v1/code/export-index'],
    ['POST', '/v1/code/import-index'],
    ['POST DELETE', '/v1/code/pins'],
  ),
];

/** Those that are still to come; whoever adds one takes it off, since a test demands that the service has nothing there. */
export const toCome: readonly string[] = [
  'POST /v1/remember',
  'POST /v1/webhooks',
  'GET /v1/webhooks',
  'DELETE /v1/webhooks/{id}',
  'POST /v1/admin/index-audit/source-blob-links',
  'POST /v1/import',
  'POST /v1/import/jsonl',
  'POST /v1/import/mem0',
  'POST /v1/import/zep',
  'POST /v1/import/letta',
  'POST /v1/import/openai',
  'GET /v1/import/{id}',
  'POST /v1/export',
  'POST /v1/admin/index-audit',
  'GET /v1/admin/events/{id}/chunks',
  'GET /v1/admin/wal',
  'POST /v1/admin/wal/compact',
];

/** A route that the contract says is not there, with the status that it says. */
export interface AbsentRoute extends ContractRoute {
  readonly status: 404 | 405;
}

function absent(status: AbsentRoute['status'], named: string, ...lines: readonly Line[]): AbsentRoute[] {
  return namedBy(named, ...lines).map((route) => ({ ...route, status }));
}

/** What the contract names to say that it is not there. */
export const ABSENT: readonly AbsentRoute[] = [
  ...absent(405, 'specification: Scopes and policy', ['PUT', '/v1/policy/deployment']),
  ...absent(
    404,
    'specification: Scopes and policy',
    ['PUT', '/v1/policy/tenant'],
    ['PUT', '/v1/policy/scope'],
    ['PUT', '/v1/policy/actor'],
  ),
  ...absent(404, 'specification: Versioning', ['POST', '/v1/recall_memories']),
];
