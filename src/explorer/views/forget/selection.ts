import { LAYERS, type Layer } from '../../records/record.ts';
import type { Cascade, Selected, Selector } from './queries.ts';

/** How far it goes: a cascade of a forget, or an erasure. */
export type How = Cascade | 'erase';

/** How far it may go, what each way is called, and what it leaves. */
export const HOWS: readonly (readonly [How, title: string, meaning: string])[] = [
  [
    'derived_only',
    'What was concluded',
    'Derived records go. Texts stay, and nothing is derived from them any more.',
  ],
  ['redact_events', 'The texts too', 'Events lose their content. Ids, places in the log and instants stay.'],
  ['erase', 'Everything, with a receipt', 'Ids go as well. What was done is signed, and can be verified.'],
  ['none', 'These records alone', 'Selected derived records go, events stay as they are.'],
];

/** The capability that each way takes. */
export const CAPABILITY: Readonly<Record<How, string>> = {
  derived_only: 'forget.cascade.derived_only',
  redact_events: 'forget.cascade.redact_events',
  none: 'forget.cascade.derived_only',
  erase: 'forget.gdpr',
};

/** The parameters of the address that say what is selected. */
export type Parameters = Readonly<Record<string, string>>;

/** The fields of a selection, by the names that they have in an address. */
export const FIELDS = ['entity', 'subject', 'predicate', 'labels', 'ids', 'from', 'to'] as const;

/** How far an address says that it goes. */
export function howOf({ how }: Parameters): How {
  return HOWS.find(([name]) => name === how)?.[0] ?? 'derived_only';
}

/** The layers that an address names; all of them where it names none. */
export function layersOf({ layers = '' }: Parameters): readonly Layer[] {
  const chosen = LAYERS.filter((layer) => layers.split(',').includes(layer));
  return chosen.length === 0 ? LAYERS : chosen;
}

/** Words that commas or white space stand between. */
export function listOf(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter((one) => one !== ''))];
}

/** What the fields of a selection say, as it stands in an address. */
export function filledIn(form: FormData): Record<string, string> {
  const textIn = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const layers = form.getAll('layers');
  const chosen = LAYERS.filter((layer) => layers.includes(layer));
  return {
    ...Object.fromEntries(FIELDS.map((name) => [name, textIn(name)])),
    axis: textIn('axis'),
    all: form.has('all') ? 'yes' : '',
    how: textIn('how'),
    layers: chosen.length === LAYERS.length ? '' : chosen.join(),
  };
}

/** The same with records that were found: those that were ticked are named too, and those whose tick was taken away no longer. */
export function filledInWith(
  form: FormData,
  { ticked, unticked }: { readonly ticked: readonly string[]; readonly unticked: readonly string[] },
): Record<string, string> {
  const filled = filledIn(form);
  const named = listOf(filled.ids ?? '').filter((id) => !unticked.includes(id));
  return { ...filled, ids: [...new Set([...named, ...ticked])].join(',') };
}

/** What an address selects; null where it selects nothing yet. */
export function selectedBy(scope: string, parameters: Parameters): Selected | null {
  if (parameters.all === 'yes') return { scope, confirmAll: true };
  const selector = selectorOf(parameters);
  return Object.keys(selector).length === 0 ? null : { scope, selector };
}

function selectorOf({
  entity = '',
  subject = '',
  predicate = '',
  labels = '',
  ids = '',
  from = '',
  to = '',
  axis = '',
}: Parameters): Selector {
  // The instants that stand for an open end.
  const during = [from === '' ? '1970-01-01' : from, to === '' ? '9999-12-31' : to] as const;
  const isTimed = from !== '' || to !== '';
  return {
    ...(entity === '' ? {} : { aboutEntity: entity }),
    ...(subject === '' ? {} : { aboutSubject: subject }),
    ...(predicate === '' ? {} : { predicate }),
    ...(labels === '' ? {} : { labels: labels.split(',').map((label) => label.trim()) }),
    ...(ids === '' ? {} : { memoryIds: listOf(ids) }),
    ...(isTimed && axis !== 'recorded' ? { validDuring: during } : {}),
    ...(isTimed && axis === 'recorded' ? { recordedDuring: during } : {}),
  };
}

/** A selection as a sentence goes on behind “what”. */
export function selectionInWords({ selector, confirmAll }: Selected): string {
  if (confirmAll === true || selector === undefined) return 'everything';
  const { aboutEntity, aboutSubject, predicate, labels, memoryIds, validDuring, recordedDuring } = selector;
  const conditions = [
    aboutEntity && `is about ${aboutEntity}`,
    aboutSubject && `has ${aboutSubject} as its subject`,
    predicate && `says ${predicate.replaceAll('_', ' ')}`,
    labels && `carries ${labels.join(' and ')}`,
    memoryIds && `is one of ${memoryIds.length} named records`,
    validDuring && `was observed or begins between ${validDuring.join(' and ')}`,
    recordedDuring && `was recorded between ${recordedDuring.join(' and ')}`,
  ].filter((words) => typeof words === 'string');
  return conditions.length === 0 ? 'everything' : `what ${conditions.join(' and ')}`;
}

/** A number of records for each layer as words: `3 events, 1 fact`; empty for none. */
export function countsInWords(counts: Readonly<Record<Layer, number>>): string {
  const names: Readonly<Record<Layer, readonly [one: string, many: string]>> = {
    events: ['event', 'events'],
    episodes: ['episode', 'episodes'],
    facts: ['fact', 'facts'],
    beliefs: ['belief', 'beliefs'],
    understanding: ['concept', 'concepts'],
  };
  return LAYERS.filter((layer) => counts[layer] > 0)
    .map((layer) => `${counts[layer]} ${names[layer][counts[layer] === 1 ? 0 : 1]}`)
    .join(', ');
}
