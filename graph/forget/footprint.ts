import type { Integer } from 'neo4j-driver';

import type { Cascade } from '../../schemas/forget.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { episodeIdOf } from '../../src/derive/episode/episode.ts';
import { grouped } from '../../src/derive/grouped.ts';
import type { KeyedIds } from '../../src/derive/keyed-ids.ts';
import { StrataError } from '../../src/errors.ts';
import type {
  Footprint,
  FootprintEpisode,
  FootprintEvent,
  FootprintStatement,
} from '../../src/forget/footprint.ts';
import type { ByLayer } from '../../src/forget/layers.ts';
import { firstIds } from '../../src/forget/said.ts';
import { takenBy } from '../../src/forget/taken.ts';
import { FORGET_EPISODE_PAGE, FORGET_STEPS } from '../../src/limits/forget.ts';
import type { Reader } from '../driver.ts';
import { instant, type Instant } from '../instant.ts';
import { int, statement } from '../statement.ts';
import { TAKEN_OUT } from '../visible.ts';
import { readPages } from './pages.ts';
import { FOR_CONCEPTS } from './rests.ts';
import { StatedReader } from './stated.ts';

/** Events of one episode, or (null) of none. */
interface EventRows {
  readonly episode: string | null;
  readonly ids: readonly string[];
  readonly taken_out: readonly string[];
  /** Those that state something, with the claims that it is of. */
  readonly stating: readonly (readonly [id: string, claims: readonly string[]])[];
}

// Lists cost a quarter of what as many rows do.
const EVENTS = `collect(e.id) AS ids, collect(CASE WHEN ${TAKEN_OUT} THEN e.id END) AS taken_out,
     collect(CASE WHEN EXISTS { (e)<-[:STATED_IN]-() } THEN [e.id, [(e)<-[:STATED_IN]-(s:Statement) WHERE s.retracted = false | s.claim]] END) AS stating`;

