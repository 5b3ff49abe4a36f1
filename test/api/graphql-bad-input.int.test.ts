import { query } from '../support/database.ts';
import type { RequestOptions } from '../support/client.ts';
import { pathInGraphql } from '../support/graphql/as-of.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { LONG } from '../support/depth.ts';
import { BAD_FORGETS } from './bad-input/forgets.ts';
import { BAD_BODIES } from './bad-input/bodies.ts';
import { GOOD, picked, type BadCase } from './bad-input/case.ts';
import { AT_THE_CAP, BAD_ENVELOPES } from './bad-input/envelopes.ts';
import { BAD_REQUESTS } from './bad-input/requests.ts';
import { envelopeAsInput, requestAsOperation } from './graphql/as-graphql.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const CAPTURE = 'mutation ($input: ExperienceInput!) { capture(input: $input) { eventId } }';

/** Envelopes that only REST can spell: what names a kind or a type is the name of a field here. */
const envelopes = BAD_ENVELOPES.map(([what, patch, field, code = 'INVALID_BODY']) => ({
  what,
  code,
  field,
  input: envelopeAsInput({ ...GOOD, ...patch }),
}));

/**
 * What GraphQL may get wrong by itself: kinds and types that are names of fields, names that are spelt in another way, values that its
 * own types refuse, and the way of each code. The rows that REST has more are judged by the same parser behind it, in
 * `test/capture/bad-envelopes.unit.test.ts`; in a long run they come here too.
 */
const WIRED = picked(envelopes, ({ what }) => what, [
  'no scope',
  'the scope 1',
  'the scope "org"',
  'an unregistered type',
  'an unknown field',
  '__proto__ as a field',
  'an unknown field of the actor',
  'an unknown field of the message',
  'an unknown field of its media',
  'an unknown field of the context',
  'an unknown field of the directives',
  'an unknown field of the triple',
  'an unknown field of a term',
  'an actor that is a text',
  'an actor with a space',
  'an unknown layer',
  'an unknown embed',
  'a floor above 1',
  'an unknown on_conflict',
  'a source that is a text',
  'metadata that is a list',
  'a key that is a number',
  'an empty key',
  'scripts that are none',
  'no content',
  'a content that is a text',
  'a message without role',
  'an unknown role',
  'a text that is a number',
  'a blank text',
  'a media id that is none',
  'json without data',
  'a blob id that is none',
  'a transcript of 1 MiB and a byte',
  'a triple without subject',
  'the integer 1.5',
  'the datatype "String"',
  'a subject without a name',
  'an entity without id',
  'an unknown polarity',
  'a confidence that is a text',
  'a validity that ends before it begins',
  'a premise that is unknown',
  'a context that is a list',
  'observed_at now',
  'context.observed_at now',
  'context.source_recorded_at now',
  'observed_at as a number',
  'two times of observation',
  'a label that is a number',
  'a predecessor that is a number',
  'the time zone Mars/Olympus',
  'refers_to as a text',
  'refers_to that ends before it begins',
]);

const wired = LONG ? envelopes.filter(({ input }) => input !== null) : WIRED;

describe('bad envelopes over GraphQL', () => {
  it('are nearly all that REST has', () => {
    expect(envelopes.filter(({ input }) => input === null).map(({ what }) => what)).toMatchInlineSnapshot(`
      [
        "the scope null",
        "a misspelt field",
        "a subject that is null",
        "metadata that is null",
        "a content that is null",
        "an empty content",
        "an unknown kind",
        "a triple without triple",
        "a term of an unknown type",
        "labels that are a text",
      ]
    `);
  });

  it.each(wired.map((row) => [row.what, row.code, row] as const))(
    '%s: %s',
    async (_what, code, { input, field }) => {
      const { errors, data } = await ask(service, CAPTURE, { input });
      expect(data?.capture ?? null).toBeNull();
      expect({
        code: errors?.[0].extensions.code,
        field: errors?.[0].extensions.details?.field_path,
      }).toEqual({
        code,
        field,
      });
    },
  );
});

/** What only a query string or a body of REST can be: headers, lists by commas, bytes, bodies of a cancel. */
const isOfRest = ({ code, status, path, options }: BadCase): boolean =>
  code === null ||
  [400, 401, 405, 415].includes(options === undefined ? 0 : status) ||
  status === 405 ||
  /%00|labels=|modality=,/.test(path) ||
  (path.endsWith('/cancel') && options !== undefined);

