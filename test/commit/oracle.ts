// What captures mean, said as simply as can be: one at a time, in memory. The committer has to agree with it.

/** One record as the model sees it. */
export interface ModelItem {
  readonly scope: number;
  /** null: without an idempotency key. */
  readonly key: number | null;
  readonly body: number;
  /** Changes nothing but the hints, which are outside the comparison of bodies. */
  readonly hint: number;
  readonly replace: boolean;
}

/** What happens to records that are handed in together. */
export interface ModelCommand {
  /** singles: each a request of its own, all in flight at once. */
  readonly kind: 'singles' | 'bulk' | 'all-or-none';
  readonly items: readonly ModelItem[];
}

/** What has to become of one record; events are counted from 0 in the order of the log. */
export interface ModelResult {
  readonly outcome: 'captured' | 'replayed' | 'replaced' | 'conflict';
  readonly event: number;
  readonly hints_differ: boolean;
  /** The event that lost its key, else null. */
  readonly replaces: number | null;
}

interface Holder {
  readonly event: number;
  readonly body: number;
  readonly hint: number;
  /** The event that it took the key from, else null. */
  readonly replaces: number | null;
}

interface State {
  readonly holders: ReadonlyMap<string, Holder>;
  readonly events: number;
}

function step({ holders, events }: State, item: ModelItem): { state: State; result: ModelResult } {
  const { key, body, hint } = item;
  const at = `${item.scope} ${key ?? ''}`;
  const held = key === null ? undefined : holders.get(at);
  if (held?.body === body) {
    const result: ModelResult = {
      outcome: 'replayed',
      event: held.event,
      hints_differ: held.hint !== hint,
      replaces: held.replaces,
    };
    return { state: { holders, events }, result };
  }
  if (held && !item.replace) {
    const result: ModelResult = {
      outcome: 'conflict',
      event: held.event,
      hints_differ: false,
      replaces: null,
    };
    return { state: { holders, events }, result };
  }
  const after =
    key === null
      ? holders
      : new Map(holders).set(at, { event: events, body, hint, replaces: held?.event ?? null });
  const result: ModelResult = {
    outcome: held ? 'replaced' : 'captured',
    event: events,
    hints_differ: false,
    replaces: held?.event ?? null,
  };
  return { state: { holders: after, events: events + 1 }, result };
}

/** The naive ledger. */
export class Oracle {
  private state: State = { holders: new Map(), events: 0 };

  /** Events written so far. */
  get events(): number {
    return this.state.events;
  }

  /** The event that holds each key, by `scope key`. */
  get holders(): ReadonlyMap<string, { readonly event: number }> {
    return this.state.holders;
  }

  /** What has to become of the records, in their order; `written` is false when all of them were rolled back. */
  apply({ kind, items }: ModelCommand): { results: ModelResult[]; written: boolean } {
    let state = this.state;
    const results: ModelResult[] = [];
    for (const item of items) {
      const next = step(state, item);
      state = next.state;
      results.push(next.result);
    }
    const written = kind !== 'all-or-none' || results.every(({ outcome }) => outcome !== 'conflict');
    if (written) this.state = state;
    return { results, written };
  }
}