const events = statement<{ ids: readonly string[]; ref: string }, EventRows>(
  'forget.footprint_events',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.scope_ref = $ref
   WITH e, head([(e)<-[:CONTAINS]-(ep:Episode) | ep.id]) AS episode
   RETURN episode, ${EVENTS}`,
);

// What was redacted may be in its episode still, and is in no scope any more.
const eventsOfEpisodes = statement<{ ids: readonly string[]; ref: string; through: Integer }, EventRows>(
  'forget.contained_events',
  'constraint episode_id',
  `UNWIND $ids AS id
   MATCH (:Episode {id: id})-[:CONTAINS]->(e:Event) WHERE e.scope_ref = $ref AND e.wal_offset <= $through
   RETURN id AS episode, ${EVENTS}`,
);

const episodes = statement<
  { ids: readonly string[] },
  { id: string; events: number; beside: readonly string[] }
>(
  'forget.footprint_episodes',
  'constraint episode_id',
  `UNWIND $ids AS id
   MATCH (ep:Episode {id: id})
   RETURN id, ep.event_count AS events, [(ep)-[:FOLLOWS]-(other:Episode) | other.id] AS beside`,
);

const citing = statement<
  { ids: readonly string[]; open: Instant },
  { id: string; concepts: readonly string[] }
>(
  'forget.concepts_citing_episodes',
  'constraint episode_id',
  `UNWIND $ids AS id
   MATCH (:Episode {id: id})-[:CONTAINS]->(:Event)<-[d:DERIVED_FROM]-(:Fact)<-[s:SUPPORTED_BY]-(c:Concept)
   WHERE d.recorded_to = $open AND s.recorded_to = $open
   RETURN id, collect(DISTINCT c.id) AS concepts`,
);

const knownBeliefs = statement<{ ids: readonly string[] }, { id: string }>(
  'forget.known_beliefs',
  'constraint belief_id',
  'UNWIND $ids AS id MATCH (b:Belief {id: id}) RETURN id',
);

// An entity may be named by a hundred thousand statements: they are counted until there are more than what may go.
const supports = statement<{ ids: readonly string[]; most: Integer }, { id: string; count: number }>(
  'forget.supports',
  'constraints concept_id, entity_key',
  `UNWIND $ids AS id
   MATCH (c:Concept {id: id})
   CALL (c) {
     MATCH (:Entity {key: c.scope_ref + ' ' + c.entity_id})<-[role:SUBJECT|OBJECT]-(s:Statement) WHERE ${FOR_CONCEPTS}
     WITH s LIMIT $most
     RETURN count(s) AS count
   }
   RETURN c.id AS id, count`,
);

/** What is to be forgotten, and where. */
export interface FootprintRequest {
  readonly tenant: string;
  /** Reference of the scope. */
  readonly ref: string;
  readonly selected: ByLayer<readonly string[]>;
  readonly cascade: Cascade;
  /** Newest offset of the log that counts: what came to an episode since is not of it. */
  readonly through: number;
}

/**
 * Reads what `closureOf` needs of the graph around a selection: of every claim that something may go from all statements, and what was
 * concluded from such claims, step by step, in other scopes of the tenant too. Throws `INVALID_BODY` beyond
 * {@link FORGET_STEPS} steps.
 */
export async function readFootprint(
  reader: Reader,
  ids: KeyedIds,
  { tenant, ref, selected, cascade, through }: FootprintRequest,
): Promise<Footprint> {
  const stated = new StatedReader(reader, ids, { tenant, ref });
  const claims = new ClaimsRead(stated);
  const chosen = cascade === 'none' ? [] : selected.events;
  const read = new EventsRead(reader, ref);
  await read.ofEpisodes(selected.episodes, through);
  await read.byIds(chosen);
  await claims.read([
    ...read.claimsOf(chosen),
    ...(await stated.claimsOfRecords([...selected.facts, ...selected.beliefs])),
    ...(await stated.claimsOfConcepts(selected.understanding)),
  ]);
  let events: ReadonlyMap<string, FootprintEvent> = read.events;
  if (cascade === 'redact_events') {
    const partial = { ...EMPTY, statements: claims.statements, events };
    const { redacted } = takenBy(selected, cascade, partial);
    await read.byIds(redacted);
    events = only(redacted, read.events);
    // What goes with an event may be of further claims, and it may be a premise itself.
    await claims.read([...read.claimsOf(redacted), ...(await stated.claimsConcludedFrom(redacted))]);
  }
  await claims.follow();
  const statements = await withKnownBeliefs(reader, claims.statements);
  return {
    statements,
    events,
    premises: await stated.premises(statements.flatMap((one) => [...one.premises, ...one.grounds])),
    concepts: await readSupports(reader, statements),
    episodes: await readEpisodes(reader, ref, events),
  };
}

/** The entries of some ids, so far as there are any. */
function only<T>(ids: ReadonlySet<string>, all: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...all].filter(([id]) => ids.has(id)));
}

const EMPTY: Footprint = {
  statements: [],
  events: new Map(),
  premises: new Map(),
  concepts: new Map(),
  episodes: new Map(),
};

/** Claims that were read, each once, with their statements. */
class ClaimsRead {
  private found: readonly FootprintStatement[] = [];
  private same: readonly (readonly string[])[] = [];
  private readonly stated: StatedReader;
  private readonly known = new Set<string>();
  /** Claims of which it was not looked yet what rests on them. */
  private ahead: string[] = [];

  constructor(stated: StatedReader) {
    this.stated = stated;
  }

  /** Reads claims that were not read yet, and those that links moved something to or away from. */
  async read(claims: readonly string[]): Promise<void> {
    for (let next = claims; next.length > 0;) {
      const fresh = [...new Set(next)].filter((claim) => !this.known.has(claim));
      for (const claim of fresh) this.known.add(claim);
      this.ahead = [...this.ahead, ...fresh];
      const { statements, moved, same } = await this.stated.ofClaims(fresh);
      this.found = [...this.found, ...statements];
      this.same = [...this.same, ...same];
      next = moved;
    }
  }

  /** All statements that were read; those that are one thing said by what links made of it have that in common. */
  get statements(): readonly FootprintStatement[] {
    if (this.same.length === 0) return this.found;
    const firsts = firstIds(this.same);
    return this.found.map((one) => ({ ...one, said: firsts.get(one.said) ?? one.said }));
  }

  /** Reads whatever rests on what was read. */
  async follow(): Promise<void> {
    for (let step = 0; this.ahead.length > 0; step += 1) {
      if (step === FORGET_STEPS) throw tooFar();
      const claims = this.ahead;
      this.ahead = [];
      await this.read(await this.stated.claimsRestingOn(claims));
    }
  }
}

function tooFar(): StrataError {
  const reason = `what was concluded from what it selects lies more than ${String(FORGET_STEPS)} steps away; forget some of the last conclusions first, by \`memory_ids\``;
  return new StrataError('INVALID_BODY', `selector: ${reason}`, {
    details: { field_path: 'selector', reason },
  });
}

