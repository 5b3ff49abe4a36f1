import type { ForgetLayer } from '../../schemas/forget.ts';
import { contains, type Interval } from '../time/interval.ts';

/** What is asked for, as it was sent and parsed. All conditions have to be met; one that is left out is met by everything. */
export interface Selector {
  /** Ids of records of any layer; an empty list is met by nothing. */
  readonly memory_ids?: readonly string[];
  /** Id, name or alias. */
  readonly about_subject?: string;
  readonly about_entity?: string;
  /** The spellings of one predicate, the one in force first. */
  readonly predicates?: readonly string[];
  /** An event carries all of them; an empty list is met by nothing. */
  readonly labels?: readonly string[];
  readonly valid_during?: Interval;
  readonly recorded_during?: Interval;
}

/** What can be asked for. */
export type Condition = keyof Selector;

/** What a text about an entity stands for in a scope. */
export interface NamedText {
  readonly text: string;
  /** The text as names are compared. */
  readonly normal: string;
  /** Entities that it is the id, a name or an alias of, and what these go by. */
  readonly ids: ReadonlySet<string>;
  /** Names (as they are compared) that stand for these entities and no other of the scope, the text among them. */
  readonly names: ReadonlySet<string>;
  /** The id that the text makes of itself: what was declared of nothing but itself has it, if its name is the text. */
  readonly own_id: string;
}

/** A selector with what its texts stand for. */
export interface Conditions extends Omit<Selector, 'about_subject' | 'about_entity'> {
  readonly about_subject?: NamedText;
  readonly about_entity?: NamedText;
}

/** What one thing that an event states has to do with the conditions about facts: whether it meets each, where it is asked. */
export interface StatedMatch {
  readonly about_subject: boolean;
  readonly about_entity: boolean;
  readonly predicates: boolean;
}

/** An event, as far as conditions ask of it. Instants are epoch milliseconds. */
export interface EventTraits {
  readonly id: string;
  readonly subject: string;
  /** The subject as names are compared. */
  readonly subject_normal: string;
  readonly labels: readonly string[];
  readonly observed_at: number;
  readonly recorded_at: number;
  /** What it states, each difference once; empty where nothing is asked of that. */
  readonly states: readonly StatedMatch[];
}

/** A derived record, as far as conditions ask of it; null for what its layer has not. */
export interface RecordTraits {
  readonly id: string;
  readonly subject_id: string | null;
  /** Its name as names are compared. */
  readonly subject_normal: string | null;
  readonly object_id: string | null;
  readonly predicate: string | null;
  /** The beginning of its valid time, as known now. */
  readonly begins_at: number | null;
  readonly recorded_at: number | null;
}

const OF_FACTS: readonly Condition[] = [
  'memory_ids',
  'about_subject',
  'about_entity',
  'predicates',
  'valid_during',
  'recorded_during',
];

/** The conditions that a record of each derived layer meets by itself; of the others every event that it rests on has to meet all. */
const OWN: Readonly<Record<Exclude<ForgetLayer, 'events'>, readonly Condition[]>> = {
  facts: OF_FACTS,
  beliefs: OF_FACTS,
  understanding: ['memory_ids', 'about_subject', 'about_entity', 'recorded_during'],
  episodes: ['memory_ids', 'valid_during', 'recorded_during'],
};

/** The conditions about what is stated: one thing that an event states has to meet all of them that are asked. */
const STATED = ['about_subject', 'about_entity', 'predicates'] as const;

/** Whether nothing is asked: then everything is meant, and the caller has to say so. */
export function isEmptySelector(selector: Readonly<Partial<Record<Condition, unknown>>>): boolean {
  return Object.values(selector).every((value) => value === undefined);
}

/** Whether no record can meet the conditions, because one of them is an empty list. */
export function meetsNothing({ memory_ids, labels, predicates }: Selector): boolean {
  return [memory_ids, labels, predicates].some((list) => list?.length === 0);
}

/** Whether something is asked that is found in what events state. */
export function asksOfStatements(conditions: Readonly<Partial<Record<Condition, unknown>>>): boolean {
  return STATED.some((condition) => conditions[condition] !== undefined);
}

/** The conditions of a derived layer that the events have to meet which a record of it rests on; none where the record decides alone. */
export function conditionsOfEvents(
  layer: Exclude<ForgetLayer, 'events'>,
  conditions: Conditions,
): Conditions {
  return Object.fromEntries(
    Object.entries(conditions).filter(([name]) => !OWN[layer].includes(name as Condition)),
  );
}

/**
 * Whether an event meets all conditions. What it states about somebody counts as being about him; but what it states of one and what it
 * states with a predicate have to be one statement.
 */
export function eventMeets(event: EventTraits, conditions: Conditions): boolean {
  const { memory_ids, labels, valid_during, recorded_during } = conditions;
  return (
    (memory_ids?.includes(event.id) ?? true) &&
    (labels?.every((label) => event.labels.includes(label)) ?? true) &&
    within(valid_during, event.observed_at) &&
    within(recorded_during, event.recorded_at) &&
    meetsStated(event, conditions)
  );
}

/** Whether a record of a derived layer meets those of the conditions that its layer decides by itself. */
export function recordMeets(
  layer: Exclude<ForgetLayer, 'events'>,
  record: RecordTraits,
  conditions: Conditions,
): boolean {
  const asked = <Name extends Condition>(name: Name): Conditions[Name] | undefined =>
    OWN[layer].includes(name) ? conditions[name] : undefined;
  const [subject, entity] = [asked('about_subject'), asked('about_entity')];
  const { begins_at, recorded_at } = record;
  return (
    (asked('memory_ids')?.includes(record.id) ?? true) &&
    (subject === undefined || hasSubject(record, subject)) &&
    (entity === undefined || hasSubject(record, entity) || isOneOf(entity, record.object_id)) &&
    (asked('predicates')?.includes(record.predicate ?? '') ?? true) &&
    within(asked('valid_during'), begins_at) &&
    within(asked('recorded_during'), recorded_at)
  );
}

function meetsStated(event: EventTraits, conditions: Conditions): boolean {
  const { about_subject: subject, about_entity: entity } = conditions;
  const isAbout = {
    about_subject: subject !== undefined && isSubjectOf(event, subject),
    about_entity: entity !== undefined && (isSubjectOf(event, entity) || isLabelled(event, entity.text)),
    predicates: false,
  };
  const open = STATED.filter((name) => conditions[name] !== undefined && !isAbout[name]);
  return open.length === 0 || event.states.some((stated) => open.every((name) => stated[name]));
}

/** Whether an event is about an entity by its own subject, which may be given by id or by name. */
function isSubjectOf({ subject, subject_normal }: EventTraits, { text, ids, names }: NamedText): boolean {
  return subject === text || ids.has(subject) || names.has(subject_normal);
}

/** Whether an event has the text as a label, or as what a label says of a kind (`ticket:42`). */
function isLabelled({ labels }: EventTraits, text: string): boolean {
  return labels.some((label) => label === text || label.endsWith(`:${text}`));
}

function hasSubject({ subject_id, subject_normal }: RecordTraits, named: NamedText): boolean {
  return isOneOf(named, subject_id) || (subject_id === named.own_id && subject_normal === named.normal);
}

function isOneOf({ ids }: NamedText, id: string | null): boolean {
  return id !== null && ids.has(id);
}

function within(interval: Interval | undefined, at: number | null): boolean {
  return interval === undefined || (at !== null && contains(interval, at));
}
