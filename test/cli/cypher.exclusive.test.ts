import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { databaseSettings, query, testDriver, wipe } from '../support/database.ts';
import { cli, type CliOutcome } from './host.ts';

let directory: string;
let driver: Driver;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'strata-cypher-'));
  driver = testDriver();
  await wipe();
  await query(
    driver,
    `CREATE (:Fact {id: 'fact_1', text: 'Ann lives_in Oslo', valid_from: datetime('2024-01-01T00:00:00Z')})
       -[:DERIVED_FROM {recorded_from: datetime('2024-01-02T00:00:00Z')}]->(:Event {id: 'evt_1', text: 'Ann moved to Oslo'})`,
  );
});
afterAll(async () => {
  await wipe();
  await driver.close();
  rmSync(directory, { recursive: true, force: true });
});

const cypher = (...line: string[]): Promise<CliOutcome> =>
  cli(['cypher', ...line], { directory, environment: databaseSettings() });
const jsonOf = ({ stdout }: CliOutcome): unknown[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('strata cypher', () => {
  it('prints the rows of a statement as a table', async () => {
    const { code, stdout } = await cypher(
      'MATCH (f:Fact)-[:DERIVED_FROM]->(e) RETURN f.text AS fact, e.text AS event',
    );
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        'fact               event',
        '-----------------  -----------------',
        'Ann lives_in Oslo  Ann moved to Oslo',
        '',
      ],
    ]);
  });

  it('prints instants, nodes, edges and paths as JSON', async () => {
    const outcome = await cypher(
      '--json',
      'MATCH p = (e:Event)<-[r]-(f:Fact) RETURN f.valid_from AS at, labels(e) AS labels, r, p, 9007199254740993 AS large, 1.5 AS x',
    );
    const edge = { type: 'DERIVED_FROM', properties: { recorded_from: '2024-01-02T00:00:00Z' } };
    const event = { labels: ['Event'], properties: { id: 'evt_1', text: 'Ann moved to Oslo' } };
    expect(jsonOf(outcome)).toEqual([
      {
        at: '2024-01-01T00:00:00Z',
        labels: ['Event'],
        r: edge,
        p: [event, { ...edge, against: true }, expect.objectContaining({ labels: ['Fact'] })],
        large: '9007199254740993',
        x: 1.5,
      },
    ]);
  });

  it('takes parameters, as JSON or as they stand, and a statement from standard input', async () => {
    const outcome = await cli(
      ['cypher', '-', '--json', '--param', 'id=evt_1', '--param', 'ns=[1,2.5]', '--param', 'at=1'],
      {
        directory,
        environment: databaseSettings(),
        stdin: 'MATCH (e:Event {id: $id}) RETURN e.id AS id, $ns[$at] AS n, $ns[0] / 2 AS half LIMIT $at',
      },
    );
    expect(jsonOf(outcome)).toEqual([{ id: 'evt_1', n: 2.5, half: 0 }]);
  });

  it('prints so many rows, and says that there are more', async () => {
    const { code, stdout, stderr } = await cypher(
      '--rows',
      '3',
      '--json',
      'UNWIND range(1, 100000) AS n RETURN n',
    );
    expect([code, stdout, stderr]).toEqual([
      0,
      '{"n":1}\n{"n":2}\n{"n":3}\n',
      'There are more than 3 rows; --rows shows more.\n',
    ]);
    expect((await cypher('--rows', '3', 'UNWIND range(1, 3) AS n RETURN n')).stderr).toBe('');
  });

  it('names the columns of no rows', async () => {
    expect((await cypher('MATCH (n:Nothing) RETURN n.id AS id')).stdout).toBe('id\n--\n');
  });

  it.each([
    ['CREATE (:Event)', 'would write'],
    ['MATCH (e:Event) SET e.text = 1', 'would write'],
    ['CREATE INDEX some FOR (e:Event) ON (e.text)', 'would write'],
    ['RETURN', 'Invalid input'],
    ['RETURN $missing', 'missing'],
  ])('refuses %s', async (statement, why) => {
    const { code, stdout, stderr } = await cypher(statement);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(why);
    const rows = await query(driver, 'MATCH (e:Event) RETURN e.id AS id, e.text AS text');
    expect(rows).toEqual([{ id: 'evt_1', text: 'Ann moved to Oslo' }]);
  });

  it('ends what takes too long', async () => {
    const slow =
      'UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b WITH a WHERE b < 0 RETURN count(*)';
    const { code, stderr } = await cypher('--timeout', '1', slow);
    expect([code, stderr]).toEqual([
      1,
      'strata: The statement took longer than 1 s; --timeout gives it more.\n',
    ]);
  });

  it.each([
    [['--rows', '0', 'RETURN 1'], '--rows: a number from 1 to 100000'],
    [['--timeout', 'soon', 'RETURN 1'], '--timeout: a number from 1 to 3600'],
    [['--param', 'nothing', 'RETURN 1'], '--param: nothing is not NAME=VALUE'],
    [['--param', 'a=1', '--param', 'a=2', 'RETURN 1'], '--param: a is given twice'],
    [
      ['--param', 'a=[9007199254740993]', 'RETURN 1'],
      '--param: a has a number beyond 2^53; give it as a text (a=\'"…"\') and use toInteger($a)',
    ],
    [[' '], 'STATEMENT is empty'],
    [[], 'STATEMENT is missing'],
  ])('refuses the flags %j', async (line, why) => {
    const { code, stderr } = await cypher(...line);
    expect([code, stderr.split('\n')[0]]).toEqual([64, `strata: ${why}`]);
  });

  it('says where the database is that does not answer, or refuses its user', async () => {
    const at = async (environment: Record<string, string>): Promise<[number, string]> => {
      const { code, stderr } = await cli(['cypher', 'RETURN 1'], { directory, environment });
      return [code, stderr];
    };
    expect(await at({})).toEqual([2, expect.stringContaining('No database runs in')]);
    expect(await at({ NEO4J_URI: 'bolt://127.0.0.1:1' })).toEqual([
      2,
      expect.stringContaining('The database neo4j at bolt://127.0.0.1:1 does not answer'),
    ]);
    expect(await at({ ...databaseSettings(), NEO4J_DATABASE: 'nowhere' })).toEqual([
      2,
      expect.stringContaining('The database nowhere at'),
    ]);
    expect(await at({ ...databaseSettings(), NEO4J_PASSWORD: 'of-nobody' })).toEqual([
      2,
      expect.stringContaining('refuses its user'),
    ]);
  });
});
