import type { ScopeChanges, ScopeStore, StoredScope } from '../../graph/scope-record.ts';
import type { ScopePolicies } from '../../schemas/scope-policy.ts';
import { levelRefs } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit } from '../commit/change-audit.ts';
import type { Ids } from '../ids.ts';
import type { AccessFeed } from './access-feed.ts';
import type { AccessService, Call } from './access.ts';
import { policyChangeOf, statesOtherRetention } from './policy-change.ts';
import { foundAt, policiesOf, type ScopeFound } from './scope-view.ts';

/** What changing scopes needs. */
export interface ScopeChangingParts {
  readonly access: AccessService;
  readonly feed: AccessFeed;
  readonly store: ScopeStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly changes: ChangeAudit;
  /** Told of the newest frame of each change that wrote one, once it is committed. */
  readonly onFrames: (newestFrame: number) => void;
}

/** A scope that is changed, and what the request says of its policies; left out when they stay. */
export interface ChangedScope {
  readonly path: string;
  readonly policies?: ScopePolicies | undefined;
}

/** Changes one scope within the transaction; answers what it states from now on, undefined where that stays for derivation. */
export type ScopeWork = (
  changes: ScopeChanges,
  before: ScopeFound,
  id: string,
) => Promise<ScopePolicies | undefined>;

/** Changes scopes, one at a time among all processes, with all that a change leaves behind. */
export class ScopeChanging {
  private readonly parts: ScopeChangingParts;

  constructor(parts: ScopeChangingParts) {
    this.parts = parts;
  }

  /**
   * Changes one scope under the lock of access, and leaves the entry of the log and the row of the audit log in the same transaction;
   * what is found afterwards is known to this process. The work may be run again from its beginning. Throws `DATABASE_UNAVAILABLE`, and
   * what the work throws.
   */
  async run(call: Call, { path, policies }: ChangedScope, work: ScopeWork): Promise<ScopeFound> {
    const { access, changes: audit, clock, feed, ids, onFrames, store } = this.parts;
    const { tenant, actor } = call.principal;
    const refs = levelRefs(tenant, path);
    const named = (policies?.inherit_from ?? []).map((other) => ({ tenant, path: other }));
    const mayRead = named.length === 0 ? () => false : await access.readableNow(call, named);
    const row = audit.of(call);
    const id = ids.entry();
    const { outcome, newestAudit, newestFrame } = await store.changing(async (changes) => {
      const before = foundAt(path, await changes.read(refs));
      // The answer to an earlier try may have been lost, and with it the right to change anything.
      const isNew = before.own?.change_id !== id;
      const states = isNew ? await work(changes, before, id) : undefined;
      const after = await changes.read(refs);
      const stated = { before: policiesOf(before.own?.policies ?? null), after: states ?? {}, mayRead };
      const change =
        states === undefined ? null : policyChangeOf({ scope: { tenant, path }, ...stated }, { id, actor });
      if (change !== null) await changes.log(change, clock.now());
      const own = foundAt(path, after).own;
      const again = statesOtherRetention(stated.before, policiesOf(own?.policies ?? null));
      if (again || isGoverned(own) !== isGoverned(before.own))
        await changes.changeRetention(tenant, { again });
      await changes.tell(row.batches(), clock.now());
      return after;
    });
    row.committed(newestAudit);
    if (newestFrame > 0) onFrames(newestFrame);
    await feed.refresh();
    return foundAt(path, outcome);
  }
}

function isGoverned(own: StoredScope | null): boolean {
  return own !== null && own.members !== null;
}
