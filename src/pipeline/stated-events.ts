import type { OpenedEvent } from '../../graph/consolidation.ts';
import type { NamedEntity, NewStatement } from '../../graph/claim-writer.ts';
import type { PendingEvent } from '../../graph/stage.ts';
import type { Envelope } from '../../schemas/event.ts';
import type { Triple } from '../../schemas/triple.ts';
import { levelRefs } from '../capture/scope-key.ts';
import { normalisedName } from '../derive/entity.ts';
import type { DerivationRules } from '../derive/policy-log.ts';
import { stated } from '../derive/statement.ts';

/** Extractor of what was stated as a triple. */
export const TRIPLE_EXTRACTOR = 'triple';

/** An event with its envelope (JSON text), where that is needed. */
export interface EventWithEnvelope extends PendingEvent {
  readonly envelope: string;
}

/**
 * What an event states: a triple is one statement, unless it is feedback, which is evidence only, or its directives ask for no facts.
 * Of an event that was taken out, the statements stay as withdrawn ones.
 */
export function statementsOf(
  event: EventWithEnvelope,
  { recorded_at, observed_at, excluded }: OpenedEvent,
  { cardinalityOf, canonical }: Pick<DerivationRules, 'cardinalityOf' | 'canonical'>,
): NewStatement[] {
  const triple = tripleOf(JSON.parse(event.envelope) as Envelope);
  if (triple === null) return [];
  const { event_id: id, wal_offset, scope_ref, tenant, scope, shard } = event;
  const { subject, predicate, object, cardinality, claim, statement } = stated(
    { id, wal_offset, recorded_at, observed_at, scope_ref },
    triple,
    cardinalityOf,
    canonical,
  );
  return [
    {
      id: statement.id,
      event_id: id,
      tenant,
      scope,
      scope_ref,
      levels: levelRefs(tenant, scope),
      shard,
      claim,
      cardinality,
      position: wal_offset,
      recorded_at,
      kind: statement.kind,
      value: statement.value,
      valid_from: statement.valid.from,
      valid_to: statement.valid.to,
      confidence: statement.confidence,
      extractor: TRIPLE_EXTRACTOR,
      subject: named(subject),
      predicate,
      object: JSON.stringify(object),
      object_entity: object.type === 'entity' ? named(object) : null,
      premises: triple.derived_from ?? [],
      stretch_of: null,
      withdrawn: excluded,
    },
  ];
}

function tripleOf({ content, modality, directives }: Envelope): Triple | null {
  if (content.kind !== 'triple' || modality === 'feedback') return null;
  const extract = directives?.extract;
  return extract === undefined || extract.includes('facts') ? content.triple : null;
}

function named({ id, name }: { readonly id: string; readonly name?: string | undefined }): NamedEntity {
  return { id, name: name ?? null, normalised_name: normalisedName(name ?? id) };
}
