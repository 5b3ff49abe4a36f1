import { eventItem } from '../../schemas/event.ts';
import { parseEnvelope } from '../../src/capture/envelope.ts';
import { toEventItem } from '../../src/capture/event-item.ts';
import { toEventRecord } from '../../src/capture/event-record.ts';
import { levelRefs, scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { searchableText } from '../../src/capture/searchable-text.ts';
import fc from '../support/property.ts';

const made = { id: 'evt_1', tenant: 'default', caller: 'user:priya' };
const good = { scope: 'org:acme/user:priya', modality: 'conversation', content: { text: 'hi' } };

const name = fc.stringMatching(/^[a-z]{1,8}$/);
const object = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
const content = fc.oneof(
  fc.record({ kind: fc.constant('text'), text: name }),
  fc.record({ kind: fc.constant('message'), role: fc.constantFrom('user', 'tool'), text: name }),
  fc.record({ kind: fc.constant('json'), data: fc.jsonValue({ maxDepth: 4 }) }),
);
const body = fc.record(
  {
    scope: name.map((text) => `org:${text}`),
    modality: name,
    content,
    context: fc.record({ labels: fc.array(name, { maxLength: 4 }), intent: name }, { requiredKeys: [] }),
    metadata: object,
    source: object.map((value) => ({ ...value, schema_version: 1 })),
    directives: fc.record({ embed: fc.constantFrom('lazy', 'none') }),
  },
  { requiredKeys: ['scope', 'modality', 'content'] },
);
const outside = fc.record(
  {
    idempotency_key: name,
    language: fc.constantFrom('en', 'de-AT'),
    scripts: fc.constantFrom(['Latn'], ['Cyrl']),
    observed_at: fc.constantFrom('2026-01-01T00:00:00Z', '2025-05-05T05:05:05+02:00'),
  },
  { requiredKeys: [] },
);

const recordOf = (input: unknown) => toEventRecord(parseEnvelope(input), made);
const itemOf = (record: ReturnType<typeof recordOf>) =>
  toEventItem({
    ...record,
    wal_offset: 7,
    recorded_at: 1_700_000_000_000,
    observed_at: record.observed_at ?? 1_700_000_000_000,
  });

/** The same JSON value with the keys of every object the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

describe('the caption of an event', () => {
  const textOf = (content: object): string => recordOf({ ...good, content }).text;

  it('is what it says, on one line', () => {
    expect(textOf({ text: ' Houston,\n we have  had a problem. ' })).toBe('Houston, we have had a problem.');
  });

  it('is cut at a word, whatever its length', () => {
    const text = textOf({ text: 'word '.repeat(100_000) });
    expect(text).toMatch(/^(word )+word…$/);
    expect(text.length).toBeLessThanOrEqual(280);
  });

  it('keeps pairs of units together where it is cut', () => {
    expect(textOf({ text: '🚀'.repeat(400) })).toMatch(/^(🚀)+…$/u);
  });

  it('says of data what these are', () => {
    expect(textOf({ kind: 'json', data: { bus: 'B', volts: 0 } })).toBe('{"bus":"B","volts":0}');
  });
});

describe('the body hash', () => {
  it('is the same for other key orders and for what may differ on a repeat', () => {
    fc.assert(
      fc.property(body, outside, (sent, beside) => {
        const { body_hash: hash } = recordOf(sent);
        expect(recordOf(reversed(sent)).body_hash).toBe(hash);
        expect(recordOf({ ...sent, ...beside }).body_hash).toBe(hash);
        const context = { ...sent.context, observed_at: '2026-03-03T00:00:00Z', timezone: 'Europe/Berlin' };
        expect(recordOf({ ...sent, context }).body_hash).toBe(hash);
      }),
    );
  });

  it('differs between bodies that differ elsewhere', () => {
    fc.assert(
      fc.property(body, body, (one, other) => {
        const plain = (sent: object) => JSON.stringify(sorted(JSON.parse(recordOf(sent).envelope)));
        expect(recordOf(one).body_hash === recordOf(other).body_hash).toBe(plain(one) === plain(other));
      }),
    );
    const changes = [
      { scope: 'org:b' },
      { modality: 'document' },
      { metadata: {} },
      { subject: { id: 'user:b' } },
    ];
    for (const change of changes) {
      expect(recordOf({ ...good, ...change }).body_hash).not.toBe(recordOf(good).body_hash);
    }
  });

  it('is the same with and without the kind written out', () => {
    const message = { role: 'user', text: 'a' };
    const hashes = [message, { kind: 'message', ...message }].map(
      (sent) => recordOf({ ...good, content: sent }).body_hash,
    );
    expect(new Set(hashes).size).toBe(1);
  });

  it('leaves the hints to their own hash', () => {
    const hints = [{}, { language: 'en' }, { scripts: ['Latn'] }, { context: { timezone: 'Asia/Tokyo' } }];
    const records = hints.map((hint) => recordOf({ ...good, ...hint }));
    expect(new Set(records.map((record) => record.body_hash)).size).toBe(1);
    expect(new Set(records.map((record) => record.hint_hash)).size).toBe(hints.length);
    expect(recordOf({ ...good, language: 'EN' }).hint_hash).toBe(records[1]?.hint_hash);
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const { context, ...rest } = value as { context?: object };
  const kept = context !== undefined && Object.keys(context).length === 0 ? rest : value;
  return Object.fromEntries(
    Object.entries(kept)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

describe('the record', () => {
  it('defaults the actor and the subject to the caller', () => {
    expect(recordOf(good)).toMatchObject({ observed_actor: 'user:priya', subject: 'user:priya' });
    const sent = { ...good, observed_actor: { id: 'agent:x' } };
    expect(recordOf(sent)).toMatchObject({ observed_actor: 'agent:x', subject: 'user:priya' });
  });

  it('keeps key and on_conflict out of the stored envelope', () => {
    const record = recordOf({ ...good, idempotency_key: 'k', on_conflict: 'replace' });
    expect(record).toMatchObject({ idempotency_key: 'k', replace: true, bytes: record.envelope.length });
    expect(JSON.parse(record.envelope)).toEqual({ ...good, content: { kind: 'text', text: 'hi' } });
  });

  it('names every level of the scope, of one tenant only', () => {
    const record = recordOf(good);
    expect(record.levels).toEqual([scopeRef('default', 'org:acme'), scopeRef('default', good.scope)]);
    expect(record.scope_ref).toBe(record.levels.at(-1));
    expect(record.scope_ref).toMatch(/^c[0-9a-f]{31}$/);
    expect(levelRefs('other', good.scope)).not.toContain(record.scope_ref);
    expect(shardOf(record.scope_ref)).toBe(record.shard);
  });

  it('spreads scopes over all 64 shards', () => {
    const shards = Array.from({ length: 2000 }, (_, index) => shardOf(scopeRef('default', `org:o${index}`)));
    expect(new Set(shards)).toEqual(new Set(Array.from({ length: 64 }, (_, shard) => shard)));
  });
});

describe('the item', () => {
  it('gives back content, labels, source and metadata as they were sent', () => {
    fc.assert(
      fc.property(body, (sent) => {
        const item = itemOf(recordOf(sent));
        expect(() => eventItem.parse(item)).not.toThrow();
        // Negative zero is written as zero, as JSON.stringify does.
        const written: typeof sent = JSON.parse(JSON.stringify(sent));
        expect(item.content).toEqual(written.content);
        expect(item.metadata).toEqual(written.metadata);
        expect(item.source).toEqual(written.source);
        expect(item.directives).toEqual(written.directives);
        expect(item.context.labels).toEqual(written.context?.labels ?? []);
        expect(item.context.intent).toBe(written.context?.intent ?? null);
      }),
    );
  });

  it('has the wire form of the contract', () => {
    expect(itemOf(recordOf(good))).toEqual({
      id: 'evt_1',
      scope: good.scope,
      caller: 'user:priya',
      observed_actor: { id: 'user:priya', type: 'user' },
      subject: { id: 'user:priya', type: 'user' },
      scope_key: 'default',
      modality: 'conversation',
      content: { kind: 'text', text: 'hi' },
      context: {
        observed_at: '2023-11-14T22:13:20.000Z',
        recorded_at: '2023-11-14T22:13:20.000Z',
        intent: null,
        labels: [],
      },
      wal_offset: 7,
      derives: [],
    });
  });

  it('returns the instant as it was sent, from either place', () => {
    const at = '2026-09-24T10:00:00.123456+00:00';
    expect(itemOf(recordOf({ ...good, observed_at: at })).context.observed_at).toBe(at);
    expect(itemOf(recordOf({ ...good, context: { observed_at: at } })).context.observed_at).toBe(at);
  });

  it('keeps a key __proto__ of metadata', () => {
    const sent: unknown = JSON.parse(`{"metadata": {"__proto__": 1}, ${JSON.stringify(good).slice(1)}`);
    expect(JSON.stringify(itemOf(recordOf(sent)).metadata)).toBe('{"__proto__":1}');
  });
});

describe('the searchable text', () => {
  const textOf = (sent: unknown) => searchableText(parseEnvelope({ ...good, content: sent }).content);

  it.each<[object, string]>([
    [{ role: 'user', text: 'hello' }, 'hello'],
    [{ kind: 'json', data: { a: [1, 'two', null], b: true } }, 'a 1 two b true'],
    [{ kind: 'blob_ref', blob_id: 'blob_a', transcript: 'words' }, 'words'],
    [{ kind: 'blob_ref', blob_id: 'blob_a' }, ''],
  ])('of %j', (sent, text) => {
    expect(textOf(sent)).toBe(text);
  });

  it('of a triple names its terms, by id where there is no name', () => {
    const triple = {
      subject: { type: 'entity', id: 'ent_a', name: 'Ada' },
      predicate: 'works_on',
      object: { type: 'entity', id: 'ent_b' },
    };
    expect(textOf({ kind: 'triple', triple })).toBe('Ada works on ent_b');
  });
});
