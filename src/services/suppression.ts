import type { StoredSuppression } from '../../graph/suppression/record.ts';
import type { SuppressionStore } from '../../graph/suppression/store.ts';
import { CASCADE_CAPABILITY } from '../../schemas/forget.ts';
import {
  suppressionListQuery,
  type SuppressionItem,
  type SuppressionPage,
} from '../../schemas/suppression.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit } from '../commit/change-audit.ts';
import { StrataError } from '../errors.ts';
import type { AccessService, Call } from './access.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import { recordPage, writeRecordCursor } from './record-page.ts';

/** Who redacts events sees what that suppresses, and lifts it. */
const CAPABILITY = CASCADE_CAPABILITY.redact_events;

/** What the service needs. */
export interface SuppressionParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly store: SuppressionStore;
  readonly changes: ChangeAudit;
  readonly clock: Clock;
}

/** Shows what keeps forgotten contents from being captured again, and lifts it. */
export class SuppressionService {
  private readonly parts: SuppressionParts;
  private readonly numbers = new WeakMap<SuppressionItem, number>();

  constructor(parts: SuppressionParts) {
    this.parts = parts;
  }

  /** A page of the suppressions of a scope, those first that came last. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<SuppressionPage> {
    const { scope, ...page } = parseQuery(suppressionListQuery, query);
    const { access, store } = this.parts;
    const sees = await access.sees(call, CAPABILITY, scope);
    const ref = scopeRef(call.principal.tenant, scope);
    const { records, next } = await recordPage(
      async (to, rows) => {
        const found = sees ? await store.page(ref, to, rows) : [];
        return found.map((one) => ({ position: one.number, id: '', record: { one, bytes: 0 } }));
      },
      { ...page, listing: 'suppressions' },
    );
    return {
      items: records.map(({ one }) => this.itemOf(one)),
      has_more: next !== null,
      ...(next === null ? {} : { next_cursor: next }),
    };
  }

  /**
   * Lets contents be captured again. Throws `NOT_FOUND`, for what the caller may not lift too, `DESTRUCTIVE_OPERATION_IN_PROGRESS` while
   * contents still come to it.
   */
  async lift(call: Call, id: string): Promise<void> {
    const { access, gate, store, changes, clock } = this.parts;
    const { tenant } = call.principal;
    const question = { kind: 'suppression', ids: [id], tenant, capability: CAPABILITY } as const;
    const place = (await gate.admitted(call, question)).get(id);
    if (place === undefined) throw suppressionNotFound();
    await access.authorizeWhole(call, CAPABILITY, place.scope);
    if (await store.isGrowing(id)) throw stillForgetting();
    const row = changes.of(call);
    const change = { id, tenant, change: row.id, now: clock.now() };
    const { lifted, newestAudit } = await store.lift(change, row.batches());
    if (!lifted) throw suppressionNotFound();
    row.committed(newestAudit);
  }

  /** The cursor that continues a listing behind a suppression of it. */
  cursorOf(suppression: SuppressionItem): string {
    const position = this.numbers.get(suppression);
    if (position === undefined) throw new Error('a suppression of no page');
    return writeRecordCursor('suppressions', { position, id: '' });
  }

  private itemOf({
    id,
    scope,
    number,
    created_at,
    actor,
    contents,
    refused,
  }: StoredSuppression): SuppressionItem {
    const item = { id, scope, created_at: toRfc3339(created_at), created_by: actor, contents, refused };
    this.numbers.set(item, number);
    return item;
  }
}

function suppressionNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'suppression not found');
}

function stillForgetting(): StrataError {
  return new StrataError(
    'DESTRUCTIVE_OPERATION_IN_PROGRESS',
    'the forget or erasure that suppresses these contents is under way; nothing was lifted',
  );
}
