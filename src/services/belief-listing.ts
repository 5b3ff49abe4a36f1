import type { BeliefFilter, BeliefWalker } from '../../graph/belief-walk.ts';
import type { EntityReader } from '../../graph/entity.ts';
import type { BeliefItem, BeliefListQuery, BeliefPage } from '../../schemas/belief.ts';
import { toBeliefItem, type StoredBeliefItem } from '../derive/belief-item.ts';
import { normalisedName } from '../derive/entity.ts';
import { readingInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import type { WholeBeliefs } from './belief-whole.ts';
import { idSpellings } from './entity-lookup.ts';
import { recordPage, type RecordWalk } from './record-page.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** What the listing needs. */
export interface BeliefListingParts {
  readonly walker: BeliefWalker;
  readonly entities: EntityReader;
  readonly beliefs: WholeBeliefs;
}

/** Pages through beliefs, newest first. */
export class BeliefListing {
  private readonly parts: BeliefListingParts;

  constructor(parts: BeliefListingParts) {
    this.parts = parts;
  }

  /** A page of the beliefs of a selection, with their positions; `now` is the valid instant where the query names none. */
  async page(
    call: Call,
    selection: ReadableSelection,
    query: BeliefListQuery,
    now: number,
  ): Promise<{ page: BeliefPage; positions: readonly (readonly [BeliefItem, number])[] }> {
    const filter: BeliefFilter = {
      at: readingInstants(query, now),
      stance: query.stance ?? null,
      min_confidence: query.min_confidence ?? null,
    };
    const about = query.about === undefined ? null : await this.idsOf(call, selection, query.about);
    const sparse = filter.stance !== null || filter.min_confidence !== null;
    const walk = this.walk(call, selection, about, filter);
    const { records, next } = await recordPage(walk, { ...query, sparse });
    const whole = await this.parts.beliefs.whole(records);
    const positions = whole.map((belief) => [toBeliefItem(belief), belief.position] as const);
    const page = {
      items: positions.map(([item]) => item),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
      ...(selection.withheld === 0 ? {} : { withheld_scopes: selection.withheld }),
    };
    return { page, positions };
  }

  /** The ids that a name or id stands for in the scopes that are read. */
  private async idsOf(call: Call, selection: ReadableSelection, text: string): Promise<string[]> {
    const named = await this.parts.entities.named(selection, call.principal.tenant, [normalisedName(text)]);
    const mayRead = selection.check === null ? null : await selection.check(named.map(({ scope }) => scope));
    const readable = named.filter(({ scope }) => mayRead === null || mayRead(scope));
    return [...new Set([...idSpellings(text), ...readable.map(({ id }) => id)])];
  }

  /** Leaves of each row its place alone when it may not be read. */
  private walk(
    call: Call,
    selection: ReadableSelection,
    about: readonly string[] | null,
    filter: BeliefFilter,
  ): RecordWalk<StoredBeliefItem> {
    const { tenant } = call.principal;
    return async (position, rows) => {
      const walked = await this.parts.walker.scan({ selection, tenant, about }, filter, position, rows);
      const shown = walked.flatMap(({ belief }) => (belief === null ? [] : [belief.scope]));
      const mayRead = selection.check === null ? null : await selection.check(shown);
      return walked.map(({ position: at, id, belief }) => ({
        position: at,
        id,
        record: belief !== null && (mayRead === null || mayRead(belief.scope)) ? belief : null,
      }));
    };
  }
}
