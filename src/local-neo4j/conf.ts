import type { Neo4jLine } from './versions.ts';

/** Memory of a server, in Neo4j's notation (`512m`, `2g`). */
export interface Neo4jMemory {
  readonly heap: string;
  readonly pageCache: string;
  /** What all transactions together may take of the heap; beyond it the largest fails instead of the server. */
  readonly transactionTotal: string;
}

/** production: for real use; throwaway: quick to start and stop, for tests and trials. */
export type Neo4jProfile = 'production' | 'throwaway';

/** Memory that serves one person or a small team; set more for millions of events. */
export const PRODUCTION_MEMORY: Neo4jMemory = { heap: '1g', pageCache: '512m', transactionTotal: '512m' };
/** Memory of a server that lives for a test. */
export const THROWAWAY_MEMORY: Neo4jMemory = { heap: '512m', pageCache: '128m', transactionTotal: '256m' };

/** Settings that hold wherever the server runs, by their names in Neo4j. */
export function commonSettings(
  line: Neo4jLine,
  memory: Neo4jMemory,
  profile: Neo4jProfile,
): Record<string, string> {
  return {
    'server.bolt.enabled': 'true',
    'server.http.enabled': 'false',
    'server.https.enabled': 'false',
    'dbms.security.auth_enabled': 'true',
    'dbms.usage_report.enabled': 'false',
    'client.allow_telemetry': 'false',
    // Queries carry what people remembered as parameters.
    'db.logs.query.enabled': 'OFF',
    'server.memory.pagecache.size': memory.pageCache,
    'dbms.memory.transaction.total.max': memory.transactionTotal,
    'db.lock.acquisition.timeout': '10s',
    // Full-text entries are written beside the transaction and gathered: one refresh each would halve the rate.
    'db.index.fulltext.eventually_consistent_refresh_interval': '500ms',
    ...(line === '2026' ? NEWER_ONLY : {}),
    ...(profile === 'production' ? PRODUCTION_ONLY : THROWAWAY_ONLY),
  };
}

/** Settings the older line does not know, which would refuse to start. */
const NEWER_ONLY: Record<string, string> = {
  // On by default, it listens on a port of every interface and broadcasts into the local network.
  'server.fleet_discovery.enabled': 'false',
  'dbms.fleet_manager.enabled': 'false',
};

const PRODUCTION_ONLY: Record<string, string> = {
  // Recovery needs the logs since the last checkpoint only, and what was erased lives on in older ones.
  'db.tx_log.rotation.retention_policy': '2 days 512M',
  'db.tx_log.rotation.size': '64m',
  'db.checkpoint.interval.time': '5m',
  // Plans made on an empty store serve as well as later ones. At the default of 5 % the server reads its indexes again and again while
  // it is filled: a twentieth of its time.
  'db.index_sampling.update_percentage': '50',
  // The only client has finished before it stops its server; the built-in wait is twice 5 s.
  'internal.server.bolt.thread_pool_shutdown_wait_time': '2s',
};

const THROWAWAY_ONLY: Record<string, string> = {
  'db.tx_log.rotation.retention_policy': 'false',
  'db.tx_log.preallocate': 'false',
  'internal.server.bolt.thread_pool_shutdown_wait_time': '500ms',
};

/** The text of neo4j.conf for a child of ours, reachable from this machine only. */
export function configurationText(
  line: Neo4jLine,
  port: number,
  memory: Neo4jMemory,
  profile: Neo4jProfile,
): string {
  const settings = {
    'server.default_listen_address': '127.0.0.1',
    'server.bolt.listen_address': `127.0.0.1:${port}`,
    'server.bolt.advertised_address': `127.0.0.1:${port}`,
    ...commonSettings(line, memory, profile),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return `# Written anew at each start; edits are lost.\n${lines.join('\n')}\n`;
}
