import type { NewStatement } from '../../graph/claim-row.ts';
import type { Transaction } from '../../graph/driver.ts';
import { entityKey } from '../../graph/entity-link.ts';
import { keepResolved, knownForms } from '../../graph/known-name.ts';
import { isOfItself } from '../derive/declared-belief.ts';
import { entityIdOf, normalisedName } from '../derive/entity.ts';
import {
  ambiguousAmong,
  keptNames,
  KnownNames,
  type AmbiguousName,
  type KeptNames,
} from '../derive/known-names.ts';
import type { DerivationRules } from '../derive/policy-log.ts';
import { MAX_AMBIGUOUS_IDS } from '../limits.ts';
import { statementsOf, type Stating } from './stated-events.ts';

/** An event that states something, with the rules at its place in the log. */
export type RuledStating = Stating & { readonly rules: DerivationRules };

/** What events state, and by id of the event which of its names are ambiguous. */
export interface NamedStatements {
  readonly statements: readonly NewStatement[];
  readonly ambiguous: ReadonlyMap<string, readonly AmbiguousName[]>;
}

/** What an event states where every name stands for what it did when it was first told, else for an id made from it. */
interface Draft {
  readonly one: RuledStating;
  readonly statements: readonly NewStatement[];
  /** What each normalised name was found to stand for, as it was kept. */
  readonly kept: KeptNames;
  /** The names for which none is kept. */
  readonly sought: ReadonlySet<string>;
}

/**
 * What events state, whatever they name by a name alone being the entity of their scope that went by it at their place in the log. That
 * is decided when an event is consolidated for the first time, and kept with it: a name that comes late, or is taken out, changes
 * nothing of what was told before, and a rebuild finds the same. One round trip where there are names to be looked up.
 */
export async function namedStatements(
  transaction: Transaction,
  events: readonly RuledStating[],
): Promise<NamedStatements> {
  const drafts = events.map(draftOf);
  const seeking = drafts.filter(({ sought }) => sought.size > 0);
  const ambiguous = new Map(drafts.map(({ one, kept }) => [one.event.event_id, ambiguousAmong(kept)]));
  if (seeking.length === 0) return { statements: drafts.flatMap(({ statements }) => statements), ambiguous };
  const known = await knownAmong(transaction, drafts, seeking);
  const named = new Map<string, readonly NewStatement[]>();
  const kept: { event_id: string; resolved: string }[] = [];
  for (const draft of [...drafts].sort(byPlace)) {
    const { event, rules } = draft.one;
    const ids = new Map(draft.kept);
    for (const name of draft.sought) {
      const { id, among } = known.resolve(event.scope_ref, name, event.wal_offset);
      ids.set(normalisedName(name), [id, ...among.slice(1, MAX_AMBIGUOUS_IDS)]);
    }
    const isNew = draft.sought.size > 0;
    const statements = isNew ? statementsOf(draft.one, rules, idsFrom(ids)) : draft.statements;
    if (isNew) kept.push({ event_id: event.event_id, resolved: JSON.stringify(Object.fromEntries(ids)) });
    ambiguous.set(event.event_id, ambiguousAmong(ids));
    for (const statement of statements) learn(known, statement);
    named.set(event.event_id, statements);
  }
  keepResolved(transaction, kept);
  return { statements: events.flatMap(({ event }) => named.get(event.event_id) ?? []), ambiguous };
}

function draftOf(one: RuledStating): Draft {
  const { resolved } = one.state;
  const kept = keptNames(resolved);
  const sought = new Map<string, string>();
  const statements = statementsOf(one, one.rules, (name) => {
    const normal = normalisedName(name);
    if (!kept.has(normal)) sought.set(normal, name);
    return kept.get(normal)?.[0] ?? entityIdOf(name);
  });
  return { one, statements, kept, sought: new Set(sought.values()) };
}

/** What is known of the names that are looked for, and of all that is named in their scopes beside them. */
async function knownAmong(
  transaction: Transaction,
  drafts: readonly Draft[],
  seeking: readonly Draft[],
): Promise<KnownNames> {
  const refs = new Set(seeking.map(({ one }) => one.event.scope_ref));
  const named = drafts.flatMap(({ statements }) => statements).filter(({ scope_ref }) => refs.has(scope_ref));
  const keys = new Set(
    named.flatMap(({ scope_ref, subject, object_entity }) =>
      [subject, ...(object_entity === null ? [] : [object_entity])].map(({ id }) => entityKey(scope_ref, id)),
    ),
  );
  const sought = seeking.flatMap(({ one, sought: names }) =>
    [...names].map((name) => ({
      scope_ref: one.event.scope_ref,
      normalised_name: normalisedName(name),
    })),
  );
  return new KnownNames(await knownForms(transaction, sought, [...keys]));
}

/** What was taken out makes no name known, nor does what is about itself alone. */
function learn(known: KnownNames, one: NewStatement): void {
  if (one.withdrawn || isOfItself(one, one.subject.id)) return;
  const { scope_ref, position, recorded_at, subject, object_entity } = one;
  for (const { id, name, normalised_name } of object_entity === null ? [subject] : [subject, object_entity])
    known.learn({ scope_ref, id, normalised_name, given: name !== null, position, recorded_at });
}

function idsFrom(ids: KeptNames): (name: string) => string {
  return (name) => ids.get(normalisedName(name))?.[0] ?? entityIdOf(name);
}

function byPlace(a: Draft, b: Draft): number {
  return a.one.event.wal_offset - b.one.event.wal_offset;
}
