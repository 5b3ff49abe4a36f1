import { TEST_KEY, type RequestOptions } from '../../support/client.ts';
import { GOOD, type BadCase } from './case.ts';

const good = (): RequestOptions => ({ body: GOOD });
const withHeaders = (headers: Record<string, string | null>) => (): RequestOptions => ({
  body: GOOD,
  headers,
});

type Row = [path: string, status: number, code: string | null, field?: string, what?: string];

const get = ([path, status, code, field]: Row): BadCase => ({
  what: `GET ${path.slice(0, 100)}`,
  method: 'GET',
  path,
  status,
  code,
  ...(field === undefined ? {} : { field }),
});

const cursorOf = (position: string): string => `e${Buffer.from(position).toString('base64url')}`;

const Q = 'INVALID_QUERY';
const QUERIES: Row[] = [
  ['/v1/events', 400, null],
  ['/v1/events?limit=1', 400, null],
  ['/v1/derivation/status', 400, null],
  ['/v1/experience/status', 400, null],
  ['/v1/events/evt_1?scope=org:a&scope=org:a', 400, null],
  ['/v1/events?scope=org:a&unknown=1', 400, Q, 'unknown'],
  ['/v1/events?scope=org:a&__proto__=1', 400, Q, '__proto__'],
  ['/v1/events?scope=org:a&constructor=1', 400, Q, 'constructor'],
  ['/v1/events?scope=org:a&Limit=1', 400, Q, 'Limit'],
  ['/v1/events?scope=org:a&limit=abc', 400, Q, 'limit'],
  ['/v1/events?scope=org:a&limit=', 400, Q, 'limit'],
  ['/v1/events?scope=org:a&limit=1&limit=2', 400, Q, 'limit'],
  ['/v1/events?scope=org:a&scope=org:b', 400, Q, 'scope'],
  ['/v1/events?scope=', 400, Q, 'scope'],
  ['/v1/events?scope=org', 400, Q, 'scope'],
  [`/v1/events?scope=${'ws:a/'.repeat(32)}ws:a`, 400, Q, 'scope'],
  ['/v1/events?scope=org:a&since=2026-02-30T00:00:00Z', 400, Q, 'since'],
  ['/v1/events?scope=org:a&cursor=zzz', 400, Q, 'cursor'],
  ...['before:9007199254740993:1', 'before:9999999999999999:0', 'before:-1:0', 'before:1:0\n', ''].map(
    (position): Row => [`/v1/events?scope=org:a&cursor=${cursorOf(position)}`, 400, Q, 'cursor'],
  ),
  ['/v1/events?scope=org:a&cursor=10001', 400, Q, 'cursor'],
  [`/v1/events?scope=org:a&cursor=${'9'.repeat(400)}`, 400, Q, 'cursor'],
  ['/v1/events?scope=org%EF%BC%9Aa', 400, Q, 'scope'],
  ['/v1/events?scope=org:%D0%B0', 400, Q, 'scope'],
  ['/v1/events?scope=org:a%00', 400, Q, 'scope'],
  ['/v1/events?scope=org%253Aa', 400, Q, 'scope'],
  ['/v1/events?scope=org:a&labels[]=a', 400, Q, 'labels[]'],
  ['/v1/events?scope=org:a&limit=%D9%A1', 400, Q, 'limit'],
  ['/v1/events?scope=org:a&since=0000-12-31T23:59:59Z', 400, Q, 'since'],
  ['/v1/events?scope=org:a&since=9999-12-31T23:59:59-00:01', 400, Q, 'since'],
  [`/v1/events?scope=org:a&labels=${'a,'.repeat(1001)}`, 400, Q, 'labels'],
  [`/v1/events?scope=org:a&modality=${','.repeat(1000)}`, 400, Q, 'modality'],
  ['/v1/events?scope=org:a&view=wide', 422, Q, 'view'],
  ['/v1/events?scope=%ff', 400, Q],
  ['/v1/events?scope=%', 400, Q],
  ['/v1/events/%e0%80%80', 400, Q],
  ['/v1/events/evt_1?scope=', 422, 'INVALID_SCOPE_GRAMMAR', 'scope'],
  ['/v1/events/evt_1?scope=a', 422, 'INVALID_SCOPE_GRAMMAR', 'scope'],
  ['/v1/events/evt_1?limit=1', 400, Q, 'limit'],
  ['/v1/lifecycle?since_lifecycle_id=lce_x', 400, Q, 'since_lifecycle_id'],
  ['/v1/lifecycle?since_lifecycle_id=lce_0000009999999999', 400, Q, 'since_lifecycle_id'],
  ['/v1/lifecycle?offset=-1', 400, Q, 'offset'],
  ['/v1/lifecycle?events=bogus', 400, Q, 'events[0]'],
  ['/v1/lifecycle?kind=captured', 400, Q, 'kind'],
  ['/v1/lifecycle/memory-event/evt_1?a=1', 400, Q, 'a'],
  ['/v1/derivation/status?scope=a', 400, Q, 'scope'],
  ['/v1/experience/status?event_id=evt_1&wait=1', 400, Q, 'wait'],
  ['/v1/experience/status?idempotency_key=a&idempotency_key=b', 400, Q, 'idempotency_key'],
  ['/v1/experience/status?idempotency_key=a&scope=x', 400, Q, 'scope'],
  ['/v1/health?a=1', 400, Q, 'a'],
  ['/v1/ready?a=1', 400, Q, 'a'],
];

