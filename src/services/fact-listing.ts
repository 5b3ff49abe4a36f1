import type { EntityReader } from '../../graph/entity.ts';
import type { ClaimReader } from '../../graph/fact-claim.ts';
import { placesOf, type FactFilter, type FactWalker, type WalkedFact } from '../../graph/fact-walk.ts';
import type { FactItem, FactListQuery, FactPage } from '../../schemas/fact.ts';
import { normalisedName } from '../derive/entity.ts';
import {
  matchesObject,
  objectOf,
  toFactItem,
  type AskedObject,
  type StoredFact,
} from '../derive/fact-item.ts';
import type { PredicateNames } from '../derive/predicate-names.ts';
import { readingInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { idSpellings } from './entity-lookup.ts';
import type { WholeFacts } from './fact-whole.ts';
import { recordPage, type RecordWalk, type WalkedRecord } from './record-page.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** What the listing needs. */
export interface FactListingParts {
  readonly walker: FactWalker;
  readonly claims: ClaimReader;
  readonly entities: EntityReader;
  readonly facts: WholeFacts;
  readonly predicates: PredicateNames;
}

/** What a query asks for by names. */
interface Asked {
  /** Ids of subjects; null for any. */
  readonly subjects: readonly string[] | null;
  readonly object: AskedObject | null;
}

/** Of which several are true at once. A single-valued claim is read by its value at the instants, not row by row. */
const SEVERAL = ['many', 'exclusive'] as const;
const ANY = ['one', ...SEVERAL] as const;

/** Pages through facts, newest first. */
export class FactListing {
  private readonly parts: FactListingParts;

  constructor(parts: FactListingParts) {
    this.parts = parts;
  }

  /** A page of the facts of a selection that `keep` wants; `now` is the valid instant where the query names none. */
  async page(
    call: Call,
    selection: ReadableSelection,
    query: FactListQuery,
    now: number,
    keep: ((fact: StoredFact) => boolean) | null = null,
  ): Promise<{ page: FactPage; positions: readonly (readonly [FactItem, number])[] }> {
    const filter: FactFilter = {
      at: readingInstants(query, now),
      any_time: query.include_superseded === true,
      predicates: query.predicate === undefined ? null : this.parts.predicates.spellings(query.predicate),
      min_confidence: query.min_confidence ?? null,
    };
    const asked = await this.askedOf(call, selection, query);
    const keeps = (fact: StoredFact): boolean =>
      (asked.object === null || hasObject(fact, asked.object)) && (keep?.(fact) ?? true);
    const walk = this.wanted(this.walkOf(call, selection, asked, filter), selection, keeps);
    const sparse =
      asked.object !== null || keep !== null || filter.predicates !== null || filter.min_confidence !== null;
    const { records, next } = await recordPage(walk, { ...query, sparse });
    const whole = await this.parts.facts.whole(records);
    const positions = whole.map((fact) => [toFactItem(fact), fact.position] as const);
    const { withheld } = selection;
    const page = {
      items: positions.map(([item]) => item),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
      ...(withheld === 0 ? {} : { withheld_scopes: withheld }),
    };
    return { page, positions };
  }

  /** Names are what they mean in the scopes that are read. */
  private async askedOf(
    call: Call,
    selection: ReadableSelection,
    { subject, object }: FactListQuery,
  ): Promise<Asked> {
    const names = [subject, object].filter((text) => text !== undefined).map(normalisedName);
    const named = await this.parts.entities.named(selection, call.principal.tenant, names);
    const mayRead = selection.check === null ? null : await selection.check(named.map(({ scope }) => scope));
    const idsOf = (text: string): string[] => {
      const readable = named.filter(
        ({ name, scope }) => name === normalisedName(text) && (mayRead === null || mayRead(scope)),
      );
      return [...new Set([...idSpellings(text), ...readable.map(({ id }) => id)])];
    };
    return {
      subjects: subject === undefined ? null : idsOf(subject),
      object: object === undefined ? null : { ids: new Set(idsOf(object)), text: object },
    };
  }

  private walkOf(
    call: Call,
    selection: ReadableSelection,
    { subjects }: Asked,
    filter: FactFilter,
  ): (position: number, rows: number) => Promise<WalkedFact[]> {
    const { walker, claims } = this.parts;
    if (subjects === null) return (position, rows) => walker.scan(selection, filter, position, rows);
    const { tenant } = call.principal;
    const { predicates, at } = filter;
    const about = { selection, tenant, ids: subjects };
    if (predicates === null || filter.any_time)
      return (before, scan) => walker.scanSubjects(about, filter, ANY, { before, scan });
    let values: Promise<StoredFact[]> | null = null;
    return async (before, scan) => {
      values ??= claims.valuesAt(placesOf(selection, subjects), predicates, at);
      const [single, several] = await Promise.all([
        values,
        walker.scanSubjects(about, filter, SEVERAL, { before, scan }),
      ]);
      const sure = single.filter(
        ({ confidence, position }) => confidence >= (filter.min_confidence ?? 0) && position <= before,
      );
      const rows = [...sure.map((fact) => ({ position: fact.position, id: fact.id, fact })), ...several];
      return rows.sort((a, b) => b.position - a.position).slice(0, scan);
    };
  }

  /** Leaves of each row its place alone when it may not be read or is not what is asked for. */
  private wanted(
    walk: (position: number, rows: number) => Promise<WalkedFact[]>,
    { check }: ReadableSelection,
    keeps: (fact: StoredFact) => boolean,
  ): RecordWalk<StoredFact> {
    return async (position, rows): Promise<WalkedRecord<StoredFact>[]> => {
      const walked = await walk(position, rows);
      const shown = walked.flatMap(({ fact }) => (fact === null ? [] : [fact]));
      const mayRead = check === null ? null : await check(shown.map(({ scope }) => scope));
      const readable = mayRead === null ? shown : shown.filter(({ scope }) => mayRead(scope));
      const wanted = new Set<StoredFact>(readable.filter(keeps));
      return walked.map(({ position: at, id, fact }) => ({
        position: at,
        id,
        record: fact !== null && wanted.has(fact) ? fact : null,
      }));
    };
  }
}

/** Whether a fact has the object. A text that is asked for is shorter than whatever is left out of a walk for its length. */
function hasObject({ object }: StoredFact, asked: AskedObject): boolean {
  return object !== null && matchesObject(objectOf({ object }), asked);
}
