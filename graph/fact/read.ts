import type { Integer } from 'neo4j-driver';

import type { StoredFact } from '../../src/derive/fact-item.ts';
import { LISTING_INLINE_BYTES } from '../../src/limits.ts';
import { MAX_SHOWN_SUPPORTS } from '../../src/limits/reading.ts';
import type { Reader } from '../driver.ts';
import { FACT, INTERVAL, LAST_KNOWN } from './row.ts';
import { FIRST, instant, type Instant } from '../instant.ts';
import { int, statement, type Params } from '../statement.ts';
import { VISIBLE_EXTENT } from '../visible.ts';

interface AtParams extends Params {
  ids: readonly string[];
  recorded: Instant;
  inline: Integer;
  supports: Integer;
}

/** A fact with the id that it was asked for by. */
interface Asked {
  readonly asked: string;
  readonly fact: StoredFact;
}

const byIds = statement<AtParams & { tenant: string | null; valid: Instant; any_time: boolean }, Asked>(
  'fact.by_ids',
  'constraints statement_id, fact_version_fact; index fact_version_resumes',
  `UNWIND $ids AS id
   MATCH (s:Statement {id: id}) WHERE $tenant IS NULL OR s.tenant = $tenant
   MATCH (f:Statement {id: s.fact_id})
   CALL (f) {
     ${LAST_KNOWN}
     WITH f, known WHERE $recorded < known.recorded_to
     ${INTERVAL}
     WITH known, x WHERE $any_time OR (${VISIBLE_EXTENT})
     RETURN known, x
   }
   RETURN id AS asked, ${FACT} AS fact`,
);

interface Resumed {
  readonly id: string;
  readonly intervals: StoredInterval[];
}

const intervals = statement<{ ids: readonly string[]; recorded: Instant; most: Integer }, Resumed>(
  'fact.intervals',
  'constraints statement_id, fact_version_fact; index fact_version_resumes, walked in order',
  `UNWIND $ids AS id
   MATCH (f:Statement {id: id})
   CALL (f) {
     ${LAST_KNOWN}
     WITH known WHERE $recorded < known.recorded_to AND known.ends_at IS NOT NULL
     RETURN known
   }
   CALL (f) {
     MATCH (y:FactVersion) USING INDEX SEEK y:FactVersion(resumes, valid_from) WHERE y.resumes = f.id AND y.valid_from >= ${FIRST}
       AND y.recorded_from <= $recorded AND $recorded < y.recorded_to
     WITH y ORDER BY y.resumes, y.valid_from LIMIT $most
     RETURN collect(y {valid_from: y.valid_from.epochMillis, valid_to: y.valid_to.epochMillis}) AS resumed
   }
   RETURN f.id AS id, [known {valid_from: known.valid_from.epochMillis, valid_to: known.valid_to.epochMillis}] + resumed AS intervals`,
);

const objects = statement<{ ids: readonly string[] }, { id: string; object: string }>(
  'fact.objects',
  'constraint statement_id',
  'UNWIND $ids AS id MATCH (f:Statement {id: id}) RETURN f.id AS id, f.term AS object',
);

/** Of which tenant a reading by id may find something; null for any. */
export type Owner = string | null;

/** Parameters that every statement takes which answers facts. */
export const SHOWN = { inline: int(LISTING_INLINE_BYTES), supports: int(MAX_SHOWN_SUPPORTS + 1) };

/** When a fact is true, epoch milliseconds; `OPEN_END` for no end. */
export interface StoredInterval {
  readonly valid_from: number;
  readonly valid_to: number;
}

/** The instants that facts are read at by id, epoch milliseconds. */
export interface FactInstants {
  readonly recorded: number;
  /** Null for any. */
  readonly valid: number | null;
  /** Of which valid instant the interval is shown, where `valid` names none. */
  readonly shown: number;
}

/** Reads facts by what leads to them; every tenant and scope is authorised before or after by the caller. */
export class FactReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /**
   * Facts by id as they were known at an instant, by the id that was asked for; the id of a statement that joined a fact leads
   * to the fact. With `valid`, only those that were true then. Of one that others interrupted the last interval that had begun at the
   * valid instant `shown` is given, before all of them the first.
   */
  async byIds(
    ids: readonly string[],
    tenant: Owner,
    { recorded, valid, shown }: FactInstants,
  ): Promise<Map<string, StoredFact>> {
    const at = { recorded: instant(recorded), valid: instant(valid ?? shown), any_time: valid === null };
    const params = { ids, tenant, ...SHOWN, ...at };
    const rows = await this.reader.read(byIds, params);
    return new Map(rows.map(({ asked, fact }) => [asked, fact]));
  }

  /**
   * When facts were true as they were known at an instant, by id, earliest first: of those that others interrupted; any other has the one
   * interval that it is read with. Of one fact at most `most` that follow its first.
   */
  async intervals(
    ids: readonly string[],
    recorded: number,
    most: number,
  ): Promise<Map<string, readonly StoredInterval[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(intervals, { ids, recorded: instant(recorded), most: int(most) });
    return new Map(rows.map((row) => [row.id, row.intervals]));
  }

  /** The objects of facts, by id of the fact; the caller bounds how many bytes that is. */
  async objects(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(objects, { ids });
    return new Map(rows.map(({ id, object }) => [id, object]));
  }
}
