import type { ClaimReader } from '../../graph/fact/claim.ts';
import { factTimelineQuery, type FactTimeline } from '../../schemas/fact.ts';
import { mergedEntity, type GoingEntity } from '../derive/entity-item.ts';
import { toTimelineItem } from '../derive/fact-item.ts';
import { KNOWN_NOW, namedInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import { entityPlaces, type EntityLookup } from './entity-lookup.ts';
import type { FactHydrator } from './fact-hydrator.ts';
import type { PredicateSpellings } from './predicate-spellings.ts';
import { parseQuery } from './query-input.ts';
import { recordPage } from './record-page.ts';

/** What the reading needs. */
export interface FactTimelineParts {
  readonly claims: ClaimReader;
  readonly lookup: EntityLookup;
  readonly facts: FactHydrator;
  readonly predicates: PredicateSpellings;
}

/** Tells what is true of a subject, and when. */
export class FactTimelineReading {
  private readonly parts: FactTimelineParts;

  constructor(parts: FactTimelineParts) {
    this.parts = parts;
  }

  /** A page of a timeline, in valid order. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async page(call: Call, query: unknown): Promise<FactTimeline> {
    const parsed = parseQuery(factTimelineQuery, query);
    const { subject: text, scope } = parsed;
    const named = namedInstants(parsed);
    const recorded = named.recorded ?? KNOWN_NOW;
    const { lookup, claims, facts, predicates: names } = this.parts;
    const { tenant } = call.principal;
    const [look, { found, ambiguous }] = await Promise.all([
      parsed.predicate === undefined ? null : names.in(tenant),
      lookup.find(call, { text, byName: true, scope, recorded }),
    ]);
    // Of scopes alone that the caller may read: where nothing is found, what holds there would tell of one that he may not.
    const paths = [...new Set(found.map((one) => one.scope))];
    const predicates = (await look?.spellings({ paths, call }, parsed.predicate ?? '')) ?? null;
    const places = entityPlaces(found);
    const filter = { predicates, recorded, until: named.valid };
    const { records, next } = await recordPage(
      async (position, scan) => {
        const rows = await claims.timeline(places, filter, { after: -position, scan });
        return rows.map(({ position: at, id, fact }) => ({ position: at, id, record: fact }));
      },
      { ...parsed, listing: 'timeline', sparse: predicates !== null },
    );
    // What began a fact may have been displaced since, so that the fact begins later than the walk found it.
    const whole = [...(await facts.hydrate(records))].sort((a, b) => a.valid_from - b.valid_from);
    const items = whole.map(toTimelineItem);
    return {
      subject: subjectOf(found, ambiguous[0]?.ids[0] ?? found[0]?.goes_by ?? text),
      predicate: predicates?.[0] ?? null,
      timeline: items,
      items,
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
      ...ambiguityOf(ambiguous),
    };
  }
}

/** An entity that a text stands for, with its name. */
function subjectOf(found: readonly GoingEntity[], id: string): FactTimeline['subject'] {
  return { id, name: mergedEntity(found.filter(({ goes_by }) => goes_by === id))?.name ?? null };
}
