import type { Driver } from 'neo4j-driver';

import { send } from '../support/client.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/wait.ts';
import type { Acknowledged } from './load.ts';

/** How long the stages may take to catch up, milliseconds: the lease of a dead worker has to end first. */
const CATCH_UP_MS = 120_000;
const STAGES = ['captured', 'consolidated', 'indexed'];

interface StoredRow {
  id: string;
  wal_offset: number;
  recorded_at: number;
  scope: string;
  key: string | null;
  envelope: string;
}

const textOf = (row: StoredRow): string =>
  (JSON.parse(row.envelope) as { content: { text: string } }).content.text;

/** Waits until every scope has passed every stage, and says which did not or has given an event up. */
export async function checkCaughtUp(url: string, scopes: readonly string[]): Promise<string[]> {
  const violations: string[] = [];
  for (const scope of scopes) {
    const path = `/v1/derivation/status?scope=${encodeURIComponent(scope)}`;
    let last = '';
    try {
      await eventually(
        `${scope} to catch up`,
        async () => {
          const answer = await send(url, 'GET', path);
          last = answer.text;
          return answer.status === 200 && answer.json.caught_up === true;
        },
        CATCH_UP_MS,
      );
      const status = JSON.parse(last) as { failed: number };
      if (status.failed > 0) violations.push(`${scope}: a stage gave events up: ${last}`);
    } catch (error) {
      violations.push(`${scope}: ${(error as { message?: string }).message ?? ''}; last: ${last}`);
    }
  }
  return violations;
}

/** Looks at the log itself: offsets, order of instants, every acknowledged event, one event for each key. */
export async function checkLog(driver: Driver, acknowledged: Iterable<Acknowledged>): Promise<string[]> {
  const rows = await query<StoredRow>(
    driver,
    `MATCH (e:Event) RETURN e.id AS id, e.wal_offset AS wal_offset, e.recorded_at AS recorded_at, e.scope AS scope,
       e.idempotency_key AS key, e.envelope AS envelope`,
  );
  const [counter] = await query<{ head: number }>(
    driver,
    "MATCH (c:Counter {name: 'wal'}) RETURN c.value AS head",
  );
  rows.sort((a, b) => a.wal_offset - b.wal_offset);
  const violations = offsetsOf(rows, counter?.head ?? 0);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, offset, scope, text, key } of acknowledged) {
    const row = byId.get(id);
    if (!row) violations.push(`event ${id} (${key}) was acknowledged and is not there`);
    else if (row.wal_offset !== offset)
      violations.push(`event ${id}: offset ${row.wal_offset}, was ${offset}`);
    else if (row.scope !== scope || textOf(row) !== text) violations.push(`event ${id}: another content`);
  }
  return violations;
}

function offsetsOf(rows: readonly StoredRow[], head: number): string[] {
  const violations: string[] = [];
  const keys = new Set<string>();
  if (rows.length !== head) violations.push(`${rows.length} events, but the head of the log is ${head}`);
  rows.forEach((row, i) => {
    const before = rows[i - 1];
    if (row.wal_offset !== i + 1) {
      violations.push(`event ${row.id}: offset ${row.wal_offset} where ${i + 1} was due (gap or double)`);
    }
    if (before && row.recorded_at < before.recorded_at) {
      violations.push(`event ${row.id}: recorded_at ${row.recorded_at} runs backwards`);
    }
    const key = `${row.scope} ${row.key ?? ''}`;
    if (row.key !== null && keys.has(key))
      violations.push(`event ${row.id}: a second event for key ${row.key}`);
    keys.add(key);
  });
  return violations.slice(0, 50);
}

