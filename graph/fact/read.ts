import type { Integer } from 'neo4j-driver';

import type { StoredFact } from '../../src/derive/fact-item.ts';
import { LISTING_INLINE_BYTES } from '../../src/limits.ts';
import { MAX_SHOWN_SUPPORTS } from '../../src/limits/reading.ts';
import type { Reader } from '../driver.ts';
import { FACT, INTERVAL, LAST_KNOWN } from './row.ts';
import { instant, type Instant } from '../instant.ts';
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

const objects = statement<{ ids: readonly string[] }, { id: string; object: string }>(
  'fact.objects',
  'constraint statement_id',
  'UNWIND $ids AS id MATCH (f:Statement {id: id}) RETURN f.id AS id, f.term AS object',
);

/** Of which tenant a reading by id may find something; null for any. */
export type Owner = string | null;

/** Parameters that every statement takes which answers facts. */
export const SHOWN = { inline: int(LISTING_INLINE_BYTES), supports: int(MAX_SHOWN_SUPPORTS + 1) };

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

  /** The objects of facts, by id of the fact; the caller bounds how many bytes that is. */
  async objects(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(objects, { ids });
    return new Map(rows.map(({ id, object }) => [id, object]));
  }
}
