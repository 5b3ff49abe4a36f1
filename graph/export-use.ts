import type { FileUse } from '../src/erasure/residue.ts';
import type { Writer } from './driver.ts';
import { instant, type Instant } from './instant.ts';
import { statement, type Param } from './statement.ts';

/** That somebody was handed a file with what lies in a scope. */
export interface ExportUse {
  /** Reference of the scope. */
  readonly ref: string;
  /** Whether what lies below it was in the file too. */
  readonly subtree: boolean;
  readonly actor: string;
}

/** Rows of one statement. */
const ROWS = 1000;

const note = statement<{ rows: readonly Param[]; at: Instant }, { noted: number }>(
  'export_use.note',
  'constraint export_use_id',
  `UNWIND $rows AS row
   MERGE (x:ExportUse {id: row.id})
     ON CREATE SET x.ref = row.ref, x.subtree = row.subtree, x.actor = row.actor, x.first_at = $at
   SET x.last_at = $at
   RETURN count(x) AS noted`,
);

const ofScope = statement<{ levels: readonly string[]; own: string }, FileUse>(
  'export_use.of_scope',
  'index export_use_ref',
  `UNWIND $levels AS ref
   MATCH (x:ExportUse) USING INDEX SEEK x:ExportUse(ref) WHERE x.ref = ref AND (x.subtree OR ref = $own)
   RETURN x.actor AS actor, min(x.first_at.epochMillis) AS first, max(x.last_at.epochMillis) AS last`,
);

/** Keeps who was handed files with what lies in which scopes: what is forgotten later is with them still. */
export class ExportUses {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Notes files of an instant (epoch milliseconds). May be repeated. Throws `DATABASE_UNAVAILABLE`. */
  async note(uses: readonly ExportUse[], at: number): Promise<void> {
    const rows = uses.map((use) => ({ ...use, id: JSON.stringify([use.ref, use.subtree, use.actor]) }));
    // One order for everybody, so that two processes do not wait for each other.
    rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    for (let from = 0; from < rows.length; from += ROWS)
      await this.writer.writeRepeatable(note, { rows: rows.slice(from, from + ROWS), at: instant(at) });
  }

  /** Who was handed something of a scope, by the references of all its levels, its own last; in no order. */
  ofScope(levels: readonly string[]): Promise<FileUse[]> {
    return this.writer.read(ofScope, { levels, own: levels.at(-1) ?? '' });
  }
}
