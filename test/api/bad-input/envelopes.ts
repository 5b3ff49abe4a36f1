import { GOOD, ofBytes } from './case.ts';

/** An envelope that is refused, by how it differs from a good one; the code is INVALID_BODY where none is named. */
export type BadEnvelope = readonly [what: string, patch: object, field: string, code?: string];

const MIB = 1024 * 1024;
const E = 'INVALID_ENVELOPE';
const context = (fields: object): object => ({ context: fields });
const content = (fields: object): object => ({ content: fields });
const message = (fields: object): object => content({ ...GOOD.content, ...fields });
const TRIPLE = {
  subject: { type: 'entity', id: 'ent_1' },
  predicate: 'is',
  object: { type: 'literal', datatype: 'boolean', value: true },
};
const triple = (fields: object): object => content({ kind: 'triple', triple: { ...TRIPLE, ...fields } });
const without = (field: string): object => ({ [field]: undefined });

const segments = (count: number): string => Array.from({ length: count }, (_, i) => `ws:s${i}`).join('/');
/** 32 segments of 128 + 3 characters at most: cut to the length that is asked for. */
const pathOf = (length: number): string => {
  const whole = Array.from({ length: 32 }, () => `ws:${'n'.repeat(125)}`).join('/');
  return whole.padEnd(length, 'n').slice(0, length);
};

const SCOPES: BadEnvelope[] = [
  ['no scope', without('scope'), 'scope'],
  ...[1, null, [], {}, true].map((scope): BadEnvelope => [
    `the scope ${JSON.stringify(scope)}`,
    { scope },
    'scope',
  ]),
  ...[
    '',
    ' ',
    'org',
    'org:',
    ':a',
    'Org:a',
    'org:a/',
    '/org:a',
    'org:a//user:b',
    'org:a b',
    ' org:a',
    'org:ä',
    'org:a:b',
    'org:a\n',
    '1org:a',
    'org:a\\user:b',
    `org:${'n'.repeat(129)}`,
    `o${'r'.repeat(32)}:a`,
    segments(33),
    pathOf(4097),
  ].map((scope): BadEnvelope => [`the scope ${JSON.stringify(scope.slice(0, 40))}`, { scope }, 'scope']),
  ['an unregistered type', { scope: 'planet:mars' }, 'scope', 'UNREGISTERED_SCOPE_TYPE'],
  ['an unregistered type below', { scope: 'org:a/planet:mars' }, 'scope', 'UNREGISTERED_SCOPE_TYPE'],
];

const UNKNOWN_FIELDS: BadEnvelope[] = [
  ['an unknown field', { colour: 1 }, 'colour'],
  ['a misspelt field', { idempotencyKey: 'k' }, 'idempotencyKey'],
  ['a caller in the body', { caller: 'user:x' }, 'caller'],
  ['__proto__ as a field', JSON.parse('{"__proto__":1}') as object, '__proto__'],
  ['an unknown field of the actor', { observed_actor: { id: 'a:b', name: 'x' } }, 'observed_actor.name'],
  ['an unknown field of the subject', { subject: { id: 'a:b', session: 'x' } }, 'subject.session'],
  ['an unknown field of the message', message({ tone: 1 }), 'content.tone'],
  ['an unknown field of its media', message({ media: [{ blob_id: 'blob_1', a: 1 }] }), 'content.media[0].a'],
  ['an unknown field of the text', content({ text: 't', lang: 'en' }), 'content.lang'],
  ['an unknown field of the context', context({ mood: 'x' }), 'context.mood'],
  ['an unknown field of the directives', { directives: { speed: 1 } }, 'directives.speed'],
  ['an unknown field of the triple', triple({ weight: 1 }), 'content.triple.weight'],
  [
    'an unknown field of a term',
    triple({ subject: { type: 'entity', id: 'e', age: 1 } }),
    'content.triple.subject.age',
  ],
];

