import type { EntityKey } from '../../graph/fact/walk.ts';
import { entityKey, type EntityLinkReader, type StoredLink } from '../../graph/entity/link.ts';
import type { EntityReader } from '../../graph/entity/read.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { GoingEntity, StoredEntity } from '../derive/entity-item.ts';
import { EntityLinks, type EntityLink } from '../derive/entity-links.ts';
import { normalisedName } from '../derive/entity.ts';
import { MAX_ENTITY_PLACES } from '../limits/reading.ts';
import type { AmbiguousName } from '../derive/known-names.ts';
import type { AccessService, Call } from './access.ts';
import type { AmbiguousNames } from './ambiguous-names.ts';

/** What an entity is looked up by. */
export interface EntityQuestion {
  readonly text: string;
  /** Whether the text may be a name too, or is an id. */
  readonly byName: boolean;
  /** Only in this scope; any that the caller may read when left out. */
  readonly scope?: string | undefined;
  /** Only what was named by then, epoch milliseconds. */
  readonly recorded: number;
}

/** The spellings of an id that a text may stand for. */
export function idSpellings(text: string): string[] {
  return [...new Set([text, text.toLowerCase()])];
}

/** What was found, and the links that concern it, of scopes that the caller may read. */
export interface LookedUp {
  /** The newest first. */
  readonly found: readonly GoingEntity[];
  /** By which others go by what was found, in the order of the log. */
  readonly links: readonly EntityLink[];
  /** The text, where it is the name of several entities of one scope. */
  readonly ambiguous: readonly AmbiguousName[];
}

/** What the look-up reads. */
export interface EntityLookupParts {
  readonly access: AccessService;
  readonly reader: EntityReader;
  readonly links: EntityLinkReader;
  readonly ambiguous: AmbiguousNames;
}

/** Looks entities up in all scopes that a caller may read. */
export class EntityLookup {
  private readonly parts: EntityLookupParts;

  constructor(parts: EntityLookupParts) {
    this.parts = parts;
  }

  /**
   * What goes by the text in each readable scope, the newest first, with what else is known there of the same ids, and of what these go
   * by. As many round trips for what is hidden as for what is not there, one more where a name is that of several. Throws `POLICY_DENIED` for a scope that the caller may
   * not use at all.
   */
  async find(call: Call, { text, byName, scope, recorded }: EntityQuestion): Promise<LookedUp> {
    const { access, reader, ambiguous } = this.parts;
    const seen = scope === undefined || (await access.sees(call, 'scope.read.local', scope));
    const asked = byName
      ? { ids: idSpellings(text), name: normalisedName(text) }
      : { ids: [text], name: null };
    const { tenant } = call.principal;
    const found = await reader.find(tenant, asked, recorded);
    const ids = new Set([...asked.ids, ...found.flatMap(({ id, named }) => (named ? [id] : []))]);
    const linked = await this.linksOf(tenant, [...ids], scope);
    const mayRead = await access.readableNow(
      call,
      [...found, ...linked].map(({ tenant: of, scope: path }) => ({ tenant: of, path })),
    );
    const readable = (one: { readonly tenant: string; readonly scope: string }): boolean =>
      seen &&
      (scope === undefined || one.scope === scope) &&
      mayRead({ tenant: one.tenant, path: one.scope });
    const known = found.filter(readable);
    const wanted = new Set([...asked.ids, ...known.flatMap(({ id, named }) => (named ? [id] : []))]);
    const own = known.filter(({ id }) => wanted.has(id));
    const links = linked.filter(readable);
    const named = asked.name === null ? [] : [{ name: asked.name, found: known.filter((one) => one.named) }];
    const [together, several] = await Promise.all([
      this.together(own, { links, wanted, recorded }),
      ambiguous.asked(named, { links: new EntityLinks(links), recorded }),
    ]);
    return { ...together, ambiguous: several.flat() };
  }

  private linksOf(tenant: string, ids: readonly string[], scope: string | undefined): Promise<StoredLink[]> {
    const { links } = this.parts;
    if (scope === undefined) return links.ofIds(tenant, ids, { within: null, most: MAX_ENTITY_PLACES });
    const ref = scopeRef(tenant, scope);
    return links.ofKeys(ids.map((id) => entityKey(ref, id)));
  }

  /** What was found together with what goes by the same there. */
  private async together(
    own: readonly StoredEntity[],
    {
      links: all,
      wanted,
      recorded,
    }: {
      readonly links: readonly EntityLink[];
      readonly wanted: ReadonlySet<string>;
      readonly recorded: number;
    },
  ): Promise<Omit<LookedUp, 'ambiguous'>> {
    const links = new EntityLinks(all);
    const groups = [...new Map(all.map(({ scope_ref }) => [scope_ref, scope_ref])).keys()].flatMap((ref) => {
      const canonical = new Set(
        [...wanted].filter((id) => links.concerns(ref, id)).map((id) => links.canonicalAt(ref, id, recorded)),
      );
      return [...canonical].map((id) => ({ ref, id, aliases: links.aliasesAt(ref, id, recorded) }));
    });
    const keys = groups.flatMap(({ ref, id, aliases }) => [id, ...aliases].map((one) => entityKey(ref, one)));
    const others = await this.parts.reader.byKeys(keys, recorded);
    const each = new Map([...own, ...others].map((one) => [entityKey(one.scope_ref, one.id), one]));
    const found = [...each.values()]
      .map((one) => ({ ...one, goes_by: links.canonicalAt(one.scope_ref, one.id, recorded) }))
      .sort((a, b) => b.position - a.position);
    return { found, links: groups.flatMap(({ ref, id }) => links.linksAt(ref, id, recorded)) };
  }
}

/** Where entities are known. */
export function entityPlaces(found: readonly StoredEntity[]): EntityKey[] {
  return found.map(({ scope_ref: ref, id }) => ({ ref, id }));
}
