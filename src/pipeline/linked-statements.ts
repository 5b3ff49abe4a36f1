import type { NewStatement, NamedEntity } from '../../graph/claim/new-statement.ts';
import type { Cardinality } from '../../schemas/scope-policy.ts';
import { OPEN_END } from '../../schemas/time.ts';
import type { Term } from '../../schemas/triple.ts';
import type { EntityLinks, Naming } from '../derive/entity-links.ts';
import { normalisedName } from '../derive/entity.ts';
import { grouped } from '../derive/grouped.ts';
import { joinIntervals, assignmentIntervals, type ClaimAssignment } from '../derive/claim/assignment.ts';
import { claimAbout, statementId } from '../derive/statement.ts';

/** The entities that a statement names. */
export function entitiesOf({ subject, object_entity }: NewStatement): string[] {
  return object_entity === null ? [subject.id] : [subject.id, object_entity.id];
}

/**
 * Statements as links have them: each in every claim that it was about at some time since it was recorded, with the stretches of
 * recorded time in which it was. One whose entities were never linked stays as it is, and so does a decision, which is about records.
 */
export function linkedStatements(
  statements: readonly NewStatement[],
  links: EntityLinks,
): readonly NewStatement[] {
  const concerned = (one: NewStatement): boolean =>
    one.kind !== 'settled' && entitiesOf(one).some((id) => links.concerns(one.scope_ref, id));
  if (!statements.some(concerned)) return statements;
  const all = statements.flatMap((one) => (concerned(one) ? movedBy(one, links) : [one]));
  return [...grouped(all, ({ id }) => id).values()].flatMap(united);
}

/** All ids that links give a statement since it was recorded, its own first. */
export function idsByLinks(raw: NewStatement, links: EntityLinks): readonly string[] {
  const entities = entitiesOf(raw);
  if (raw.kind === 'settled' || !entities.some((id) => links.concerns(raw.scope_ref, id))) return [raw.id];
  const named = links.everNamedFrom(raw.scope_ref, entities, raw);
  return [...new Set([raw.id, ...named.map((ids) => namedAs(raw, ids).id)])];
}

function movedBy(raw: NewStatement, links: EntityLinks): NewStatement[] {
  const namings = links.namingsFrom(raw.scope_ref, entitiesOf(raw), raw);
  const said = namings.map(({ ids }) => namedAs(raw, ids));
  const assignments = said.map((one, i): ClaimAssignment => {
    const { at = 0, by = null } = namings[i] ?? {};
    return { at, claim: one.claim, value: one.value, by: by ?? raw.event_id };
  });
  const byId = new Map([...said].reverse().map((one) => [one.id, one]));
  return [...byId.values()].reverse().map((one) => {
    if (assignments.length === 1) return one;
    const assigned_during = assignmentIntervals(
      assignments,
      ({ claim, value }) => claim === one.claim && value === one.value,
    );
    return { ...one, moved: { assigned_during, assignments } };
  });
}

/** A statement with its entities under other ids. Under another id an entity has no name: what it was called is said of the one that was named. */
function namedAs(raw: NewStatement, [subjectId = '', objectId]: Naming['ids']): NewStatement {
  const subject = renamed(raw.subject, subjectId);
  const object_entity = raw.object_entity && renamed(raw.object_entity, objectId ?? '');
  const aliases = [
    ...(subject === raw.subject ? [] : [raw.subject]),
    ...(object_entity === raw.object_entity || raw.object_entity === null ? [] : [raw.object_entity]),
  ];
  if (aliases.length === 0) return raw;
  const object: Term =
    object_entity === null || object_entity === raw.object_entity
      ? (JSON.parse(raw.object) as Term)
      : { type: 'entity', id: object_entity.id };
  const { scope_ref, predicate, cardinality } = raw;
  const terms = { subject: { type: 'entity' as const, id: subject.id }, predicate, object };
  const { claim, value } = claimAbout(scope_ref, terms, cardinality as Cardinality);
  const id = statementId(claim, value, raw.event_id);
  return { ...raw, id, claim, value, subject, object_entity, object: JSON.stringify(object), aliases };
}

function renamed(entity: NamedEntity, id: string): NamedEntity {
  if (entity.id === id) return entity;
  return { id, name: null, normalised_name: normalisedName(id), type: entity.type };
}

/** What one event states in several ways is one statement: as it was said by the one that is at home there first, whenever one of them is. */
function united(same: readonly NewStatement[]): NewStatement[] {
  const order = [...same].sort((a, b) => since(a) - since(b));
  const [first] = order;
  if (first === undefined) return [];
  if (order.length === 1 || first.moved === undefined) return [first];
  const assigned_during = joinIntervals(order.flatMap((one) => one.moved?.assigned_during ?? [whole(one)]));
  return [{ ...first, moved: { ...first.moved, assigned_during } }];
}

function since({ moved, recorded_at }: NewStatement): number {
  return moved?.assigned_during[0]?.from ?? recorded_at;
}

function whole({ recorded_at, event_id }: NewStatement) {
  return { from: recorded_at, to: OPEN_END, by: event_id, until: null };
}
