import { PRODUCTION_MEMORY } from '../../src/local-neo4j/conf.ts';
import { containerArguments, containerName, environmentText } from '../../src/local-neo4j/docker.ts';

test('the container is reachable from this machine only and keeps its data in the home', () => {
  const home = '/data:odd/neo4j';
  expect(containerArguments({ home, port: 4711, owner: '1000:1001' })).toEqual([
    'run',
    '--rm',
    '--name',
    containerName(home),
    '--user',
    '1000:1001',
    '--env-file',
    '/data:odd/neo4j/conf/docker.env',
    '--publish',
    '127.0.0.1:4711:7687',
    '--mount',
    'type=bind,source=/data:odd/neo4j/data,target=/data',
    '--mount',
    'type=bind,source=/data:odd/neo4j/logs,target=/logs',
    'neo4j:2026.09.0',
  ]);
});

test('a rootless engine is not told a user', () => {
  expect(containerArguments({ home: '/h', port: 1, owner: null })).not.toContain('--user');
});

test('a data directory has one container name, another directory another', () => {
  expect(containerName('/a/neo4j')).toBe(containerName('/a/neo4j'));
  expect(containerName('/a/neo4j')).not.toBe(containerName('/b/neo4j'));
  expect(containerName('/a/neo4j')).toMatch(/^strata-neo4j-[0-9a-f]{12}$/);
});

test('settings and password travel in the environment file, in the notation of the image', () => {
  const text = environmentText(4711, 'secret-word', PRODUCTION_MEMORY, 'production');
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'NEO4J_AUTH=neo4j/secret-word',
      'NEO4J_server_bolt_advertised__address=127.0.0.1:4711',
      'NEO4J_server_memory_heap_max__size=1g',
      'NEO4J_dbms_usage__report_enabled=false',
      'NEO4J_db_tx__log_rotation_retention__policy=2 days 512M',
    ]),
  );
});
