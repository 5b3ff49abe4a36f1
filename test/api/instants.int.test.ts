import { NAMES } from '../../resolvers/names.ts';
import { OPEN_END, toRfc3339 } from '../../schemas/time.ts';
import { isVisible, type BitemporalRange, type Instants } from '../../src/time/bitemporal-range.ts';
import { queryOnce } from '../support/database.ts';
import { inDepth } from '../support/depth.ts';
import { contradict } from '../support/contradict.ts';
import { statement } from '../support/facts.ts';
import { asOfText } from '../support/graphql/as-of.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

// Every reading of every layer, over REST and GraphQL, at instants on either axis and on both: what it shows is what the pure rule says
// of the rows that are stored. Where a reading goes on without a valid instant, none is named.

const SCOPE = 'org:layers/user:a';

/** The instants of a reading; a valid one that is left out is now, or any, as the reading has it. */
interface At {
  readonly valid?: number;
  readonly recorded?: number;
}

/** One reading: its route, its field, and what it has to show. */
interface Reading {
  readonly name: string;
  readonly path: string;
  /** The field without its instants, and the way to the ids in its answer. */
  readonly field: string;
  readonly select: string;
  readonly idsOf: (answer: any) => string[];
  readonly expected: (at: At) => string[];
  /** What its parameters are called, where that is not what they are called elsewhere. */
  readonly names?: Readonly<Record<string, string>>;
}

/** A record with the rows that say when it is there. */
interface Stored {
  readonly id: string;
  readonly rows: readonly BitemporalRange[];
}

let service: SharedService;
let now: number;
let facts: Stored[];
let beliefs: Stored[];
let episodes: Stored[];
let entities: Stored[];
let events: Stored[];

const OPEN = { to: OPEN_END };

async function stored(text: string): Promise<Stored[]> {
  const found = await queryOnce(service.driver(), text, { scope: SCOPE, tenant: service.tenant });
  return found.map(({ id, rows }) => ({
    id: id as string,
    rows: rows.map(([from, to, since, until]: number[]) => ({
      valid: { from, to },
      recorded: { from: since, to: until },
    })),
  }));
}

const NEVER_ENDS = `${OPEN_END}`;

beforeAll(async () => {
  service = sharedService();
  for (const [object, valid_from, observed_at] of [
    ['ent_paris', '2020-01-01', '2021-05-01T00:00:00Z'],
    ['ent_london', '2024-01-01', '2021-05-02T00:00:00Z'],
    ['ent_rome', '2022-01-01', '2023-01-01T00:00:00Z'],
  ] as const) {
    const said = statement(SCOPE, ['ent_a', 'lives in', object], { valid_from, observed_at });
    expect((await service.post('/v1/experience?wait=consolidated', said)).status).toBe(202);
  }
  facts = await stored(
    `MATCH (f:Fact {scope: $scope, tenant: $tenant})-[:HAS_VERSION]->(x)
     RETURN f.id AS id, collect([x.valid_from, x.valid_to, x.recorded_from, x.recorded_to]) AS rows`,
  );
  beliefs = await stored(
    `MATCH (b:Belief {scope: $scope, tenant: $tenant})-[:HAS_REVISION]->(x)
     RETURN b.id AS id, collect([x.valid_from, x.valid_to, x.recorded_from, x.recorded_to]) AS rows`,
  );
  episodes = await stored(
    `MATCH (ep:Episode {scope: $scope, tenant: $tenant}) MATCH (v:EpisodeRevision {episode_id: ep.id})
     RETURN ep.id AS id, collect([v.started_at, ${NEVER_ENDS}, v.recorded_from, ${NEVER_ENDS}]) AS rows`,
  );
  entities = await stored(
    `MATCH (n:Entity {scope: $scope, tenant: $tenant})<-[:SUBJECT|OBJECT]-(s:Statement)
     RETURN n.id AS id, collect([-${NEVER_ENDS}, ${NEVER_ENDS}, s.recorded_at, ${NEVER_ENDS}]) AS rows`,
  );
  events = await stored(
    `MATCH (e:Event {scope: $scope, tenant: $tenant}) RETURN e.id AS id, [[e.observed_at, ${NEVER_ENDS}, e.recorded_at, ${NEVER_ENDS}]] AS rows`,
  );
  now = Date.now();
  expect([facts, beliefs, episodes, entities, events].map(({ length }) => length)).toEqual([3, 3, 2, 4, 3]);
});

/** The ids of the records of which a row is visible; without a valid instant at `instead`, or (null) at any. */
function visible(
  records: readonly Stored[],
  { valid, recorded = OPEN_END - 1 }: At,
  instead: number | null,
): string[] {
  const at = (row: BitemporalRange): Instants => ({ valid: valid ?? instead ?? row.valid.from, recorded });
  const shows = (row: BitemporalRange): boolean => {
    // A row that is about no time is there for whoever asks for no time.
    const lasting =
      valid === undefined && instead === null ? { ...row, valid: { from: row.valid.from, ...OPEN } } : row;
    return isVisible(lasting, at(row));
  };
  return records.filter(({ rows }) => rows.some(shows)).map(({ id }) => id);
}

