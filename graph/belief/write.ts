import { OPEN_END } from '../../schemas/time.ts';
import { SUPPORT } from './drawn.ts';
import { HELD, HELD_NOW } from './held.ts';
import { CONTRADICTED, SUPPORTED, type LinkParams } from './links.ts';
import { REVISION_PROPS } from './revision.ts';
import { Columns, type Levels } from '../columns.ts';
import { CONCLUDE } from '../conclusion-edge.ts';
import type { Transaction } from '../driver.ts';
import { instant, type Instant } from '../instant.ts';
import { statement, type Param } from '../statement.ts';

/** Properties of a belief that begins. */
export const BELIEF_PROPS = new Columns(
  [
    'id',
    'text',
    'tenant',
    'scope',
    'scope_ref',
    'shard',
    'claim',
    'value',
    'subject_id',
    'subject_name',
    'predicate',
    'object',
    'object_id',
    'cardinality_assumed',
    'position',
    'recorded_at',
  ],
  ['recorded_at'],
);

/** What a row is found by: those of one belief that are open together lie apart in valid time. */
export const KEY = new Columns(['belief_id', 'recorded_from', 'valid_from'], ['recorded_from', 'valid_from']);

/** What is sent of a row that ends. */
export const MOVED = new Columns(['key', 'recorded_to'], ['recorded_to']);

/** What a row weighs, as it is sent. */
export const EDGE = new Columns(['id', 'weight', 'polarity', 'place']);

/**
 * What is sent of a belief that is there afterwards: its properties where it begins, and what is held of it where that is known (lists of one
 * or none), the keys of the entities that it is about, rows with what they weigh, and edges to facts and events.
 */
export const BELIEF = new Columns(['id', 'begun', 'held', 'about', 'opened', 'facts', 'events']);

/** A row that is opened, and what it weighs. */
export const OPENED = new Columns(['props', 'facts', 'events']);

/** What is sent of what became of beliefs. */
export interface WriteParams extends LinkParams {
  removed: readonly Param[];
  moved: readonly Param[];
  /** Of what is in `beliefs`, those that begin. */
  begun: readonly Param[];
  levels: Levels;
  deleted: readonly string[];
  beliefs: readonly Param[];
  /** Beliefs of which is to be found what is held of them. */
  unsure: readonly string[];
  open_end: Instant;
}

/** A belief that begins, or is gone, and its claim. */
export const NAMED = new Columns(['id', 'claim']);

/** The claims of beliefs that began and that conclusions had named before. */
export const newlyResolved = statement<{ begun: readonly Param[] }, { claim: string }>(
  'belief.newly_resolved',
  'constraint premise_id',
  `UNWIND $begun AS belief
   MATCH (p:Premise {id: ${NAMED.cell('belief', 'id')}}) WHERE p.claim <> ${NAMED.cell('belief', 'claim')}
   RETURN DISTINCT ${NAMED.cell('belief', 'claim')} AS claim`,
);

/** Those of beliefs that are gone which conclusions name. */
export const newlyLost = statement<{ deleted: readonly Param[] }, { id: string; claim: string }>(
  'belief.newly_lost',
  'constraint premise_id',
  `UNWIND $deleted AS belief
   MATCH (p:Premise {id: ${NAMED.cell('belief', 'id')}}) WHERE EXISTS { (p)<-[:RESTS_ON]-() }
   RETURN p.id AS id, ${NAMED.cell('belief', 'claim')} AS claim`,
);

/**
 * Writes what became of beliefs. A conclusion may name a belief that is only now derived (again), or that is gone: its premise stands for
 * the claim, or for nothing.
 */
