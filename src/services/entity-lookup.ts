import type { EntityPlace } from '../../graph/fact-walk.ts';
import type { EntityReader, FoundEntity } from '../../graph/entity.ts';
import { normalisedName } from '../derive/entity.ts';
import type { AccessService, Call } from './access.ts';

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

/** Looks entities up in all scopes that a caller may read. */
export class EntityLookup {
  private readonly access: AccessService;
  private readonly reader: EntityReader;

  constructor(access: AccessService, reader: EntityReader) {
    this.access = access;
    this.reader = reader;
  }

  /**
   * What goes by the text in each readable scope, the newest first, with what else is known there of the same ids. As many round
   * trips for what is there as for what is not. Throws `POLICY_DENIED` for a scope that the caller may not use at all.
   */
  async find(call: Call, { text, byName, scope, recorded }: EntityQuestion): Promise<FoundEntity[]> {
    const seen = scope === undefined || (await this.access.sees(call, 'scope.read.local', scope));
    const asked = byName
      ? { ids: idSpellings(text), name: normalisedName(text) }
      : { ids: [text], name: null };
    const found = await this.reader.find(call.principal.tenant, asked, recorded);
    const mayRead = await this.access.readableNow(
      call,
      found.map(({ tenant, scope: path }) => ({ tenant, path })),
    );
    const readable = found.filter(
      (entity) =>
        seen &&
        (scope === undefined || entity.scope === scope) &&
        mayRead({ tenant: entity.tenant, path: entity.scope }),
    );
    const ids = new Set(readable.filter(({ named }) => named).map(({ id }) => id));
    return readable.filter(({ id }) => ids.has(id)).sort((a, b) => b.position - a.position);
  }
}

/** Where entities are known. */
export function entityPlaces(found: readonly FoundEntity[]): EntityPlace[] {
  return found.map(({ scope_ref: ref, id }) => ({ ref, id }));
}