/** The readings of two records by their ids, of one of them by the route of all layers too. */
function byId(noun: string, field: string, records: readonly Stored[]): Reading[] {
  return records.slice(0, 2).flatMap(({ id }, i) => {
    const shared = {
      select: '{ id }',
      idsOf: (answer: any): string[] => (answer?.id === undefined ? [] : [answer.id as string]),
      expected: (at: At): string[] => visible(records, at, null).filter((one) => one === id),
    };
    const own = {
      ...shared,
      name: `${noun} by id`,
      path: `/v1/${noun}/${id}`,
      field: `${field}(id: "${id}"`,
    };
    const path = `/v1/records/${id}`;
    const ofAll = { ...shared, name: `record of ${noun}`, path, field: `node(id: "${id}"` };
    return i === 0 ? [own, ofAll] : [own];
  });
}

function listed(noun: string, records: readonly Stored[], instead: number | null): Reading {
  return {
    name: `list of ${noun}`,
    path: `/v1/${noun}?scope=${SCOPE}`,
    field: `${noun}(scope: "${SCOPE}"`,
    select: '{ nodes { id } }',
    idsOf: (answer) => (answer?.items ?? answer?.nodes ?? []).map(({ id }: any) => id as string),
    expected: (at) => visible(records, at, instead),
  };
}

/** Every reading. A belief is read by id also before it begins, unless a valid instant is named. */
function readings(): Reading[] {
  const factIds = (answer: any): string[] =>
    (answer?.items ?? answer?.nodes ?? []).map((row: any) => (row.fact_id ?? row.factId) as string);
  return [
    listed('events', events, null),
    listed('facts', facts, now),
    listed('beliefs', beliefs, now),
    listed('episodes', episodes, null),
    ...byId('events', 'event', events),
    ...byId('facts', 'fact', facts),
    ...byId('beliefs', 'belief', beliefs),
    ...byId('episodes', 'episode', episodes),
    {
      ...listed('claims', facts, now),
      names: { as_of_valid: 'valid_as_of', as_of_recorded: 'known_as_of' },
    },
    {
      name: 'relations of an entity',
      path: '/v1/entities/ent_a/edges',
      field: 'entityEdges(id: "ent_a"',
      select: '{ nodes { factId } }',
      idsOf: factIds,
      expected: (at) => visible(facts, at, now),
    },
    {
      name: 'trace of an event',
      path: `/v1/lifecycle/memory-event/${events[0]?.id ?? ''}`,
      field: `memoryEventTrace(id: "${events[0]?.id ?? ''}"`,
      select: '{ eventId }',
      idsOf: (answer) => {
        const id: unknown = answer?.event_id ?? answer?.eventId;
        return typeof id === 'string' ? [id] : [];
      },
      expected: (at) => visible(events.slice(0, 1), at, null),
    },
    {
      name: 'timeline',
      path: '/v1/facts/timeline?subject=ent_a',
      field: 'factTimeline(subject: "ent_a"',
      select: '{ nodes { factId } }',
      idsOf: factIds,
      // Whatever begins by the valid instant and is true at some time, however long ago that was over.
      expected: ({ valid = OPEN_END - 1, recorded = OPEN_END - 1 }) =>
        facts
          .filter(({ rows }) =>
            rows.some(
              (row) =>
                row.valid.from < row.valid.to &&
                isVisible({ ...row, valid: { from: row.valid.from, ...OPEN } }, { valid, recorded }),
            ),
          )
          .map(({ id }) => id),
    },
  ];
}

async function shown(
  { path, field, select, idsOf, names }: Reading,
  instants: Record<string, string>,
): Promise<string[][]> {
  const asked = Object.fromEntries(Object.entries(instants).map(([name, at]) => [names?.[name] ?? name, at]));
  const text = new URLSearchParams(asked).toString();
  const rest = await service.get(`${path}${path.includes('?') ? '&' : '?'}${text}`);
  if (rest.status !== 200 && rest.status !== 404) throw new Error(`${path}: ${rest.text}`);
  const own = Object.entries(asked).map(([name, at]) => `${NAMES.camel(name)}: "${at}"`);
  const args = names === undefined ? asOfText(asked) : own.join(', ');
  const { data, errors } = await ask(service, `{ found: ${field}, ${args}) ${select} }`);
  const codes = (errors ?? []).map(({ extensions }: any) => extensions.code as string);
  expect(codes.filter((code: string) => code !== 'NOT_FOUND')).toEqual([]);
  return [idsOf(rest.status === 200 ? rest.json : undefined).sort(), idsOf(data?.found).sort()];
}

