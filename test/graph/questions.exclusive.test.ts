import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Driver } from 'neo4j-driver';

import { instant } from '../../graph/instant.ts';
import { EDGE_INSTANTS, NODE_INSTANTS } from '../../graph/migrate-instants.ts';
import { query, testDriver } from '../support/database.ts';
import { startTestService } from '../support/service.ts';

// The Cypher of graph/README.md, the ten questions above all, as it stands there, on a store with a little of Apollo 13 in it.

const SCOPE = 'org:nasa/project:apollo-13';
const day = (text: string): number => Date.parse(`1970-04-${text}Z`);

interface Reading {
  readonly said: readonly [subject: string, predicate: string, value: string];
  readonly at: string;
  /** Places in the list of what it was concluded from. */
  readonly from?: readonly number[];
}

/** What was known when nothing had gone wrong yet, and what became known then (air-to-ground transcript and mission report of NASA). */
const BEFORE: readonly Reading[] = [
  { said: ['Main bus B', 'voltage status', 'normal'], at: '11T19:13:00' },
  { said: ['Fuel cell 1', 'status', 'on the line'], at: '11T19:13:00' },
  { said: ['Fuel cell 3', 'status', 'on the line'], at: '11T19:13:00' },
];
const AFTERWARDS: readonly Reading[] = [
  { said: ['Main bus B', 'voltage status', 'undervolt'], at: '14T03:08:45' },
  { said: ['Fuel cell 1', 'status', 'no reactant flow'], at: '14T03:10:00' },
  { said: ['Fuel cell 3', 'status', 'open circuit'], at: '14T03:20:00' },
  { said: ['Fuel cell 1', 'status', 'open circuit'], at: '14T03:30:00' },
  { said: ['Oxygen tank 2', 'pressure', 'zero'], at: '14T03:09:00' },
  { said: ['Command module', 'oxygen supply', 'one tank'], at: '14T03:12:00', from: [4] },
  { said: ['Command module', 'lifetime', 'two hours'], at: '14T03:40:00', from: [5] },
];

const idOf = (name: string): string => `ent_${name.toLowerCase().replaceAll(' ', '_')}`;

function envelope(
  { said: [subject, predicate, value], at, from }: Reading,
  facts: readonly string[],
): object {
  return {
    scope: SCOPE,
    modality: 'observation',
    context: { observed_at: `1970-04-${at}Z` },
    content: {
      kind: 'triple',
      triple: {
        subject: { type: 'entity', id: idOf(subject), name: subject },
        predicate,
        object: { type: 'literal', datatype: 'string', value },
        ...(from === undefined ? {} : { derived_from: from.map((place) => facts[place]) }),
      },
    },
  };
}

const PAGE = readFileSync(fileURLToPath(new URL('../../graph/README.md', import.meta.url)), 'utf8');

/** Text and Cypher of each question, in the order of the page. */
function questions(): { readonly question: string; readonly cypher: string }[] {
  return [...PAGE.matchAll(/^\*\*(\d+\. .*)\*\*\n\n```cypher\n([\s\S]*?)```/gm)].map(
    ([, question = '', cypher = '']) => ({ question, cypher }),
  );
}

const UNDERVOLT = 'Main bus B voltage_status undervolt';
const SAID = 'Main bus B voltage status undervolt';
const ANSWERS: readonly (readonly object[])[] = [
  [{ 'e.text': SAID }],
  [
    {
      chain: ['on the line', 'no reactant flow', 'open circuit'],
      instants: ['1970-04-14T03:10:00Z', '1970-04-14T03:30:00Z'],
    },
  ],
  [{ 'f.text': 'Main bus B voltage_status normal' }],
  [{ 'b.text': 'Fuel cell 3 status on the line', 'r.stance': 'supported', 'r.confidence': 0.75 }],
  [{ 'f.text': 'Fuel cell 3 status on the line' }],
  [{ texts: [UNDERVOLT, UNDERVOLT, SAID] }],
  [
    ...['Belief', 'Fact', 'Statement'].map((kind) => ({ kind, says: UNDERVOLT })),
    { kind: 'Belief', says: 'Main bus B voltage_status normal' },
    { kind: 'Concept', says: 'Main bus B' },
  ],
  [{ 'f.text': UNDERVOLT }],
  [
    { 'conclusion.text': 'Command module lifetime two hours' },
    { 'conclusion.text': 'Command module oxygen_supply one tank' },
  ],
  [
    {
      'b.text': 'Fuel cell 3 status on the line',
      'b.stance': 'contradicted',
      'by.text': 'Fuel cell 3 status open circuit',
      'by.stance': 'supported',
      'evidence.text': 'Fuel cell 3 status open circuit',
    },
  ],
];

