import { OPEN_END } from '../../schemas/time.ts';
import { grouped } from './grouped.ts';

/** Links, those that were taken back among them, by which entities hang together: whatever names one of them goes by all of these. */
const MAX_LINKS_OF_GROUP = 512;

/** Where an entry stands in the log. */
export interface LinkPosition {
  /** It counts for events behind this offset from the first on; those before it were about something else until then. */
  readonly after_offset: number;
  /** Grows from entry to entry of links. */
  readonly number: number;
  /** Epoch milliseconds; does not fall along the log. */
  readonly recorded_at: number;
}

/** That an entity of a scope goes by another one, from its place in the log on and until it was taken back. */
export interface EntityLink extends LinkPosition {
  /** Id of the entry. */
  readonly id: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly entity: string;
  readonly same_as: string;
  /** Who linked them. */
  readonly actor: string;
  /** The entry that took it back; null while it stands. */
  readonly ended: (LinkPosition & { readonly id: string; readonly actor: string }) | null;
}

/** From a recorded instant on entities go by these ids. */
export interface Naming {
  readonly at: number;
  /** In the order of the entities. */
  readonly ids: readonly string[];
  /** The entry that began it; null for what holds from the first. */
  readonly by: string | null;
}

/** That an entity begins or ceases to go by another one. */
interface Turn extends LinkPosition {
  readonly by: string;
  readonly entity: string;
  /** Null where it ceases. */
  readonly same_as: string | null;
}

/** Which entities go by which, over the log. Chains are gone to their end. */
export class EntityLinks {
  private readonly links: ReadonlyMap<string, readonly EntityLink[]>;
  private readonly turns = new Map<string, readonly Turn[]>();

  constructor(links: readonly EntityLink[]) {
    const each = [...new Map(links.map((link) => [link.id, link])).values()];
    this.links = grouped(each, ({ scope_ref }) => scope_ref);
  }

  /** Whether an entity was ever linked. */
  concerns(scopeRef: string, entity: string): boolean {
    return this.of(scopeRef).some((link) => link.entity === entity || link.same_as === entity);
  }

  /** What an entity goes by at a recorded instant. */
  canonicalAt(scopeRef: string, entity: string, recorded: number): string {
    return end(entity, this.standingAt(scopeRef, recorded));
  }

  /** The entities that go by an id at a recorded instant, itself left out, in the order of their ids. */
  aliasesAt(scopeRef: string, canonical: string, recorded: number): string[] {
    const standing = this.standingAt(scopeRef, recorded);
    return [...standing.keys()].filter((entity) => end(entity, standing) === canonical).sort();
  }

  /** The links that stand at a recorded instant and lead to an id, in the order of the log. */
  linksAt(scopeRef: string, canonical: string, recorded: number): EntityLink[] {
    const standing = this.standingAt(scopeRef, recorded);
    return this.of(scopeRef)
      .filter((link) => stands(link, recorded) && end(link.entity, standing) === canonical)
      .sort((a, b) => a.number - b.number || (a.id < b.id ? -1 : 1));
  }

  /** All entities of which some ever went through an entity, itself among them. */
  leadingTo(scopeRef: string, entity: string): string[] {
    const found = new Set([entity]);
    for (let size = 0; size < found.size;) {
      size = found.size;
      for (const link of this.of(scopeRef)) if (found.has(link.same_as)) found.add(link.entity);
    }
    return [...found].sort();
  }

  /**
   * What entities that an event names go by: from when it was recorded on, as the log before it says, and anew with every entry
   * behind it that changes that. What an instant leaves behind is one thing, but what the event named at first is always told.
   */
  namingsFrom(
    scopeRef: string,
    entities: readonly string[],
    event: { readonly position: number; readonly recorded_at: number },
  ): Naming[] {
    const standing = new Map<string, string>();
    const ids = (): string[] => entities.map((entity) => end(entity, standing));
    const namings: Naming[] = [{ at: event.recorded_at, ids: ids(), by: null }];
    for (const turn of this.turnsOf(scopeRef)) {
      take(standing, turn);
      if (turn.after_offset < event.position) {
        namings[0] = { at: event.recorded_at, ids: ids(), by: null };
        continue;
      }
      const { recorded_at: at, by } = turn;
      const last = namings.at(-1);
      if (last?.at === at && last.by !== null) namings.pop();
      if (!sameIds(namings.at(-1)?.ids, ids())) namings.push({ at, ids: ids(), by });
    }
    return namings;
  }

