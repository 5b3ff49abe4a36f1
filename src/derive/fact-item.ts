import type { FactItem, TimelineItem } from '../../schemas/fact.ts';
import { OPEN_END, toRfc3339 } from '../../schemas/time.ts';
import { type Term } from '../../schemas/triple.ts';
import { MAX_SHOWN_SUPPORTS } from '../limits/reading.ts';
import { normalisedName } from './entity.ts';

/** A fact as it was known at one recorded instant. */
export interface StoredFact {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  /** Place in the log of the statement that began it. */
  readonly position: number;
  /** Epoch milliseconds, when that was recorded. */
  readonly recorded_at: number;
  readonly subject_id: string;
  /** What it was called; null where nothing gave it a name. */
  readonly subject_name: string | null;
  readonly predicate: string;
  /** Whether it is only assumed that the predicate has one value at once. */
  readonly cardinality_assumed: boolean;
  /** JSON text of the object as a term; null where it is large and has to be read by itself. */
  readonly object: string | null;
  /** Characters of that text. */
  readonly bytes: number;
  readonly object_id: string | null;
  /** What the object was called; null where it is no entity or had no name. */
  readonly object_name: string | null;
  readonly confidence: number;
  readonly extractor: string | null;
  readonly premises: readonly string[] | null;
  /** Epoch milliseconds. */
  readonly valid_from: number;
  /** Epoch milliseconds, `OPEN_END` for no end. */
  readonly valid_to: number;
  readonly superseded_by: string | null;
  /** Epoch milliseconds, when it stopped being the newest value, or what it was concluded from fell; null while neither is so. */
  readonly ended_at: number | null;
  /** The events that support it, each with its place in the log, in no particular order; one more than are shown, at most. */
  readonly supports: readonly (readonly [number, string])[];
}

/** A fact whose object was read. */
export type HydratedFact = Omit<StoredFact, 'object'> & { readonly object: string };

/** The wire form of a fact. */
export function toFactItem(fact: HydratedFact): FactItem {
  const supports = [...fact.supports].sort(([a], [b]) => a - b).map(([, id]) => id);
  return {
    id: fact.id,
    scope: fact.scope,
    subject: {
      type: 'entity',
      id: fact.subject_id,
      ...(fact.subject_name === null ? {} : { name: fact.subject_name }),
    },
    predicate: fact.predicate,
    ...(fact.cardinality_assumed ? { cardinality_assumed: true as const } : {}),
    object: objectOf(fact),
    supports: supports.slice(0, MAX_SHOWN_SUPPORTS),
    ...(supports.length > MAX_SHOWN_SUPPORTS ? { supports_capped: true as const } : {}),
    valid_from: toRfc3339(fact.valid_from),
    valid_to: endOf(fact.valid_to),
    recorded_from: toRfc3339(fact.recorded_at),
    recorded_to: fact.ended_at === null ? null : toRfc3339(fact.ended_at),
    confidence: fact.confidence,
    ...(fact.extractor === null ? {} : { extractor: fact.extractor }),
    ...(fact.superseded_by === null ? {} : { superseded_by: fact.superseded_by }),
    ...(fact.premises === null ? {} : { premises: [...fact.premises] }),
  };
}

/** A fact as a stretch of a timeline. */
export function toTimelineItem(fact: HydratedFact): TimelineItem {
  const object = objectOf(fact);
  return {
    fact_id: fact.id,
    scope: fact.scope,
    predicate: fact.predicate,
    value: object.type === 'literal' ? object.value : (object.name ?? object.id),
    object,
    valid_from: toRfc3339(fact.valid_from),
    valid_to: endOf(fact.valid_to),
    recorded_at: toRfc3339(fact.recorded_at),
  };
}

/** The object of a fact, by the name that it was known by. */
export function objectOf({ object, object_name: name }: Pick<HydratedFact, 'object' | 'object_name'>): Term {
  const term = JSON.parse(object) as Term;
  return term.type === 'entity' && name !== null ? { ...term, name } : term;
}

/** What an object is compared with: ids of entities, and the text that was asked for. */
export interface AskedObject {
  readonly ids: ReadonlySet<string>;
  readonly text: string;
}

/**
 * Whether an object is what was asked for: an entity of one of the ids or of the name, or a literal whose value reads like the
 * text, whatever its case.
 */
export function matchesObject(object: Term, { ids, text }: AskedObject): boolean {
  const wanted = normalisedName(text);
  if (object.type === 'entity')
    return ids.has(object.id) || (object.name !== undefined && normalisedName(object.name) === wanted);
  const { value } = object;
  return normalisedName(typeof value === 'string' ? value : JSON.stringify(value)) === wanted;
}

function endOf(instant: number): string | null {
  return instant === OPEN_END ? null : toRfc3339(instant);
}
