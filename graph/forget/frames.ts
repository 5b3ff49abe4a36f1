import type { Integer } from 'neo4j-driver';

import { shardOf } from '../../src/capture/scope-key.ts';
import type { Reader, Transaction, Transactions } from '../driver.ts';
import { partsByBytes } from '../event-parts.ts';
import { int, statement, type Param, type Params, type Statement } from '../statement.ts';

/** Frames that are looked at in one statement. */
const PAGE = 2_000;

/** Ids of which it is asked in one statement whether they are there. */
const ASKED = 5_000;

interface Page {
  readonly through: number;
  readonly rows: number;
  readonly frames: readonly { readonly sequence: number; readonly size: number }[];
}

const page = statement<{ ref: string; from: Integer; page: Integer }, Page>(
  'forget.consolidated_frames',
  'index lifecycle_scope, walked in order',
  `CALL () {
     MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(scope_ref, sequence) WHERE f.scope_ref = $ref AND f.sequence >= $from
     WITH f ORDER BY f.scope_ref, f.sequence LIMIT $page
     RETURN f
   }
   RETURN max(f.sequence) AS through, count(*) AS rows, collect(CASE
     WHEN f.type = 'consolidated' AND f.data CONTAINS 'fact_' THEN {sequence: f.sequence, size: size(f.data)}
   END) AS frames`,
);

interface KeptFrame {
  readonly sequence: number;
  /** JSON text. */
  readonly data: string;
}

const contents = statement<{ sequences: readonly Integer[] }, KeptFrame>(
  'forget.frame_data',
  'constraint lifecycle_sequence',
  `UNWIND $sequences AS sequence
   MATCH (f:LifecycleEvent {sequence: sequence}) WHERE f.data IS NOT NULL
   RETURN f.sequence AS sequence, f.data AS data`,
);

const stated = statement<{ ids: readonly string[] }, { id: string }>(
  'forget.gone_facts',
  'constraint statement_id',
  `UNWIND $ids AS id
   WITH id WHERE NOT EXISTS { MATCH (s:Statement) USING INDEX SEEK s:Statement(id) WHERE s.id = id }
   RETURN id`,
);

// Nothing of the scope is derived while its shard is held, and while it is not derived anew what is not there is gone.
const holdDerivation = statement<{ ref: string; shard: Integer }, { rebuilding: boolean }>(
  'forget.hold_derivation',
  'constraints shard_number, rebuild_scope',
  `MATCH (shard:Shard {number: $shard})
   SET shard.touched = $ref
   WITH shard
   RETURN EXISTS { MATCH (:Rebuild {scope_ref: $ref}) } AS rebuilding`,
);

// Locked first: what is read behind it is what is written over.
const hold = statement<{ sequences: readonly Integer[] }, { held: number }>(
  'forget.hold_frames',
  'constraint lifecycle_sequence',
  `UNWIND $sequences AS sequence
   MATCH (f:LifecycleEvent {sequence: sequence})
   SET f.sequence = f.sequence
   RETURN count(f) AS held`,
);

const write = statement<{ frames: readonly Param[] }, { written: number }>(
  'forget.write_frames',
  'constraint lifecycle_sequence',
  `UNWIND $frames AS row
   MATCH (f:LifecycleEvent {sequence: row.sequence})
   SET f.data = row.data
   RETURN count(*) AS written`,
);

/** A frame that names facts which are not there. */
export interface NamingFrame {
  readonly sequence: number;
  /** The facts. */
  readonly gone: readonly string[];
}

/**
 * The frames of consolidation of a scope, from a number on, that name facts which are not there any more: of an event that went, or that
 * were concluded from what it stated. Some megabytes at a time. While the scope is derived anew there may be none of its facts.
 */