/** Instants come in pairs: a millisecond before something changes, and when it does. */
const everySecond = (instants: readonly number[]): number[] => instants.filter((_, i) => i % 2 === 1);

/** Each axis alone, and both, at the given instants; both apart where things change. */
function questions(valids: readonly number[], recordeds: readonly number[]): [Record<string, string>, At][] {
  return [
    ...valids.map((valid): [Record<string, string>, At] => [{ as_of_valid: toRfc3339(valid) }, { valid }]),
    ...recordeds.map((recorded): [Record<string, string>, At] => [
      { as_of_recorded: toRfc3339(recorded) },
      { recorded },
    ]),
    ...everySecond([...valids, ...recordeds]).map((at): [Record<string, string>, At] => [
      { as_of: toRfc3339(at) },
      { valid: at, recorded: at },
    ]),
    ...everySecond(recordeds).flatMap((recorded) =>
      everySecond(valids).map((valid): [Record<string, string>, At] => [
        { as_of_valid: toRfc3339(valid), as_of_recorded: toRfc3339(recorded) },
        { valid, recorded },
      ]),
    ),
  ];
}

/** Of questions those that a reading with parameters of its own has one for. */
function askable({ names }: Reading, all: ReturnType<typeof questions>): ReturnType<typeof questions> {
  return all.filter(
    ([asked]) => names === undefined || Object.keys(asked).every((name) => names[name] !== undefined),
  );
}

/** Of so many things one is asked of each reading, another of the next: every day not everything is asked of all of them. */
const SPREAD = inDepth(5, 1);

it('every reading shows what the rule shows, on each axis and on both', async () => {
  const all = [events, facts, beliefs, episodes].flat().flatMap(({ rows }) => rows);
  const edges = (of: (row: BitemporalRange) => number[]): number[] =>
    [...new Set(all.flatMap(of))]
      .filter((at) => Math.abs(at) < OPEN_END && at > 0)
      .flatMap((at) => [at - 1, at]);
  const valids = edges(({ valid }) => [valid.from, valid.to]);
  const recordeds = edges(({ recorded }) => [recorded.from]);
  const wrong: unknown[] = [];
  for (const [place, reading] of readings().entries()) {
    const some = askable(reading, questions(valids, recordeds)).filter(
      (_, i) => i % SPREAD === place % SPREAD,
    );
    const told = await Promise.all(
      some.map(async ([asked, at]) => {
        const [rest, graphql] = await shown(reading, asked);
        return { reading: reading.name, asked, expected: reading.expected(at).sort(), rest, graphql };
      }),
    );
    wrong.push(
      ...told.filter(
        ({ expected, rest, graphql }) =>
          JSON.stringify([rest, graphql]) !== JSON.stringify([expected, expected]),
      ),
    );
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(wrong).toHaveLength(0);
});

it('entities are those that had been named by then, whatever the valid instant', async () => {
  const reading: Reading = {
    ...listed('entities', entities, null),
    expected: (at) => visible(entities, at, 0),
  };
  const recordeds = [...new Set(events.flatMap(({ rows }) => rows.map(({ recorded }) => recorded.from)))];
  for (const [asked, at] of questions(
    [],
    recordeds.flatMap((at_) => [at_ - 1, at_]),
  )) {
    const expected = reading.expected({ ...at, valid: 0 }).sort();
    expect([asked, await shown(reading, asked)]).toEqual([asked, [expected, expected]]);
  }
});

it('conflicts are those that were open, or had been, by then', async () => {
  const scope = 'org:layers/user:b';
  const id = await contradict((method, path, body) => service.request(method, path, { body }), scope);
  const dismissed = await service.post(`/v1/conflicts/${id}/resolve`, { action: 'dismiss' });
  const [opened, ended] = [dismissed.json.detected_at, dismissed.json.resolved_at].map((at) =>
    Date.parse(at),
  );
  const conflict = (until: number): Stored[] => [
    { id, rows: [{ valid: { from: 0, ...OPEN }, recorded: { from: opened!, to: until } }] },
  ];
  const list = { ...listed('conflicts', conflict(ended!), 0), path: `/v1/conflicts?scope=${scope}` };
  const all = conflict(OPEN_END);
  const [own] = byId('conflicts', 'conflict', all);
  const ofId = { ...own!, expected: (at: At) => visible(all, at, 0) };
  const ofAll = { ...ofId, ...listed('conflicts', all, 0), path: `${list.path}&status=all` };
  for (const reading of [
    { ...list, field: `conflicts(scope: "${scope}"` },
    { ...ofAll, field: `conflicts(scope: "${scope}", status: all` },
    ofId,
  ])
    for (const [asked, at] of questions([], [opened! - 1, opened!, ended! - 1, ended!])) {
      const expected = reading.expected({ ...at, valid: 0 });
      expect([reading.path, asked, await shown(reading, asked)]).toEqual([
        reading.path,
        asked,
        [expected, expected],
      ]);
    }
});
