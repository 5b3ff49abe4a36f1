import type { Integer } from 'neo4j-driver';

import { isPostponed } from '../episode/leaving.ts';
import type { Reader } from '../driver.ts';
import { STORE_SCHEMA } from '../schema.ts';
import { int, statement, type Param, type Params, type Statement } from '../statement.ts';
import { FRAME_SAYS_MORE, listOf, note, type SweepFinding } from './finding.ts';
import { NAMING_PLACES, namesLeft, type NamesLeft, type SoughtEntities } from './name-sweep.ts';

export type { SweepFinding };

/** Ids, or places of the log, that are looked for in one statement. */
const SOUGHT = 1_000;

/** Records of a scope that are looked at in one statement. */
const PAGE = 1_000;

interface IdsParams extends Params {
  ids: readonly string[];
}

/** Frames say that something was forgotten, and of what was erased nothing else. */
const SAYS_NOTHING: Readonly<Record<string, string>> = {
  LifecycleEvent: `AND ${FRAME_SAYS_MORE}`,
};

/** Counts the nodes of a label that are found by the id of an event, as far as they say more than they may. */
const countByEvent = (label = '', more = ''): string => `UNWIND $ids AS id
   MATCH (n:${label} {event_id: id}) WHERE true ${more}
   RETURN count(n) AS count`;

/** Every label that the schema finds by the id of an event, with the statement that counts what it holds of some events. */
const BY_EVENT: readonly (readonly [string, Statement<IdsParams, { count: number }>])[] = [
  ...new Set(
    STORE_SCHEMA.flatMap(({ kind, label, properties }) =>
      (kind === 'unique' || kind === 'range') && properties[0] === 'event_id' ? [label] : [],
    ),
  ),
].map((label) => [
  `:${label}(event_id)`,
  statement(
    `erasure.left_${label.toLowerCase()}`,
    `an index or constraint of ${label}(event_id)`,
    countByEvent(label, SAYS_NOTHING[label]),
  ),
]);