export async function* framesNaming(
  reader: Reader,
  ref: string,
  first: number,
): AsyncGenerator<NamingFrame[]> {
  for (let from: number | null = first; from !== null;) {
    const [found]: Page[] = await reader.read(page, { ref, from: int(from), page: int(PAGE) });
    if (found === undefined || found.rows === 0) return;
    for (const part of partsByBytes(found.frames, ({ size }) => size))
      yield await namingAmong(
        (statement, params) => reader.read(statement, params),
        part.map(({ sequence }) => int(sequence)),
      );
    from = found.rows < PAGE ? null : found.through + 1;
  }
}

/**
 * Takes the ids of facts that are not there any more from the frames of a scope that say of events which stay what came of them: an id is made from
 * what was stated, so whoever has one can test a guess. False where it is to be called again, since the scope is derived anew. Short transactions;
 * `goesOn` is called between them, and may throw. May be repeated. Throws `DATABASE_UNAVAILABLE`.
 */
export async function stripFrames(
  database: Reader & Transactions,
  ref: string,
  first: number,
  goesOn: () => void,
): Promise<boolean> {
  for await (const naming of framesNaming(database, ref, first)) {
    goesOn();
    if (naming.length === 0) continue;
    const sequences = naming.map(({ sequence }) => int(sequence));
    const isStripped = await database.transactionRepeatable((transaction) =>
      strip(transaction, ref, sequences),
    );
    if (!isStripped) return false;
  }
  return true;
}

async function strip(transaction: Transaction, ref: string, sequences: readonly Integer[]): Promise<boolean> {
  const [held] = await transaction.run(holdDerivation, { ref, shard: int(shardOf(ref)) });
  if (held?.rebuilding !== false) return false;
  await transaction.run(hold, { sequences });
  const naming = await namingAmong((statement, params) => transaction.run(statement, params), sequences);
  const gone = new Set(naming.flatMap((frame) => frame.gone));
  const frames = naming.map(({ sequence, data }) => ({
    sequence: int(sequence),
    data: withoutFacts(data, gone),
  }));
  await transaction.run(write, { frames });
  return true;
}

/** Runs a statement that reads. */
type Read = <P extends Params, R>(statement: Statement<P, R>, params: P) => Promise<R[]>;

async function namingAmong(
  read: Read,
  sequences: readonly Integer[],
): Promise<(NamingFrame & { readonly data: string })[]> {
  const frames = (await read(contents, { sequences })).map((frame) => ({
    ...frame,
    facts: factsIn(JSON.parse(frame.data) as ConsolidatedData),
  }));
  const all = [...new Set(frames.flatMap(({ facts }) => facts))];
  const gone = new Set<string>();
  for (let at = 0; at < all.length; at += ASKED)
    for (const { id } of await read(stated, { ids: all.slice(at, at + ASKED) })) gone.add(id);
  return frames
    .map(({ sequence, data, facts }) => ({ sequence, data, gone: facts.filter((id) => gone.has(id)) }))
    .filter((frame) => frame.gone.length > 0);
}

/** What a frame of consolidation says of facts. */
interface ConsolidatedData {
  readonly derived?: { readonly facts?: readonly string[] };
  readonly facts_superseded?: readonly { readonly old: string; readonly new: string }[];
}

/** The facts that a frame names. Names and texts in it may look like ids of facts, and are none. */
function factsIn({ derived, facts_superseded: superseded = [] }: ConsolidatedData): string[] {
  return [...(derived?.facts ?? []), ...superseded.flatMap((one) => [one.old, one.new])];
}

/** The data of a frame of consolidation, as JSON text, without facts that are gone. */
function withoutFacts(data: string, gone: ReadonlySet<string>): string {
  const { facts_superseded: superseded = [], derived = {}, ...rest } = JSON.parse(data) as ConsolidatedData;
  const kept = superseded.filter((one) => !gone.has(one.old) && !gone.has(one.new));
  return JSON.stringify({
    derived: { ...derived, facts: (derived.facts ?? []).filter((id) => !gone.has(id)) },
    ...rest,
    ...(kept.length === 0 ? {} : { facts_superseded: kept }),
  });
}
