import type { Integer } from 'neo4j-driver';

import type { StoredFact } from '../../src/derive/fact-item.ts';
import type { Instants } from '../../src/time/bitemporal-range.ts';
import type { Reader } from '../driver.ts';
import { SHOWN } from './read.ts';
import { FACT, INTERVAL, LAST_KNOWN } from './row.ts';
import type { EntityKey, WalkedFact } from './walk.ts';
import { instant, instantOrNull, nearestInstant, type Instant } from '../instant.ts';
import { int, statement, type Params } from '../statement.ts';
import { VISIBLE_EXTENT } from '../visible.ts';

/** Rows of a claim that a look-up at two instants looks at first; nearly always the first or second one is it. Of a claim that keeps several values, so many of them. */
export const CLAIM_WALK_ROWS = 500;

/** By how much that is widened where it decides nothing; of a claim that keeps several values, so many times as many facts are looked at. */
const CLAIM_WALK_FACTOR = 10;

interface TopicParams extends Params {
  places: readonly EntityKey[];
  predicates: readonly string[];
  valid: Instant;
  recorded: Instant;
  by_valid: Integer;
  by_recorded: Integer;
  inline: Integer;
  supports: Integer;
}

/** The value of a claim at a pair of instants. */
interface TopicRow {
  /** True when neither walk came to an end before its bound, and none of them found the value. */
  readonly undecided: boolean;
  readonly fact: StoredFact | null;
}

// A claim has one value at a time. Seen from the valid instant, what was recorded later is in the way; seen from the recorded one,
// what is about other times. Where one walk is long the other is short, but for histories that are made for it.
const ofTopics = statement<TopicParams, TopicRow>(
  'fact.of_topics',
  'indexes fact_topic (one row), fact_version_claim_valid and fact_version_claim_recorded, walked downwards to the first visible row; constraint statement_id',
  `UNWIND $places AS place
   UNWIND $predicates AS predicate
   CALL (place, predicate) {
     MATCH (n:Fact) USING INDEX SEEK n:Fact(scope_ref, subject_id, predicate, cardinality, position)
     WHERE n.scope_ref = place.ref AND n.subject_id = place.id AND n.predicate = predicate AND n.cardinality = 'one'
       AND n.position >= 0
     WITH n LIMIT 1
     RETURN n.claim AS claim
   }
   OPTIONAL CALL (claim) {
     MATCH (x:FactVersion) USING INDEX SEEK x:FactVersion(claim, valid_from) WHERE x.claim = claim AND x.valid_from <= $valid
     WITH x ORDER BY x.claim DESC, x.valid_from DESC LIMIT $by_valid
     WITH x WHERE ${VISIBLE_EXTENT}
     WITH x LIMIT 1
     RETURN x AS first
   }
   OPTIONAL CALL (claim, first) {
     UNWIND CASE WHEN first IS NULL THEN [claim] ELSE [] END AS unseen
     CALL (unseen) {
       MATCH (x:FactVersion) USING INDEX SEEK x:FactVersion(claim, recorded_from) WHERE x.claim = unseen AND x.recorded_from <= $recorded
       WITH x ORDER BY x.claim DESC, x.recorded_from DESC LIMIT $by_recorded
       WITH x WHERE ${VISIBLE_EXTENT}
       WITH x LIMIT 1
       RETURN x
     }
     RETURN x AS second
   }
   WITH claim, coalesce(first, second) AS x
   OPTIONAL MATCH (f:Statement {id: coalesce(x.fact_id, x.resumes)})
   OPTIONAL CALL (f) {
     WITH f WHERE f IS NOT NULL
     ${LAST_KNOWN}
     RETURN known
   }
   RETURN x IS NULL
       AND COUNT { MATCH (y:FactVersion) WHERE y.claim = claim AND y.valid_from <= $valid WITH y LIMIT $by_valid + 1 RETURN y } > $by_valid
       AND COUNT { MATCH (y:FactVersion) WHERE y.claim = claim AND y.recorded_from <= $recorded WITH y LIMIT $by_recorded + 1 RETURN y } > $by_recorded
       AS undecided,
     CASE WHEN f IS NOT NULL THEN ${FACT} END AS fact`,
);

// Facts are walked and not their rows: a value that is stated again adds a row, and no fact.
const keptOfTopics = statement<
  Omit<TopicParams, 'by_valid' | 'by_recorded'> & { scan: Integer; most: Integer },
  { fact: StoredFact }
>(
  'fact.kept_of_topics',
  'indexes kept_topic (one row), fact_topic, walked in order, fact_version_fact and fact_version_resumes',
  `UNWIND $places AS place
   UNWIND $predicates AS predicate
   CALL (place, predicate) {
     MATCH (k:MultiValueStatement) USING INDEX SEEK k:MultiValueStatement(scope_ref, subject_id, predicate)
     WHERE k.scope_ref = place.ref AND k.subject_id = place.id AND k.predicate = predicate
     RETURN true AS kept LIMIT 1
   }
   CALL (place, predicate) {
     MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, subject_id, predicate, cardinality, position)
     WHERE f.scope_ref = place.ref AND f.subject_id = place.id AND f.predicate = predicate AND f.cardinality = 'one'
       AND f.position >= 0
     WITH f ORDER BY f.scope_ref DESC, f.subject_id DESC, f.predicate DESC, f.cardinality DESC, f.position DESC LIMIT $scan
     CALL (f) {
       ${LAST_KNOWN}
       WITH f, known
       ${INTERVAL}
       WITH known, x WHERE ${VISIBLE_EXTENT}
       RETURN known, x
     }
     WITH f, known, x LIMIT $most
     RETURN f, known, x
   }
   RETURN ${FACT} AS fact`,
);

