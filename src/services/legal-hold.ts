import type { LegalHoldReader } from '../../graph/legal-hold/read.ts';
import type { StoredHold } from '../../graph/legal-hold/record.ts';
import type { HoldChange, HoldChanges, LegalHoldStore } from '../../graph/legal-hold/write.ts';
import type { ForgetSelector } from '../../schemas/forget.ts';
import {
  legalHold,
  legalHoldId,
  legalHoldListQuery,
  legalHoldQuery,
  type LegalHoldInput,
  type LegalHoldItem,
  type LegalHoldPage,
} from '../../schemas/legal-hold.ts';
import { toEpochMs, toRfc3339 } from '../../schemas/time.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit, ChangeRow } from '../commit/change-audit.ts';
import { StrataError } from '../errors.ts';
import { WAIT_RETRY_POLL_MS } from '../limits.ts';
import { MAX_LEGAL_HOLDS } from '../limits/forget.ts';
import { parseInput } from '../validation.ts';
import { Wakeup } from '../wakeup.ts';
import type { AccessService, Call } from './access.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import { recordPage, writeRecordCursor } from './record-page.ts';

/** What it takes to see, place and remove a hold: what an erasure takes. */
const CAPABILITY = 'forget.gdpr';

/** What the service needs. */
export interface LegalHoldParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly reader: LegalHoldReader;
  readonly store: LegalHoldStore;
  readonly changes: ChangeAudit;
  readonly clock: Clock;
  /** Milliseconds that a forget under way is waited for. */
  readonly leaseWaitMs: number;
}

/** Places, shows and removes legal holds. */
export class LegalHoldService {
  private readonly parts: LegalHoldParts;
  private readonly numbers = new WeakMap<LegalHoldItem, number>();

  constructor(parts: LegalHoldParts) {
    this.parts = parts;
  }

  /**
   * Places a hold, or says anew what the one of its id holds. Throws `INVALID_BODY`, for one more than a tenant may have too, `POLICY_DENIED`,
   * `NOT_A_MEMBER`, `IDEMPOTENCY_CONFLICT` for the id of a hold of another scope, `DESTRUCTIVE_OPERATION_IN_PROGRESS`.
   */
  async put(call: Call, body: unknown): Promise<LegalHoldItem> {
    const asked = parseInput(legalHold, body, 'INVALID_BODY');
    const { access, clock, leaseWaitMs } = this.parts;
    await access.authorize(call, CAPABILITY, asked.scope);
    const end = clock.now() + leaseWaitMs;
    for (;;) {
      const kept = await this.changing(call, asked.id, (changes, row) => keeping(call, asked, changes, row));
      if (kept !== null) return this.itemOf(kept);
      if (clock.now() >= end || call.signal.aborted) throw forgettingGoesOn();
      await new Wakeup().wait(WAIT_RETRY_POLL_MS);
    }
  }

  /**
   * A page of the holds that cover a scope, as far as the caller may see them, those first that were placed last; with an id of that one.
   * Throws `INVALID_QUERY`, `POLICY_DENIED`, `NOT_FOUND`.
   */
  async list(call: Call, query: unknown): Promise<LegalHoldPage> {
    const { scope, id, ...page } = parseQuery(legalHoldListQuery, query);
    if (id !== undefined) {
      const hold = await this.get(call, id);
      if (scope !== undefined && !`${scope}/`.startsWith(`${hold.scope}/`)) throw holdNotFound();
      return { items: [hold], has_more: false };
    }
    if (scope === undefined)
      throw new StrataError('INVALID_QUERY', 'missing required query parameter: scope or id', {
        plainText: true,
      });
    const refs = await this.refsSeen(call, scope);
    const { records, next } = await recordPage(
      async (to, rows) => {
        const found = refs.length === 0 ? [] : await this.parts.reader.page(refs, to, rows);
        return found.map((hold) => ({
          position: hold.number,
          id: '',
          record: { hold, bytes: bytesOf(hold) },
        }));
      },
      { ...page, listing: 'holds' },
    );
    return {
      items: records.map(({ hold }) => this.itemOf(hold)),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
    };
  }

  /** A hold by its id. Throws `NOT_FOUND`, for one that the caller may not see too. */
  async get(call: Call, id: string): Promise<LegalHoldItem> {
    await this.seen(call, id);
    const found = await this.parts.reader.byId(call.principal.tenant, id);
    if (found === null) throw holdNotFound();
    return this.itemOf(found);
  }

