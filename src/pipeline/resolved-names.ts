import type { NewStatement } from '../../graph/claim/new-statement.ts';
import type { Transaction } from '../../graph/driver.ts';
import { entityKey, linksWithin } from '../../graph/entity/link.ts';
import { keepResolved, knownForms, type NewForm, type ResolvedNames } from '../../graph/known-name.ts';
import { isOfItself } from '../derive/belief/declared.ts';
import { limitsOf } from '../derive/claim/forgotten.ts';
import { EntityLinks } from '../derive/entity-links.ts';
import { entityIdOf, normalisedName } from '../derive/entity.ts';
import { grouped } from '../derive/grouped.ts';
import {
  keptAmbiguous,
  keptNames,
  KnownNames,
  type AmbiguousName,
  type KeptNames,
} from '../derive/known-names.ts';
import type { DerivationRules } from '../derive/policy-log.ts';
import { inTurnsOver, Turn } from '../wakeup.ts';
import { statementsOf, type Stating } from './stated-events.ts';

/** Names of an event that are reported as ambiguous at most: what a model finds in a text may name a thousand. */
export const MAX_AMBIGUOUS_NAMES = 32;

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

/** What an event states, with what its names stand for. */
interface Resolution {
  readonly draft: Draft;
  readonly statements: readonly NewStatement[];
  readonly ids: KeptNames;
  /** The entities for one of which a normalised name stands, where they are several. */
  readonly among: ReadonlyMap<string, readonly string[]>;
}

/**
 * What events state, whatever they name by a name alone being the entity of their scope that went by it at their place in the log. That
 * is decided when an event is consolidated for the first time, and kept with it: a name that comes late, or is taken out, changes
 * nothing of what was told before, and a rebuild finds the same. One round trip where there are names to be looked up, another one where
 * several entities have one of them and were linked.
 */
export async function namedStatements(
  transaction: Transaction,
  events: readonly RuledStating[],
): Promise<NamedStatements> {
  const drafts: Draft[] = [];
  for (const event of events) drafts.push(await draftOf(event));
  const ambiguous = new Map(
    drafts.map(({ one: { event, state } }) => [event.event_id, keptAmbiguous(state.ambiguous)]),
  );
  const seeking = drafts.filter(({ sought }) => sought.size > 0);
  if (seeking.length === 0) return { statements: drafts.flatMap(({ statements }) => statements), ambiguous };
  const known = await knownAmong(transaction, drafts, seeking);
  const resolutions = await resolvedBy(known, [...drafts].sort(byPlace));
  const fresh = resolutions.filter(({ draft }) => draft.sought.size > 0);
  const links = await linksAmong(transaction, fresh);
  const kept = await inTurnsOver(fresh, (resolution): ResolvedNames => {
    const { event_id } = resolution.draft.one.event;
    const names = [...(ambiguous.get(event_id) ?? []), ...ambiguousBy(links, resolution)];
    ambiguous.set(event_id, names.slice(0, MAX_AMBIGUOUS_NAMES));
    return {
      event_id,
      resolved: JSON.stringify(Object.fromEntries(resolution.ids)),
      ambiguous: names.length === 0 ? null : JSON.stringify(ambiguous.get(event_id)),
    };
  });
  keepResolved(transaction, kept);
  const named = new Map(resolutions.map(({ draft, statements }) => [draft.one.event.event_id, statements]));
  return { statements: events.flatMap(({ event }) => named.get(event.event_id) ?? []), ambiguous };
}

async function draftOf(one: RuledStating): Promise<Draft> {
  const kept = keptNames(one.state.resolved);
  const sought = new Map<string, string>();
  const statements = await statementsOf(one, one.rules, (name) => {
    const normal = normalisedName(name);
    const id = kept.get(normal);
    if (id === undefined) sought.set(normal, name);
    return id ?? entityIdOf(name);
  });
  return { one, statements, kept, sought: new Set(sought.values()) };
}

