import type { ClaimReader } from '../../graph/fact/claim.ts';
import { placesOf, type FactFilter, type FactWalker, type WalkedFact } from '../../graph/fact/walk.ts';
import { newestOf } from '../../graph/record-walk.ts';
import type { FactItem, FactListQuery, FactPage } from '../../schemas/fact.ts';
import { matchesObject, objectOf, toFactItem, type StoredFact } from '../derive/fact-item.ts';
import type { Instants } from '../time/bitemporal-range.ts';
import type { Call } from './access.ts';
import type { FactHydrator } from './fact-hydrator.ts';
import { admittedRecords } from './placed-rows.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import type { AskedEntity, NamedEntities } from './named-entities.ts';
import type { PredicateSpellings } from './predicate-spellings.ts';
import { recordPage, type RecordWalk, type WalkedRecord } from './record-page.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** What the listing needs. */
export interface FactListingParts {
  readonly walker: FactWalker;
  readonly claims: ClaimReader;
  readonly named: NamedEntities;
  readonly facts: FactHydrator;
  readonly predicates: PredicateSpellings;
}

/** What a query asks for by names. */
interface Asked {
  /** What the texts of the query stand for. */
  readonly named: readonly AskedEntity[];
  /** Null for any. */
  readonly subject: AskedEntity | null;
  readonly object: AskedObjects | null;
}

/** An object that is asked for: what its text stands for, and what a literal may read like. */
interface AskedObjects extends Pick<AskedEntity, 'wants'> {
  readonly text: string;
}

/** Of which several are true at once. A single-valued claim is read by its value at the instants, not row by row. */
const SEVERAL = ['many', 'exclusive'] as const;
const ANY = ['one', ...SEVERAL] as const;

/** Which facts a list is of, whenever they hold. */
export type FactSelection = Pick<
  FactListQuery,
  'subject' | 'predicate' | 'object' | 'min_confidence' | 'include_superseded' | 'limit' | 'cursor'
>;

/** Pages through facts, newest first. */
export class FactListing {
  private readonly parts: FactListingParts;

  constructor(parts: FactListingParts) {
    this.parts = parts;
  }

  /** A page of the facts of a selection that `keep` wants, at a pair of instants. */
  async page(
    call: Call,
    selection: ReadableSelection,
    query: FactSelection,
    at: Instants,
    keep: ((fact: StoredFact) => boolean) | null = null,
  ): Promise<{ page: FactPage; positions: readonly (readonly [FactItem, number])[] }> {
    const { tenant } = call.principal;
    const places = { tenant, paths: selection.paths, call };
    const [predicates, asked] = await Promise.all([
      query.predicate === undefined ? null : this.parts.predicates.of(places, query.predicate),
      this.askedOf(call, selection, query, at.recorded),
    ]);
    const filter: FactFilter = {
      at,
      any_time: query.include_superseded === true,
      predicates,
      min_confidence: query.min_confidence ?? null,
    };
    const keeps = (fact: StoredFact): boolean =>
      isStated(fact) &&
      (asked.subject?.wants(fact.scope, fact.subject_id) ?? true) &&
      (asked.object === null || hasObject(fact, asked.object)) &&
      (keep?.(fact) ?? true);
    const walk = this.wanted(this.walkOf(call, selection, asked, filter), { selection, filter, keeps });
    const sparse =
      asked.object !== null || keep !== null || filter.predicates !== null || filter.min_confidence !== null;
    const { records, next } = await recordPage(walk, { ...query, listing: 'facts', sparse });
    const whole = await this.parts.facts.hydrate(records);
    const positions = whole.map((fact) => [toFactItem(fact), fact.position] as const);
    const { withheld } = selection;
    const page = {
      items: positions.map(([item]) => item),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
      ...ambiguityOf(asked.named.flatMap(({ ambiguous }) => ambiguous)),
      ...(withheld === 0 ? {} : { withheld_scopes: withheld }),
    };
    return { page, positions };
  }

