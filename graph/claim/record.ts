import type { Reader } from '../driver.ts';
import { instant, type Instant } from '../instant.ts';
import { statement } from '../statement.ts';

/** What records of claims say beside what facts do. */
export interface RecordDetails {
  readonly id: string;
  /** Key of the claim. */
  readonly claim: string;
  readonly event_id: string;
  readonly observed_actor: string;
  /** Whether it says itself since when it holds. */
  readonly has_explicit_valid_from: boolean;
  /** Until when it holds by itself, epoch milliseconds. */
  readonly stated_to: number;
  /** A fact that it took the place of, as known at the recorded instant; null for none. */
  readonly supersedes: string | null;
}

const details = statement<{ ids: readonly string[]; recorded: Instant }, RecordDetails>(
  'claim.record_details',
  'constraint statement_id',
  `UNWIND $ids AS id
   MATCH (s:Statement {id: id})-[:STATED_IN]->(e:Event)
   OPTIONAL CALL (s) {
     MATCH (s)<-[r:SUPERSEDED_BY]-(older) WHERE r.recorded_from <= $recorded AND $recorded < r.recorded_to
     RETURN older.id AS supersedes LIMIT 1
   }
   RETURN id, s.claim AS claim, s.event_id AS event_id, e.observed_actor AS observed_actor, s.has_explicit_valid_from AS has_explicit_valid_from,
     s.stated_to.epochMillis AS stated_to, supersedes`,
);

/** Reads facts as records of their claims; every scope was authorised before. */
export class ClaimRecordReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** The details of facts, by id, as known at a recorded instant (epoch milliseconds). One round trip. */
  async details(ids: readonly string[], recorded: number): Promise<ReadonlyMap<string, RecordDetails>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(details, { ids, recorded: instant(recorded) });
    return new Map(rows.map((row) => [row.id, row]));
  }
}
