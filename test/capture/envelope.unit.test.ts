import { parseEnvelope } from '../../src/capture/envelope.ts';
import type { StrataError } from '../../src/errors.ts';

const good = {
  scope: 'org:acme/user:priya',
  modality: 'conversation',
  content: { kind: 'text', text: 'hi' },
};
const entity = { type: 'entity', id: 'ent_a' };
const triple = (change: object) => ({
  content: { kind: 'triple', triple: { subject: entity, predicate: 'likes', object: entity, ...change } },
});
const literal = (datatype: string, value: unknown) =>
  triple({ object: { type: 'literal', datatype, value } });
const hash = `sha256:${'0'.repeat(64)}`;
const fragment = {
  fragment_id: 'f1',
  locator: { kind: 'conversation', session_id: 's', turn_index: 0 },
  content_fingerprint: hash,
};
const described = {
  schema_version: 2,
  source_id: 'chat-1',
  modality: 'conversation',
  content_kind: 'message',
  source_fingerprint: hash,
  fragments: [fragment],
};

function refusal(input: unknown): { code: string; path: unknown; reason: unknown; message: string } {
  try {
    parseEnvelope(input);
  } catch (error) {
    const { code, details, message } = error as StrataError;
    return { code, path: details?.field_path, reason: details?.reason, message };
  }
  throw new Error('the envelope was accepted');
}

const BODY: [string, object, string][] = [
  ['no scope', { scope: undefined }, 'scope'],
  ['a scope without a type', { scope: 'acme' }, 'scope'],
  ['no modality', { modality: undefined }, 'modality'],
  ['a modality of 129 bytes', { modality: 'x'.repeat(129) }, 'modality'],
  ['a blank modality', { modality: ' ' }, 'modality'],
  ['no content', { content: undefined }, 'content'],
  ['an unknown kind', { content: { kind: 'song', text: 'x' } }, 'content.kind'],
  ['content without kind or text', { content: { data: 1 } }, 'content.kind'],
  ['a message without a role', { content: { kind: 'message', text: 'x' } }, 'content.role'],
  ['an unknown role', { content: { role: 'robot', text: 'x' } }, 'content.role'],
  ['a text that is a number', { content: { text: 5 } }, 'content.text'],
  ['json without data', { content: { kind: 'json' } }, 'content.data'],
  ['a blob id of another form', { content: { kind: 'blob_ref', blob_id: 'b1' } }, 'content.blob_id'],
  ['an unknown content field', { content: { text: 'x', mood: 'ok' } }, 'content.mood'],
  ['an unknown field', { colour: 'red' }, 'colour'],
  ['an unknown context field', { context: { color: 'red' } }, 'context.color'],
  ['an actor with a space', { observed_actor: { id: 'user a' } }, 'observed_actor.id'],
  ['an instant without offset', { observed_at: '2026-01-01T00:00:00' }, 'observed_at'],
  [
    'two different instants',
    { observed_at: '2026-01-01T00:00:00Z', context: { observed_at: '2026-01-02T00:00:00Z' } },
    'observed_at',
  ],
  ['a label that is no text', { context: { labels: ['a', 7] } }, 'context.labels[1]'],
  ['1025 labels', { context: { labels: Array.from({ length: 1025 }, String) } }, 'context.labels'],
  ['labels of 257 KiB', { context: { labels: ['x'.repeat(257 * 1024)] } }, 'context.labels'],
  ['an unknown layer', { directives: { extract: ['facts', 'dreams'] } }, 'directives.extract[1]'],
  ['a floor above one', { directives: { confidence_floor: 1.5 } }, 'directives.confidence_floor'],
  ['an unknown embed', { directives: { embed: 'soon' } }, 'directives.embed'],
  ['metadata that is a list', { metadata: [] }, 'metadata'],
  ['metadata of 17 KiB', { metadata: { a: 'x'.repeat(17 * 1024) } }, 'metadata'],
  ['a source that is a text', { source: 'slack' }, 'source'],
  ['a source of 257 KiB', { source: { a: 'x'.repeat(257 * 1024) } }, 'source'],
  ['replace without a key', { on_conflict: 'replace' }, 'on_conflict'],
  ['an unknown on_conflict', { on_conflict: 'merge', idempotency_key: 'k' }, 'on_conflict'],
  [
    'an end before the start',
    triple({ valid_from: '2026-02-01', valid_to: '2026-01-01' }),
    'content.triple.valid_to',
  ],
  ['confidence above one', triple({ confidence: 2 }), 'content.triple.confidence'],
  ['an unknown polarity', triple({ polarity: 'maybe' }), 'content.triple.polarity'],
  [
    'a literal number as subject',
    triple({ subject: { type: 'literal', datatype: 'number', value: 1 } }),
    'content.triple.subject',
  ],
  [
    'a name of 257 characters as subject',
    triple({ subject: { type: 'literal', datatype: 'string', value: 'x'.repeat(257) } }),
    'content.triple.subject',
  ],
  ['an entity without an id', triple({ object: { type: 'entity' } }), 'content.triple.object.id'],
  ['an unknown term', triple({ object: { type: 'thing', id: 'x' } }), 'content.triple.object.type'],
  ['type and kind together', triple({ object: { ...entity, kind: 'entity' } }), 'content.triple.object.kind'],
  [
    'a literal without a value',
    triple({ object: { type: 'literal', datatype: 'x' } }),
    'content.triple.object.value',
  ],
  ['a datatype with capitals', literal('String', 'x'), 'content.triple.object.datatype'],
  ['a string that is none', literal('string', 1), 'content.triple.object.value'],
  ['a boolean that is none', literal('boolean', 'true'), 'content.triple.object.value'],
  ['a number that is none', literal('number', '1'), 'content.triple.object.value'],
  ['an integer with a fraction', literal('integer', 1.5), 'content.triple.object.value'],
  ['a day that does not exist', literal('date', '2026-02-30'), 'content.triple.object.value'],
  ['a datetime without offset', literal('datetime', '2026-02-03T10:00:00'), 'content.triple.object.value'],
  ['a descriptor of another modality', { source: { ...described, modality: 'document' } }, 'source.modality'],
  ['an unknown descriptor field', { source: { ...described, extra: 1 } }, 'source.extra'],
  ['a descriptor without fragments', { source: { ...described, fragments: [] } }, 'source.fragments'],
  [
    'a fingerprint in capitals',
    { source: { ...described, source_fingerprint: hash.toUpperCase() } },
    'source.source_fingerprint',
  ],
  [
    'a fragment named twice',
    { source: { ...described, fragments: [fragment, fragment] } },
    'source.fragments[1].fragment_id',
  ],
  [
    'a locator that names no place',
    { source: { ...described, fragments: [{ ...fragment, locator: { kind: 'media' } }] } },
    'source.fragments[0].locator',
  ],
  [
    'an empty byte range',
    { source: { ...described, fragments: [{ ...fragment, byte_range: { start: 3, end: 3 } }] } },
    'source.fragments[0].byte_range',
  ],
];

