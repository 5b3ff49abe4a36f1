import { ClaimSizeReader } from '../../graph/claim/size.ts';
import type { Reader } from '../../graph/driver.ts';
import { grouped } from '../derive/grouped.ts';

/**
 * Statements of all claims that are replayed in one transaction, at most; the claims of one event may have more. What is written of a
 * statement takes some 45 KB of the database's transaction memory.
 */
export const MAX_STATEMENTS_TOGETHER = 2_000;

/** Claims that are counted in one statement. */
const CLAIMS_COUNTED = 100;

interface Identified {
  readonly event_id: string;
}

/** Shares events that are taken out, or derived again, out to transactions, by how much is stated of their claims. */
export class ReplaySize {
  private readonly reader: ClaimSizeReader;
  private readonly most: number;

  /** @param most statements in one transaction; default {@link MAX_STATEMENTS_TOGETHER} */
  constructor(reader: Reader, most = MAX_STATEMENTS_TOGETHER) {
    this.reader = new ClaimSizeReader(reader);
    this.most = most;
  }

  /**
   * Those of some events that go in one transaction, never none. All statements of their claims are replayed, so that a claim counts once,
   * however many of the events are about it: the first events are taken until the claims are too much, and of those behind them the ones
   * about no other claims. What rests on these claims, and those that links lead to, is not counted: where it is too much for the database,
   * they go in halves.
   */
  async together<E extends Identified>(events: readonly E[]): Promise<readonly E[]> {
    const taken = await this.taken(events);
    return events.filter(({ event_id }) => taken.has(event_id));
  }

  /** The longest head of some events that goes together in this way, for who goes through them in order. */
  async head<E extends Identified>(events: readonly E[]): Promise<readonly E[]> {
    const taken = await this.taken(events);
    const end = events.findIndex(({ event_id }) => !taken.has(event_id));
    return end < 0 ? events : events.slice(0, end);
  }

  private async taken(events: readonly Identified[]): Promise<ReadonlySet<string>> {
    const ids = events.map(({ event_id }) => event_id);
    const byEvent = grouped(await this.reader.ofEvents(ids), ({ event_id }) => event_id);
    const claimsOf = (id: string): string[] => (byEvent.get(id) ?? []).map(({ claim }) => claim);
    const counted = new Map<string, number>();
    const claims = new Set<string>();
    let statements = 0;
    let isFull = false;
    const taken = new Set<string>();
    for (const [i, id] of ids.entries()) {
      const more = claimsOf(id).filter((claim) => !claims.has(claim));
      if (more.length > 0 && !isFull) {
        await this.count(ids.slice(i).flatMap(claimsOf), more, counted);
        const own = more.reduce((sum, claim) => sum + (counted.get(claim) ?? 0), 0);
        isFull = claims.size > 0 && statements + own > this.most;
        if (!isFull) {
          statements += own;
          for (const claim of more) claims.add(claim);
        }
      }
      if (more.length === 0 || !isFull) taken.add(id);
    }
    return taken;
  }

  /** Counts claims that are needed now, with those that come next. */
  private async count(
    next: readonly string[],
    needed: readonly string[],
    counted: Map<string, number>,
  ): Promise<void> {
    if (needed.every((claim) => counted.has(claim))) return;
    const unknown = [...new Set(next)].filter((claim) => !counted.has(claim));
    const asked = unknown.slice(0, Math.max(CLAIMS_COUNTED, needed.length));
    for (const [claim, statements] of await this.reader.sizes(asked, this.most))
      counted.set(claim, statements);
  }
}
