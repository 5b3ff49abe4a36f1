import { addedUp, type UsageStore } from '../../graph/usage.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { usageQuery, type Usage, type UsagePeriod } from '../../schemas/usage.ts';
import { NO_SCOPE, scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { AccessService, Call } from './access.ts';
import { parseQuery } from './query-input.ts';

const DAY_MS = 86_400_000;
/** Days of a period, today included; null for all there are. */
const DAYS: Readonly<Record<UsagePeriod, number | null>> = { day: 1, week: 7, month: 30, all: null };
const NOTHING = { calls: 0, failed_calls: 0, input_tokens: 0, output_tokens: 0 };

/** Tells what models cost. */
export class UsageService {
  private readonly access: AccessService;
  private readonly store: UsageStore;
  private readonly clock: Clock;

  constructor(parts: { access: AccessService; store: UsageStore; clock: Clock }) {
    this.access = parts.access;
    this.store = parts.store;
    this.clock = parts.clock;
  }

  /**
   * What was spent on the caller's tenant, or on one scope of it, by call site and model. On a scope that the caller may not read
   * nothing was spent. Throws `INVALID_PERIOD`, `INVALID_ROLE`, `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async usage(call: Call, query: unknown): Promise<Usage> {
    const { period, role, scope } = parseQuery(usageQuery, query);
    const { tenant } = call.principal;
    await this.access.authorize(call, 'diagnostics.read', null);
    const today = Math.floor(this.clock.now() / DAY_MS) * DAY_MS;
    const days = DAYS[period];
    const from = days === null ? null : today - (days - 1) * DAY_MS;
    const ref = scope === undefined ? null : await this.readableRef(call, scope);
    const first = from === null ? '' : toRfc3339(from).slice(0, 10);
    const rows = await this.store.sums({ tenant, scope_ref: ref }, first, role ?? null);
    const items = rows
      .map(({ role: site, model, calls, failed_calls, input_tokens, output_tokens }) => ({
        role: site,
        model,
        calls,
        failed_calls,
        input_tokens,
        output_tokens,
      }))
      .sort((a, b) => (`${a.role} ${a.model}` < `${b.role} ${b.model}` ? -1 : 1));
    return {
      period,
      from: from === null ? null : toRfc3339(from),
      to: toRfc3339(today + DAY_MS),
      scope: scope ?? null,
      items,
      totals: items.reduce((sum, item) => addedUp(sum, item), NOTHING),
    };
  }

  /** The reference of a scope; that of none where the caller may not know of it. */
  private async readableRef(call: Call, scope: string): Promise<string> {
    const seen = await this.access.sees(call, 'scope.read', scope);
    return seen ? scopeRef(call.principal.tenant, scope) : NO_SCOPE;
  }
}
