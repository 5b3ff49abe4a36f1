import { MAX_JSON_VALUES, MAX_BULK_JSON_VALUES } from '../../src/capture/json-scan.ts';
import { readingJson, readJson } from '../../src/capture/read-json.ts';
import type { StrataError } from '../../src/errors.ts';
import { MAX_TEXT_BYTES } from '../../schemas/json.ts';
import { JSON_STEP_BYTES } from '../../src/limits/bodies.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const bytes = (text: string) => Buffer.from(text);

function refusal(body: Uint8Array): { code: string; path: unknown; message: string } {
  try {
    readJson(body);
  } catch (error) {
    const { code, details, message } = error as StrataError;
    return { code, path: details?.field_path, message };
  }
  throw new Error('the body was accepted');
}

const parses = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if ((error as { name?: string }).name === 'SyntaxError') return false;
    throw error;
  }
};

describe('readJson', () => {
  it('agrees with JSON.parse on every value, whatever the spacing', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 8 }),
        fc.constantFrom(undefined, 1, '\t', '\r\n '),
        (value, space) => {
          const text = JSON.stringify(value, null, space?.toString().includes('\r') ? 2 : space);
          fc.pre(!/\\u(0000|[dD][89a-fA-F])/.test(text));
          expect(readJson(bytes(text))).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: inDepth(200, 1000) },
    );
  });

  it('refuses exactly the texts that JSON.parse refuses, among near misses', () => {
    const token = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '1',
        '-',
        '0',
        '01',
        '.',
        '1.5',
        'e3',
        '1e3',
        'true',
        'tru',
        'null',
        ' ',
        '\n',
        '\\',
        '"\\n"',
        '"\\x"',
        '"\\u00e9"',
        '"\t"',
      ],
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), (tokens) => {
        const text = tokens.join('');
        // Numbers that parse to infinity have a test of their own.
        fc.pre(!/e\d{3}/.test(text));
        if (parses(text)) expect(readJson(bytes(text))).toEqual(JSON.parse(text));
        else expect(refusal(bytes(text)).code).toBe('INVALID_BODY');
      }),
      { numRuns: inDepth(1000, 5000) },
    );
  });

  it('says on which line and at which byte a text breaks', () => {
    expect(refusal(bytes('{\n "a": 1,\n "b" 2}')).message).toContain('line 3, byte 17');
    expect(refusal(bytes('')).message).toContain('line 1, byte 1');
  });

  it('refuses nesting beyond 64 levels, however deep, and accepts 64', () => {
    const nested = (depth: number) => bytes('[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2));
    expect(readJson(nested(64))).toBeDefined();
    expect(refusal(nested(66)).message).toContain('nested deeper than 64 levels');
    expect(refusal(bytes('['.repeat(5_000_000))).message).toContain('nested deeper than 64 levels');
  });

  it.each([
    '1e400',
    '-1e400',
    '1e-400',
    '0.1e-400',
    '9007199254740993',
    '-9007199254740993',
    '1'.repeat(400),
    `0.${'0'.repeat(400)}1`,
  ])('refuses the number %s with its path', (number) => {
    const refused = refusal(bytes(`{"items":[{"x":0},{"y":{"z":${number}}}]}`));
    expect(refused).toMatchObject({ code: 'INVALID_BODY', path: 'items[1].y.z' });
  });

  it.each([
    '9007199254740992',
    '24213147418736230',
    '100000000000000000000',
    '1e22',
    '0.1',
    '0e400',
    '-0',
    '5e-324',
    '1.7976931348623157e308',
    '3.14159265358979323846264338',
  ])('keeps the number %s', (number) => {
    expect(readJson(bytes(number))).toBe(JSON.parse(number));
  });

  it('refuses exactly the integers that a double changes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (integer) => {
        const text = `[${integer}]`;
        const kept = BigInt(Number(integer)) === integer || String(Number(integer)) === String(integer);
        if (kept) expect(readJson(bytes(text))).toEqual([Number(integer)]);
        else expect(refusal(bytes(text))).toMatchObject({ code: 'INVALID_BODY', path: '[0]' });
      }),
    );
  });

  it.each(['\\ud800', '\\udc00', '\\uD83D x', '\\ud83d\\u0041', '\\u0000'])(
    'refuses %s in texts and keys',
    (escape) => {
      expect(refusal(bytes(`{"a":[1,"x${escape}"]}`))).toMatchObject({ code: 'INVALID_BODY', path: 'a[1]' });
      expect(refusal(bytes(`{"a":{"b":1,"${escape}":2}}`))).toMatchObject({
        code: 'INVALID_BODY',
        path: 'a',
      });
    },
  );

  it('keeps escaped pairs, and a backslash that escapes itself', () => {
    expect(readJson(bytes('["\\ud83d\\ude42","\\\\u0000","\\\\ud800"]'))).toEqual([
      '🙂',
      '\\u0000',
      '\\ud800',
    ]);
  });

  it('refuses bytes that are not UTF-8, surrogates among them', () => {
    for (const bad of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf]]) {
      const body = Buffer.concat([bytes('"a'), Buffer.from(bad), bytes('"')]);
      expect(refusal(body)).toMatchObject({ code: 'INVALID_BODY', message: 'the body is not valid UTF-8' });
    }
  });

  it('passes over a byte order mark', () => {
    expect(readJson(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes('{"a":1}')]))).toEqual({ a: 1 });
  });

  it('makes __proto__ an ordinary property', () => {
    const value = readJson(bytes('{"__proto__":{"polluted":true}}')) as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

const repeated = (item: string, times: number) => `${`${item},`.repeat(times - 1)}${item}`;

describe('the number of values', () => {
  it.each([
    ['objects', (n: number) => `[${repeated('{}', n - 1)}]`],
    ['numbers', (n: number) => `{"items":[${repeated('1', n - 3)}]}`],
    ['fields, whose names count', (n: number) => `[${repeated('{"a":[]}', Math.floor((n - 1) / 3))}]`],
  ])('is bounded before anything is taken apart: %s', (_what, text) => {
    expect(() => readJson(bytes(text(MAX_JSON_VALUES)))).not.toThrow();
    expect(() => readJson(bytes(text(MAX_JSON_VALUES + 3)))).toThrow(
      expect.objectContaining({
        code: 'PAYLOAD_TOO_LARGE',
        message: expect.stringContaining(String(MAX_JSON_VALUES)),
        details: { reason: 'json_values', limit: MAX_JSON_VALUES },
      }),
    );
  });

  it('is one that the largest JSON of an event does not meet', () => {
    const ones = `[${repeated('1', MAX_TEXT_BYTES / 2 - 1)}]`;
    const event = (json: string, source: string) =>
      `{"scope":"app:a","modality":"message","content":{"kind":"json","json":${json}},"source":{"a":${source}}}`;
    expect(ones.length).toBe(MAX_TEXT_BYTES - 1);
    const read = readJson(bytes(event(ones, `[${repeated('1', MAX_TEXT_BYTES / 8 - 4)}]`)));
    expect(read).toHaveProperty('content.json.length', MAX_TEXT_BYTES / 2 - 1);
  });

  it('is told before anything is taken apart', () => {
    const told: number[] = [];
    readJson(bytes('{"a":[1,{"b":null}]}'), { counted: (values) => told.push(values) });
    expect(told).toEqual([7]);
    const counted = () => {
      throw new Error('no room');
    };
    expect(() => readJson(bytes('[]'), { counted })).toThrow('no room');
  });

  it('of a list may be as large in each of its items, and larger in all of them', () => {
    const list = (items: number, each: number) =>
      `{"scope":"a:b","items":[${repeated(`[${repeated('{}', each - 1)}]`, items)}],"ordering":"x"}`;
    const read = (text: string) => readJson(bytes(text), { listDepths: [1] });
    const half = Math.floor(MAX_BULK_JSON_VALUES / 4) - 10_000;
    expect((read(list(4, half)) as { items: unknown[] }).items).toHaveLength(4);
    expect(() => readJson(bytes(list(4, half)))).toThrow(
      expect.objectContaining({ details: { reason: 'json_values', limit: MAX_JSON_VALUES } }),
    );
    expect(() => read(list(1, MAX_JSON_VALUES + 1))).toThrow(
      expect.objectContaining({ details: { reason: 'json_values', limit: MAX_JSON_VALUES } }),
    );
    expect(() => read(list(4, half + 10_000))).toThrow(
      expect.objectContaining({ details: { reason: 'json_values', limit: MAX_BULK_JSON_VALUES } }),
    );
  });
});

describe('a list', () => {
  const padding = 'x'.repeat(JSON_STEP_BYTES);

  it('is read item by item to the same value', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 20 }),
        fc.dictionary(fc.constantFrom('scope', '__proto__', 'x'), fc.jsonValue({ maxDepth: 2 })),
        fc.constantFrom(undefined, 1, '\t'),
        fc.boolean(),
        (items, around, space, before) => {
          const value = before ? { ...around, padding, items } : { items, ...around, padding };
          const text = JSON.stringify(value, null, space);
          fc.pre(!/\\u(0000|[dD][89a-fA-F])/.test(text));
          expect(readJson(bytes(`\ufeff${text}`), { listDepths: [1] })).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: inDepth(50, 500) },
    );
  });

  it.each([
    `{"items":[],"padding":"${padding}"}`,
    `{"items":[ ],"padding":"${padding}"}`,
    `{"items":7,"padding":"${padding}"}`,
    `{"padding":"${padding}","inner":{"items":[1,2]}}`,
    `[{"items":[1,2]},"${padding}"]`,
    `{"\\u0069tems":[1,2],"padding":"${padding}"}`,
  ])('may be empty, something else, or elsewhere', (text) => {
    expect(readJson(bytes(text), { listDepths: [1] })).toEqual(JSON.parse(text));
  });

  it('that stands there twice is the last one, as in any JSON', () => {
    const text = `{"items":[1,"${padding}"],"ite\\u006ds":[2,"${padding}"],"x":[3,"${padding}"]}`;
    const read = readJson(bytes(text), { listDepths: [1] });
    expect(read).toEqual({ items: [2, padding], x: [3, padding] });
  });

  it('is read item by item wherever it is to be, and among other lists', () => {
    const list = fc.array(fc.oneof(fc.constant(padding), fc.jsonValue({ maxDepth: 2 })), { maxLength: 4 });
    const field = fc.constantFrom('7', 'a', '__proto__', 'items');
    const nested = fc.letrec((tie) => ({
      node: fc.dictionary(
        field,
        fc.oneof({ maxDepth: 3 }, list, tie('node'), fc.array(tie('node'), { maxLength: 2 })),
      ),
    }));
    fc.assert(
      fc.property(nested.node, fc.subarray([1, 2, 3]), (value, listDepths) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u(0000|[dD][89a-fA-F])/.test(text));
        expect(readJson(bytes(text), { listDepths })).toEqual(JSON.parse(text));
      }),
      { numRuns: inDepth(50, 500) },
    );
  });

  it('that is taken apart with what is around it counts with it', () => {
    const small = `[${repeated('{}', 20_000)}]`;
    const lists = (count: number) =>
      `{${Array.from({ length: count }, (_, i) => `"a${i}":${small}`).join(',')}}`;
    expect(() => readJson(bytes(lists(36)), { listDepths: [1] })).toThrow(
      expect.objectContaining({ details: { reason: 'json_values', limit: MAX_JSON_VALUES } }),
    );
    expect(readJson(bytes(lists(34)), { listDepths: [1] })).toHaveProperty('a33.length', 20_000);
  });
});

