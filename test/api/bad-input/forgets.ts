import { ofBytes, type BadCase } from './case.ts';

const FORGET = '/v1/forget';
const PREVIEW = '/v1/forget/preview';
const ERASURE = '/v1/erasures';
const ERASURE_PREVIEW = '/v1/erasures/preview';
const SCOPE = 'org:bad/user:input';
const SOME = { memory_ids: ['fact_1'] };

type Row = [
  what: string,
  patch: Record<string, unknown>,
  status: number,
  code: string | null,
  field?: string,
];

const EMPTY = 'EMPTY_SELECTOR_WITHOUT_CONFIRMATION';
const AMBIGUOUS = 'AMBIGUOUS_SELECTOR_CONFIRM_ALL';
const BODY = 'INVALID_BODY';

const ids = (one: unknown, count = 1): Record<string, unknown> => ({
  selector: { memory_ids: Array.from({ length: count }, () => one) },
});
const selecting = (selector: unknown, more: object = {}): Record<string, unknown> => ({ selector, ...more });

/** What is refused of a forget and of a preview. */
const OF_BOTH: Row[] = [
  ['neither a selector nor confirm_all', {}, 422, EMPTY, 'confirm_all'],
  ['an empty selector', selecting({}), 422, EMPTY, 'confirm_all'],
  ['an empty selector beside confirm_all false', selecting({}, { confirm_all: false }), 422, EMPTY],
  ['layers alone', { layers: ['beliefs'] }, 422, EMPTY, 'confirm_all'],
  ['a selector beside confirm_all', selecting(SOME, { confirm_all: true }), 400, AMBIGUOUS, 'selector'],
  ['an empty list beside confirm_all', selecting({ labels: [] }, { confirm_all: true }), 400, AMBIGUOUS],
  ['an unknown field', selecting(SOME, { slector: {} }), 422, null],
  ['an unknown field beside confirm_all', { confirm_all: true, slector: SOME }, 422, null],
  ['__proto__ as a field', JSON.parse('{"__proto__": 1, "confirm_all": true}'), 422, null],
  ['an unknown key of the selector', selecting({ memory_id: ['x'] }), 422, BODY, 'selector.memory_id'],
  [
    'an unknown key of the selector beside confirm_all',
    selecting({ memory_id: ['x'] }, { confirm_all: true }),
    422,
    BODY,
    'selector.memory_id',
  ],
  ['an unknown key beside a known one', selecting({ ...SOME, abuot: 'x' }), 422, BODY, 'selector.abuot'],
  ['no scope', selecting(SOME, { scope: undefined }), 422, BODY, 'scope'],
  ['the scope "org"', selecting(SOME, { scope: 'org' }), 422, BODY, 'scope'],
  ['a subtree', selecting(SOME, { scope: `${SCOPE}/*` }), 422, BODY, 'scope'],
  ['an unknown cascade', selecting(SOME, { cascade: 'everything' }), 422, 'INVALID_CASCADE', 'cascade'],
  ['an empty cascade', selecting(SOME, { cascade: '' }), 422, 'INVALID_CASCADE', 'cascade'],
  ['a cascade that is null', selecting(SOME, { cascade: null }), 422, 'INVALID_CASCADE', 'cascade'],
  ['an unknown layer', selecting(SOME, { layers: ['entities'] }), 422, BODY, 'layers[0]'],
  ['layers that are a text', selecting(SOME, { layers: 'facts' }), 422, BODY, 'layers'],
  ['confirm_all that is a text', { confirm_all: 'true' }, 422, BODY, 'confirm_all'],
  ['confirm_all that is a number', { confirm_all: 1 }, 422, BODY, 'confirm_all'],
  ['a selector that is a list', selecting([]), 422, BODY, 'selector'],
  ['a selector that is null', selecting(null, { confirm_all: true }), 422, BODY, 'selector'],
  ['101 ids', ids('fact_1', 101), 422, BODY, 'selector.memory_ids'],
  ['ids that are a text', selecting({ memory_ids: 'fact_1' }), 422, BODY, 'selector.memory_ids'],
  ['an id that is a number', ids(1), 422, BODY, 'selector.memory_ids[0]'],
  ['an id that is null', ids(null), 422, BODY, 'selector.memory_ids[0]'],
  ['an empty id', ids(''), 422, BODY, 'selector.memory_ids[0]'],
  ['an id of 257 characters', ids(ofBytes(257)), 422, BODY, 'selector.memory_ids[0]'],
  ['an id with a NUL', ids('fact_\u0000'), 422, BODY, 'selector.memory_ids[0]'],
  ['an empty subject', selecting({ about_subject: '' }), 422, BODY, 'selector.about_subject'],
  ['a subject of 257 characters', selecting({ about_subject: ofBytes(257) }), 422, BODY],
  ['an entity that is a list', selecting({ about_entity: ['x'] }), 422, BODY, 'selector.about_entity'],
  ['a predicate with a line break', selecting({ predicate: 'a\nb' }), 422, BODY, 'selector.predicate'],
  ['labels that are a text', selecting({ labels: 'a' }), 422, BODY, 'selector.labels'],
  ['an empty label', selecting({ labels: [''] }), 422, BODY, 'selector.labels[0]'],
  [
    '101 labels',
    selecting({ labels: Array.from({ length: 101 }, (_, i) => `${i}`) }),
    422,
    BODY,
    'selector.labels',
  ],
  ['an interval as a text', selecting({ valid_during: '2026' }), 422, BODY, 'selector.valid_during'],
  ['an interval of one instant', selecting({ valid_during: ['2026'] }), 422, BODY],
  [
    'an interval that ends where it begins',
    selecting({ recorded_during: ['2026', '2026-01-01'] }),
    422,
    BODY,
    'selector.recorded_during',
  ],
  [
    'an interval of no date',
    selecting({ recorded_during: ['2026-02-30', '2027'] }),
    422,
    BODY,
    'selector.recorded_during[0]',
  ],
  ['a note of 4097 characters', selecting(SOME, { audit_note: ofBytes(4097) }), 422, BODY, 'audit_note'],
  ['both names of the note', selecting(SOME, { audit_note: 'a', reason: 'a' }), 422, BODY, 'reason'],
];

