import type { Cardinality } from '../../schemas/scope-policy.ts';
import { instantOrDate, toEpochMs } from '../../schemas/time.ts';
import { triple, type Term, type Triple } from '../../schemas/triple.ts';
import { begunBy } from '../time/clocks.ts';
import { entityIdOf } from './entity.ts';
import { spanOfWords } from './located.ts';
import { canonicalPredicate } from './vocabulary.ts';

/** Characters of the name of a subject or object in an extracted statement; as in one that is sent. */
const MAX_EXTRACTED_NAME = 256;

/** Kinds of entities that an extractor tells apart. */
export const ENTITY_TYPES = ['person', 'organisation', 'place', 'product', 'topic', 'other'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** Datatypes of literals that an extractor gives. */
export const LITERAL_TYPES = ['string', 'number', 'boolean', 'date', 'datetime'] as const;

/** A stretch of a text, half open, in characters (code points) from its beginning. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A statement that was extracted from the text of an event. */
export interface ExtractedStatement {
  /** As if it had been sent; entities go by the id of their name. */
  readonly triple: Triple;
  readonly subject_type: EntityType;
  /** Null for a literal. */
  readonly object_type: EntityType | null;
  /** How many values the predicate has at once, where the extractor says so. */
  readonly cardinality: Cardinality | null;
  /** The words that it rests on, as they stand in the text; null where the extractor's words are not there. */
  readonly quote: string | null;
  /** Where in the text of the event they stand; null without a quote. */
  readonly span: Span | null;
}

/** A statement as an extractor writes it: every value a text, so that small models get it right. */
export interface RawStatement {
  readonly subject: string;
  readonly subject_type: EntityType;
  readonly predicate: string;
  readonly object: string;
  readonly object_type: EntityType | (typeof LITERAL_TYPES)[number];
  /** `ended`: it was so and is no more. `never`: it is said not to be so at all. */
  readonly holds: 'yes' | 'ended' | 'never';
  readonly valid_from: string | null;
  readonly valid_to: string | null;
  readonly confidence: number;
  readonly cardinality: Cardinality | 'unknown';
  readonly quote: string;
}

/** The text that was read: all of an event, or a part of it. */
export interface ReadText {
  /** The text of the whole event. */
  readonly whole: string;
  /** Where the part begins in it, in code units. */
  readonly from: number;
  /** Text of the part. */
  readonly part: string;
  /** When what it tells happened, RFC 3339, by the clocks of whoever tells it. */
  readonly observed_at: string;
  /** Since when what it states holds where it does not say so, RFC 3339 by the same clocks: see `heldSince`. */
  readonly held_since: string;
}

/** What becomes of a statement of an extractor. */
export type Checked =
  | { readonly usable: true; readonly statement: ExtractedStatement }
  | { readonly usable: false; readonly reason: string };

/**
 * A statement of an extractor as a triple, or why it cannot be one. An ending without a date counts from when the event holds:
 * that it has ended is what the text says, and the text says it then. What begins on the local day of the event had begun by then.
 */
export function checkedStatement(raw: RawStatement, read: ReadText): Checked {
  const refused = (reason: string): Checked => ({ usable: false, reason });
  const subject = entity(raw.subject);
  if (subject === null) return refused(`subject: is no name of 1 to ${MAX_EXTRACTED_NAME} characters`);
  const object = objectOf(raw);
  if (typeof object === 'string') return refused(object);
  const ended = raw.holds === 'ended';
  for (const name of ['valid_from', 'valid_to'] as const) {
    const text = raw[name];
    if (text !== null && !instantOrDate.safeParse(text).success)
      return refused(`${name}: is neither a date YYYY-MM-DD nor an RFC 3339 instant`);
  }
  const stated = raw.valid_from === null ? null : begunBy(raw.valid_from, read);
  const from = raw.holds === 'never' ? null : (stated ?? (ended ? read.held_since : null));
  const to = raw.holds === 'yes' ? raw.valid_to : null;
  if (to !== null && toEpochMs(to) < toEpochMs(from ?? read.held_since))
    return refused('valid_to: lies before valid_from');
  const checked = triple.safeParse({
    subject,
    predicate: raw.predicate.trim(),
    object,
    valid_from: from,
    valid_to: to,
    confidence: raw.confidence,
    polarity: raw.holds === 'yes' ? 'positive' : 'negative',
  });
  if (!checked.success) {
    const [issue] = checked.error.issues;
    return refused(`${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'cannot be used'}`);
  }
  const found = located(raw.quote, read);
  return {
    usable: true,
    statement: {
      triple: checked.data,
      subject_type: raw.subject_type,
      object_type: isEntityType(raw.object_type) ? raw.object_type : null,
      cardinality: raw.cardinality === 'unknown' ? null : raw.cardinality,
      ...found,
    },
  };
}

/** What two statements share when they say the same of the same, whenever and however. */
export function sayingKey({ triple: { subject, predicate, object } }: ExtractedStatement): string {
  return JSON.stringify([termText(subject), canonicalPredicate(predicate), termText(object)]);
}

function termText(term: Term): string {
  return term.type === 'entity' ? `entity ${term.id}` : `${term.datatype} ${JSON.stringify(term.value)}`;
}

function entity(text: string): Extract<Term, { type: 'entity' }> | null {
  const name = text.trim().replace(/\s+/gu, ' ');
  return name === '' || Array.from(name).length > MAX_EXTRACTED_NAME
    ? null
    : { type: 'entity', id: entityIdOf(name), name };
}

function isEntityType(type: RawStatement['object_type']): type is EntityType {
  return (ENTITY_TYPES as readonly string[]).includes(type);
}

/** The object; a text says why it is none. */
function objectOf({ object, object_type: type }: RawStatement): Term | string {
  if (isEntityType(type))
    return entity(object) ?? `object: is no name of 1 to ${MAX_EXTRACTED_NAME} characters`;
  const text = object.trim();
  if (text === '') return 'object: is blank';
  if (type === 'boolean') {
    if (text !== 'true' && text !== 'false') return 'object: is neither true nor false';
    return { type: 'literal', datatype: 'boolean', value: text === 'true' };
  }
  if (type === 'number') {
    const value = Number(text);
    if (!Number.isFinite(value)) return 'object: is no number';
    return { type: 'literal', datatype: 'number', value };
  }
  // Dates are looked at where the triple is.
  return { type: 'literal', datatype: type, value: type === 'string' ? object : text };
}

/** Where the words stand. A model that changes blanks or quotes in its own way is believed where the words are the same. */
function located(
  quote: string,
  { whole, from, part }: ReadText,
): { quote: string | null; span: Span | null } {
  const words = quote.trim();
  const place = words === '' ? null : spanOfWords(words, part);
  if (place === null) return { quote: null, span: null };
  const start = characters(whole.slice(0, from + place.index));
  const said = part.slice(place.index, place.index + place.length);
  return { quote: said, span: { start, end: start + characters(said) } };
}

const characters = (text: string): number => Array.from(text).length;

/** A part of a long text. */
export interface TextPart {
  /** Where it begins, in code units. */
  readonly from: number;
  readonly text: string;
}

/** A text in parts of so many code units at most, cut at the end of a paragraph, a sentence or a word where there is one. */
export function partsOf(text: string, most: number): TextPart[] {
  const parts: TextPart[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + most >= text.length ? text.length : cutBefore(text, from, from + most);
    parts.push({ from, text: text.slice(from, end) });
    from = end;
  }
  return parts;
}

/** The best place to cut in the second half of a stretch, else its end; never inside of a character. */
function cutBefore(text: string, from: number, end: number): number {
  const least = from + Math.floor((end - from) / 2);
  for (const border of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(border, end - border.length);
    if (at >= least) return at + border.length;
  }
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}