describe('reading in steps', () => {
  it('lets others come between the items of a list', () => {
    const items = Array.from({ length: 40 }, () => JSON.stringify('x'.repeat(JSON_STEP_BYTES / 4)));
    const work = readingJson(bytes(`{"items":[${items.join(',')}]}`), { listDepths: [1] });
    let turns = 0;
    while (work.next().done !== true) turns += 1;
    expect(turns).toBeGreaterThanOrEqual(items.length);
  });

  it.each([
    ['one text', JSON.stringify('a\\b"\n'.repeat(JSON_STEP_BYTES))],
    ['many items', `{"items":[${repeated('{"a":"b"}', JSON_STEP_BYTES)}]}`],
    ['a fault at the end', `[${repeated('["a"]', JSON_STEP_BYTES)},"\\ud800"]`],
    ['no JSON', `${'\n'.repeat(4 * JSON_STEP_BYTES)}x`],
  ])('lets others come between, and ends as reading at once does: %s', (_what, text) => {
    const work = readingJson(bytes(text), { listDepths: [1] });
    const outcome = (read: () => unknown) => {
      try {
        return read();
      } catch (error) {
        return (error as StrataError).details;
      }
    };
    let turns = 0;
    const stepwise = outcome(() => {
      for (;;) {
        const { done, value } = work.next();
        if (done === true) return value;
        turns += 1;
      }
    });
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(stepwise).toEqual(outcome(() => readJson(bytes(text), { listDepths: [1] })));
  });
});
