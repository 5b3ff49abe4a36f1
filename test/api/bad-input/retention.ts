import type { BadCase } from './case.ts';

const POLICIES = '/v1/admin/retention/policies';
const SWEEP = '/v1/admin/retention/sweep';
const SCOPE = 'org:bad/user:input';
const INVALID = 'INVALID_RETENTION_POLICY';

type Row = readonly [what: string, body: Record<string, unknown>, field: string, code?: string];

const RULES: readonly Row[] = [
  ['nothing that it states', {}, 'default_retention_days', INVALID],
  ['no source and no default', { per_source_days: {} }, 'default_retention_days', INVALID],
  ['0 days', { default_retention_days: 0 }, 'default_retention_days', INVALID],
  ['36501 days', { default_retention_days: 36_501 }, 'default_retention_days', INVALID],
  ['half a day', { default_retention_days: 0.5 }, 'default_retention_days', INVALID],
  ['days that are a text', { default_retention_days: '30' }, 'default_retention_days', INVALID],
  ['sources that are a list', { per_source_days: [] }, 'per_source_days', INVALID],
  ['a source without its prefix', { per_source_days: { jira: 30 } }, 'per_source_days.jira', INVALID],
  ['a source without a name', { per_source_days: { 'source:': 30 } }, 'per_source_days.source:', INVALID],
  [
    'a source that is kept for ever',
    { per_source_days: { 'source:jira': null } },
    'per_source_days.source:jira',
    INVALID,
  ],
  [
    '60 sources',
    {
      per_source_days: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`source:s${String(i)}`, 1])),
    },
    'per_source_days',
    INVALID,
  ],
  ['a misspelt field', { default_retention_days: 1, per_source_day: {} }, 'per_source_day'],
  ['the scope "org"', { scope: 'org', default_retention_days: 1 }, 'scope'],
  ['a subtree', { scope: `${SCOPE}/*`, default_retention_days: 1 }, 'scope'],
];

const SWEEPS: readonly Row[] = [
  ['an age for everything', { older_than_secs: 1 }, 'older_than_secs'],
  ['no age at all', { scope: SCOPE, older_than_secs: 0 }, 'older_than_secs'],
  ['an age beyond a hundred years', { scope: SCOPE, older_than_secs: 3_153_600_001 }, 'older_than_secs'],
  ['no events', { max_events: 0 }, 'max_events'],
  ['more than a million events', { max_events: 1_000_001 }, 'max_events'],
  ['dry_run that is a text', { dry_run: 'false' }, 'dry_run'],
  ['rescan that is a number', { rescan: 1 }, 'rescan'],
  ['the scope of a sweep "org"', { scope: 'org' }, 'scope'],
  ['a misspelt field of a sweep', { dryrun: false }, 'dryrun'],
];

const bodyCase =
  (method: string, path: string, common: object) =>
  ([what, body, field, code = 'INVALID_BODY']: Row): BadCase => ({
    what: `${method} ${path}: ${what}`,
    method,
    path,
    options: () => ({ body: { ...common, ...body } }),
    status: 422,
    code,
    field,
  });

const queryCase = (method: string, path: string, code: string | null, field?: string): BadCase => ({
  what: `${method} ${path}`,
  method,
  path,
  status: 400,
  code,
  ...(field === undefined ? {} : { field }),
});

/** What is refused of rules of retention, and of sweeps. */
export const BAD_RETENTION: readonly BadCase[] = [
  ...RULES.map(bodyCase('PUT', POLICIES, { scope: SCOPE })),
  ...SWEEPS.map(bodyCase('POST', SWEEP, {})),
  ...['GET', 'DELETE'].flatMap((method) => [
    queryCase(method, POLICIES, null),
    queryCase(method, `${POLICIES}?scope=org`, 'INVALID_QUERY', 'scope'),
    queryCase(method, `${POLICIES}?scope=org:a&days=1`, 'INVALID_QUERY', 'days'),
  ]),
  queryCase('GET', '/v1/admin/retention?scope=org:a', 'INVALID_QUERY', 'scope'),
];