const timeline = statement<
  Params & {
    places: readonly EntityKey[];
    after: Instant;
    until: Instant | null;
    recorded: Instant;
    predicates: readonly string[] | null;
    scan: Integer;
  },
  WalkedFact
>(
  'fact.timeline',
  'indexes fact_valid and fact_version_subject, walked in order once per scope and subject; constraints fact_version_fact, statement_id',
  `UNWIND $places AS place
   CALL (place) {
     MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, subject_id, stated_from)
     WHERE f.scope_ref = place.ref AND f.subject_id = place.id AND f.stated_from >= $after
     WITH f ORDER BY f.scope_ref, f.subject_id, f.stated_from LIMIT $scan
     RETURN f, null AS y, f.stated_from AS begins
     UNION ALL
     MATCH (y:FactVersion) USING INDEX SEEK y:FactVersion(scope_ref, subject_id, valid_from)
     WHERE y.scope_ref = place.ref AND y.subject_id = place.id AND y.valid_from >= $after
     WITH y ORDER BY y.scope_ref, y.subject_id, y.valid_from LIMIT $scan
     MATCH (f:Statement {id: y.resumes})
     RETURN f, y, y.valid_from AS begins
   }
   WITH f, y, begins ORDER BY begins LIMIT $scan
   OPTIONAL CALL (f, y) {
     WITH f, y WHERE $predicates IS NULL OR f.predicate IN $predicates
     ${LAST_KNOWN}
     WITH known, coalesce(y, known) AS x WHERE x.recorded_from <= $recorded AND $recorded < x.recorded_to AND x.valid_from < x.valid_to AND ($until IS NULL OR x.valid_from <= $until)
     RETURN known, x
   }
   RETURN -begins.epochMillis AS position, CASE WHEN y IS NULL THEN f.id ELSE f.id + ' ' + y.recorded_from.epochMillis END AS id, null AS scope,
     CASE WHEN x IS NOT NULL THEN ${FACT} END AS fact`,
);

/** Reads what becomes of one subject and predicate. */
export class ClaimReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /**
   * The facts by which a single-valued predicate has a value at a pair of instants: one at most for each place and spelling of the
   * predicate, but where a policy keeps several, of which {@link CLAIM_WALK_ROWS} are found at most, those that were stated last. A claim
   * of many rows is looked at near the instants only; the bound is widened where that decides nothing.
   */
  async valuesAt(
    places: readonly EntityKey[],
    predicates: readonly string[],
    at: Instants,
  ): Promise<StoredFact[]> {
    if (places.length === 0) return [];
    const [values, kept] = await Promise.all([
      this.single(places, predicates, at),
      this.reader.read(keptOfTopics, {
        ...SHOWN,
        places,
        predicates,
        valid: instant(at.valid),
        recorded: instant(at.recorded),
        most: int(CLAIM_WALK_ROWS),
        scan: int(CLAIM_WALK_ROWS * CLAIM_WALK_FACTOR),
      }),
    ]);
    const all = [...values, ...kept.map(({ fact }) => fact)];
    return [...new Map(all.map((fact) => [fact.id, fact])).values()];
  }

  private async single(
    places: readonly EntityKey[],
    predicates: readonly string[],
    at: Instants,
  ): Promise<StoredFact[]> {
    for (let rows = CLAIM_WALK_ROWS; ; rows *= CLAIM_WALK_FACTOR) {
      const found = await this.reader.read(ofTopics, {
        ...SHOWN,
        places,
        predicates,
        valid: instant(at.valid),
        recorded: instant(at.recorded),
        by_valid: int(rows),
        by_recorded: int(rows),
      });
      if (!found.some(({ undecided }) => undecided))
        return found.flatMap(({ fact }) => (fact === null ? [] : [fact]));
    }
  }

  /**
   * Facts about subjects in the order of valid time, known at an instant and true at some time that begins by `until`: at most
   * `scan` rows from `after` (inclusive) on, of a fact that others interrupted one for each interval. Their positions are the negative of where they begin, so that they fall along it.
   */
  timeline(
    places: readonly EntityKey[],
    filter: {
      readonly predicates: readonly string[] | null;
      readonly recorded: number;
      readonly until: number | null;
    },
    { after, scan }: { readonly after: number; readonly scan: number },
  ): Promise<WalkedFact[]> {
    return this.reader.read(timeline, {
      ...SHOWN,
      places,
      predicates: filter.predicates,
      recorded: instant(filter.recorded),
      until: instantOrNull(filter.until),
      after: nearestInstant(after),
      scan: int(scan),
    });
  }
}
