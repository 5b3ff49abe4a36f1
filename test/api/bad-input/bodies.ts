import { GOOD, ofBytes, type BadCase } from './case.ts';

const MIB = 1024 * 1024;
const good = JSON.stringify(GOOD);
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
/** The good body with a piece of JSON text as its metadata. */
const withMetadata = (json: string): string => `${good.slice(0, -1)},"metadata":${json}}`;
const withText = (json: string): string => good.replace('"good"', json);
const bytes = (...parts: (string | number[])[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(part as string))));
const [before = '', after = ''] = good.split('good');

function body(what: string, raw: () => string | Uint8Array<ArrayBuffer>, field?: string): BadCase {
  return {
    what,
    method: 'POST',
    path: '/v1/experience',
    options: () => ({ raw: raw(), headers: { 'content-type': 'application/json' } }),
    status: 422,
    code: 'INVALID_BODY',
    ...(field === undefined ? {} : { field }),
  };
}

const MALFORMED = [
  '',
  ' ',
  '{',
  '}',
  '{"scope"',
  '{"scope":}',
  "{'scope':'org:a'}",
  '{scope:1}',
  `${good},`,
  `${good}${good}`,
  `${good}]`,
  good.replace('}}', '},}'),
  withMetadata('{"a":01}'),
  withMetadata('{"a":+1}'),
  withMetadata('{"a":.5}'),
  withMetadata('{"a":1.}'),
  withMetadata('{"a":NaN}'),
  withMetadata('{"a":Infinity}'),
  withMetadata('{"a":undefined}'),
  withMetadata('{"a":"\\x"}'),
  withMetadata('{"a":"\\u12"}'),
  withMetadata('{"a":"\n"}'),
  withMetadata('{"a":tru}'),
  withMetadata('[1,]'),
  `/* comment */${good}`,
  '\u00a0',
];

/** Bodies that are no JSON, or no JSON that could be kept. */
export const BAD_BODIES: BadCase[] = [
  ...MALFORMED.map((raw) => body(`malformed JSON ${JSON.stringify(raw.slice(-40))}`, () => raw)),
  ...['[]', 'null', '"text"', '1', 'true'].map((raw) => body(`the body ${raw}`, () => raw, '')),
  body('invalid UTF-8: a lone continuation byte', () => bytes(before, [0x80], after)),
  body('invalid UTF-8: Latin-1', () => bytes(before, [0xe9], after)),
  body('invalid UTF-8: an overlong slash', () => bytes(before, [0xc0, 0xaf], after)),
  body('invalid UTF-8: an encoded surrogate', () => bytes(before, [0xed, 0xa0, 0x80], after)),
  body('invalid UTF-8: beyond Unicode', () => bytes(before, [0xf4, 0x90, 0x80, 0x80], after)),
  body('invalid UTF-8: a cut character', () => bytes(before, [0xe2, 0x82], after)),
  body('UTF-16', () => Uint8Array.from(Buffer.from(good, 'utf16le'))),
  body('a lone high surrogate', () => withText('"a\\ud800b"'), 'content.text'),
  body('a lone low surrogate', () => withText('"\\uDC00"'), 'content.text'),
  body('surrogates in the wrong order', () => withText('"\\udc00\\ud800"'), 'content.text'),
  body('a lone surrogate at the end', () => withText('"a\\ud83d"'), 'content.text'),
  body('a lone surrogate in a key', () => withMetadata('{"\\ud800":1}')),
  body('a NUL', () => withText('"a\\u0000b"'), 'content.text'),
  body('a NUL in a key', () => withMetadata('{"\\u0000":1}')),
  body('a NUL deep in metadata', () => withMetadata('{"a":[{"b":"\\u0000"}]}'), 'metadata.a[0].b'),
  body('a bare NUL byte', () => bytes(before, [0], after)),
  body('65 levels', () => withMetadata(`{"a":${nested(63)}}`)),
  body('65 levels of objects', () => `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`),
  body('100,000 levels', () => withMetadata(`{"a":${nested(100_000)}}`)),
  body('100,000 opened lists', () => '['.repeat(100_000)),
  body('a number beyond a double', () => withMetadata('{"a":1e400}'), 'metadata.a'),
  body('a negative number beyond a double', () => withMetadata('{"a":[0,-1e309]}'), 'metadata.a[1]'),
  body('an integer that a double rounds', () => withMetadata('{"a":9007199254740993}'), 'metadata.a'),
  body('an integer of 400 digits', () => withMetadata(`{"a":${'9'.repeat(400)}}`), 'metadata.a'),
  {
    ...body('a body of 4 MiB and a byte', () => good + ofBytes(4 * MIB + 1 - good.length, ' ')),
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
  },
  {
    ...body('a bulk of 64 MiB and a byte', () => ofBytes(64 * MIB + 1, ' ')),
    path: '/v1/experience/bulk',
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
  },
  {
    ...body('a cancel of 4 MiB and a byte', () => ofBytes(4 * MIB + 1, ' ')),
    path: '/v1/lifecycle/memory-event/evt_1/cancel',
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
  },
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'json',
  ].flatMap((type): BadCase[] =>
    ['/v1/experience', '/v1/experience/bulk'].map((path) => ({
      ...body(`a body labelled ${type} for ${path}`, () => good),
      path,
      options: () => ({ raw: good, headers: { 'content-type': type } }),
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    })),
  ),
  {
    ...body('JSON in another charset', () => good),
    options: () => ({ raw: good, headers: { 'content-type': 'application/json; charset=latin1' } }),
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  {
    ...body('a body packed in an unknown way', () => good),
    options: () => ({ raw: good, headers: { 'content-encoding': 'br' } }),
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
  },
  {
    ...body('a body that says gzip and is not', () => good),
    options: () => ({ raw: good, headers: { 'content-encoding': 'gzip' } }),
  },
];
