import type { VocabularyReader } from '../../graph/vocabulary/read.ts';
import type { StoredVocabulary } from '../../graph/vocabulary/record.ts';
import type { TenantVocabularyStore, VocabularyChanges } from '../../graph/vocabulary/write.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { MAX_VOCABULARY_BYTES } from '../../schemas/vocabulary.ts';
import {
  MAX_VOCABULARIES,
  vocabularyChange,
  vocabularyListQuery,
  vocabularyName,
  vocabularyPath,
  type VocabularyChange,
  type VocabularyItem,
  type VocabularyPage,
} from '../../schemas/vocabulary-record.ts';
import { levelRefs } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit, ChangeRow } from '../commit/change-audit.ts';
import { changedEntries, NO_ENTRIES, type VocabularyEntries } from '../derive/vocabulary/entries.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { parseInput } from '../validation.ts';
import type { AccessService, Call } from './access.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import { recordPage, writeRecordCursor } from './record-page.ts';

/** What the service needs. */
export interface VocabularyParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly reader: VocabularyReader;
  readonly store: TenantVocabularyStore;
  readonly changes: ChangeAudit;
  readonly ids: Pick<Ids, 'entry'>;
  readonly clock: Clock;
}

/** Where a vocabulary holds; null: the whole tenant. */
interface VocabularyScope {
  readonly scope: string | null;
}

/** Keeps what tenants and scopes call things, and by which predicates they are told. */
export class VocabularyService {
  private readonly parts: VocabularyParts;
  private readonly numbers = new WeakMap<VocabularyItem, number>();

  constructor(parts: VocabularyParts) {
    this.parts = parts;
  }

  /** A page of the vocabularies that the caller may read, those first that were made last. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<VocabularyPage> {
    const page = parseQuery(vocabularyListQuery, query);
    const { access, reader } = this.parts;
    await access.authorize(call, 'scope.read', null);
    const { tenant } = call.principal;
    const { records, next } = await recordPage(
      async (to, rows) => {
        const found = await reader.places(tenant, to, rows);
        const mayRead = await access.readableNow(
          call,
          found.flatMap(({ scope }) => (scope === null ? [] : [{ tenant, path: scope }])),
        );
        return found.map(({ name, number, scope }) => {
          const isReadable = scope === null || mayRead({ tenant, path: scope });
          return { position: number, id: '', record: isReadable ? { name, bytes: 0 } : null };
        });
      },
      { ...page, listing: 'vocabularies' },
    );
    const read = await reader.byNames(
      tenant,
      records.map(({ name }) => name),
    );
    return {
      // One that went between the two readings is left out, as it would be a moment later.
      items: records.flatMap(({ name }) => {
        const stored = read.get(name);
        return stored === undefined ? [] : [this.itemOf(stored)];
      }),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
    };
  }

  /** One vocabulary. Throws `NOT_FOUND`, for one that the caller may not read too, `POLICY_DENIED`. */
  async get(call: Call, name: string): Promise<VocabularyItem> {
    await this.parts.access.authorize(call, 'scope.read', null);
    if ((await this.readable(call, name)) === null) throw vocabularyNotFound();
    const stored = (await this.parts.reader.byNames(call.principal.tenant, [name])).get(name);
    if (stored === undefined) throw vocabularyNotFound();
    return this.itemOf(stored);
  }

  /**
   * Changes a vocabulary, or makes one; what it says already changes nothing. Throws `INVALID_BODY`, for one more than a tenant may have
   * too, `POLICY_DENIED`, `NOT_A_MEMBER`, and `NOT_FOUND` for the name of one that the caller may not read.
   */
  async update(call: Call, name: string, body: unknown): Promise<VocabularyItem> {
    parseInput(vocabularyPath, { name }, 'INVALID_BODY');
    const change = parseInput(vocabularyChange, body, 'INVALID_BODY');
    const place = await this.readable(call, name);
    const wanted = change.scope === undefined ? (place?.scope ?? null) : change.scope;
    await this.requireManage(call, { scope: wanted });
    if (place !== null && place.scope !== wanted) await this.requireManage(call, place);
    const stored = await this.changing(call, name, async (changes, row) => {
      const { known } = changes;
      const isDone = known?.changed_with === row.id;
      if (known !== null && !isDone) await this.requireFound(call, known, place);
      const kept = isDone ? known : await keeping(call, changes, change);
      await changes.tell(row.batches());
      return kept;
    });
    return this.itemOf(stored);
  }

  /** Removes a vocabulary. Throws `NOT_FOUND`, for one that the caller may not read too, `POLICY_DENIED`, `NOT_A_MEMBER`. */
  async remove(call: Call, name: string): Promise<void> {
    const place = await this.readable(call, name);
    if (place === null) throw vocabularyNotFound();
    await this.requireManage(call, place);
    await this.changing(call, name, async (changes, row) => {
      const { known, wasRemoved } = changes;
      if (known === null && !wasRemoved) throw vocabularyNotFound();
      if (known !== null) {
        await this.requireFound(call, known, place);
        await changes.remove();
      }
      await changes.tell(row.batches());
    });
  }

