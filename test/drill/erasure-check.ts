import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { scopeRef } from '../../src/capture/scope-key.ts';
import { cli } from '../cli/host.ts';
import type { Client } from '../support/client.ts';
import { query } from '../support/database.ts';
import { holding } from '../support/holding.ts';

/** An erasure that is over, as whoever asked for it knows it. */
export interface Erased {
  readonly id: string;
  readonly scope: string;
  readonly events: number;
  /** What each of its events said. */
  readonly word: string;
  /** Starts of it that were answered with 202, beside the one that began it. */
  readonly replayed: number;
}

const FRAMES = 1000;

/** Says what is wrong with an erasure that ended; nothing where it ended once, is proven, and left nothing. */
export async function checkErased(client: Client, driver: Driver, erased: Erased): Promise<string[]> {
  const found = [
    ...(await checkProof(client, erased)),
    ...(await checkFrames(client, erased)),
    ...(await checkAudit(client, erased)),
    ...(await checkStore(driver, erased)),
  ];
  return found.map((fault) => `${erased.scope}: ${fault}`);
}

function unequal(what: string, got: unknown, wanted: unknown): string[] {
  const [is, should] = [JSON.stringify(got), JSON.stringify(wanted)];
  return is === should ? [] : [`${what} is ${is}, not ${should}`];
}

async function checkProof(client: Client, { id, events }: Erased): Promise<string[]> {
  const record = (await client.get(`/v1/erasures/${id}`)).json;
  const receipt = await client.get(`/v1/erasures/${id}/receipt`);
  const verified = await client.post(`/v1/erasures/${id}/verify`, undefined);
  const { status, phase, error, counts } = record;
  return [
    ...unequal('the record', [status, phase, error], ['completed', 'done', null]),
    ...unequal('events of the record', [counts.events_total, counts.events_done], [events, events]),
    ...unequal('commitments of the receipt', receipt.json?.claims?.commitments?.count, events),
    ...unequal('what the receipt found', receipt.json?.claims?.residue?.undeclared, 0),
    ...unequal(
      'the verification',
      [verified.json?.verified, verified.json?.events_checked, verified.json?.findings],
      [true, events, []],
    ),
    ...(await checkOffline(receipt.text)),
  ];
}

/** Has the receipt checked as somebody does who has nothing but the file. */
async function checkOffline(receipt: string): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'strata-receipt-'));
  try {
    writeFileSync(join(directory, 'receipt.json'), receipt);
    const { code, stderr } = await cli(['erasure', 'verify', 'receipt.json'], { directory });
    return code === 0 ? [] : [`the receipt does not verify: ${stderr}`];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function checkFrames(client: Client, { id, events }: Erased): Promise<string[]> {
  const { items } = (await client.get(`/v1/lifecycle?job_id=${id}&limit=${FRAMES}`)).json;
  const done: number[] = items
    .filter(({ event }: any) => event === 'erasure_progress')
    .map(({ data }: any) => data.events_done);
  const ends = items.filter(({ event }: any) => event === 'erasure_complete');
  const grows = done.every((count, i) => count > (done[i - 1] ?? 0));
  return [
    ...unequal('the number of frames erasure_complete', ends.length, 1),
    ...unequal('the last frame', items.at(-1)?.event, 'erasure_complete'),
    ...unequal('the last frame erasure_progress', done.at(-1), events),
    ...(grows ? [] : [`frames erasure_progress do not grow: ${done.join(', ')}`]),
  ];
}

/** One row tells of the beginning, and one of each request that was answered with what had begun. */
async function checkAudit(client: Client, { id, scope, replayed }: Erased): Promise<string[]> {
  const { audit_id } = (await client.get(`/v1/erasures/${id}`)).json;
  const path = `/v1/audit?scope=${encodeURIComponent(scope)}&capability=forget.gdpr&limit=200`;
  const { items } = (await client.get(path)).json;
  const rows = items.filter(
    ({ endpoint, response_status: status }: any) => endpoint === 'POST /v1/erasures' && status === 202,
  );
  return [
    ...unequal('the number of rows of its starts', rows.length, 1 + replayed),
    ...unequal('the number of its own rows', rows.filter((row: any) => row.id === audit_id).length, 1),
  ];
}

async function checkStore(driver: Driver, { id, scope, events, word }: Erased): Promise<string[]> {
  const [left] = await query<Record<string, number>>(
    driver,
    `MATCH (p:ErasedPart {erasure_id: $id})
     WITH collect(p) AS parts
     UNWIND parts AS p
     UNWIND p.offsets AS offset
     WITH parts, count(offset) AS noted, collect(DISTINCT offset) AS offsets
     RETURN noted, size(offsets) AS places,
       COUNT { UNWIND offsets AS offset MATCH (e:Event {wal_offset: offset}) WHERE size(keys(e)) = 2 AND e.recorded_at IS NOT NULL } AS bare,
       COUNT { MATCH (r:Erasure {scope_ref: $ref}) } AS erasures,
       COUNT { MATCH (r:Erasure {scope_ref: $ref}) WHERE r.receipt IS NOT NULL } AS receipts,
       COUNT { MATCH (p:ForgetPlan {scope_ref: $ref}) } AS plans, COUNT { MATCH (s:ForgetStep) } AS steps`,
    { id, ref: scopeRef('default', scope) },
  );
  const wanted = {
    noted: events,
    places: events,
    bare: events,
    erasures: 1,
    receipts: 1,
    plans: 0,
    steps: 0,
  };
  const said = await holding(driver, [word]);
  return [
    ...unequal('the store', left, wanted),
    ...said.slice(0, 5).map(({ kind, says }) => `${kind.join(':')} says ${says.slice(0, 100)}`),
  ];
}