const FIELDS: BadEnvelope[] = [
  ['no modality', without('modality'), 'modality'],
  ['an empty modality', { modality: '' }, 'modality'],
  ['a modality that is a number', { modality: 1 }, 'modality'],
  ['a modality of 129 bytes', { modality: ofBytes(129) }, 'modality'],
  ['an actor that is a text', { observed_actor: 'user:x' }, 'observed_actor'],
  ['an actor without id', { observed_actor: { type: 'user' } }, 'observed_actor.id'],
  ['an actor with a space', { observed_actor: { id: 'user x' } }, 'observed_actor.id'],
  ['an actor of 257 characters', { observed_actor: { id: ofBytes(257) } }, 'observed_actor.id'],
  ['an empty actor', { observed_actor: { id: '' } }, 'observed_actor.id'],
  ['a subject that is null', { subject: null }, 'subject'],
  ['an empty subject', { subject: { id: '' } }, 'subject.id'],
  ['directives that are a list', { directives: ['facts'] }, 'directives'],
  ['an unknown layer', { directives: { extract: ['facts', 'dreams'] } }, 'directives.extract[1]'],
  ['an unknown embed', { directives: { embed: 'now' } }, 'directives.embed'],
  ['a floor above 1', { directives: { confidence_floor: 1.01 } }, 'directives.confidence_floor'],
  ['a floor below 0', { directives: { confidence_floor: -0.01 } }, 'directives.confidence_floor'],
  ['an unknown on_conflict', { on_conflict: 'merge', idempotency_key: 'k' }, 'on_conflict'],
  ['a source that is a text', { source: 'x' }, 'source'],
  ['a source of 256 KiB and a byte', { source: { a: ofBytes(256 * 1024 - 7) } }, 'source'],
  ['metadata that is a list', { metadata: [] }, 'metadata'],
  ['metadata that is null', { metadata: null }, 'metadata'],
  ['metadata of 16 KiB and a byte', { metadata: { a: ofBytes(16 * 1024 - 7) } }, 'metadata'],
  [
    'metadata of 16 KiB and a byte in UTF-8',
    { metadata: { a: `${ofBytes(16 * 1024 - 8, 'é')}x` } },
    'metadata',
  ],
  ['a key that is a number', { idempotency_key: 1 }, 'idempotency_key', E],
  ['an empty key', { idempotency_key: '' }, 'idempotency_key', E],
  ['a key of 65 characters', { idempotency_key: ofBytes(65) }, 'idempotency_key', E],
  ['a key of 65 letters of two bytes', { idempotency_key: 'é'.repeat(65) }, 'idempotency_key', E],
  ...['english please', '', 'e', 'en_', '!!', 'x'.repeat(129), 1].map((language): BadEnvelope => [
    `the language ${JSON.stringify(language).slice(0, 40)}`,
    { language },
    'language',
    E,
  ]),
  ['scripts that are none', { scripts: ['Latin'] }, 'scripts[0]', E],
  ['scripts that are a number', { scripts: 4 }, 'scripts', E],
];