const sayable = BAD_REQUESTS.flatMap((row) => {
  const operation = isOfRest(row) ? null : requestAsOperation(row);
  return operation === null ? [] : [{ row, operation }];
});
/** One of each argument; other values of it come to the same place by another of them, and are asked in a long run. */
const ONE_OF_EACH = [
  ...new Map(
    sayable.map((one) => [`${one.operation.query} ${one.row.code ?? ''} ${one.row.field ?? ''}`, one]),
  ).values(),
];

const requests = LONG ? sayable : ONE_OF_EACH;

describe('bad requests over GraphQL', () => {
  it('are most of what REST has', () => {
    expect(requests.length).toBeGreaterThan(15);
  });

  it.each(requests.map((row) => [row.row.what, row.row.code, row] as const))(
    '%s: %s',
    async (_what, code, { row, operation }) => {
      const { errors } = await ask(service, operation.query, operation.variables);
      expect({
        code: errors?.[0].extensions.code,
        field: row.field === undefined ? undefined : errors?.[0].extensions.details?.field_path,
      }).toEqual({ code, field: row.field === undefined ? undefined : pathInGraphql(row.field) });
    },
  );

  /** One of each code. */
  const OF_EACH_CODE = picked(BAD_REQUESTS, ({ what }) => what, [
    'no bearer',
    'a wrong key',
    'an unknown tenant',
    'an actor with a space',
    'actors that differ',
  ]);
  const shown = BAD_REQUESTS.filter(({ path, options }) => path === '/v1/experience' && options?.().headers);
  const credentials = LONG ? shown : OF_EACH_CODE;
  it.each(credentials.map((row) => [JSON.stringify(row.options?.().headers), row] as const))(
    'the headers %s',
    async (_what, { options, status, code }) => {
      const answer = await service.post('/graphql', { query: '{ __typename }' }, options?.() ?? {});
      expect([answer.status, answer.json.errors[0].extensions.code]).toEqual([status, code]);
      expect(answer.json.errors[0].extensions.request_id).toBe(answer.headers.get('x-strata-request-id'));
    },
  );
});

/** One of each rule; what is told in plain text over REST is told as everything else here. */
const FORGETS = picked(
  BAD_FORGETS,
  ({ what }) => what,
  [
    'neither a selector nor confirm_all',
    'a selector beside confirm_all',
    'an unknown field beside confirm_all',
    'an unknown key beside a known one',
    'no scope',
    'the scope "org"',
    'an unknown cascade',
    'an unknown layer',
    'confirm_all that is a text',
    '101 ids',
    'an empty id',
    'a subject of 257 characters',
    '101 labels',
    'an interval of one instant',
    'an interval that ends where it begins',
    'both names of the note',
  ]
    .flatMap((what) => [`/v1/forget with ${what}`, `/v1/forget/preview with ${what}`])
    .concat('/v1/forget with a selector beside a preview', '/v1/forget/preview with a preview to execute'),
);

describe('bad forgets over GraphQL', () => {
  it.each(FORGETS.map((row) => [row.what, row.code ?? 'INVALID_BODY', row] as const))(
    '%s: %s',
    async (_what, code, row) => {
      const operation = requestAsOperation(row);
      if (operation === null) throw new Error('GraphQL cannot say it');
      const { errors } = await ask(service, operation.query, operation.variables);
      const { extensions } = errors?.[0] ?? {};
      expect(extensions?.code).toBe(code);
      if (row.field !== undefined) expect(extensions.details.field_path).toBe(row.field);
    },
  );
});

/** The body of a capture over REST, as the variable of one over GraphQL. */
function wrapped(raw: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(raw as string).toString('latin1');
  const content = text.replace(
    /"content":\{"kind":"message","role":"user","text":("(?:[^"\\]|\\.)*")\}/,
    '"content":{"message":{"role":"user","text":$1}}',
  );
  const body = `{"query":${JSON.stringify(CAPTURE)},"variables":{"input":${content}}}`;
  return Uint8Array.from(Buffer.from(body, 'latin1'));
}

