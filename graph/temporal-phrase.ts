import type { Integer } from 'neo4j-driver';

import type { TemporalPhrase } from '../schemas/temporal-phrase.ts';
import { appendAuditWithin, type FinishedBatch } from './audit.ts';
import type { Reader, Transaction, Transactions } from './driver.ts';
import { int, statement } from './statement.ts';

/** An own phrase as it is stored. */
export interface StoredPhrase extends TemporalPhrase {
  /** Place among the phrases of its tenant, in the order in which they were created. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly created_at: number;
  readonly created_by: string;
  /** Id of the change that created it, by which a repeat of that knows its own work. */
  readonly created_with: string;
  /** Epoch milliseconds. */
  readonly updated_at: number;
  readonly updated_by: string;
}

const STORED = `p {.name, .anchor, .expression, .number, .created_at, .created_by, .created_with, .updated_at, .updated_by}`;

const page = statement<{ tenant: string; to: Integer; limit: Integer }, { phrase: StoredPhrase }>(
  'temporal_phrase.page',
  'constraint temporal_phrase_number, walked in order',
  `MATCH (p:TemporalPhrase) USING INDEX SEEK p:TemporalPhrase(tenant, number)
   WHERE p.tenant = $tenant AND p.number > 0 AND p.number <= $to
   WITH p ORDER BY p.tenant DESC, p.number DESC LIMIT $limit
   RETURN ${STORED} AS phrase`,
);

const all = statement<{ tenant: string; limit: Integer }, TemporalPhrase>(
  'temporal_phrase.all',
  'constraint temporal_phrase_number',
  `MATCH (p:TemporalPhrase) USING INDEX SEEK p:TemporalPhrase(tenant, number)
   WHERE p.tenant = $tenant AND p.number > 0
   WITH p LIMIT $limit
   RETURN p.name AS name, p.anchor AS anchor, p.expression AS expression`,
);

/** Reads the own phrases of tenants. */
export class TemporalPhraseReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** At most so many phrases of a tenant whose number is `to` or less, those first that were created last. */
  async page(tenant: string, to: number, limit: number): Promise<StoredPhrase[]> {
    const rows = await this.reader.read(page, { tenant, to: int(to), limit: int(limit) });
    return rows.map(({ phrase }) => phrase);
  }

  /** All phrases of a tenant, at most `limit`, in no particular order: what a question of his is read with. */
  all(tenant: string, limit: number): Promise<TemporalPhrase[]> {
    return this.reader.read(all, { tenant, limit: int(limit) });
  }
}

// The node of the tenant is written first, so that one change of his phrases waits for the other.
const open = statement<
  { tenant: string; folded: string; now: Integer },
  { known: StoredPhrase | null; count: number; removed_with: string | null }
>(
  'temporal_phrase.open',
  'constraints phrase_book_tenant, temporal_phrase_name, temporal_phrase_number',
  `MERGE (b:PhraseBook {tenant: $tenant}) ON CREATE SET b.last_number = 0
   SET b.touched = $now
   WITH b
   OPTIONAL MATCH (p:TemporalPhrase {tenant: $tenant, folded: $folded})
   RETURN CASE WHEN p IS NULL THEN null ELSE ${STORED} END AS known, b.removed_with AS removed_with,
     COUNT { MATCH (q:TemporalPhrase) WHERE q.tenant = $tenant AND q.number > 0 } AS count`,
);

interface PhraseRow {
  [name: string]: string | Integer;
  tenant: string;
  folded: string;
  name: string;
  anchor: string;
  expression: string;
  actor: string;
  now: Integer;
}

const create = statement<PhraseRow & { change: string }, { phrase: StoredPhrase }>(
  'temporal_phrase.create',
  'constraint phrase_book_tenant',
  `MATCH (b:PhraseBook {tenant: $tenant})
   SET b.last_number = b.last_number + 1
   CREATE (p:TemporalPhrase {tenant: $tenant, folded: $folded, number: b.last_number, name: $name, anchor: $anchor,
     expression: $expression, created_at: $now, created_by: $actor, created_with: $change, updated_at: $now, updated_by: $actor})
   RETURN ${STORED} AS phrase`,
);

