import type { Integer } from 'neo4j-driver';

import { vocabulariesRef } from '../../src/derive/policy-log.ts';
import type { Definition } from '../../src/derive/vocabulary/definition.ts';
import type { VocabularyLayer } from '../../src/derive/vocabulary/tenant.ts';
import { appendAuditWithin, type FinishedBatch } from '../audit.ts';
import type { Transaction, Transactions } from '../driver.ts';
import { ENTRY, NEXT_PLACE } from '../policy-log.ts';
import { int, statement, type Param } from '../statement.ts';
import { ACTING_VOCABULARY, STORED_VOCABULARY, type StoredLayer, type StoredVocabulary } from './record.ts';

/** What stands in the store when the vocabularies of a tenant are opened. */
interface Opened {
  readonly known: (StoredVocabulary & StoredLayer) | null;
  readonly removed_with: string | null;
  readonly others: readonly StoredLayer[];
}

// The node of the tenant is written first, so that one change of its vocabularies waits for the other.
const LOCK = `MERGE (b:VocabularyBook {tenant: $tenant}) ON CREATE SET b.last_number = 0
   SET b.touched = $now`;

const lock = statement<{ tenant: string; now: Integer }, { touched: number }>(
  'vocabulary.lock',
  'constraint vocabulary_book_tenant',
  `${LOCK}
   RETURN b.touched AS touched`,
);

const open = statement<{ tenant: string; name: string; now: Integer }, Opened>(
  'vocabulary.open',
  'constraints vocabulary_book_tenant, vocabulary_name, vocabulary_number',
  `${LOCK}
   WITH b
   OPTIONAL MATCH (v:Vocabulary {tenant: $tenant, name: $name})
   RETURN CASE WHEN v IS NULL THEN null ELSE ${ACTING_VOCABULARY} END AS known,
     b.removed_with AS removed_with,
     COLLECT { MATCH (o:Vocabulary) USING INDEX SEEK o:Vocabulary(tenant, number) WHERE o.tenant = $tenant AND o.number > 0 AND o.name <> $name
       RETURN o {.name, .levels, .acts} } AS others`,
);

const write = statement<
  { tenant: string; name: string; created: Param; said: Param },
  { vocabulary: StoredVocabulary }
>(
  'vocabulary.write',
  'constraints vocabulary_book_tenant, vocabulary_name',
  `MATCH (b:VocabularyBook {tenant: $tenant})
   MERGE (v:Vocabulary {tenant: $tenant, name: $name})
     ON CREATE SET b.last_number = b.last_number + 1, v.number = b.last_number, v += $created
   SET v += $said
   RETURN ${STORED_VOCABULARY} AS vocabulary`,
);

const remove = statement<{ tenant: string; name: string; change: string }, { removed: number }>(
  'vocabulary.remove',
  'constraints vocabulary_book_tenant, vocabulary_name',
  `MATCH (b:VocabularyBook {tenant: $tenant})
   SET b.removed_with = $change
   WITH b
   MATCH (v:Vocabulary {tenant: $tenant, name: $name})
   DELETE v
   RETURN count(*) AS removed`,
);

const removeOfScope = statement<{ tenant: string; scope: string }, { removed: number; left: StoredLayer[] }>(
  'vocabulary.remove_of_scope',
  'constraint vocabulary_number',
  `CALL () {
     MATCH (v:Vocabulary) USING INDEX SEEK v:Vocabulary(tenant, number) WHERE v.tenant = $tenant AND v.number > 0 AND v.scope = $scope
     DELETE v
     RETURN count(*) AS removed
   }
   RETURN removed, COLLECT { MATCH (o:Vocabulary) USING INDEX SEEK o:Vocabulary(tenant, number) WHERE o.tenant = $tenant AND o.number > 0
     RETURN o {.name, .levels, .acts} } AS left`,
);

const enter = statement<{ entry: Param; now: Integer }, { after_offset: number }>(
  'vocabulary.enter',
  'constraints counter_name, log_entry_id',
  `${NEXT_PLACE}
   ${ENTRY}
   RETURN entry.after_offset AS after_offset`,
);

/** Which vocabulary is changed, by whom and when. */
export interface VocabularyChangeOf {
  readonly tenant: string;
  readonly name: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Id by which a repeat of the change knows what it did. */
  readonly id: string;
  /** Id of the entry of the log, where derivation goes by the change. */
  readonly entry: string;
}

/** What a vocabulary says from now on. */
export type VocabularySaid = Pick<
  StoredVocabulary,
  'description' | 'scope' | 'terms' | 'predicates' | 'relations'
> & {
  readonly levels: readonly string[] | null;
  readonly acts: string;
  /** JSON text of what it says of terms. */
  readonly calls: string;
};

/** Changes one vocabulary within an open transaction; no other change of the tenant's vocabularies comes between. */
export class VocabularyChanges {
  readonly #transaction: Transaction;
  readonly #change: VocabularyChangeOf;
  #newest = 0;
  /** The vocabulary of the name as it was found; null when there was none. */
  readonly known: (StoredVocabulary & StoredLayer) | null;
  /** The others of the tenant. */
  readonly others: readonly StoredLayer[];
  /** Whether the last removal among the tenant's vocabularies was this change, whose answer was lost. */
  readonly wasRemoved: boolean;