/** What is known of the names that are looked for, and of the forms that are given in their scopes beside them. */
async function knownAmong(
  transaction: Transaction,
  drafts: readonly Draft[],
  seeking: readonly Draft[],
): Promise<KnownNames> {
  const refs = new Set(seeking.map(({ one }) => one.event.scope_ref));
  const given = new Map<string, NewForm>();
  for (const { statements } of [...drafts].sort(byPlace))
    for (const statement of statements)
      for (const { scope_ref, id, ...form } of refs.has(statement.scope_ref) ? formsOf(statement) : []) {
        const key = entityKey(scope_ref, id);
        const name = `${key} ${form.normalised_name}`;
        if (!given.has(name)) given.set(name, { ...form, key });
      }
  const names = seeking.flatMap(({ one: { event }, sought }) =>
    [...sought].map((name) => ({
      scope_ref: event.scope_ref,
      normalised_name: normalisedName(name),
      before: event.wal_offset,
    })),
  );
  // Those that had a name first before the last of the places are, as far as they go, those that had it first before each.
  const each = grouped(names, ({ scope_ref, normalised_name }) => entityKey(scope_ref, normalised_name));
  const sought = [...each.values()].flatMap((same) => same.sort((a, b) => b.before - a.before)[0] ?? []);
  const known = new KnownNames([]);
  const forms = await knownForms(transaction, { sought, given: [...given.values()] });
  await inTurnsOver(forms, (form) => {
    known.learn(form);
  });
  return known;
}

/** What the events state, in the order of the log, each with what those in front of it made known. */
async function resolvedBy(known: KnownNames, drafts: readonly Draft[]): Promise<Resolution[]> {
  const turn = new Turn();
  const resolutions: Resolution[] = [];
  for (const draft of drafts) {
    const { event, rules } = draft.one;
    const ids = new Map(draft.kept);
    const among = new Map<string, readonly string[]>();
    for (const name of draft.sought) {
      const normal = normalisedName(name);
      const found = known.resolve(event.scope_ref, name, event.wal_offset);
      ids.set(normal, found.id);
      if (found.among.length > 1) among.set(normal, found.among);
      await turn.pass();
    }
    const statements =
      draft.sought.size > 0
        ? await statementsOf(draft.one, rules, (name) => ids.get(normalisedName(name)) ?? entityIdOf(name))
        : draft.statements;
    for (const statement of statements)
      if (limitsOf([statement.id], {}, draft.one.state.wishes) !== null)
        for (const form of formsOf(statement)) known.learn(form);
    resolutions.push({ draft, statements, ids, among });
    await turn.pass();
  }
  return resolutions;
}

/** The links of the entities for which names of events may stand, where several do. */
async function linksAmong(
  transaction: Transaction,
  resolutions: readonly Resolution[],
): Promise<EntityLinks> {
  const keys = resolutions.flatMap(({ draft: { one }, among }) =>
    one.state.linked
      ? [...among.values()].flatMap((ids) => ids.map((id) => entityKey(one.event.scope_ref, id)))
      : [],
  );
  return new EntityLinks(await linksWithin(transaction, [...new Set(keys)]));
}

/** The names that stand for one of several entities which did not go by one another at the place of the event in the log. */
function ambiguousBy(
  links: EntityLinks,
  { draft: { one }, among }: Pick<Resolution, 'draft' | 'among'>,
): AmbiguousName[] {
  const { scope_ref, wal_offset: position } = one.event;
  const place = { position, recorded_at: one.state.recorded_at };
  return [...among].flatMap(([name, entities]) => {
    const [first] = links.namingsFrom(scope_ref, entities, place);
    const ids = [...new Set(first?.ids ?? entities)];
    return ids.length > 1 ? [{ name, ids }] : [];
  });
}

/** The forms that a statement gives; what was taken out makes no name known, nor does what is about itself alone. */
function formsOf(one: NewStatement) {
  if (one.retracted || isOfItself(one, one.subject.id)) return [];
  const { scope_ref, position, recorded_at, subject, object_entity } = one;
  const place = { scope_ref, position, recorded_at };
  const named = object_entity === null ? [subject] : [subject, object_entity];
  return named.map(({ id, name, normalised_name }) => ({
    ...place,
    id,
    normalised_name,
    given: name !== null,
  }));
}

function byPlace(a: Draft, b: Draft): number {
  return a.one.event.wal_offset - b.one.event.wal_offset;
}
