import { entityKey, type EntityLinkReader, type StoredLink } from '../../graph/entity/link.ts';
import type { EntityReader } from '../../graph/entity/read.ts';
import { EntityLinks } from '../derive/entity-links.ts';
import { entityIdOf, normalisedName } from '../derive/entity.ts';
import type { AmbiguousName } from '../derive/known-names.ts';
import { MAX_ENTITY_PLACES } from '../limits/reading.ts';
import type { Call } from './access.ts';
import type { AmbiguousNames } from './ambiguous-names.ts';
import { idSpellings } from './entity-lookup.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** What a text stands for in the scopes that are read. */
export interface AskedEntity {
  /** Ids of entities; some stand for it in some of the scopes only. */
  readonly ids: readonly string[];
  /** Whether an entity stands for it in a scope. */
  readonly wants: (scope: string, id: string) => boolean;
  /** The text, where it is the name of several entities of one scope. */
  readonly ambiguous: readonly AmbiguousName[];
}

/** What reading names rests on. */
export interface NamedEntitiesParts {
  readonly entities: EntityReader;
  readonly links: EntityLinkReader;
  readonly ambiguous: AmbiguousNames;
  /** Whether a text stands for what was declared of nothing but itself too, of which no entity is known; default false. */
  readonly declared?: boolean;
}

/** Tells what names and ids of entities mean in the scopes that are read: entities, and what these go by there. */
export class NamedEntities {
  private readonly parts: NamedEntitiesParts;

  constructor(parts: NamedEntitiesParts) {
    this.parts = parts;
  }

  /**
   * What each of the texts stands for at a recorded instant. Two round trips, whatever is found, and another one where one of them is the
   * name of several entities that may be read.
   */
  async of(
    { principal: { tenant } }: Call,
    selection: ReadableSelection,
    texts: readonly string[],
    recorded: number,
  ): Promise<AskedEntity[]> {
    if (texts.length === 0) return [];
    const named = await this.parts.entities.named(selection, tenant, texts.map(normalisedName), recorded);
    const asked = texts.map((text) => {
      const own = named.filter(({ name }) => name === normalisedName(text));
      const declared = this.parts.declared === true ? [entityIdOf(text)] : [];
      return { text, spellings: [...idSpellings(text), ...declared], named: own };
    });
    const ids = new Set(asked.flatMap((one) => [...one.spellings, ...one.named.map(({ id }) => id)]));
    const found = await this.linksOf(tenant, selection, [...ids]);
    const mayRead =
      selection.check === null ? null : await selection.check([...named, ...found].map(({ scope }) => scope));
    const readable = ({ scope }: { readonly scope: string }): boolean => mayRead === null || mayRead(scope);
    const links = found.filter(readable);
    const shown = asked.map((one) => ({ ...one, found: one.named.filter(readable) }));
    const ambiguous = await this.parts.ambiguous.asked(
      shown.map(({ text, found: own }) => ({ name: normalisedName(text), found: own })),
      { links: new EntityLinks(links), recorded },
    );
    return shown.map((one, i) => {
      const base = new Set([...one.spellings, ...one.found.map(({ id }) => id)]);
      return { ...askedEntity(base, goneBy(base, links, recorded)), ambiguous: ambiguous[i] ?? [] };
    });
  }

  private async linksOf(tenant: string, { scopes, subtrees }: ReadableSelection, ids: readonly string[]) {
    const keys = scopes.flatMap((ref) => ids.map((id) => entityKey(ref, id)));
    const [here, below] = await Promise.all([
      this.parts.links.ofKeys(keys),
      subtrees.length === 0
        ? []
        : this.parts.links.ofIds(tenant, ids, {
            within: subtrees.map(({ ref }) => ref),
            most: MAX_ENTITY_PLACES,
          }),
    ]);
    return [...here, ...below];
  }
}

function askedEntity(
  base: ReadonlySet<string>,
  goes: ReadonlyMap<string, ReadonlySet<string>>,
): Omit<AskedEntity, 'ambiguous'> {
  return {
    ids: [...new Set([...base, ...[...goes.values()].flatMap((ids) => [...ids])])],
    wants: (scope, id) => base.has(id) || goes.get(scope)?.has(id) === true,
  };
}

/** What entities go by in each scope in which they go by others. */
function goneBy(
  entities: ReadonlySet<string>,
  found: readonly StoredLink[],
  recorded: number,
): Map<string, Set<string>> {
  const links = new EntityLinks(found);
  const refs = new Map(found.map(({ scope, scope_ref }) => [scope, scope_ref]));
  return new Map(
    [...refs].map(([scope, ref]) => [
      scope,
      new Set([...entities].map((id) => links.canonicalAt(ref, id, recorded))),
    ]),
  );
}