  constructor(transaction: Transaction, change: VocabularyChangeOf, found: Opened) {
    this.#transaction = transaction;
    this.#change = change;
    this.known = found.known;
    this.others = found.others;
    this.wasRemoved = found.removed_with === change.id;
  }

  /** Number of the newest batch of the audit log that was added; 0 when none was. */
  get newestAudit(): number {
    return this.#newest;
  }

  /** Keeps what the vocabulary says, and enters it into the log where derivation goes by something else from now on. */
  async keep(said: VocabularySaid): Promise<StoredVocabulary> {
    const { tenant, name, actor, now, id } = this.#change;
    const { known } = this;
    const own = { name, levels: said.levels, acts: said.acts };
    const entered = layerText(known) === layerText(own) ? null : await this.#enter([...this.others, own]);
    const [row] = await this.#transaction.run(write, {
      tenant,
      name,
      created: { created_at: int(now), created_by: actor },
      said: {
        ...said,
        revision: int((known?.revision ?? 0) + 1),
        ...(entered === null ? {} : { counts_after: int(entered) }),
        changed_with: id,
        updated_at: int(now),
        updated_by: actor,
      },
    });
    if (row === undefined) throw new Error('a vocabulary that was just written is not there');
    return row.vocabulary;
  }

  /** Removes the vocabulary that was found. */
  async remove(): Promise<void> {
    const { tenant, name, id } = this.#change;
    if (layerText(this.known) !== null) await this.#enter(this.others);
    await this.#transaction.run(remove, { tenant, name, change: id });
  }

  /** Adds rows of the audit log; last of all, since their lock is the last that a transaction takes. */
  async tell(batches: readonly FinishedBatch[]): Promise<void> {
    this.#newest = await appendAuditWithin(this.#transaction, batches, this.#change.now);
  }

  #enter(layers: readonly StoredLayer[]): Promise<number> {
    return enterLayers(this.#transaction, this.#change, layers);
  }
}

/** Enters into the log what the vocabularies of a tenant say from here on; answers the offset behind which that counts. */
async function enterLayers(
  transaction: Transaction,
  { tenant, actor, now, entry: id }: Omit<VocabularyChangeOf, 'name' | 'id'>,
  layers: readonly StoredLayer[],
): Promise<number> {
  const said = layers
    .filter((layer) => layerText(layer) !== null)
    .map(({ name, levels, acts }): VocabularyLayer => {
      return { name, levels, definitions: JSON.parse(acts) as Definition[] };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const ref = vocabulariesRef(tenant);
  const entry = { id, kind: 'vocabularies', tenant, scope_ref: ref, actor, predicates: JSON.stringify(said) };
  const [row] = await transaction.run(enter, { entry, now: int(now) });
  if (row === undefined) throw new Error('there is no counter of the log: the store is not migrated');
  return row.after_offset;
}

/** What derivation goes by of a vocabulary, as text; null where that is nothing. */
function layerText(layer: StoredLayer | null): string | null {
  return layer === null || layer.acts === '[]' ? null : JSON.stringify([layer.levels, layer.acts]);
}

/** Takes the lock of a tenant's vocabularies: until the transaction ends none is changed. It comes before that of the log. */
export async function lockVocabulariesWithin(
  transaction: Transaction,
  tenant: string,
  now: number,
): Promise<void> {
  await transaction.run(lock, { tenant, now: int(now) });
}

/** Removes the vocabularies of a scope that is deleted; {@link lockVocabulariesWithin} comes before, and no lock after that of the log. */
export async function removeVocabulariesWithin(
  transaction: Transaction,
  scope: string,
  change: Omit<VocabularyChangeOf, 'name' | 'id'>,
): Promise<void> {
  const [row] = await transaction.run(removeOfScope, { tenant: change.tenant, scope });
  if (row !== undefined && row.removed > 0) await enterLayers(transaction, change, row.left);
}

/** Changes the vocabularies of tenants. */
export class TenantVocabularyStore {
  private readonly database: Transactions;

  constructor(database: Transactions) {
    this.database = database;
  }

  /** Does the work of a change in one transaction, begun anew on passing failures; answers the newest number of the audit log too. */
  changing<T>(
    change: VocabularyChangeOf,
    work: (changes: VocabularyChanges) => Promise<T>,
  ): Promise<{ outcome: T; newestAudit: number }> {
    const { tenant, name, now } = change;
    return this.database.transactionRepeatable(async (transaction) => {
      const [found] = await transaction.run(open, { tenant, name, now: int(now) });
      if (found === undefined) throw new Error('the vocabularies of the tenant cannot be opened');
      const changes = new VocabularyChanges(transaction, change, found);
      const outcome = await work(changes);
      return { outcome, newestAudit: changes.newestAudit };
    });
  }
}