const ENVELOPE: [string, object, string][] = [
  ['a malformed language', { language: 'en_US' }, 'language'],
  ['an empty language', { language: '' }, 'language'],
  ['a private language without a part', { language: 'x-' }, 'language'],
  ['a private language of a long part', { language: 'x-ninechars' }, 'language'],
  ['a language that is no text', { language: 5 }, 'language'],
  ['a script of three letters', { scripts: ['Lat'] }, 'scripts[0]'],
  ['scripts that are a number', { scripts: 4 }, 'scripts'],
  ['a timezone that is none', { context: { timezone: 'Mars/Base' } }, 'context.timezone'],
  ['refers_to that is a text', { context: { refers_to: 'soon' } }, 'context.refers_to'],
  ['a malformed from', { context: { refers_to: { from: 'soon' } } }, 'context.refers_to.from'],
  [
    'a malformed from in a list',
    { context: { refers_to: [{ from: '2026-02-30' }] } },
    'context.refers_to[0].from',
  ],
  [
    'a to before its from',
    { context: { refers_to: { from: '2026-02-02', to: '2026-02-01' } } },
    'context.refers_to.to',
  ],
  ['a key of 65 characters', { idempotency_key: 'k'.repeat(65) }, 'idempotency_key'],
  ['an empty key', { idempotency_key: '' }, 'idempotency_key'],
  ['a key that is null', { idempotency_key: null }, 'idempotency_key'],
  ['a blank text', { content: { text: ' \n ' } }, 'content.text'],
  ['an empty message', { content: { role: 'user', text: '' } }, 'content.text'],
  ['a text over 1 MiB', { content: { text: 'é'.repeat(524_289) } }, 'content.text'],
  [
    'a transcript over 1 MiB',
    { content: { kind: 'blob_ref', blob_id: 'blob_a', transcript: 'x'.repeat(1_048_577) } },
    'content.transcript',
  ],
  ['json over 1 MiB', { content: { kind: 'json', data: ['x'.repeat(1_048_576)] } }, 'content.data'],
];