const replace = statement<PhraseRow, { phrase: StoredPhrase }>(
  'temporal_phrase.replace',
  'constraint temporal_phrase_name',
  `MATCH (p:TemporalPhrase {tenant: $tenant, folded: $folded})
   SET p.name = $name, p.anchor = $anchor, p.expression = $expression, p.updated_at = $now, p.updated_by = $actor
   RETURN ${STORED} AS phrase`,
);

const remove = statement<{ tenant: string; folded: string; change: string }, { removed: number }>(
  'temporal_phrase.remove',
  'constraints phrase_book_tenant, temporal_phrase_name',
  `MATCH (b:PhraseBook {tenant: $tenant})
   SET b.removed_with = $change
   WITH b
   MATCH (p:TemporalPhrase {tenant: $tenant, folded: $folded})
   DELETE p
   RETURN count(*) AS removed`,
);

/** Which phrase is changed, by whom and when. */
export interface PhraseChange {
  readonly tenant: string;
  /** The name without case and width of blanks: a tenant has one phrase of each. */
  readonly folded: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Id by which a repeat of the change knows what it did. */
  readonly id: string;
}

/** Changes one phrase within an open transaction; no other change of the tenant's phrases comes between. */
export class PhraseChanges {
  readonly #transaction: Transaction;
  readonly #change: PhraseChange;
  #newest = 0;
  /** The phrase of the name as it was found; null when there was none. */
  readonly known: StoredPhrase | null;
  /** Phrases that the tenant had. */
  readonly count: number;
  /** Whether the last removal among the tenant's phrases was this change, whose answer was lost. */
  readonly wasRemoved: boolean;

  constructor(
    transaction: Transaction,
    change: PhraseChange,
    found: { known: StoredPhrase | null; count: number; removed_with: string | null },
  ) {
    this.#transaction = transaction;
    this.#change = change;
    this.known = found.known;
    this.count = found.count;
    this.wasRemoved = found.removed_with === change.id;
  }

  /** Number of the newest batch of the audit log that was added; 0 when none was. */
  get newestAudit(): number {
    return this.#newest;
  }

  /** Stores a phrase of a name that there is none of. */
  async create(phrase: TemporalPhrase): Promise<StoredPhrase> {
    return only(await this.#transaction.run(create, { ...this.#said(phrase), change: this.#change.id }));
  }

  /** Gives the phrase that was found another meaning, and its name another spelling. */
  async replace(phrase: TemporalPhrase): Promise<StoredPhrase> {
    return only(await this.#transaction.run(replace, this.#said(phrase)));
  }

  /** Removes the phrase that was found. */
  async remove(): Promise<void> {
    const { tenant, folded, id } = this.#change;
    await this.#transaction.run(remove, { tenant, folded, change: id });
  }

  /** Adds rows of the audit log; last of all, since their lock is the last that a transaction takes. */
  async tell(batches: readonly FinishedBatch[]): Promise<void> {
    this.#newest = await appendAuditWithin(this.#transaction, batches, this.#change.now);
  }

  #said({ name, anchor, expression }: TemporalPhrase): PhraseRow {
    const { tenant, folded, actor, now } = this.#change;
    return { tenant, folded, name, anchor, expression, actor, now: int(now) };
  }
}

function only(rows: readonly { phrase: StoredPhrase }[]): StoredPhrase {
  const [row] = rows;
  if (row === undefined) throw new Error('a time phrase that was just written is not there');
  return row.phrase;
}

/** Changes the own phrases of tenants. */
export class TemporalPhraseStore {
  private readonly database: Transactions;

  constructor(database: Transactions) {
    this.database = database;
  }

  /** Does the work of a change in one transaction, begun anew on passing failures; answers the newest number of the audit log too. */
  changing<T>(
    change: PhraseChange,
    work: (changes: PhraseChanges) => Promise<T>,
  ): Promise<{ outcome: T; newestAudit: number }> {
    const { tenant, folded, now } = change;
    return this.database.transactionRepeatable(async (transaction) => {
      const [found] = await transaction.run(open, { tenant, folded, now: int(now) });
      if (found === undefined) throw new Error('the phrases of the tenant cannot be opened');
      const changes = new PhraseChanges(transaction, change, found);
      const outcome = await work(changes);
      return { outcome, newestAudit: changes.newestAudit };
    });
  }
}