export const write = statement<WriteParams, { done: boolean }>(
  'belief.write',
  'constraints belief_revision_row, belief_id, statement_id, event_id, entity_key, premise_id; index belief_revision_open',
  `CALL () {
     UNWIND $removed AS key
     MATCH (x:BeliefRevision ${KEY.map('key')})
     DETACH DELETE x
   }
   CALL () {
     UNWIND $deleted AS id
     MATCH (b:Belief {id: id})
     DETACH DELETE b
     WITH id
     MATCH (p:Premise {id: id})
     SET p.claim = ''
   }
   CALL () {
     UNWIND $moved AS row
     WITH row, ${MOVED.cell('row', 'key')} AS key
     MATCH (x:BeliefRevision ${KEY.map('key')})
     SET x.recorded_to = ${MOVED.cell('row', 'recorded_to')}
   }
   CALL () {
     UNWIND $beliefs AS sent
     MERGE (b:Belief {id: ${BELIEF.cell('sent', 'id')}})
     FOREACH (begun IN ${BELIEF.cell('sent', 'begun')} |
       SET ${BELIEF_PROPS.set('b', 'begun')}
       SET b += $levels[b.scope_ref])
     FOREACH (held IN ${BELIEF.cell('sent', 'held')} |
       SET ${HELD.set('b', 'held')})
     WITH b, sent
     CALL (b, sent) {
       UNWIND ${BELIEF.cell('sent', 'about')} AS key
       MATCH (n:Entity {key: key})
       WITH b, n WHERE NOT EXISTS { (b)-[:ABOUT]->(n) }
       CREATE (b)-[:ABOUT]->(n)
     }
     CALL (b, sent) {
       UNWIND ${BELIEF.cell('sent', 'opened')} AS row
       WITH b, ${OPENED.cell('row', 'props')} AS props, ${OPENED.cell('row', 'facts')} AS facts, ${OPENED.cell('row', 'events')} AS events
       CREATE (b)-[:HAS_REVISION]->(x:BeliefRevision)
       SET ${REVISION_PROPS.set('x', 'props')}
       WITH x, facts, events
       CALL (x) {
         MATCH (e:Event {id: x.caused_by})
         CREATE (x)-[:REVISED_BY]->(e)
       }
       CALL (x, facts) {
         UNWIND facts AS sent
         WITH x, ${EDGE.map('sent')} AS fact
         MATCH (f:Statement {id: fact.id})
         CREATE (x)-[:WEIGHED {weight: fact.weight, polarity: fact.polarity, place: fact.place}]->(f)
       }
       CALL (x, events) {
         UNWIND events AS sent
         WITH x, ${EDGE.map('sent')} AS event
         MATCH (e:Event {id: event.id})
         CREATE (x)-[:WEIGHED {weight: event.weight, polarity: event.polarity, place: event.place}]->(e)
       }
     }
     CALL (b, sent) {
       UNWIND ${BELIEF.cell('sent', 'facts')} AS row
       WITH b, ${SUPPORT.map('row')} AS edge
       MATCH (n:Statement {id: edge.id})
       CREATE (b)-[:SUPPORTED_BY {weight: edge.weight, polarity: edge.polarity, recorded_from: edge.recorded_from, recorded_to: edge.recorded_to}]->(n)
     }
     CALL (b, sent) {
       UNWIND ${BELIEF.cell('sent', 'events')} AS row
       WITH b, ${SUPPORT.map('row')} AS edge
       MATCH (n:Event {id: edge.id})
       CREATE (b)-[:SUPPORTED_BY {weight: edge.weight, polarity: edge.polarity, recorded_from: edge.recorded_from, recorded_to: edge.recorded_to}]->(n)
     }
   }
   CALL () {
     UNWIND $begun AS sent
     WITH ${NAMED.map('sent')} AS begun
     MATCH (p:Premise {id: begun.id})
     SET p.claim = begun.claim
     WITH p
     MATCH (premise:Belief {id: p.id})
     MATCH (p)<-[:RESTS_ON]-(conclusion:Statement)
     ${CONCLUDE}
   }
   ${SUPPORTED}
   ${CONTRADICTED}
   ${HELD_NOW}
   RETURN true AS done`,
);

/** Has the server plan the statements of this file by running them on nothing. */
export async function planBeliefWrites(transaction: Transaction): Promise<void> {
  await transaction.run(newlyResolved, { begun: [] });
  await transaction.run(newlyLost, { deleted: [] });
  const rows = {
    removed: [],
    moved: [],
    begun: [],
    levels: {},
    deleted: [],
    beliefs: [],
    unsure: [],
  };
  const links = { cited_facts: [], cited_events: [], contested: [], contradicting: [] };
  await transaction.run(write, { ...rows, ...links, open_end: instant(OPEN_END) });
}
