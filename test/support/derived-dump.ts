import type { Driver } from 'neo4j-driver';

import { query } from './database.ts';

/** Labels of what is not derived by consolidation; whatever has none of them is compared. */
const DURABLE = [
  'Event',
  'IdempotencyKey',
  'ReleasedKey',
  'LogEntry',
  'Passage',
  'PassageScope',
  'LifecycleEvent',
  'Shard',
  'ShardIntake',
  'Worker',
  'StageRetry',
  'Deferral',
  'EnrichmentProgress',
  'EnrichmentRetry',
  'Extraction',
  'Synthesis',
  'Usage',
  'ExportUse',
  'ForgetPlan',
  'ForgetStep',
  'TakenEntities',
  'ForgetPreview',
  'ForgetPreviewPart',
  'LegalHold',
  'Suppression',
  'SuppressedContent',
  'LegalHoldRegister',
  'Vocabulary',
  'VocabularyBook',
  'RetentionSweep',
  'Scope',
  'RemovedScope',
  'Counter',
  'Blob',
  'BlobBody',
  'BlobChunk',
  'BlobUse',
  'KeyedBlob',
  'SigningKey',
  'RevokedToken',
  'Tenant',
  'AuditBatch',
  'AuditChain',
  'Deployment',
  'Job',
  'Rebuild',
  'LinkedEntity',
  'LinkGroup',
];

/** What tells a record from others of its label, without ids of the database. */
const NAME = (n: string): string =>
  `[labels(${n})[0], coalesce(${n}.id, ${n}.key, ''), coalesce(${n}.fact_id, ${n}.episode_id, ''), coalesce(${n}.recorded_from, ''), coalesce(${n}.scope_ref, '')]`;

/** Of a premise that nothing names any more only the name is left, which says nothing. */
const DERIVED = (n: string): string =>
  `none(label IN labels(${n}) WHERE label IN $durable) AND NOT (${n}:Premise AND NOT EXISTS { (${n})<-[:RESTS_ON]-() })`;

/** Every derived record and every edge of one, as lines in order: what two stores derived is the same when their lines are. */
export async function derivedDump(driver: Driver): Promise<string[]> {
  const nodes = await query<{ labels: string[]; properties: object }>(
    driver,
    `MATCH (n) WHERE ${DERIVED('n')} RETURN labels(n) AS labels, properties(n) AS properties`,
    { durable: DURABLE },
  );
  const edges = await query<{ a: unknown[]; b: unknown[]; type: string; properties: object }>(
    driver,
    `MATCH (a)-[r]->(b) WHERE (${DERIVED('a')}) OR (${DERIVED('b')})
     RETURN ${NAME('a')} AS a, ${NAME('b')} AS b, type(r) AS type, properties(r) AS properties`,
    { durable: DURABLE },
  );
  return [
    ...nodes.map(({ labels, properties }) => `${[...labels].sort().join(':')} ${canonical(properties)}`),
    ...edges.map(({ a, b, type, properties }) => `${named(a)}-${type}->${named(b)} ${canonical(properties)}`),
  ].sort();
}

/** The first lines that only one of two dumps has; none when they are the same. */
export function unlike(before: readonly string[], after: readonly string[]): Record<string, string[]> {
  const rest = (all: readonly string[], others: readonly string[]): string[] => {
    const counts = new Map<string, number>();
    for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
    return all.filter((line) => {
      const left = counts.get(line) ?? 0;
      counts.set(line, left - 1);
      return left <= 0;
    });
  };
  return { lost: rest(before, after).slice(0, 10), new: rest(after, before).slice(0, 10) };
}

function named([label, id, owner, from, scope]: unknown[]): string {
  return `${String(label)}(${[id, owner, from, scope].map(String).join(' ')})`;
}

function canonical(properties: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))));
}