const CONTENTS: BadEnvelope[] = [
  ['no content', without('content'), 'content'],
  ['a content that is a text', content('hello' as unknown as object), 'content'],
  ['a content that is null', { content: null }, 'content'],
  ['an empty content', content({}), 'content.kind'],
  ['an unknown kind', content({ kind: 'video', text: 'x' }), 'content.kind'],
  ['a message without role', content({ kind: 'message', text: 'x' }), 'content.role'],
  ['an unknown role', message({ role: 'boss' }), 'content.role'],
  ['a message without text', content({ kind: 'message', role: 'user' }), 'content.text'],
  ['a text that is a number', message({ text: 1 }), 'content.text'],
  ['an empty text', message({ text: '' }), 'content.text', E],
  ['a blank text', message({ text: ' \t\r\n\u00a0\u2003' }), 'content.text', E],
  ['a text of 1 MiB and a byte', message({ text: ofBytes(MIB + 1) }), 'content.text', E],
  ['a text of 1 MiB and a byte in UTF-8', message({ text: `${ofBytes(MIB - 1, '€')}xx` }), 'content.text', E],
  ['a media id that is none', message({ media: [{ blob_id: 'file_1' }] }), 'content.media[0].blob_id'],
  ['json without data', content({ kind: 'json' }), 'content.data'],
  ['json of 1 MiB and a byte', content({ kind: 'json', data: ofBytes(MIB - 1) }), 'content.data', E],
  ['a blob without id', content({ kind: 'blob_ref' }), 'content.blob_id'],
  ['a blob id that is none', content({ kind: 'blob_ref', blob_id: '../etc' }), 'content.blob_id'],
  [
    'a transcript of 1 MiB and a byte',
    content({ kind: 'blob_ref', blob_id: 'blob_1', transcript: ofBytes(MIB + 1) }),
    'content.transcript',
    E,
  ],
  ['a triple without triple', content({ kind: 'triple' }), 'content.triple'],
  ['a triple without subject', triple({ subject: undefined }), 'content.triple.subject'],
  ['a predicate that is blank', triple({ predicate: ' ' }), 'content.triple.predicate'],
  ['a term of an unknown type', triple({ object: { type: 'thing' } }), 'content.triple.object.type'],
  [
    'a literal of another type',
    triple({ object: { type: 'literal', datatype: 'boolean', value: 'yes' } }),
    'content.triple.object.value',
  ],
  [
    'a literal without value',
    triple({ object: { type: 'literal', datatype: 'string' } }),
    'content.triple.object.value',
  ],
  ['a confidence above 1', triple({ confidence: 2 }), 'content.triple.confidence'],
  ['an unknown polarity', triple({ polarity: 'maybe' }), 'content.triple.polarity'],
  [
    'a validity that ends before it begins',
    triple({ valid_from: '2026-02-02', valid_to: '2026-02-01' }),
    'content.triple.valid_to',
  ],
  [
    'a validity that ends before it was observed',
    { ...triple({ valid_to: '2026-02-01' }), observed_at: '2026-02-02T00:00:00Z' },
    'content.triple.valid_to',
  ],
  ['a validity that ended before now', triple({ valid_to: '2020-02-01' }), 'content.triple.valid_to'],
  [
    'an end of what is not so',
    triple({ polarity: 'negative', valid_from: '2026-02-01', valid_to: '2026-02-02' }),
    'content.triple.valid_to',
  ],
  ...[
    ['integer', 1.5],
    ['integer', '1'],
    ['number', '1e3'],
    ['string', 1],
    ['boolean', 1],
    ['date', '2026-02-30'],
    ['date', '2026-02-01T00:00:00Z'],
    ['datetime', '2026-02-01'],
    ['datetime', 1767225600],
  ].map(([datatype, value]): BadEnvelope => [
    `the ${datatype} ${JSON.stringify(value)}`,
    triple({ object: { type: 'literal', datatype, value } }),
    'content.triple.object.value',
  ]),
  ...['', 'String', '1st', 'x'.repeat(65), 7].map((datatype): BadEnvelope => [
    `the datatype ${JSON.stringify(datatype).slice(0, 20)}`,
    triple({ object: { type: 'literal', datatype, value: 1 } }),
    'content.triple.object.datatype',
  ]),
  [
    'a subject that is a number',
    triple({ subject: { type: 'literal', datatype: 'number', value: 1 } }),
    'content.triple.subject',
  ],
  [
    'a subject without a name',
    triple({ subject: { type: 'literal', datatype: 'string', value: '' } }),
    'content.triple.subject',
  ],
  ['an entity without id', triple({ object: { type: 'entity', name: 'x' } }), 'content.triple.object.id'],
  [
    'an entity with a control character',
    triple({ object: { type: 'entity', id: 'a\u0007' } }),
    'content.triple.object.id',
  ],
  ['a confidence that is a text', triple({ confidence: '0.5' }), 'content.triple.confidence'],
  [
    '257 premises',
    triple({ derived_from: Array.from({ length: 257 }, () => 'evt_1') }),
    'content.triple.derived_from',
  ],
  ['a validity that is no time', triple({ valid_from: 'yesterday' }), 'content.triple.valid_from'],
  ['a premise that is unknown', triple({ derived_from: ['evt_none'] }), 'content.triple.derived_from[0]'],
];

const INSTANTS = [
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01 00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:61Z',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00:00+24:00',
  '0000-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '-0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  'now',
  '',
  '1767225600',
];