  /** Ends a hold. Throws `INVALID_QUERY`, `NOT_FOUND`, for one that the caller may not see too. */
  async remove(call: Call, query: unknown): Promise<void> {
    const { id } = parseQuery(legalHoldQuery, query);
    const scope = await this.seen(call, id);
    await this.parts.access.authorize(call, CAPABILITY, scope);
    await this.changing(call, id, async (changes, row) => {
      if (changes.known === null && !changes.wasRemoved) throw holdNotFound();
      if (!changes.wasRemoved) await changes.remove();
      await changes.tell(row.batches());
    });
  }

  /** The cursor that continues a listing behind a hold of it. */
  cursorOf(hold: LegalHoldItem): string {
    const position = this.numbers.get(hold);
    if (position === undefined) throw new Error('a legal hold of no page');
    return writeRecordCursor('holds', { position, id: '' });
  }

  /** Refuses a hold that the caller may not see as one that is not there, at the price of one; answers its scope. */
  private async seen(call: Call, id: string): Promise<string> {
    if (!legalHoldId.safeParse(id).success) throw holdNotFound();
    const { tenant } = call.principal;
    const question = { kind: 'legal_hold', ids: [id], tenant, capability: CAPABILITY } as const;
    const place = (await this.parts.gate.admitted(call, question)).get(id);
    if (place === undefined) throw holdNotFound();
    return place.scope;
  }

  /** References of a scope and of those above it, as far as the caller may see holds there; none where that is not so of the scope itself. */
  private async refsSeen(call: Call, scope: string): Promise<string[]> {
    const { access } = this.parts;
    const lineage = await access.lineageNow(call, scope);
    const own = lineage[lineage.length - 1];
    if (own === undefined || !access.seesAt(call, CAPABILITY, own)) return [];
    return lineage
      .filter((place) => access.decideAt(call.principal, CAPABILITY, place).outcome === 'allowed')
      .map(({ path }) => scopeRef(call.principal.tenant, path));
  }

  private async changing<T>(
    call: Call,
    id: string,
    work: (changes: HoldChanges, row: ChangeRow) => Promise<T>,
  ): Promise<T> {
    const { store, changes: audit, clock } = this.parts;
    const { tenant, actor } = call.principal;
    const row = audit.of(call);
    const change: HoldChange = { tenant, id, actor, now: clock.now(), change: row.id };
    const { outcome, newestAudit } = await store.changing(change, (changes) => work(changes, row));
    row.committed(newestAudit);
    return outcome;
  }

  private itemOf(stored: StoredHold): LegalHoldItem {
    const { id, scope, selector, reason, until, created_at, created_by } = stored;
    const item: LegalHoldItem = {
      id,
      scope,
      selector: selector === null ? null : (JSON.parse(selector) as ForgetSelector),
      reason,
      until: until === null ? null : toRfc3339(until),
      active: until === null || until > this.parts.clock.now(),
      created_at: toRfc3339(created_at),
      created_by,
    };
    this.numbers.set(item, stored.number);
    return item;
  }
}

/** Keeps a hold; null, and nothing is kept, while something goes on that it would have kept from going. */
async function keeping(
  { principal: { tenant } }: Call,
  { scope, selector, reason, until }: LegalHoldInput,
  changes: HoldChanges,
  row: ChangeRow,
): Promise<StoredHold | null> {
  const { known } = changes;
  if (known !== null && known.scope !== scope)
    throw new StrataError('IDEMPOTENCY_CONFLICT', 'a legal hold of another scope has this id', {
      details: { field_path: 'id' },
    });
  if (known === null && changes.count >= MAX_LEGAL_HOLDS) throw tooMany();
  if (await changes.forgetting(scope)) return null;
  const isEmpty = Object.values(selector ?? {}).every((condition) => condition === undefined);
  const kept = await changes.keep({
    scope,
    scope_ref: scopeRef(tenant, scope),
    selector: isEmpty ? null : JSON.stringify(selector),
    reason,
    until: typeof until === 'string' ? toEpochMs(until) : null,
  });
  await changes.tell(row.batches());
  return kept;
}

/** About how large a hold is in an answer, bytes. */
function bytesOf({ selector, reason }: StoredHold): number {
  return (selector?.length ?? 0) + reason.length;
}

function tooMany(): StrataError {
  const reason = `is one hold more than the ${MAX_LEGAL_HOLDS} of a tenant; remove one that is over`;
  return new StrataError('INVALID_BODY', `id: ${reason}`, {
    details: { field_path: 'id', reason, limit: MAX_LEGAL_HOLDS },
  });
}

function forgettingGoesOn(): StrataError {
  return new StrataError(
    'DESTRUCTIVE_OPERATION_IN_PROGRESS',
    'something is being forgotten in the scope or below it; the hold is not placed',
  );
}

function holdNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'legal hold not found');
}