  /** The cursor that continues a listing behind a vocabulary of it. */
  cursorOf(vocabulary: VocabularyItem): string {
    const position = this.numbers.get(vocabulary);
    if (position === undefined) throw new Error('a vocabulary of no page');
    return writeRecordCursor('vocabularies', { position, id: '' });
  }

  /** Where a vocabulary of the name holds that the caller may read; null where there is none. One round trip, or none. */
  private async readable(call: Call, name: string): Promise<VocabularyScope | null> {
    if (!vocabularyName.safeParse(name).success) return null;
    const { tenant } = call.principal;
    const found = (await this.parts.gate.admitted(call, { kind: 'vocabulary', ids: [name], tenant })).get(
      name,
    );
    return found === undefined ? null : { scope: found.scope === '' ? null : found.scope };
  }

  /** Refuses who may not change what holds there: of a scope its owners may, of the whole tenant who has `admin`. */
  private async requireManage(call: Call, { scope }: VocabularyScope): Promise<void> {
    const { access } = this.parts;
    if (scope === null) await access.authorize(call, 'admin', null);
    else await access.authorize(call, 'scope.manage', scope);
  }

  /** Decides again about a vocabulary that was not seen before as it was found under the lock. */
  private async requireFound(
    call: Call,
    { scope }: StoredVocabulary,
    place: VocabularyScope | null,
  ): Promise<void> {
    if (place?.scope === scope) return;
    const sees = scope === null || (await this.parts.access.sees(call, 'scope.read.local', scope));
    if (!sees) throw vocabularyNotFound();
    await this.requireManage(call, { scope });
  }

  private async changing<T>(
    call: Call,
    name: string,
    work: (changes: VocabularyChanges, row: ChangeRow) => Promise<T>,
  ): Promise<T> {
    const { store, changes: audit, clock, ids } = this.parts;
    const { tenant, actor } = call.principal;
    const row = audit.of(call);
    const change = { tenant, name, actor, now: clock.now(), id: row.id, entry: ids.entry() };
    const { outcome, newestAudit } = await store.changing(change, (changes) => work(changes, row));
    row.committed(newestAudit);
    return outcome;
  }

  private itemOf(stored: StoredVocabulary): VocabularyItem {
    const { name, description, scope, revision, counts_after, created_by, updated_by } = stored;
    const item = {
      ...{ name, description, scope },
      ...entriesIn(stored),
      ...{ revision, counts_after },
      created_at: toRfc3339(stored.created_at),
      created_by,
      updated_at: toRfc3339(stored.updated_at),
      updated_by,
    };
    this.numbers.set(item, stored.number);
    return item;
  }
}

/** Keeps what a vocabulary is to say, unless it says that already. */
async function keeping(
  { principal: { tenant } }: Call,
  changes: VocabularyChanges,
  change: VocabularyChange,
): Promise<StoredVocabulary> {
  const { known, others } = changes;
  if (known === null && others.length >= MAX_VOCABULARIES) throw tooMany();
  const changed = changedEntries(known === null ? NO_ENTRIES : entriesIn(known), change);
  if ('fault' in changed) throw refused(changed.fault.field, changed.fault.reason);
  const scope = change.scope === undefined ? (known?.scope ?? null) : change.scope;
  const { terms, predicates, relations } = changed.entries;
  const said = {
    description: change.description === undefined ? (known?.description ?? null) : change.description,
    scope,
    terms: JSON.stringify(terms),
    predicates: JSON.stringify(predicates),
    relations: JSON.stringify(relations),
  };
  const names = Object.keys(said) as (keyof typeof said)[];
  if (known !== null && names.every((name) => known[name] === said[name])) return known;
  const acts = JSON.stringify(changed.acts);
  const all = others.reduce((sum, other) => sum + other.acts.length, acts.length);
  if (all > MAX_VOCABULARY_BYTES) throw tooLarge(all);
  const levels = scope === null ? null : levelRefs(tenant, scope);
  return changes.keep({ ...said, levels, acts, calls: JSON.stringify(changed.calls) });
}

function entriesIn({ terms, predicates, relations }: StoredVocabulary): VocabularyEntries {
  return {
    terms: JSON.parse(terms) as VocabularyEntries['terms'],
    predicates: JSON.parse(predicates) as VocabularyEntries['predicates'],
    relations: JSON.parse(relations) as VocabularyEntries['relations'],
  };
}

function refused(field: string, reason: string, limit?: number): StrataError {
  return new StrataError('INVALID_BODY', `${field}: ${reason}`, {
    details: { field_path: field, reason, ...(limit === undefined ? {} : { limit }) },
  });
}

function tooMany(): StrataError {
  const reason = `is one vocabulary more than the ${String(MAX_VOCABULARIES)} of a tenant; remove one`;
  return refused('name', reason, MAX_VOCABULARIES);
}

function tooLarge(characters: number): StrataError {
  const reason = `with them what all vocabularies of the tenant say of predicates takes ${String(characters)} characters; ${String(MAX_VOCABULARY_BYTES)} at most`;
  return refused('predicates', reason, MAX_VOCABULARY_BYTES);
}

function vocabularyNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'vocabulary not found');
}
