import { configurationText, PRODUCTION_MEMORY, THROWAWAY_MEMORY } from '../../src/local-neo4j/conf.ts';
import { homeArgument, javaArguments } from '../../src/local-neo4j/java-arguments.ts';
import { releaseOf } from '../../src/local-neo4j/versions.ts';

const lines = (text: string): string[] => text.split('\n').filter((line) => line.includes('='));

describe.each(['2026', '5.26'] as const)('configuration of line %s', (line) => {
  test('is reachable from this machine only, asks for a password and tells nobody', () => {
    expect(lines(configurationText(line, 7777, PRODUCTION_MEMORY, 'production'))).toEqual(
      expect.arrayContaining([
        'server.default_listen_address=127.0.0.1',
        'server.bolt.listen_address=127.0.0.1:7777',
        'server.bolt.advertised_address=127.0.0.1:7777',
        'server.http.enabled=false',
        'server.https.enabled=false',
        'dbms.security.auth_enabled=true',
        'dbms.usage_report.enabled=false',
        'db.logs.query.enabled=OFF',
        'server.memory.pagecache.size=512m',
        'dbms.memory.transaction.total.max=512m',
        'db.tx_log.rotation.retention_policy=2 days 512M',
      ]),
    );
  });

  test('names no setting twice, which the server refuses', () => {
    const names = lines(configurationText(line, 1, THROWAWAY_MEMORY, 'throwaway')).map(
      (text) => text.split('=')[0],
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

test('only the newer line is told about its broadcasts', () => {
  const text = (line: '2026' | '5.26'): string => configurationText(line, 1, PRODUCTION_MEMORY, 'production');
  expect(text('2026')).toContain('server.fleet_discovery.enabled=false');
  expect(text('5.26')).not.toContain('fleet');
});

test('Java runs for endurance in production and for a quick start in tests', () => {
  const java = { home: '/j', feature: 25, vectors: true };
  const production = javaArguments(java, releaseOf('2026'), '/lib', '/home', PRODUCTION_MEMORY, 'production');
  expect(production).toEqual(
    expect.arrayContaining(['-XX:+UseG1GC', '-Xmx1g', '-Xms1g', homeArgument('/home')]),
  );
  expect(production.slice(production.indexOf('-cp'), production.indexOf('-cp') + 3)).toEqual([
    '-cp',
    '/lib/*',
    'org.neo4j.server.Neo4jCommunity',
  ]);
  const throwaway = javaArguments(java, releaseOf('2026'), '/lib', '/home', THROWAWAY_MEMORY, 'throwaway');
  expect(throwaway).toEqual(expect.arrayContaining(['-XX:+UseSerialGC', '-Xmx512m']));
});

test.each([
  ['2026', 25, true, true],
  ['2026', 25, false, false],
  ['2026', 25, null, false],
  ['2026', 26, true, false],
  ['5.26', 17, true, false],
] as const)('line %s on Java %i with vector module %j asks for it: %j', (line, feature, vectors, asked) => {
  const java = { home: '/j', feature, vectors };
  const args = javaArguments(java, releaseOf(line), '/lib', '/home', THROWAWAY_MEMORY, 'throwaway');
  expect(args.includes('--add-modules=jdk.incubator.vector')).toBe(asked);
});
