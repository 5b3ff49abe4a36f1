import type { NewStatement } from '../../graph/claim/new-statement.ts';
import type { ClaimReader } from '../../graph/claim/read.ts';
import type { ConflictResolution } from '../../schemas/content.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { statementId } from '../derive/statement.ts';
import { decidedBy, RESOLUTION, type Decided } from '../derive/resolution.ts';
import { named, type Stating } from './stated-events.ts';
import { assumptionOf, namesOf } from './stored-claims.ts';

/** An event that settles a conflict. */
type Resolving = Pick<Stating, 'event' | 'state'> & { readonly resolution: ConflictResolution };

/** A statement that a resolution names. */
type Named = Omit<
  NewStatement,
  'continuation_of' | 'retracted' | 'policy' | 'max_layer' | 'not_about' | 'moved' | 'aliases'
>;

/**
 * What events that settle conflicts state: the decision, and a value where the resolution has one of its own. The statements that they
 * name are among those of the same batch (`batch`: what its events state), or stored; where one of them is gone there is nothing to decide.
 * `linked` gives what is left of what is stated, by what its entities go by.
 */
export async function resolvedStatements(
  events: readonly Pick<Stating, 'event' | 'state'>[],
  batch: { readonly statements: readonly NewStatement[]; readonly events: ReadonlySet<string> },
  reader: ClaimReader,
  linked: (made: readonly NewStatement[]) => Promise<readonly NewStatement[]>,
): Promise<NewStatement[]> {
  const inOrder = [...events].sort((a, b) => a.event.wal_offset - b.event.wal_offset);
  const resolving = inOrder.flatMap(resolutionOf);
  const fresh = new Map(batch.statements.map((one): [string, Named] => [one.id, one]));
  const wanted = resolving.flatMap(({ resolution }) => idsOf(resolution)).filter((id) => !fresh.has(id));
  const found = await reader.statements([...new Set(wanted)]);
  // What an event of the batch stated before and does not any more is stored still.
  const others = found.filter(({ event_id }) => !batch.events.has(event_id));
  const stored = others.map((one): [string, Named] => {
    const {
      decision: _,
      policy: _policy,
      max_layer: _maxLayer,
      not_about: _notAbout,
      moved: _moved,
      cardinality_assumed: _assumed,
      ...kept
    } = one;
    return [one.id, { ...kept, ...namesOf(one), ...assumptionOf(one) }];
  });
  const known = new Map([...stored, ...fresh]);
  const all: NewStatement[] = [];
  for (const one of resolving) {
    const made = await linked(statementsOf(one, known));
    // A later one may name what this one states, in whichever claim it is by then.
    for (const statement of made) known.set(statement.id, statement);
    all.push(...made);
  }
  return all;
}

function resolutionOf({ event, state }: Pick<Stating, 'event' | 'state'>): Resolving[] {
  if (event.content_kind !== 'conflict_resolution') return [];
  const { content } = event.envelope;
  return content.kind === 'conflict_resolution'
    ? [{ event, state, resolution: content.conflict_resolution }]
    : [];
}

function idsOf({ between, winner, earlier, later }: ConflictResolution): string[] {
  return [...between, winner, earlier, later].filter((id) => id !== undefined);
}

function statementsOf(
  { event, state, resolution }: Resolving,
  known: ReadonlyMap<string, Named>,
): NewStatement[] {
  const origin = resolution.between.map((id) => known.get(id)).find((one) => one !== undefined);
  if (origin === undefined) return [];
  const decided = decidedBy(resolution, origin.cardinality, (id) => known.get(id));
  if (decided === null) return [];
  const { conflict_id } = resolution;
  const {
    policy: _,
    max_layer: _maxLayer,
    not_about: _notAbout,
    moved: _moved,
    aliases: _aliases,
    ...about
  } = origin as NewStatement;
  const common = {
    ...about,
    event_id: event.event_id,
    position: event.wal_offset,
    recorded_at: state.recorded_at,
    extractor: RESOLUTION,
    span: null,
    premises: [],
    continuation_of: null,
    retracted: state.excluded,
    settles: conflict_id,
  };
  const settled: NewStatement = {
    ...common,
    id: statementId(origin.claim, `settled ${conflict_id}`, event.event_id),
    kind: 'settled',
    value: '',
    valid_from: state.observed_at,
    valid_to: OPEN_END,
    has_explicit_valid_from: false,
    confidence: 1,
    object_entity: null,
    decision: decided.decision,
    resolution: JSON.stringify(shownOf(resolution)),
  };
  return [settled, ...valueOf({ ...common, has_explicit_valid_from: true }, { decided, resolution, known })];
}

/** What the resolution states by itself. */
function valueOf(
  common: Omit<NewStatement, 'decision' | 'resolution'>,
  {
    decided: { states },
    resolution: { later = '', record },
    known,
  }: {
    readonly decided: Decided;
    readonly resolution: ConflictResolution;
    readonly known: ReadonlyMap<string, Named>;
  },
): NewStatement[] {
  if (states === null) return [];
  const { value, valid } = states;
  const stated = {
    ...common,
    id: statementId(common.claim, value, common.event_id),
    kind: 'asserted' as const,
    value,
    valid_from: valid.from,
    valid_to: valid.to,
  };
  if (record !== undefined) {
    const { subject, object, confidence = 1 } = record;
    return [
      {
        ...stated,
        confidence,
        subject: named(subject),
        object: JSON.stringify(object),
        object_entity: object.type === 'entity' ? named(object) : null,
      },
    ];
  }
  const after = known.get(later);
  if (after === undefined) return [];
  const { subject, object, object_entity, confidence } = after;
  return [{ ...stated, confidence, subject, object, object_entity }];
}

/** What of a resolution is shown with its conflict. */
function shownOf({ action, winner, boundary, earlier, later, reason }: ConflictResolution): object {
  return { action, winner, boundary, earlier, later, reason };
}
