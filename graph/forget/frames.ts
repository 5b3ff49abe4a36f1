import type { Integer } from 'neo4j-driver';

import type { Reader, Transactions, Writer } from '../driver.ts';
import { int, statement, type Param } from '../statement.ts';

/** Frames that are looked at in one statement. */
const PAGE = 2_000;

/** So many ids are looked for by the database; of more, all frames are read. */
const FEW = 20;

/** Facts that a scope has no more. */
export interface GoneFacts {
  readonly facts: ReadonlySet<string>;
  /** Number of the first frame that may name one of them. */
  readonly frames_from: number;
}

/** A frame as it is kept. */
export interface KeptFrame {
  readonly sequence: number;
  /** JSON text. */
  readonly data: string;
}

interface Page {
  readonly through: number;
  readonly rows: number;
  readonly frames: readonly KeptFrame[];
}

const page = statement<{ ref: string; from: Integer; page: Integer; few: readonly string[] }, Page>(
  'forget.consolidated_frames',
  'index lifecycle_scope, walked in order',
  `CALL () {
     MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(scope_ref, sequence) WHERE f.scope_ref = $ref AND f.sequence >= $from
     WITH f ORDER BY f.scope_ref, f.sequence LIMIT $page
     RETURN f
   }
   RETURN max(f.sequence) AS through, count(*) AS rows, collect(CASE
     WHEN f.type = 'consolidated' AND f.data IS NOT NULL AND (size($few) = 0 OR any(id IN $few WHERE f.data CONTAINS id)) THEN f {.sequence, .data}
   END) AS frames`,
);

const write = statement<{ frames: readonly Param[] }, { written: number }>(
  'forget.write_frames',
  'constraint lifecycle_sequence',
  `UNWIND $frames AS row
   MATCH (f:LifecycleEvent {sequence: row.sequence}) WHERE f.data IS NOT NULL
   SET f.data = row.data
   RETURN count(*) AS written`,
);

/** The frames of consolidation of a scope that may name facts which are gone, a page at a time. */
export async function* framesNaming(
  reader: Reader,
  ref: string,
  { facts, frames_from }: GoneFacts,
): AsyncGenerator<readonly KeptFrame[]> {
  const few = facts.size > FEW ? [] : [...facts];
  for (let from: number | null = facts.size === 0 ? null : frames_from; from !== null;) {
    const [found]: Page[] = await reader.read(page, { ref, from: int(from), page: int(PAGE), few });
    if (found === undefined || found.rows === 0) return;
    yield found.frames;
    from = found.rows < PAGE ? null : found.through + 1;
  }
}

/**
 * Takes the ids of facts that are gone from the frames of a scope that say of other events what came of them: an id is made from what was stated, so
 * whoever has one can test a guess. Short transactions; `goesOn` is called between them, and may throw. May be repeated. Throws
 * `DATABASE_UNAVAILABLE`.
 */
export async function stripFrames(
  database: Reader & Writer & Transactions,
  ref: string,
  gone: GoneFacts,
  goesOn: () => void,
): Promise<void> {
  for await (const frames of framesNaming(database, ref, gone)) {
    goesOn();
    const rows = frames.flatMap(({ sequence, data }) => {
      const left = withoutFacts(data, gone.facts);
      return left === data ? [] : [{ sequence: int(sequence), data: left }];
    });
    if (rows.length > 0) await database.writeRepeatable(write, { frames: rows });
  }
}

/** What a frame of consolidation says of facts. */
interface Told {
  readonly derived?: { readonly facts?: readonly string[] };
  readonly facts_superseded?: readonly { readonly old: string; readonly new: string }[];
}

/** The data of a frame of consolidation, as JSON text, without facts that are gone. */
function withoutFacts(data: string, gone: ReadonlySet<string>): string {
  const { facts_superseded: superseded = [], derived = {}, ...rest } = JSON.parse(data) as Told;
  const facts = (derived.facts ?? []).filter((id) => !gone.has(id));
  const kept = superseded.filter((one) => !gone.has(one.old) && !gone.has(one.new));
  if (facts.length === (derived.facts ?? []).length && kept.length === superseded.length) return data;
  return JSON.stringify({
    derived: { ...derived, facts },
    ...rest,
    ...(kept.length === 0 ? {} : { facts_superseded: kept }),
  });
}
