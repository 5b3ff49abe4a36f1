import type { EntityLinkReader } from '../../graph/entity/link.ts';
import { entityKey } from '../../graph/entity/link.ts';
import type { NameReader } from '../../graph/known-name.ts';
import { EntityLinks } from '../derive/entity-links.ts';
import { grouped } from '../derive/grouped.ts';
import { keptAmbiguous, KnownNames, type AmbiguousName } from '../derive/known-names.ts';
import { MAX_AMBIGUOUS_IDS } from '../limits.ts';
import { KNOWN_NOW } from '../time/as-of.ts';
import { inTurnsOver } from '../wakeup.ts';
import type { AccessService, Call } from './access.ts';

/** Behind whatever the log has. */
const ANY_PLACE = Number.MAX_SAFE_INTEGER;

/** A name by which something is asked for. */
export interface AskedName {
  /** As names are compared. */
  readonly name: string;
  /** The entities that were found by it, in scopes that the caller may read; those that go by others are left out of account by links. */
  readonly found: readonly { readonly scope_ref: string; readonly id: string }[];
}

/** What of an event that was captured is told of its ambiguous names. */
export interface AmbiguityNotice {
  /** Null where the caller may write in the scope, but not read what is known there. */
  readonly names: readonly AmbiguousName[] | null;
}

/** What the look-up needs. */
export interface AmbiguousNamesParts {
  readonly names: Pick<NameReader, 'forms' | 'ambiguous'>;
  readonly links: Pick<EntityLinkReader, 'ofKeys'>;
}

/** Tells which names stand for one of several entities that do not go by one another. */
export class AmbiguousNames {
  private readonly parts: AmbiguousNamesParts;

  constructor(parts: AmbiguousNamesParts) {
    this.parts = parts;
  }

  /**
   * Of names that are asked for those that several entities of one scope have, each with all of these in the order in which the name
   * stands for them: empty where there is none, else one. One round trip where several were found by one name in one scope.
   */
  async asked(
    asked: readonly AskedName[],
    { links, recorded }: { readonly links: EntityLinks; readonly recorded: number },
  ): Promise<AmbiguousName[][]> {
    const several = asked.map(({ name, found }) => ({ name, refs: severalIn(found, links, recorded) }));
    const sought = several.flatMap(({ name, refs }) =>
      refs.map((scope_ref) => ({ scope_ref, normalised_name: name, before: ANY_PLACE })),
    );
    if (sought.length === 0) return asked.map(() => []);
    const known = new KnownNames([]);
    await inTurnsOver(await this.parts.names.forms({ sought, recorded }), (form) => {
      known.learn(form);
    });
    return several.map(({ name, refs }) => {
      const all = refs.flatMap((ref) => {
        const bearers = known.bearers(ref, name, ANY_PLACE);
        const ids = new Set(bearers.map(({ id }) => links.canonicalAt(ref, id, recorded)));
        return ids.size > 1 ? [...ids] : [];
      });
      const ids = [...new Set(all)].slice(0, MAX_AMBIGUOUS_IDS);
      return ids.length === 0 ? [] : [{ name, ids }];
    });
  }

  /**
   * Of events that were captured, by id, those of which names stand for one of several entities, as far as these do not go by one another by
   * now. Ids are told only to who may read in the scope. One round trip, and two more where there is something to tell.
   */
  async ofEvents(
    access: Pick<AccessService, 'readableNow'>,
    call: Call,
    ids: readonly string[],
  ): Promise<Map<string, AmbiguityNotice>> {
    const kept = (await this.parts.names.ambiguous(ids)).map(({ ambiguous, ...event }) => ({
      ...event,
      names: keptAmbiguous(ambiguous),
    }));
    if (kept.length === 0) return new Map();
    const keys = kept.flatMap(({ scope_ref, names }) =>
      names.flatMap((name) => name.ids.map((id) => entityKey(scope_ref, id))),
    );
    const places = kept.map(({ tenant, scope: path }) => ({ tenant, path }));
    const [found, mayRead] = await Promise.all([
      this.parts.links.ofKeys([...new Set(keys)]),
      access.readableNow(call, places),
    ]);
    const links = new EntityLinks(found);
    return new Map(
      kept.flatMap(({ event_id, tenant, scope: path, scope_ref, names }) => {
        const left = names.flatMap(({ name, ids: entities }) => {
          const apart = [...new Set(entities.map((id) => links.canonicalAt(scope_ref, id, KNOWN_NOW)))];
          return apart.length > 1 ? [{ name, ids: apart }] : [];
        });
        return left.length === 0 ? [] : [[event_id, { names: mayRead({ tenant, path }) ? left : null }]];
      }),
    );
  }
}

/** The scopes in which several entities were found that do not go by one another. */
function severalIn(found: AskedName['found'], links: EntityLinks, recorded: number): string[] {
  const several = [...grouped(found, ({ scope_ref }) => scope_ref)].filter(
    ([ref, own]) => new Set(own.map(({ id }) => links.canonicalAt(ref, id, recorded))).size > 1,
  );
  return several.slice(0, MAX_AMBIGUOUS_IDS).map(([ref]) => ref);
}

/** What a page says of the names that it was asked by. */
export function ambiguityOf(names: readonly AmbiguousName[]): {
  readonly ambiguous_entity?: AmbiguousName[];
} {
  return names.length === 0 ? {} : { ambiguous_entity: [...names] };
}
