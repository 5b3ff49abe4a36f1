import { grouped } from '../../src/derive/grouped.ts';
import type { Reader } from '../driver.ts';
import { COUNTED } from '../claim/read.ts';
import { FIRST, OPEN } from '../instant.ts';
import { statement } from '../statement.ts';
import { readPages } from './pages.ts';
import type { DerivedLayer, WalkedRecord } from './walk.ts';

/** That a record rests on an event. */
interface Rest {
  readonly id: string;
  readonly event_id: string;
}

/** Whether the counted statement `s` counts for the belief in its value. A conclusion that does not hold carries no fact. */
export const FOR_BELIEFS = `s.kind <> 'settled' AND (s.kind <> 'asserted' OR s.fact_id IS NOT NULL) AND (s.max_layer IS NULL OR s.max_layer <> 'facts')`;

/** Whether the counted statement `s`, which names an entity by the edge `role`, may support its concept. */
export const FOR_CONCEPTS = `s.retracted = false AND s.continuation_of IS NULL AND s.kind = 'asserted' AND s.fact_id IS NOT NULL AND s.max_layer IS NULL
     AND (s.not_about IS NULL OR s.not_about <> toLower(type(role)))`;

const ofFacts = statement<{ ids: readonly string[] }, Rest>(
  'forget.events_of_facts',
  'constraint statement_id',
  `UNWIND $ids AS id
   MATCH (:Statement {id: id})-[d:DERIVED_FROM]->(e:Event) WHERE d.recorded_to = ${OPEN}
   RETURN id, e.id AS event_id`,
);

const ofClaims = statement<{ ids: readonly string[] }, { claim: string; value: string; event_id: string }>(
  'forget.events_of_claims',
  'index statement_claim_valid, all of each claim',
  `UNWIND $ids AS claim
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from)
     WHERE s.claim = claim AND s.stated_from >= ${FIRST} AND ${COUNTED} AND ${FOR_BELIEFS}
     RETURN s.value AS value, s.event_id AS event_id
   }
   RETURN claim, value, event_id`,
);

const ofConcepts = statement<{ ids: readonly string[] }, Rest>(
  'forget.events_of_concepts',
  'constraints concept_id and entity_key',
  `UNWIND $ids AS id
   MATCH (c:Concept {id: id})
   MATCH (:Entity {key: c.scope_ref + ' ' + c.entity_id})<-[role:SUBJECT|OBJECT]-(s:Statement) WHERE ${FOR_CONCEPTS}
   RETURN id, s.event_id AS event_id`,
);

const ofEpisodes = statement<{ ids: readonly string[] }, Rest>(
  'forget.events_of_episodes',
  'constraint episode_id',
  `UNWIND $ids AS id
   MATCH (:Episode {id: id})-[:CONTAINS]->(e:Event)
   RETURN id, e.id AS event_id`,
);

const BY_ID = { facts: ofFacts, understanding: ofConcepts, episodes: ofEpisodes };

/** The events that records of a layer rest on, by the id of the record: those that state or contain what it is made from. */
export async function eventsOf(
  reader: Reader,
  layer: DerivedLayer,
  records: readonly WalkedRecord[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rests = layer === 'beliefs' ? ofBeliefs(reader, records) : byRecord(reader, layer, records);
  return new Map(
    [...grouped(await rests, ({ id }) => id)].map(([id, all]) => [id, all.map(({ event_id }) => event_id)]),
  );
}

function byRecord(
  reader: Reader,
  layer: Exclude<DerivedLayer, 'beliefs'>,
  records: readonly WalkedRecord[],
): Promise<Rest[]> {
  return readPages(
    records.map(({ id }) => id),
    (ids) => reader.read(BY_ID[layer], { ids }),
  );
}

async function ofBeliefs(reader: Reader, records: readonly WalkedRecord[]): Promise<Rest[]> {
  const ids = new Map(records.map(({ id, claim, value }) => [JSON.stringify([claim, value]), id]));
  const stated = await readPages(
    records.flatMap(({ claim }) => claim ?? []),
    (claims) => reader.read(ofClaims, { ids: claims }),
  );
  return stated.flatMap(({ claim, value, event_id }) => {
    const id = ids.get(JSON.stringify([claim, value]));
    return id === undefined ? [] : [{ id, event_id }];
  });
}