/** What is refused of a forget alone. */
const OF_FORGET: Row[] = [
  ['a selector beside a preview', selecting(SOME, { from_preview_id: 'fpvw_1' }), 422, BODY, 'selector'],
  ['layers beside a preview', { layers: ['facts'], from_preview_id: 'fpvw_1' }, 422, BODY, 'layers'],
  ['an empty preview id', { from_preview_id: '' }, 422, BODY, 'from_preview_id'],
  ['a preview id that is a list', { from_preview_id: ['fpvw_1'] }, 422, BODY, 'from_preview_id'],
];

const toCase =
  (path: string) =>
  ([what, patch, status, code, field]: Row): BadCase => ({
    what: `${path} with ${what}`,
    method: 'POST',
    path,
    options: () => ({ body: { scope: SCOPE, ...patch } }),
    status,
    code,
    ...(field === undefined ? {} : { field }),
  });

/** The same of an erasure and its preview, which know no cascade and no layers, and tell an unknown field as JSON. */
const OF_ERASURES: Row[] = [
  ...OF_BOTH.flatMap(([what, patch, status, code, field]): Row[] => {
    if ('cascade' in patch || 'layers' in patch || code === null) return [];
    const own = code === AMBIGUOUS ? 'AMBIGUOUS_SELECTOR' : code;
    return [field === undefined ? [what, patch, status, own] : [what, patch, status, own, field]];
  }),
  ['an unknown field', selecting(SOME, { slector: {} }), 422, BODY, 'slector'],
  ['an unknown field beside confirm_all', { confirm_all: true, slector: SOME }, 422, BODY, 'slector'],
  ['a cascade', selecting(SOME, { cascade: 'redact_events' }), 422, BODY, 'cascade'],
  ['layers', selecting(SOME, { layers: ['facts'] }), 422, BODY, 'layers'],
];

/** What is refused of an erasure alone. */
const OF_ERASURE: Row[] = [
  ['a selector beside a preview', selecting(SOME, { from_preview_id: 'ervw_1' }), 422, BODY, 'selector'],
  ['an empty preview id', { from_preview_id: '' }, 422, BODY, 'from_preview_id'],
  ['a preview that there is not', { from_preview_id: 'ervw_1' }, 422, 'UNKNOWN_PREVIEW_ID'],
  ['an empty key', { confirm_all: true, idempotency_key: '' }, 422, BODY, 'idempotency_key'],
  ['a key of 257 characters', { confirm_all: true, idempotency_key: ofBytes(257) }, 422, BODY],
];

/** Bodies that say nothing clear about what is to be forgotten or erased. */
export const BAD_FORGETS: BadCase[] = [
  ...[...OF_BOTH, ...OF_FORGET].map(toCase(FORGET)),
  ...OF_BOTH.map(toCase(PREVIEW)),
  ...[...OF_ERASURES, ...OF_ERASURE].map(toCase(ERASURE)),
  ...OF_ERASURES.map(toCase(ERASURE_PREVIEW)),
  toCase(PREVIEW)(['a preview to execute', { from_preview_id: 'fpvw_1', confirm_all: true }, 422, null]),
  ...[FORGET, PREVIEW].flatMap((path) =>
    ['[]', 'null', '"org:bad"'].map((raw): BadCase => ({
      what: `${path} with the body ${raw}`,
      method: 'POST',
      path,
      options: () => ({ raw, headers: { 'content-type': 'application/json' } }),
      status: 422,
      code: BODY,
      field: '',
    })),
  ),
];