/** One of each way to be no body, and those whose field is named in another way. */
const OF_EACH_WAY = picked(BAD_BODIES, ({ what }) => what, [
  'malformed JSON ""',
  'malformed JSON "{"',
  'the body []',
  'the body null',
  'invalid UTF-8: Latin-1',
  'UTF-16',
  'a lone high surrogate',
  'a lone surrogate in a key',
  'a NUL',
  'a NUL in a key',
  'a NUL deep in metadata',
  '65 levels',
  '100,000 levels',
  'a number beyond a double',
  'an integer that a double rounds',
  'a bulk of 64 MiB and a byte',
  'a body labelled text/plain for /v1/experience',
  'JSON in another charset',
  'a body packed in an unknown way',
  'a body that says gzip and is not',
]);

const bodies = LONG
  ? BAD_BODIES.filter(({ path, status, what }) =>
      status === 413 ? what.startsWith('a bulk') : path === '/v1/experience',
    )
  : OF_EACH_WAY;

function optionsOf({ options, status }: BadCase): RequestOptions {
  const { raw = '', ...rest } = options?.() ?? {};
  return { ...rest, raw: status === 413 || rest.headers?.['content-encoding'] ? raw : wrapped(raw) };
}

describe('bad bodies over GraphQL', () => {
  it.each(bodies.map((row) => [row.what, row.code, row] as const))('%s: %s', async (_what, code, row) => {
    const answer = await service.request('POST', '/graphql', optionsOf(row));
    const { extensions } = answer.json.errors[0];
    expect(extensions.code).toBe(code);
    if (row.field === undefined || row.field === '') return;
    const place = String(extensions.details?.field_path)
      .replace('variables.input.', '')
      .replace('.message', '');
    expect(place).toBe(row.field);
  });

  it('refuse the same in a document', async () => {
    const inline = (metadata: string, text = 'x') =>
      `mutation { capture(input: {scope: "org:a", modality: "m", content: {text: {text: "${text}"}}, metadata: ${metadata}}) { eventId } }`;
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    for (const [document, code, field] of [
      [inline('{a: "\\u0000"}'), 'INVALID_BODY', 'metadata.a'],
      [inline('{}', 'a\\u0000b'), 'INVALID_BODY', 'content.text'],
      [inline(`{a: ${nested(63)}}`), 'INVALID_BODY', undefined],
      [inline('{a: 9007199254740993}'), 'GRAPHQL_VALIDATION_FAILED', undefined],
      [inline('{a: 1e400}'), 'GRAPHQL_VALIDATION_FAILED', undefined],
      [inline('{a: "\\ud800"}'), 'GRAPHQL_PARSE_FAILED', undefined],
    ] as const) {
      const { errors } = await ask(service, document);
      expect([document, errors?.[0].extensions.code]).toEqual([document, code]);
      if (field !== undefined) expect(errors?.[0].extensions.details.field_path).toBe(field);
    }
  });

  it('leave nothing behind', async () => {
    const driver = service.driver();
    try {
      const stored = await query(
        driver,
        'MATCH (n:Event|Scope|IdempotencyKey) WHERE n.tenant = $tenant RETURN count(*) AS n',
        { tenant: service.tenant },
      );
      expect(stored).toEqual([{ n: 0 }]);
    } finally {
      await driver.close();
    }
  });
});

describe('what is exactly at a bound, over GraphQL', () => {
  // The bounds themselves are those of the parser, and REST stores what is at them.
  const rows = picked(AT_THE_CAP, ([what]) => what, [
    'a text of 1 MiB in UTF-8',
    'json of 1 MiB',
    'a scope of 4096 characters',
    'the greatest integer that a double holds',
  ]);
  it.each(rows)('is accepted: %s', async (_what, patch) => {
    const input = envelopeAsInput({ ...GOOD, ...patch });
    const { data, errors } = await ask(service, CAPTURE, { input });
    expect(errors?.[0]).toBeUndefined();
    const { json } = await service.get(`/v1/events/${data.capture.eventId as string}`);
    expect(json.content).toEqual({ ...GOOD, ...patch }.content);
  });

  it('is accepted: 64 levels', async () => {
    const lists = JSON.parse('['.repeat(62) + ']'.repeat(62)) as unknown;
    const input = envelopeAsInput({ ...GOOD, metadata: { a: lists } });
    expect((await ask(service, CAPTURE, { input })).errors).toBeUndefined();
  });
});
