import type { NewStatement, NamedEntity } from '../../graph/claim/new-statement.ts';
import type { OpenedEvent } from '../../graph/consolidation.ts';
import type { StoredExtraction } from '../../graph/extraction.ts';
import type { PendingEvent } from '../../graph/pending-event.ts';
import type { DeclaredBelief } from '../../schemas/content.ts';
import type { Envelope } from '../../schemas/event.ts';
import type { Cardinality } from '../../schemas/scope-policy.ts';
import type { Triple } from '../../schemas/triple.ts';
import { DECLARED, tripleOfBelief } from '../derive/belief/declared.ts';
import { normalisedName } from '../derive/entity.ts';
import type { EntityType, ExtractedStatement } from '../derive/extraction.ts';
import type { DerivationRules } from '../derive/policy-log.ts';
import { maxLayerOf } from '../derive/claim/max-layer.ts';
import {
  calledBy,
  stateTriple,
  tripleOf,
  type StatedTriple,
  type StatingEvent,
} from '../derive/statement.ts';
import { Turn } from '../wakeup.ts';

/** Extractor of what was stated as a triple. */
export const TRIPLE_EXTRACTOR = 'triple';

/** An event with its envelope, where that is needed. */
export interface EventWithEnvelope extends PendingEvent {
  readonly envelope: Envelope;
}

/** Events with their envelopes, of which the JSON texts are given by id of the event: each is parsed once for all that a stage asks of it. */
export function withEnvelopes(
  events: readonly PendingEvent[],
  texts: ReadonlyMap<string, string>,
): EventWithEnvelope[] {
  return events.map((event) => ({
    ...event,
    envelope: JSON.parse(texts.get(event.event_id) ?? '{}') as Envelope,
  }));
}

/** One thing that an event states, by whomever it was told. */
interface Said {
  readonly triple: Triple;
  readonly extractor: string;
  readonly extracted: ExtractedStatement | null;
  /** Ids of what it rests on, or names as its reasons. */
  readonly premises: readonly string[];
}

/** What consolidation knows of an event that states something. */
export interface Stating {
  readonly event: EventWithEnvelope;
  readonly state: OpenedEvent;
  /** What a model made of its text; undefined where none was asked. */
  readonly extraction: StoredExtraction | undefined;
}

/**
 * What an event states: its triple, unless it is feedback, which is evidence only, or its directives ask for nothing that rests on facts; what it
 * declares; or what a model made of its text. What they leave out above facts, the statements do not count in. Of an event that was taken out, the statements stay as retracted ones.
 * `idOf` says which entity a name stands for, where an event names one by its name alone. Others have their turn in between: a model
 * may find hundreds in a text.
 */
export async function statementsOf(
  stating: Stating,
  rules: DerivationRules,
  idOf: (name: string) => string,
): Promise<NewStatement[]> {
  const { event } = stating;
  const reach = maxLayerOf(event.envelope.directives);
  const limit = reach === undefined || reach === null ? {} : { max_layer: reach };
  const turn = new Turn();
  const all: NewStatement[] = [];
  for (const one of saidIn(stating, idOf)) {
    all.push({ ...statementOf(one, stating, rules), ...limit });
    await turn.pass();
  }
  // Two of one event may come to the same claim and value; the first stands.
  return [...new Map(all.reverse().map((one) => [one.id, one])).values()].reverse();
}

function* saidIn(
  { event, extraction }: Stating,
  idOf: (name: string) => string,
): Generator<Said, void, void> {
  for (const triple of triplesOf(event))
    yield {
      triple:
        triple.subject.type === 'entity' ? triple : { ...triple, subject: calledBy(triple.subject, idOf) },
      extractor: TRIPLE_EXTRACTOR,
      extracted: null,
      premises: triple.derived_from ?? [],
    };
  for (const belief of declarationsOf(event))
    yield {
      triple: tripleOfBelief({ ...belief, subject: calledBy(belief.subject, idOf) }),
      extractor: DECLARED,
      extracted: null,
      premises: belief.supports,
    };
  const extractor = extraction?.extractor ?? '';
  for (const extracted of extraction?.statements ?? [])
    yield { triple: calledIn(extracted.triple, idOf), extractor, extracted, premises: [] };
}

/** What a model found, which names all that it speaks of. */
function calledIn({ subject, object, ...triple }: Triple, idOf: (name: string) => string): Triple {
  return {
    ...triple,
    subject: calledBy(subject, idOf),
    object: object.type === 'entity' ? calledBy(object, idOf) : object,
  };
}

type StatingNow = Pick<Stating, 'event' | 'state'>;

function placeOf({ event, state: { recorded_at, observed_at } }: StatingNow): StatingEvent {
  const { event_id: id, wal_offset, scope_ref } = event;
  return { id, wal_offset, recorded_at, observed_at, scope_ref };
}

/** What is stored of what an event states, whoever told it. */
function storedOf(
  { predicate, object, claim, statement, has_explicit_valid_from }: StatedTriple,
  { event: { tenant, scope, scope_ref, shard }, state: { excluded } }: StatingNow,
) {
  return {
    id: statement.id,
    event_id: statement.event_id,
    tenant,
    scope,
    scope_ref,
    shard,
    claim,
    position: statement.position,
    recorded_at: statement.recorded_at,
    kind: statement.kind,
    value: statement.value,
    valid_from: statement.valid.from,
    valid_to: statement.valid.to,
    has_explicit_valid_from,
    confidence: statement.confidence,
    predicate,
    object: JSON.stringify(object),
    continuation_of: null,
    retracted: excluded,
  };
}

function statementOf(
  { triple, extractor, extracted, premises }: Said,
  stating: StatingNow,
  rules: DerivationRules,
): NewStatement {
  const hint = extracted?.cardinality ?? null;
  const stated = stateTriple(
    placeOf(stating),
    triple,
    (name) => (hint === null || rules.states(name) ? rules.cardinalityOf(name) : hint),
    rules.canonical,
  );
  const { subject, object, cardinality } = stated;
  return {
    ...storedOf(stated, stating),
    cardinality,
    ...(hint === null && !rules.states(stated.predicate) ? { cardinality_assumed: true as const } : {}),
    extractor,
    span: extracted?.span ?? null,
    subject: named(subject, extracted?.subject_type),
    object_entity: object.type === 'entity' ? named(object, extracted?.object_type) : null,
    premises,
    ...policyOf(cardinality, rules),
  };
}

/** What picks between values of a claim that has one, where that is not the latest. */
function policyOf(
  cardinality: Cardinality,
  { conflictResolution: policy }: DerivationRules,
): Pick<NewStatement, 'policy'> {
  return cardinality === 'many' || policy === 'latest_wins' ? {} : { policy };
}

function declarationsOf({ content_kind, envelope: { content } }: EventWithEnvelope): DeclaredBelief[] {
  if (content_kind !== 'declared_belief') return [];
  return content.kind === 'declared_belief' ? [content.declared_belief] : [];
}

function triplesOf({ content_kind, envelope }: EventWithEnvelope): Triple[] {
  const triple = content_kind === 'triple' ? tripleOf(envelope) : null;
  return triple === null ? [] : [triple];
}

/** An entity that a statement names. */
export function named(
  { id, name }: { readonly id: string; readonly name?: string | undefined },
  type: EntityType | null = null,
): NamedEntity {
  return { id, name: name ?? null, normalised_name: normalisedName(name ?? id), type: type ?? 'other' };
}