let driver: Driver;
let known = 0;

beforeAll(async () => {
  driver = testDriver();
  const service = await startTestService();
  const capture = async (readings: readonly Reading[]): Promise<number> => {
    const facts: string[] = [];
    let recorded = 0;
    for (const reading of readings) {
      const { status, json } = await service.post(
        '/v1/experience?wait=consolidated',
        envelope(reading, facts),
      );
      expect([status, json.stages?.consolidated ?? json.status]).toEqual([202, expect.anything()]);
      const [stored] = await query(
        driver,
        'MATCH (e:Event {id: $id})<-[:DERIVED_FROM]-(f:Fact) RETURN f.id AS fact, e.recorded_at AS recorded',
        { id: json.event_id },
      );
      facts.push(String(stored?.fact));
      recorded = Number(stored?.recorded);
    }
    return recorded;
  };
  known = await capture(BEFORE);
  await capture(AFTERWARDS);
  await capture([{ said: ['CM', 'callsign', 'Odyssey'], at: '14T03:40:00' }]);
  const linked = { scope: SCOPE, entity: idOf('CM'), same_as: idOf('Command module') };
  expect((await service.post('/v1/entities/link', linked)).json.status).toBe('applied');
  await service.stop();
});
afterAll(() => driver.close());

/** What kinds of values a property has on nodes of each label, or edges of each type. */
async function kindsOf(match: string, kind: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await query<{ place: string; kinds: string[] }>(
    driver,
    `MATCH ${match} UNWIND ${kind} AS kind UNWIND keys(x) AS name
     WITH kind + '.' + name AS place, valueType(x[name]) AS type
     RETURN place, collect(DISTINCT type) AS kinds`,
  );
  return new Map(rows.map(({ place, kinds }) => [place, kinds]));
}

const ZONED = 'ZONED DATETIME NOT NULL';

it.each([
  ['nodes', '(x)', 'labels(x)', NODE_INSTANTS],
  ['edges', '()-[x]->()', '[type(x)]', EDGE_INSTANTS],
])('instants of %s are datetimes, wherever there are some', async (_kind, match, kind, table) => {
  const found = await kindsOf(match, kind);
  const listed = Object.entries(table).flatMap(([label, names]) => names.map((name) => `${label}.${name}`));
  const known = listed.filter((place) => found.has(place));
  expect(known.length).toBeGreaterThan(listed.length / 2);
  expect(known.filter((place) => found.get(place)?.join() !== ZONED)).toEqual([]);
});

describe('the questions of graph/README.md', () => {
  it('are ten, each with an answer', () => {
    expect(questions()).toHaveLength(ANSWERS.length);
  });

  it.each(questions().map(({ question, cypher }, i) => [question, cypher, i] as const))(
    '%s',
    async (_question, cypher, i) => {
      const rows = await query(driver, cypher, {
        before: instant(day('14T03:00:00')),
        after: instant(day('14T04:00:00')),
        known: instant(known),
      });
      const inOrder = (all: readonly object[]): string[] => all.map((row) => JSON.stringify(row)).sort();
      expect(inOrder(rows)).toEqual(inOrder(ANSWERS[i] ?? []));
    },
  );
});

it('the query for entities that are one, which is all that there is besides, finds them', async () => {
  const blocks = [...PAGE.matchAll(/^```cypher\n([\s\S]*?)```/gm)].map(([, cypher = '']) => cypher);
  const others = blocks.filter((block) => !questions().some(({ cypher }) => cypher === block));
  expect(others).toHaveLength(1);
  expect(await query(driver, others[0] ?? '')).toEqual([
    { 'one.name': 'CM', 'other.name': 'Command module' },
  ]);
});