  /** The ids of all namings of entities since an event named them, also of those that the instant of their beginning did not leave behind. */
  everNamedFrom(
    scopeRef: string,
    entities: readonly string[],
    { position }: { readonly position: number },
  ): (readonly string[])[] {
    const standing = new Map<string, string>();
    const ids = (): string[] => entities.map((entity) => end(entity, standing));
    const turns = this.turnsOf(scopeRef);
    const before = turns.filter(({ after_offset }) => after_offset < position);
    for (const turn of before) take(standing, turn);
    const all = [ids()];
    for (const turn of turns.slice(before.length)) {
      take(standing, turn);
      all.push(ids());
    }
    return all;
  }

  private of(scopeRef: string): readonly EntityLink[] {
    return this.links.get(scopeRef) ?? [];
  }

  private standingAt(scopeRef: string, recorded: number): Map<string, string> {
    const standing = this.of(scopeRef).filter((link) => stands(link, recorded));
    return new Map(standing.map(({ entity, same_as }) => [entity, same_as]));
  }

  private turnsOf(scopeRef: string): readonly Turn[] {
    const known = this.turns.get(scopeRef);
    if (known !== undefined) return known;
    const turns = this.of(scopeRef).flatMap((link): Turn[] => {
      const { entity, same_as, ended } = link;
      const begun = { ...placeOf(link), by: link.id, entity, same_as };
      return ended === null ? [begun] : [begun, { ...placeOf(ended), by: ended.id, entity, same_as: null }];
    });
    turns.sort((a, b) => a.number - b.number);
    this.turns.set(scopeRef, turns);
    return turns;
  }
}

function take(standing: Map<string, string>, { entity, same_as }: Turn): void {
  if (same_as === null) standing.delete(entity);
  else standing.set(entity, same_as);
}

/** No links. */
export const NO_LINKS = new EntityLinks([]);

/** What is wrong with a link that is asked for. */
export type LinkFault = 'itself' | 'circle' | 'linked' | 'many' | 'long';

/** Decides on a link, by those of its entities that are known: the one that says the same and stands, what is wrong with it, or null. */
export function linkDecision<Link extends EntityLink>(
  links: readonly Link[],
  { scope_ref, entity, same_as }: Pick<EntityLink, 'scope_ref' | 'entity' | 'same_as'>,
): Link | LinkFault | null {
  if (entity === same_as) return 'itself';
  const standing = links.filter((link) => link.scope_ref === scope_ref && link.ended === null);
  const own = standing.find((link) => link.entity === entity);
  if (own !== undefined) return own.same_as === same_as ? own : 'linked';
  const to = end(same_as, new Map(standing.map((link) => [link.entity, link.same_as])));
  if (to === entity) return 'circle';
  return links.length >= MAX_LINKS_OF_GROUP ? 'many' : null;
}

/** How long the longest claim is in which an entity stands with a predicate; `stays`: it is the same one under another id. */
interface Length {
  readonly entity: string;
  readonly predicate: string;
  readonly stays: boolean;
  readonly statements: number;
}

/**
 * Whether a claim would be longer than `most` with what entities bring into it that go by another one from now on, given how long the
 * claims of all of their group are. Claims that nothing is brought into stay as long as they are.
 */
export function isMoveTooLong(
  moving: ReadonlySet<string>,
  lengths: readonly Length[],
  most: number,
): boolean {
  const brings = lengths.filter(({ entity }) => moving.has(entity));
  if (brings.some(({ stays, statements }) => stays && statements > most)) return true;
  const going = lengths.filter(({ stays }) => !stays);
  return [...grouped(going, ({ predicate }) => predicate)].some(
    ([predicate, same]) =>
      brings.some((one) => !one.stays && one.predicate === predicate) &&
      same.reduce((sum, { statements }) => sum + statements, 0) > most,
  );
}

function placeOf({ after_offset, number, recorded_at }: LinkPosition): LinkPosition {
  return { after_offset, number, recorded_at };
}

function sameIds(a: readonly string[] = [], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, i) => id === b[i]);
}

function stands({ recorded_at, ended }: EntityLink, recorded: number): boolean {
  return recorded_at <= recorded && recorded < (ended?.recorded_at ?? OPEN_END);
}

/** Where a chain ends; there is no circle, for none is let into the log. */
function end(entity: string, standing: ReadonlyMap<string, string>): string {
  let id = entity;
  for (let next = standing.get(id); next !== undefined; next = standing.get(id)) id = next;
  return id;
}
