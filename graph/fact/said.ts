import type { Reader } from '../driver.ts';
import { instant, type Instant } from '../instant.ts';
import { int, statement } from '../statement.ts';
import type { Integer } from 'neo4j-driver';

/** How a fact was said, as known at a recorded instant. */
export interface FactSaid {
  readonly id: string;
  /** Whether the statement that began it says itself since when it holds. */
  readonly has_explicit_valid_from: boolean;
  /** Whether it was said later that it never was true. */
  readonly is_denied: boolean;
  /** Where words stand on which it rests, in characters of the text of an event; null where none are known. */
  readonly words: SaidWords | null;
}

/** Words in the text of an event, half open. */
export interface SaidWords {
  readonly event: string;
  readonly start: number;
  readonly end: number;
}

/** Events of one fact that are looked through for words at most. */
const SUPPORTS_LOOKED_THROUGH = 100;

// Only a later denial counts: a value that is said again after one is another fact.
const saidOf = statement<{ ids: readonly string[]; recorded: Instant; walk: Integer }, FactSaid>(
  'fact.said',
  'constraint statement_id; index denial_claim',
  `UNWIND $ids AS id
   MATCH (f:Statement {id: id})
   CALL (f) {
     MATCH (f)-[d:DERIVED_FROM]->(e:Event) WHERE d.recorded_from <= $recorded AND $recorded < d.recorded_to
     WITH f, e LIMIT $walk
     MATCH (e)<-[:STATED_IN]-(said:Statement) WHERE said.fact_id = f.id AND said.span_start IS NOT NULL
     WITH e, said ORDER BY e.wal_offset, said.span_start, said.span_end LIMIT 1
     RETURN collect({event: e.id, start: said.span_start, end: said.span_end})[0] AS words
   }
   RETURN id, f.has_explicit_valid_from AS has_explicit_valid_from, words,
     EXISTS { MATCH (n:Denial) USING INDEX SEEK n:Denial(claim, position) WHERE n.claim = f.claim AND n.position > f.position
       AND n.kind = 'never' AND n.value = f.value AND n.retracted = false AND n.recorded_at <= $recorded } AS is_denied`,
);

/** Reads how facts were said; every scope was authorised before. */
export class FactSaidReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** How facts were said, by id, as known at a recorded instant (epoch milliseconds). One round trip. */
  async of(ids: readonly string[], recorded: number): Promise<ReadonlyMap<string, FactSaid>> {
    if (ids.length === 0) return new Map();
    const params = { ids, recorded: instant(recorded), walk: int(SUPPORTS_LOOKED_THROUGH) };
    const rows = await this.reader.read(saidOf, params);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
