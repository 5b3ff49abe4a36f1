import { createHash } from 'node:crypto';

import type { Envelope } from '../../schemas/envelope.ts';

/** What a search can be narrowed by with one token each; `present` names a field that an envelope may leave out. */
export type TagField =
  | 'label'
  | 'observed_actor'
  | 'modality'
  | 'intent'
  | 'caller'
  | 'subject'
  | 'language'
  | 'present';

/** Fields whose being there is a tag of its own: `tagOf('present', …)`. */
export type PresentField = 'labels' | 'intent' | 'language' | 'refers_to' | 'session' | 'source';

const LETTERS: Readonly<Record<TagField, string>> = {
  label: 'l',
  observed_actor: 'o',
  modality: 'm',
  intent: 'i',
  caller: 'c',
  subject: 's',
  language: 'g',
  present: 'p',
};

/** Hex digits of a tag. What meets by chance (one of 2⁴⁸) is told apart on the event, as every filter of an index is. */
const DIGITS = 12;

/** The token of a value in the search index: a letter for the field and hex, so that it is one full-text term whatever the value holds. */
export function tagOf(field: TagField, value: string): string {
  return LETTERS[field] + createHash('sha256').update(value).digest('hex').slice(0, DIGITS);
}

/** The tags of an event, each once: who, what kind, and which optional fields it has. Who is not named is the caller. */
export function tagsOf(envelope: Envelope, caller: string): string[] {
  const { context = {}, language } = envelope;
  const labels = context.labels ?? [];
  const one = (field: TagField, value: string | undefined): string[] =>
    value === undefined ? [] : [tagOf(field, value)];
  const tags = [
    ...labels.map((label) => tagOf('label', label)),
    tagOf('observed_actor', envelope.observed_actor?.id ?? caller),
    tagOf('modality', envelope.modality),
    ...one('intent', context.intent),
    tagOf('caller', caller),
    tagOf('subject', envelope.subject?.id ?? caller),
    ...one('language', language),
    ...presentFields(envelope).map((field) => tagOf('present', field)),
  ];
  return [...new Set(tags)];
}

function presentFields({ context = {}, language, observed_actor, source }: Envelope): PresentField[] {
  const there: Readonly<Record<PresentField, boolean>> = {
    labels: (context.labels ?? []).length > 0,
    intent: context.intent !== undefined,
    language: language !== undefined,
    refers_to: context.refers_to !== undefined,
    session: observed_actor?.session !== undefined,
    source: source !== undefined,
  };
  return (Object.keys(there) as PresentField[]).filter((field) => there[field]);
}

const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z');
const LAST_DAY = Date.parse('9999-12-31T00:00:00Z');

/** `yyyymmdd` of an instant in UTC; what an offset moves out of the years 1 to 9999 counts to the first or last day of them. */
function dayOf(ms: number): string {
  const day = new Date(Math.min(Math.max(ms, FIRST_DAY), LAST_DAY));
  return day.toISOString().slice(0, 10).replaceAll('-', '');
}

/** The token of the day (UTC) on which something was observed, epoch milliseconds: tokens stand in the order of days, so that a range of them is one of days. */
export function observedDay(ms: number): string {
  return `d${dayOf(ms)}`;
}

/** The same of the day on which it was recorded. */
export function recordedDay(ms: number): string {
  return `r${dayOf(ms)}`;
}