describe('an envelope is refused by name', () => {
  it.each(BODY)('%s is INVALID_BODY', (_what, change, path) => {
    const refused = refusal({ ...good, ...change });
    expect(refused).toMatchObject({ code: 'INVALID_BODY', path });
    expect(refused.message.startsWith(path)).toBe(true);
    expect(refused.reason).toEqual(expect.stringMatching(/./));
  });

  it.each(ENVELOPE)('%s is INVALID_ENVELOPE', (_what, change, path) => {
    expect(refusal({ ...good, ...change })).toMatchObject({ code: 'INVALID_ENVELOPE', path });
  });

  it.each([[null], [[]], ['text'], [7], [undefined]])('%p is no envelope', (input) => {
    expect(refusal(input)).toMatchObject({ code: 'INVALID_BODY', path: '' });
  });

  it('takes a key __proto__ for an unknown field and changes no prototype', () => {
    const input: unknown = JSON.parse(`{"__proto__": {"polluted": true}, ${JSON.stringify(good).slice(1)}`);
    expect(refusal(input)).toMatchObject({ code: 'INVALID_BODY', path: '__proto__' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('lists what is allowed when a field is unknown', () => {
    expect(() => parseEnvelope({ ...good, colour: 1 })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ allowed: expect.arrayContaining(['scope']) }),
      }),
    );
  });
});

describe('an envelope is normalised', () => {
  it('fills in the kind of a text and of a message', () => {
    expect(parseEnvelope({ ...good, content: { text: 'a' } }).content).toEqual({ kind: 'text', text: 'a' });
    const message = { role: 'user', text: 'a' };
    expect(parseEnvelope({ ...good, content: message }).content).toEqual({ kind: 'message', ...message });
  });

  it('reads kind as type and concept as entity', () => {
    const sent = triple({
      subject: { kind: 'concept', id: 'c1' },
      object: { kind: 'literal', datatype: 'my:type', value: { a: [1] } },
    });
    expect(parseEnvelope({ ...good, ...sent }).content).toEqual(
      triple({
        subject: { type: 'entity', id: 'c1' },
        object: { type: 'literal', datatype: 'my:type', value: { a: [1] } },
      }).content,
    );
  });

  it('accepts what published clients send', () => {
    const sent = {
      ...good,
      observed_actor: { id: 'user:712020_ab-cd' },
      context: {
        observed_at: '2026-09-24T10:00:00.123456+00:00',
        refers_to: [
          {
            from: '2026-09-25',
            zone: 'Asia/Kolkata',
            precision: 'day',
            ambiguous: true,
            candidates: [{ from: '2026-09-23' }],
          },
          { from: '2026-09-25T10:00', to: '2026-09-25T11:00:30' },
        ],
      },
      source: described,
    };
    expect(parseEnvelope(sent)).toEqual(sent);
  });

  it('spells language and scripts canonically and takes one script alone', () => {
    expect(parseEnvelope({ ...good, language: 'en-us', scripts: 'latn' })).toMatchObject({
      language: 'en-US',
      scripts: ['Latn'],
    });
    expect(parseEnvelope({ ...good, language: 'X-Klingon-a1' }).language).toBe('x-klingon-a1');
  });

  it('counts bytes and characters, not UTF-16 units', () => {
    expect(parseEnvelope({ ...good, idempotency_key: '🙂'.repeat(64) }).idempotency_key).toHaveLength(128);
    expect(parseEnvelope({ ...good, content: { text: 'é'.repeat(524_288) } }).content.kind).toBe('text');
  });

  it('takes scope and directives of the bulk only where an item states none', () => {
    const { scope: _scope, ...item } = good;
    const defaults = { scope: 'org:bulk', directives: { extract: [] } };
    expect(parseEnvelope(item, defaults)).toMatchObject(defaults);
    expect(parseEnvelope({ ...good, directives: { embed: 'none' } }, defaults)).toMatchObject({
      scope: good.scope,
      directives: { embed: 'none' },
    });
  });

  it('leaves its input alone', () => {
    const sent = { ...good, content: Object.freeze({ text: 'a' }), scripts: 'latn' };
    const before = structuredClone(sent);
    parseEnvelope(sent);
    expect(sent).toEqual(before);
  });
});

describe('a text', () => {
  it.each(['\u{43420}', '\ue000', '.', '\u{1f9ff}'])('of %j is not blank', (text) => {
    expect(parseEnvelope({ scope: 'org:a', modality: 'm', content: { text } }).content).toEqual({
      kind: 'text',
      text,
    });
  });

  it.each(['', ' \n ', '\u200b\u200d', '\u0007', '\u3000'])('of %j is', (text) => {
    expect(() => parseEnvelope({ scope: 'org:a', modality: 'm', content: { text } })).toThrow('is blank');
  });
});
