import type { BeliefFilter, BeliefWalker } from '../../graph/belief/walk.ts';
import type { BeliefItem, BeliefListQuery, BeliefPage } from '../../schemas/belief.ts';
import { toBeliefItem, type StoredBeliefItem } from '../derive/belief/item.ts';
import { readingInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import type { WholeBeliefs } from './belief-whole.ts';
import { admittedRecords } from './placed-rows.ts';
import type { AskedEntity, NamedEntities } from './named-entities.ts';
import { recordPage, type RecordWalk } from './record-page.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** What the listing needs. */
export interface BeliefListingParts {
  readonly walker: BeliefWalker;
  readonly named: NamedEntities;
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
    const texts = query.about === undefined ? [] : [query.about];
    const [about = null] = await this.parts.named.of(call, selection, texts, filter.at.recorded);
    const sparse = filter.stance !== null || filter.min_confidence !== null;
    const walk = this.walk(call, selection, about, filter);
    const { records, next } = await recordPage(walk, { ...query, listing: 'beliefs', sparse });
    const whole = await this.parts.beliefs.whole(records);
    const positions = whole.map((belief) => [toBeliefItem(belief), belief.position] as const);
    const page = {
      items: positions.map(([item]) => item),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
      ...ambiguityOf(about?.ambiguous ?? []),
      ...(selection.withheld === 0 ? {} : { withheld_scopes: selection.withheld }),
    };
    return { page, positions };
  }

  /** Walks the beliefs of a selection, or (`about`) those about an entity; leaves of each row its place alone when it may not be read. */
  walk(
    call: Call,
    selection: ReadableSelection,
    about: AskedEntity | null,
    filter: BeliefFilter,
  ): RecordWalk<StoredBeliefItem> {
    const { tenant } = call.principal;
    return async (position, rows) => {
      const walked = await this.parts.walker.scan(
        { selection, tenant, about: about?.ids ?? null },
        filter,
        position,
        rows,
      );
      const admitted = await admittedRecords(selection, walked, (ids) =>
        this.parts.walker.walked(ids, filter),
      );
      return walked.map(({ position: at, id, belief }) => {
        const found = belief ?? admitted.get(id) ?? null;
        return { position: at, id, record: found !== null && isAbout(found, about) ? found : null };
      });
    };
  }
}

/** Whether a belief is about an entity; about any for null. */
export function isAbout(
  { scope, subject_id, object_id }: StoredBeliefItem,
  about: AskedEntity | null,
): boolean {
  if (about === null) return true;
  return about.wants(scope, subject_id) || (object_id !== null && about.wants(scope, object_id));
}