const byId = statement<IdsParams & { named: readonly string[] }, { count: number }>(
  'erasure.left_by_id',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE NOT id IN $named OR size(keys(e)) <> 4
   RETURN count(e) AS count`,
);

const bare = statement<{ offsets: readonly Integer[] }, { count: number }>(
  'erasure.left_by_offset',
  'constraint event_wal_offset',
  `UNWIND $offsets AS offset
   OPTIONAL MATCH (e:Event {wal_offset: offset})
   WITH e WHERE e IS NULL OR (e.redacted_at IS NULL AND (size(keys(e)) <> 2 OR e.recorded_at IS NULL))
     OR (e.redacted_at IS NOT NULL AND size(keys(e)) <> 4) OR EXISTS { (e)-[edge]-() WHERE e.redacted_at IS NULL OR type(edge) <> 'CONCLUDED_FROM' }
   RETURN count(*) AS count`,
);

interface PageParams extends Params {
  ref: string;
  after: Param;
  page: Integer;
}

interface Page {
  readonly last: Param;
  readonly rows: number;
  readonly count: number;
}

/** Counts the nodes of a scope of one label that rest on nothing: a page in the order of a property of theirs, with all that are equal to its last. */
const countUnfounded = (label = '', order = '', rests = ''): string => `CALL () {
     MATCH (n:${label}) USING INDEX SEEK n:${label}(scope_ref, ${order}) WHERE n.scope_ref = $ref AND n.${order} > $after
     WITH n ORDER BY n.scope_ref, n.${order} LIMIT $page
     RETURN max(n.${order}) AS last, count(n) AS rows
   }
   MATCH (n:${label}) USING INDEX SEEK n:${label}(scope_ref, ${order}) WHERE n.scope_ref = $ref AND n.${order} > $after AND n.${order} <= last
   RETURN last, rows, count(CASE WHEN NOT EXISTS { ${rests} } THEN 1 END) AS count`;

/** How such nodes are walked: from where on, and page by page. */
interface Walk {
  readonly place: string;
  readonly first: Param;
  readonly page: Statement<PageParams, Page>;
}

const walkOf = (
  place: string,
  { label, order, rests }: { label: string; order: 'position' | 'key'; rests: string },
): Walk => ({
  place,
  first: order === 'position' ? int(-1) : '',
  page: statement(
    `erasure.unfounded_${label.toLowerCase()}`,
    `index of ${label}(scope_ref, ${order}), walked in order`,
    countUnfounded(label, order, rests),
  ),
});

/** What holds a key: an event of the scope, which is not redacted. */
const HOLDS_KEY = 'MATCH (e:Event {id: n.event_id}) WHERE e.scope_ref = n.scope_ref';

/** What every record of a scope rests on: where it does not, what it rested on was erased, and it was left. */
const RESTING: readonly Walk[] = [
  walkOf(':Belief without evidence', {
    label: 'Belief',
    order: 'position',
    rests: '(n)-[:SUPPORTED_BY]->()',
  }),
  walkOf(':Concept without facts', { label: 'Concept', order: 'position', rests: '(n)-[:SUPPORTED_BY]->()' }),
  walkOf(':Episode without events', {
    label: 'Episode',
    order: 'position',
    // What all events left some at a time goes when its scope is replayed.
    rests: `MATCH (n) WHERE EXISTS { (n)-[:CONTAINS]->(:Event) } OR ${isPostponed('n.scope_ref')}`,
  }),
  walkOf(':Entity that nothing names', {
    label: 'Entity',
    order: 'position',
    rests: '(n)<-[:SUBJECT|OBJECT|NAMED]-()',
  }),
  walkOf(':IdempotencyKey of no event', { label: 'IdempotencyKey', order: 'key', rests: HOLDS_KEY }),
  walkOf(':ReleasedKey of no event', { label: 'ReleasedKey', order: 'key', rests: HOLDS_KEY }),
];

const premises = statement<IdsParams, { count: number }>(
  'erasure.left_premises',
  'constraint premise_id',
  `UNWIND $ids AS id
   MATCH (p:Premise {id: id}) WHERE NOT EXISTS { (p)<-[:RESTS_ON]-() }
   RETURN count(p) AS count`,
);

/** The places that a sweep looks at, as receipts name them. */
export const SWEPT_PLACES: readonly string[] = [
  ':Event(id)',
  ':Event(wal_offset)',
  ...BY_EVENT.map(([place]) => place),
  ':Premise(id)',
  ...NAMING_PLACES,
  ...RESTING.map(({ place }) => place),
];

/** Those of them that can be looked at when the ids of the events are gone too. */
export const PLACES_WITHOUT_IDS: readonly string[] = [
  ':Event(wal_offset)',
  ...RESTING.map(({ place }) => place),
];

/**
 * Looks for what an erasure has left. It knows the places from the schema of the store, and nothing of the code that deletes.
 */
export class ErasureSweep {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** What is left of events by their ids; of those that are `named` elsewhere the id alone may be. */
  async ofEvents(ids: readonly string[], named: readonly string[]): Promise<SweepFinding[]> {
    const [findings, kept] = [new Map<string, number>(), new Set(named)];
    for (let at = 0; at < ids.length; at += SOUGHT) {
      const some = ids.slice(at, at + SOUGHT);
      note(
        findings,
        ':Event(id)',
        await this.reader.read(byId, { ids: some, named: some.filter((id) => kept.has(id)) }),
      );
      for (const [place, left] of BY_EVENT)
        note(findings, place, await this.reader.read(left, { ids: some }));
      const unnamed = some.filter((id) => !kept.has(id));
      note(findings, ':Premise(id)', await this.reader.read(premises, { ids: unnamed }));
    }
    return listOf(findings);
  }

  /** Events at these places of the log of which more is left than place and instant, or id, scope and instants where they were named. */
  async ofOffsets(offsets: readonly number[]): Promise<SweepFinding[]> {
    const findings = new Map<string, number>();
    for (let at = 0; at < offsets.length; at += SOUGHT) {
      const some = offsets.slice(at, at + SOUGHT).map(int);
      note(findings, ':Event(wal_offset)', await this.reader.read(bare, { offsets: some }));
    }
    return listOf(findings);
  }

  /** What of a scope still names what it has no more: {@link namesLeft}. */
  ofNames(ref: string, gone: SoughtEntities, known: ReadonlySet<string> | null = null): Promise<NamesLeft> {
    return namesLeft(this.reader, ref, gone, known);
  }

  /** Records of a scope that rest on nothing any more. */
  async ofScope(ref: string): Promise<SweepFinding[]> {
    const findings = new Map<string, number>();
    for (const { place, first, page } of RESTING) {
      for (let after = first; ;) {
        const [found] = await this.reader.read(page, { ref, after, page: int(PAGE) });
        if (found === undefined) break;
        note(findings, place, [found]);
        if (found.rows < PAGE) break;
        after = typeof found.last === 'number' ? int(found.last) : found.last;
      }
    }
    return listOf(findings);
  }
}
