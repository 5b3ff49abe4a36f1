import type {
  PhraseChanges,
  StoredPhrase,
  TemporalPhraseReader,
  TemporalPhraseStore,
} from '../../graph/temporal-phrase.ts';
import {
  phraseName,
  temporalPhrase,
  temporalPhraseListQuery,
  type TemporalPhrase,
  type TemporalPhraseItem,
  type TemporalPhrasePage,
} from '../../schemas/temporal-phrase.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit, ChangeRow } from '../commit/change-audit.ts';
import { StrataError } from '../errors.ts';
import { MAX_TEMPORAL_PHRASES } from '../limits/temporal.ts';
import { phraseInterval } from '../time/phrase.ts';
import { foldName } from '../time/phrase/fold.ts';
import { parseInput } from '../validation.ts';
import type { AccessService, Call } from './access.ts';
import type { DefinedPhrase } from './operations.ts';
import { parseQuery } from './query-input.ts';
import { recordPage, writeRecordCursor } from './record-page.ts';

/** Status of a definition in the audit log, as REST answers it. */
const [CREATED_STATUS, REPLACED_STATUS] = [201, 200];

/** What the service needs. */
export interface TemporalPhraseParts {
  readonly access: AccessService;
  readonly reader: TemporalPhraseReader;
  readonly store: TemporalPhraseStore;
  readonly changes: ChangeAudit;
  readonly clock: Clock;
}

/** Keeps the time phrases to which a tenant has given a meaning of its own. */
export class TemporalPhraseService {
  private readonly parts: TemporalPhraseParts;
  private readonly numbers = new WeakMap<TemporalPhraseItem, number>();

  constructor(parts: TemporalPhraseParts) {
    this.parts = parts;
  }

  /**
   * Gives a phrase a meaning: a new one is created, one of the same name, case and width of blanks apart, replaced. What it means
   * already changes nothing. Throws `INVALID_BODY`, for a phrase more than a tenant may have too, and `POLICY_DENIED`.
   */
  async define(call: Call, body: unknown): Promise<DefinedPhrase> {
    const phrase = parseInput(temporalPhrase, body, 'INVALID_BODY');
    return this.changing(call, foldName(phrase.name), async (changes, row, now) => {
      const created = changes.known === null || changes.known.created_with === row.id;
      const stored = await stating(changes, phrase);
      await changes.tell(row.batches({ status: created ? CREATED_STATUS : REPLACED_STATUS }));
      return { created, phrase: this.itemOf(stored, now) };
    });
  }

  /** A page of the phrases of the caller's tenant, those first that were created last. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<TemporalPhrasePage> {
    const asked = parseQuery(temporalPhraseListQuery, query);
    const { access, reader, clock } = this.parts;
    await access.authorize(call, 'temporal.phrases.read', null);
    const { records, next } = await recordPage(
      async (to, rows) => {
        const found = await reader.page(call.principal.tenant, to, rows);
        return found.map((phrase) => ({ position: phrase.number, id: '', record: { phrase, bytes: 0 } }));
      },
      { ...asked, listing: 'phrases' },
    );
    const now = clock.now();
    return {
      items: records.map(({ phrase }) => this.itemOf(phrase, now)),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
    };
  }

  /** Takes the meaning of a phrase back. Throws `NOT_FOUND`, for what can be no name too, and `POLICY_DENIED`. */
  async remove(call: Call, name: string): Promise<void> {
    if (!phraseName.safeParse(name).success) throw phraseNotFound();
    await this.changing(call, foldName(name), async (changes, row) => {
      if (changes.known === null && !changes.wasRemoved) throw phraseNotFound();
      if (!changes.wasRemoved) await changes.remove();
      await changes.tell(row.batches());
    });
  }

  /** The cursor that continues a listing behind a phrase of it. */
  cursorOf(phrase: TemporalPhraseItem): string {
    const position = this.numbers.get(phrase);
    if (position === undefined) throw new Error('a time phrase of no page');
    return writeRecordCursor('phrases', { position, id: '' });
  }

  private async changing<T>(
    call: Call,
    folded: string,
    work: (changes: PhraseChanges, row: ChangeRow, now: number) => Promise<T>,
  ): Promise<T> {
    const { access, store, changes: audit, clock } = this.parts;
    await access.authorize(call, 'temporal.phrases.write', null);
    const { tenant, actor } = call.principal;
    const row = audit.of(call);
    const now = clock.now();
    const change = { tenant, folded, actor, now, id: row.id };
    const { outcome, newestAudit } = await store.changing(change, (changes) => work(changes, row, now));
    row.committed(newestAudit);
    return outcome;
  }

  private itemOf(stored: StoredPhrase, reference: number): TemporalPhraseItem {
    const { name, anchor, expression, created_by, updated_by } = stored;
    const reading = phraseInterval({ name, anchor, expression }, { reference });
    const item = {
      name,
      anchor,
      expression,
      created_at: toRfc3339(stored.created_at),
      created_by,
      updated_at: toRfc3339(stored.updated_at),
      updated_by,
      current: reading.ok
        ? { from: toRfc3339(reading.interval.from), to: toRfc3339(reading.interval.to) }
        : null,
    };
    this.numbers.set(item, stored.number);
    return item;
  }
}

/** Has a phrase mean what is said of it; throws `INVALID_BODY` for one more than there may be. */
async function stating(changes: PhraseChanges, phrase: TemporalPhrase): Promise<StoredPhrase> {
  const { known, count } = changes;
  if (known !== null) return meansAlready(known, phrase) ? known : changes.replace(phrase);
  if (count < MAX_TEMPORAL_PHRASES) return changes.create(phrase);
  const reason = `is one phrase more than the ${MAX_TEMPORAL_PHRASES} of a tenant; remove one, or replace one by its name`;
  throw new StrataError('INVALID_BODY', `name: ${reason}`, {
    details: { field_path: 'name', reason, limit: MAX_TEMPORAL_PHRASES },
  });
}

function meansAlready(known: StoredPhrase, { name, anchor, expression }: TemporalPhrase): boolean {
  return known.name === name && known.anchor === anchor && known.expression === expression;
}

function phraseNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'temporal phrase not found');
}
