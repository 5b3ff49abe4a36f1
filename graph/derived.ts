import type { Reader } from './driver.ts';
import { instant, instantOrNull, type Instant } from './instant.ts';
import { statement } from './statement.ts';
import { EVENT_AT } from './visible.ts';

/** Whether the edge `d` by which an event supports a fact stands at `$recorded`. */
const STATED = `d.recorded_from <= $recorded AND $recorded < d.recorded_to`;
/** Whether the fact `f` was known at `$recorded`. */
const KNOWN_FACT = `EXISTS { MATCH (known:FactVersion) WHERE known.fact_id = f.id AND known.recorded_from <= $recorded AND $recorded < known.recorded_to }`;
/** Whether the edge `s` by which something supports a belief, or speaks against it, stands at `$recorded`. */
const WEIGHS = `s.recorded_from <= $recorded AND $recorded < s.recorded_to`;

/** Ids of the facts that the event `e` states, or that were concluded from it, as known at `$recorded`. */
const FACTS = `COLLECT {
       MATCH (e)<-[d:DERIVED_FROM]-(f:Fact) WHERE ${STATED} AND ${KNOWN_FACT} RETURN f.id AS made
       UNION
       MATCH (p:Premise {id: e.id})<-[:RESTS_ON]-(f:Fact) WHERE f.extractor <> 'declared' AND ${KNOWN_FACT} RETURN f.id AS made }`;
/** Ids of the beliefs that were held at `$recorded` for or against what the event `e` states or denies. */
const BELIEFS = `COLLECT {
       MATCH (e)<-[d:DERIVED_FROM]-(:Fact)<-[s:SUPPORTED_BY]-(b:Belief) WHERE ${STATED} AND ${WEIGHS} RETURN b.id AS made
       UNION
       MATCH (e)<-[s:SUPPORTED_BY]-(b:Belief) WHERE ${WEIGHS} RETURN b.id AS made }`;
/** Ids of the episodes in which the event `e` was at `$recorded`. */
const EPISODES = `COLLECT { MATCH (e)<-[c:CONTAINS]-(ep:Episode) WHERE c.recorded_from <= $recorded RETURN ep.id AS made }`;

/** Ids of all records that derive from the event `e`, as known at `$recorded`. */
export const DERIVES = `${FACTS} + ${BELIEFS} + ${EPISODES}`;

/** Ids of what was derived from an event, by kind. */
export interface DerivedIds {
  readonly event_id: string;
  readonly facts: readonly string[];
  readonly beliefs: readonly string[];
  readonly episodes: readonly string[];
  readonly entities: readonly string[];
}

const ofEvents = statement<
  { ids: readonly string[]; tenant: string | null; valid: Instant | null; recorded: Instant },
  DerivedIds
>(
  'event.derived_ids',
  'constraints event_id, premise_id; index fact_version_fact',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE ($tenant IS NULL OR e.tenant = $tenant) AND e.redacted_at IS NULL AND ${EVENT_AT}
   RETURN id AS event_id, ${FACTS} AS facts, ${BELIEFS} AS beliefs, ${EPISODES} AS episodes,
     COLLECT { MATCH (e)<-[:STATED_IN]-(s:Statement)-[:SUBJECT|OBJECT]->(n:Entity) WHERE s.recorded_at <= $recorded
       RETURN DISTINCT n.id } AS entities`,
);

const derives = statement<
  { ids: readonly string[]; tenant: string | null; recorded: Instant },
  { id: string; derives: string[] }
>(
  'event.derives',
  'constraints event_id, premise_id; index fact_version_fact',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE ($tenant IS NULL OR e.tenant = $tenant) AND e.redacted_at IS NULL
   RETURN id, ${DERIVES} AS derives`,
);

/** Reads what was made of events; every tenant and scope is authorised before or after by the caller. */
export class DerivedReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Ids of what is derived from events, as known at an instant; those that had not been recorded or (`valid`) observed by then are left out. */
  ofEvents(
    ids: readonly string[],
    tenant: string | null,
    at: { readonly valid: number | null; readonly recorded: number },
  ): Promise<DerivedIds[]> {
    const params = { ids, tenant, valid: instantOrNull(at.valid), recorded: instant(at.recorded) };
    return this.reader.read(ofEvents, params);
  }

  /** Ids of all records that derive from events, as known at an instant, by the id of the event. */
  async idsOf(
    ids: readonly string[],
    tenant: string | null,
    recorded: number,
  ): Promise<Map<string, readonly string[]>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(derives, { ids, tenant, recorded: instant(recorded) });
    return new Map(rows.map((row) => [row.id, row.derives]));
  }
}