const PATHS: Row[] = [
  '/',
  '/v1',
  '/v2/events',
  '/v1/Events?scope=org:a',
  '/v1/events/',
  '/v1/events/a/b',
  '/favicon.ico',
  '/v1/../etc',
  '/v1/schemas/nothing',
  '/v1/events/evt_1',
  '/v1/lifecycle/memory-event/evt_1',
  '/v1/events/%2F',
  '/v1/events/%00',
  `/v1/events/${'e'.repeat(257)}`,
  '/v1/schemas/__proto__',
  '/v1/forget/fpvw_1',
].map((path) => [path, 404, 'NOT_FOUND']);

const METHODS: BadCase[] = (
  [
    ['GET', '/v1/experience'],
    ['PUT', '/v1/experience'],
    ['DELETE', '/v1/experience'],
    ['PATCH', '/v1/experience/bulk'],
    ['GET', '/v1/experience/bulk'],
    ['POST', '/v1/experience/status'],
    ['POST', '/v1/events'],
    ['GET', '/v1/recall'],
    ['PUT', '/v1/answer'],
    ['DELETE', '/v1/events/evt_1'],
    ['GET', '/v1/lifecycle/memory-event/evt_1/cancel'],
    ['DELETE', '/v1/lifecycle'],
    ['GET', '/v1/forget'],
    ['DELETE', '/v1/forget/preview'],
    ['POST', '/v1/health'],
    ['POST', '/v1/derivation/status'],
  ] as const
).map(([method, path]) => ({
  what: `${method} ${path}`,
  method,
  path,
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
}));

const HEADERS: [what: string, headers: Record<string, string | null>, status: number, code: string][] = [
  ['no bearer', { authorization: null }, 401, 'MISSING_TOKEN'],
  ['no bearer but an actor', { authorization: null, 'x-strata-actor': 'user:x' }, 401, 'MISSING_TOKEN'],
  ['a wrong key', { authorization: 'Bearer wrong' }, 401, 'INVALID_TOKEN_SIGNATURE'],
  ['a longer key', { authorization: `Bearer ${TEST_KEY}x` }, 401, 'INVALID_TOKEN_SIGNATURE'],
  ['a key with a space', { authorization: `Bearer ${TEST_KEY} x` }, 401, 'INVALID_TOKEN_SIGNATURE'],
  ['a token-like bearer', { authorization: 'Bearer v4.public.AAAA.BBBB' }, 401, 'INVALID_TOKEN_SIGNATURE'],
  ['an unknown tenant', { 'x-strata-tenant': 'nobody' }, 401, 'WRONG_TENANT'],
  ['an empty tenant', { 'x-strata-tenant': null, 'x-cortex-tenant': '' }, 401, 'WRONG_TENANT'],
  ['an actor with a space', { 'x-strata-actor': 'user x' }, 401, 'ACTOR_MISMATCH'],
  ['an empty actor', { 'x-strata-actor': '' }, 401, 'ACTOR_MISMATCH'],
  ['an actor of 257 characters', { 'x-cortex-actor': 'a'.repeat(257) }, 401, 'ACTOR_MISMATCH'],
  ['actors that differ', { 'x-strata-actor': 'user:a', 'x-cortex-actor': 'user:b' }, 400, 'INVALID_HEADER'],
  ['tenants that differ', { 'x-strata-tenant': 'default', 'x-cortex-tenant': 'b' }, 400, 'INVALID_HEADER'],
];

/** Requests that are bad whatever their body holds. */
export const BAD_REQUESTS: BadCase[] = [
  ...[...QUERIES, ...PATHS].map(get),
  ...METHODS,
  ...HEADERS.map(([what, headers, status, code]) => ({
    what,
    method: 'POST',
    path: '/v1/experience',
    options: withHeaders(headers),
    status,
    code,
  })),
  ...(
    [
      ['/v1/experience?wait=later', 422, 'INVALID_BODY', 'wait'],
      ['/v1/experience?wait=', 422, 'INVALID_BODY', 'wait'],
      ['/v1/experience?wait=indexed&wait=indexed', 400, Q, 'wait'],
      ['/v1/experience?timeout=1', 400, Q, 'timeout'],
      ['/v1/experience?wait=settled', 503, 'SETTLEMENT_UNAVAILABLE', undefined],
      ['/v1/experience/bulk?wait=later', 422, 'INVALID_BODY', 'wait'],
      ['/v1/experience/bulk?a=1', 400, Q, 'a'],
      ['/v1/experience/', 404, 'NOT_FOUND', undefined],
      ['/v1/lifecycle/memory-event/evt_1/cancel', 422, 'INVALID_BODY', 'scope'],
    ] as const
  ).map(([path, status, code, field]): BadCase => ({
    what: `POST ${path}`,
    method: 'POST',
    path,
    options: good,
    status,
    code,
    ...(field === undefined ? {} : { field }),
  })),
  {
    what: 'a cancel of an unknown event',
    method: 'POST',
    path: '/v1/lifecycle/memory-event/evt_1/cancel',
    status: 404,
    code: 'NOT_FOUND',
  },
  ...(
    [
      ['application/json', 400, 'INVALID_BODY'],
      ['application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ] as const
  ).map(([type, status, code]): BadCase => ({
    what: `a cancel with an empty body labelled ${type}`,
    method: 'POST',
    path: '/v1/lifecycle/memory-event/evt_1/cancel',
    options: () => ({ headers: { 'content-type': type } }),
    status,
    code,
  })),
];