/** Looks at the frames: one per stage and event, numbered without a hole; and one passage for each event. */
export async function checkFrames(driver: Driver): Promise<string[]> {
  const rows = await query<{ id: string; types: string[]; passages: number }>(
    driver,
    `MATCH (e:Event)
     RETURN e.id AS id, COLLECT { MATCH (f:LifecycleEvent) WHERE f.event_id = e.id RETURN f.type } AS types,
       COUNT { (:Passage)-[:OF]->(e) } AS passages`,
  );
  const [numbers] = await query<{ counter: number; count: number; greatest: number }>(
    driver,
    `MATCH (c:Counter {name: 'lifecycle'})
     OPTIONAL MATCH (f:LifecycleEvent)
     RETURN c.value AS counter, count(f) AS count, coalesce(max(f.sequence), 0) AS greatest`,
  );
  const violations = rows.flatMap(({ id, types, passages }) => [
    ...(types.toSorted().join() === STAGES.join() ? [] : [`event ${id}: frames ${types.join() || 'none'}`]),
    ...(passages === 1 ? [] : [`event ${id}: ${passages} passages`]),
  ]);
  if (numbers && (numbers.count !== numbers.counter || numbers.greatest !== numbers.counter)) {
    violations.push(
      `${numbers.count} frames up to ${numbers.greatest}, but the counter says ${numbers.counter}`,
    );
  }
  return violations;
}

/** Searches the word of each event, as the full-text reader does. */
export async function checkSearch(driver: Driver, events: readonly Acknowledged[]): Promise<string[]> {
  await query(driver, 'CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()');
  const rows = await query<{ word: string; ids: string[] }>(
    driver,
    `UNWIND $words AS word
     RETURN word, COLLECT {
       CALL db.index.fulltext.queryNodes('passage_text', 'text:' + word) YIELD node RETURN node.event_id } AS ids`,
    { words: events.map(({ word }) => word) },
  );
  const found = new Map(rows.map(({ word, ids }) => [word, ids.join()]));
  return events
    .filter(({ word, id }) => found.get(word) !== id)
    .map(({ word, id }) => `event ${id}: a search for ${word} finds ${found.get(word) ?? 'nothing'}`);
}

/** Walks the listing of every scope: newest first, each acknowledged event once with its text, nothing else. */
export async function checkPages(
  url: string,
  scopes: readonly string[],
  acknowledged: readonly Acknowledged[],
): Promise<string[]> {
  const violations: string[] = [];
  for (const scope of scopes) {
    const expected = acknowledged
      .filter((event) => event.scope === scope)
      .sort((a, b) => b.offset - a.offset)
      .map(({ id, offset, text }) => `${id} ${offset} ${text}`);
    const listed = await walk(url, scope, 500);
    const at = expected.findIndex((line, i) => listed[i] !== line);
    if (at >= 0)
      violations.push(`${scope}: item ${at} is ${listed[at] ?? 'missing'}, not ${expected[at] ?? ''}`);
    else if (listed.length > expected.length) {
      violations.push(`${scope}: ${listed[expected.length] ?? ''} is listed and was not acknowledged`);
    }
  }
  return violations;
}

async function walk(url: string, scope: string, limit: number): Promise<string[]> {
  const lines: string[] = [];
  let cursor = '';
  do {
    const path = `/v1/events?scope=${encodeURIComponent(scope)}&limit=${limit}${cursor}`;
    const { status, json, text } = await send(url, 'GET', path);
    if (status !== 200) throw new Error(`listing ${scope}: ${status} ${text}`);
    const items = json.items as { id: string; wal_offset: number; content: { text: string } }[];
    lines.push(...items.map(({ id, wal_offset, content }) => `${id} ${wal_offset} ${content.text}`));
    cursor = json.next_cursor === undefined ? '' : `&cursor=${encodeURIComponent(json.next_cursor)}`;
  } while (cursor !== '');
  return lines;
}

/** Asks the service for the trace of each of the events: three stages, three frames. */
export async function checkTraces(url: string, events: readonly Acknowledged[]): Promise<string[]> {
  const violations: string[] = [];
  for (const { id } of events) {
    const { status, json } = await send(url, 'GET', `/v1/lifecycle/memory-event/${id}`);
    const stages = status === 200 ? (json.stages_completed as string[]).join() : String(status);
    const frames = status === 200 ? (json.lifecycle_event_ids as string[]).length : 0;
    if (stages !== 'captured,indexed,consolidated' || frames !== 3) {
      violations.push(`event ${id}: stages ${stages}, ${frames} frames`);
    }
  }
  return violations;
}