  /**
   * Walks the facts of a selection: all of them, or (`about`) those that an entity is the subject of, or in a scope that is read for itself
   * the object.
   */
  walk(
    call: Call,
    selection: ReadableSelection,
    about: AskedEntity | null,
    filter: FactFilter,
  ): RecordWalk<StoredFact> {
    const { walker } = this.parts;
    const walked = async (position: number, rows: number): Promise<WalkedFact[]> => {
      if (about === null) return walker.scan(selection, filter, position, rows);
      const { tenant } = call.principal;
      const { ids } = about;
      const walks = [
        walker.scanSubjects({ selection, tenant, ids }, filter, ANY, { before: position, scan: rows }),
        walker.scanEdges(placesOf(selection, ids), filter, position, rows),
      ];
      return newestOf(await Promise.all(walks), rows);
    };
    const keeps = (fact: StoredFact): boolean => isStated(fact) && (about === null || isOf(fact, about));
    return this.wanted(walked, { selection, filter, keeps });
  }

  /** Names are what they mean in the scopes that are read. */
  private async askedOf(
    call: Call,
    selection: ReadableSelection,
    { subject, object }: FactSelection,
    recorded: number,
  ): Promise<Asked> {
    const texts = [subject, object].filter((text) => text !== undefined);
    const asked = await this.parts.named.of(call, selection, texts, recorded);
    const found = object === undefined ? undefined : asked.at(-1);
    return {
      named: asked,
      subject: subject === undefined ? null : (asked[0] ?? null),
      object: object === undefined || found === undefined ? null : { text: object, wants: found.wants },
    };
  }

  private walkOf(
    call: Call,
    selection: ReadableSelection,
    { subject }: Asked,
    filter: FactFilter,
  ): (position: number, rows: number) => Promise<WalkedFact[]> {
    const { walker, claims } = this.parts;
    if (subject === null) return (position, rows) => walker.scan(selection, filter, position, rows);
    const { tenant } = call.principal;
    const { predicates, at } = filter;
    const about = { selection, tenant, ids: subject.ids };
    if (predicates === null || filter.any_time)
      return (before, scan) => walker.scanSubjects(about, filter, ANY, { before, scan });
    let values: Promise<StoredFact[]> | null = null;
    return async (before, scan) => {
      values ??= claims.valuesAt(placesOf(selection, subject.ids), predicates, at);
      const [single, several] = await Promise.all([
        values,
        walker.scanSubjects(about, filter, SEVERAL, { before, scan }),
      ]);
      const sure = single.filter(
        ({ confidence, position }) => confidence >= (filter.min_confidence ?? 0) && position <= before,
      );
      const found = sure.map((fact) => ({ position: fact.position, id: fact.id, scope: null, fact }));
      const rows = [...found, ...several];
      return rows.sort((a, b) => b.position - a.position).slice(0, scan);
    };
  }

  /** Leaves of each row its place alone when it may not be read or is not what is asked for. */
  private wanted(
    walk: (position: number, rows: number) => Promise<WalkedFact[]>,
    asked: {
      readonly selection: ReadableSelection;
      readonly filter: FactFilter;
      readonly keeps: (fact: StoredFact) => boolean;
    },
  ): RecordWalk<StoredFact> {
    const { selection, filter, keeps } = asked;
    return async (position, rows): Promise<WalkedRecord<StoredFact>[]> => {
      const walked = await walk(position, rows);
      const admitted = await admittedRecords(selection, walked, (ids) =>
        this.parts.walker.walked(ids, filter),
      );
      return walked.map(({ position: at, id, fact }) => {
        const found = fact ?? admitted.get(id) ?? null;
        return { position: at, id, record: found !== null && keeps(found) ? found : null };
      });
    };
  }
}

/** Whether a fact holds at some time, or is stated still: else it is a trace of what was moved, settled or taken out. */
export function isStated({ valid_from, valid_to, supports }: StoredFact): boolean {
  return supports.length > 0 || valid_from < valid_to;
}

/** Whether an entity is the subject or the object of a fact. */
export function isOf({ scope, subject_id, object_id }: StoredFact, { wants }: AskedEntity): boolean {
  return wants(scope, subject_id) || (object_id !== null && wants(scope, object_id));
}

/** Whether a fact has the object. A text that is asked for is shorter than whatever is left out of a walk for its length. */
function hasObject(
  { scope, object, object_id, object_name }: StoredFact,
  { text, wants }: AskedObjects,
): boolean {
  if (object === null) return false;
  const ids = new Set(object_id !== null && wants(scope, object_id) ? [object_id] : []);
  return matchesObject(objectOf({ object, object_name }), { ids, text });
}