/** Events of a scope that were read, each once, and what they state. */
class EventsRead {
  readonly events = new Map<string, FootprintEvent>();
  private readonly claims = new Map<string, readonly string[]>();
  private readonly reader: Reader;
  private readonly ref: string;

  constructor(reader: Reader, ref: string) {
    this.reader = reader;
    this.ref = ref;
  }

  /** Reads what episodes contain, up to an offset of the log. */
  async ofEpisodes(episodes: readonly string[], through: number): Promise<void> {
    const params = { ref: this.ref, through: int(through) };
    const read = (ids: readonly string[]) => this.reader.read(eventsOfEpisodes, { ...params, ids });
    this.add(await readPages(episodes, read, FORGET_EPISODE_PAGE));
  }

  /** Reads those of the ids that were not read yet. */
  async byIds(ids: Iterable<string>): Promise<void> {
    const fresh = [...ids].filter((id) => !this.events.has(id));
    this.add(await readPages(fresh, (page) => this.reader.read(events, { ids: page, ref: this.ref })));
  }

  private add(rows: readonly EventRows[]): void {
    for (const { episode, ids, taken_out, stating } of rows) {
      const [visible, hidden] = [
        { visible: true, episode },
        { visible: false, episode },
      ];
      for (const id of ids) this.events.set(id, visible);
      for (const id of taken_out) this.events.set(id, hidden);
      for (const [id, claims] of stating) this.claims.set(id, claims);
    }
  }

  /** The claims that some of them state something of. */
  claimsOf(ids: Iterable<string>): string[] {
    return [...ids].flatMap((id) => this.claims.get(id) ?? []);
  }
}

/** The episodes of events, and those beside them; of those whose first event is among these, who cites them too. */
async function readEpisodes(
  reader: Reader,
  ref: string,
  of: ReadonlyMap<string, FootprintEvent>,
): Promise<ReadonlyMap<string, FootprintEpisode>> {
  const read = (ids: readonly string[]) => readPages(ids, (page) => reader.read(episodes, { ids: page }));
  const own = await read([...of.values()].flatMap(({ episode }) => episode ?? []));
  const beside = await read(own.flatMap((one) => one.beside));
  const firsts = new Map(
    [...of].flatMap(([id, { episode }]) =>
      episode === episodeIdOf(ref, id) ? [[episode, id] as const] : [],
    ),
  );
  const open = instant(OPEN_END);
  const cited = await readPages(
    firsts.keys(),
    (page) => reader.read(citing, { ids: page, open }),
    FORGET_EPISODE_PAGE,
  );
  const citedBy = new Map(cited.map(({ id, concepts }) => [id, concepts]));
  return new Map(
    [...own, ...beside].map(({ id, ...episode }) => [
      id,
      { ...episode, first: firsts.get(id) ?? null, cited_by: citedBy.get(id) ?? [] },
    ]),
  );
}

/** Statements with those of their beliefs that are there. */
async function withKnownBeliefs(
  reader: Reader,
  statements: readonly FootprintStatement[],
): Promise<FootprintStatement[]> {
  const rows = await readPages(
    statements.flatMap(({ belief }) => belief ?? []),
    (page) => reader.read(knownBeliefs, { ids: page }),
  );
  const known = new Set(rows.map(({ id }) => id));
  return statements.map((one) =>
    one.belief === null || known.has(one.belief) ? one : { ...one, belief: null },
  );
}

/** How many statements may support the concepts that these do, counted until there are more than these. */
async function readSupports(
  reader: Reader,
  statements: readonly FootprintStatement[],
): Promise<ReadonlyMap<string, number>> {
  const here = grouped(
    statements.flatMap(({ concepts }) => concepts),
    ({ id }) => id,
  );
  const countOf = (id: string): number => here.get(id)?.length ?? 0;
  // Those that are counted as far come together.
  const ids = [...here.keys()].sort((a, b) => countOf(a) - countOf(b));
  const rows = await readPages(ids, (page) =>
    reader.read(supports, { ids: page, most: int(Math.max(...page.map(countOf)) + 1) }),
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