const CONTEXTS: BadEnvelope[] = [
  ['a context that is a list', context([]), 'context'],
  ...INSTANTS.flatMap((at): BadEnvelope[] => [
    [`observed_at ${at}`, { observed_at: at }, 'observed_at'],
    [`context.observed_at ${at}`, context({ observed_at: at }), 'context.observed_at'],
    [`context.source_recorded_at ${at}`, context({ source_recorded_at: at }), 'context.source_recorded_at'],
  ]),
  ['observed_at as a number', { observed_at: 1767225600 }, 'observed_at'],
  [
    'two times of observation',
    { observed_at: '2026-01-01T00:00:00Z', ...context({ observed_at: '2026-01-01T00:00:01Z' }) },
    'observed_at',
  ],
  ['1025 labels', context({ labels: Array.from({ length: 1025 }, (_, i) => `l${i}`) }), 'context.labels'],
  ['labels of 256 KiB and a byte', context({ labels: ['x', ofBytes(256 * 1024)] }), 'context.labels'],
  ['an empty label', context({ labels: ['a', ''] }), 'context.labels[1]'],
  ['a label that is a number', context({ labels: [1] }), 'context.labels[0]'],
  ['labels that are a text', context({ labels: 'a,b' }), 'context.labels'],
  ['an empty intent', context({ intent: '' }), 'context.intent'],
  ['an intent that is a list', context({ intent: [] }), 'context.intent'],
  ['a blank location', context({ location: ' ' }), 'context.location'],
  ['a location of 16 KiB and a byte', context({ location: ofBytes(16 * 1024 + 1) }), 'context.location'],
  ['a predecessor that is a number', context({ preceded_by: [1] }), 'context.preceded_by[0]'],
  ...['Mars/Olympus', '', 'UTC+1', '+01:00', 1].map((timezone): BadEnvelope => [
    `the time zone ${timezone}`,
    context({ timezone }),
    'context.timezone',
    E,
  ]),
  ['refers_to as a text', context({ refers_to: '2026-01-01' }), 'context.refers_to', E],
  ['refers_to without from', context({ refers_to: { to: '2026-01-01' } }), 'context.refers_to.from', E],
  ['refers_to Feb 30', context({ refers_to: { from: '2026-02-30' } }), 'context.refers_to.from', E],
  [
    'refers_to that ends before it begins',
    context({ refers_to: { from: '2026-01-02', to: '2026-01-01' } }),
    'context.refers_to.to',
    E,
  ],
];

/** Envelopes that are refused, field by field. */
export const BAD_ENVELOPES: BadEnvelope[] = [
  ...SCOPES,
  ...UNKNOWN_FIELDS,
  ...FIELDS,
  ...CONTENTS,
  ...CONTEXTS,
];

/** Envelopes at a bound, which are good. */
export const AT_THE_CAP: readonly [what: string, patch: object][] = [
  ['a text of 1 MiB', message({ text: ofBytes(MIB) })],
  ['a text of 1 MiB in UTF-8', message({ text: `${ofBytes(MIB - 1, '€')}x` })],
  ['json of 1 MiB', content({ kind: 'json', data: ofBytes(MIB - 2) })],
  ['metadata of 16 KiB', { metadata: { a: ofBytes(16 * 1024 - 8) } }],
  ['a source of 256 KiB', { source: { a: ofBytes(256 * 1024 - 8) } }],
  ['1024 labels', context({ labels: Array.from({ length: 1024 }, (_, i) => `l${i}`) })],
  ['labels of 256 KiB', context({ labels: ['x', ofBytes(256 * 1024 - 1)] })],
  ['a key of 64 characters', { idempotency_key: 'é'.repeat(64) }],
  ['a scope of 32 segments', { scope: segments(32) }],
  ['a scope of 4096 characters', { scope: pathOf(4096) }],
  ['a segment of 128 and a type of 32 characters', { scope: `org:${'n'.repeat(128)}` }],
  ['the first instant', { observed_at: '0001-01-01T00:00:00Z' }],
  ['the last instant', { observed_at: '9999-12-31T23:59:59.999999Z' }],
  ['an actor of 256 characters', { observed_actor: { id: ofBytes(256) } }],
  ['a modality of 128 bytes', { modality: ofBytes(128) }],
  ['the greatest integer that a double holds', { metadata: { a: Number.MAX_SAFE_INTEGER, b: 1.7e308 } }],
];
