import type { ForgetReader } from '../../graph/forget/reader.ts';
import type { HoldsInForce, LegalHoldReader } from '../../graph/legal-hold/read.ts';
import type { StoredHold } from '../../graph/legal-hold/record.ts';
import type { ForgetSelector } from '../../schemas/forget.ts';
import { MAX_HOLDS_NAMED } from '../../schemas/legal-hold.ts';
import { levelRefs, scopeRef } from '../capture/scope-key.ts';
import { StrataError } from '../errors.ts';
import { asksOfStatements, type Selector } from '../forget/selector.ts';
import { HELD_EVENTS_ASKED } from '../limits/forget.ts';
import { selectorOf } from './forget-selector.ts';
import type { PredicateSpellings } from './predicate-spellings.ts';
import type { ScopeSettling } from './scope-settling.ts';

/** A legal hold as it is kept. */
export type LegalHold = StoredHold;

/** What the holds are read with. */
export interface LegalHoldsParts {
  readonly reader: LegalHoldReader;
  readonly records: Pick<ForgetReader, 'select'>;
  readonly predicates: Pick<PredicateSpellings, 'of'>;
  readonly settling: Pick<ScopeSettling, 'until'>;
  /** Newest offset of the log that every committed capture lies at or below. */
  readonly head: { refresh(): Promise<unknown>; readonly settled: number };
}

/** Of whose events it is asked, and when (epoch milliseconds). */
export interface HeldRequest {
  readonly tenant: string;
  readonly scope: string;
  readonly now: number;
}

/** Events that are held, and what holds them. */
export interface HeldEvents {
  readonly held: ReadonlySet<string>;
  /** The holds that hold one of them at least. */
  readonly holds: readonly LegalHold[];
  /** Version of the tenant's holds; whoever writes checks within his transaction that it is still the same, and else asks again. */
  readonly version: number;
}

/** The same of all that a scope holds. */
export interface HeldScope extends HeldEvents {
  /** Whether any hold covers the scope, so that an event which came since may be held too. */
  readonly covered: boolean;
}

/** Says which events legal holds keep. */
export class LegalHolds {
  private readonly parts: LegalHoldsParts;

  constructor(parts: LegalHoldsParts) {
    this.parts = parts;
  }

  /**
   * Of these events of a scope, however new, those that are held, with the holds that do so. Reads the holds that are active
   * at `now` of the scope and those above it. Throws `LEGAL_HOLD` where one selects by a name of more entities than are read, as the others do too. What events state is known once they are derived; ids of what is no event of the scope
   * are held by nothing.
   */
  async heldAmong(request: HeldRequest, eventIds: readonly string[]): Promise<HeldEvents> {
    return this.asked(await this.inForce(request), { ...request, through: NEWEST }, pagesOf(eventIds));
  }

  /** Whether one event is held, after all of its scope is derived where that decides. Throws `REDERIVE_IN_PROGRESS`, `WAIT_TIMEOUT`. */
  async ofEvent(request: HeldRequest, eventId: string, signal: AbortSignal): Promise<HeldEvents> {
    const found = await this.inForce(request);
    await this.settled(found, request, signal);
    return this.asked(found, { ...request, through: NEWEST }, [[eventId]]);
  }

  /** The events of a scope that are held, in the same way. Throws `REDERIVE_IN_PROGRESS`, `WAIT_TIMEOUT`. */
  async ofScope(request: HeldRequest, signal: AbortSignal): Promise<HeldScope> {
    const found = await this.inForce(request);
    await this.settled(found, request, signal);
    const asked = await this.asked(found, { ...request, through: NEWEST }, null);
    return { ...asked, covered: found.holds.length > 0 };
  }

  private inForce({ tenant, scope, now }: HeldRequest): Promise<HoldsInForce> {
    return this.parts.reader.inForce(tenant, levelRefs(tenant, scope), now);
  }

  /** Waits until a scope is derived, where a hold asks what events state. */
  private async settled(
    { holds }: HoldsInForce,
    { tenant, scope }: HeldRequest,
    signal: AbortSignal,
  ): Promise<void> {
    const { head, settling } = this.parts;
    const selectors = await Promise.all(holds.map((hold) => this.selectorOf(hold)));
    if (!selectors.some(asksOfStatements)) return;
    await head.refresh();
    await settling.until({ ref: scopeRef(tenant, scope), through: head.settled }, signal);
  }

  /** Asks each hold of lists of ids, or (null) of all events. */
  private async asked(
    { version, holds }: HoldsInForce,
    { tenant, scope, through }: HeldRequest & { readonly through: number },
    pages: readonly (readonly string[])[] | null,
  ): Promise<HeldEvents> {
    const span = { ref: scopeRef(tenant, scope), through };
    const held = new Set<string>();
    const holding: LegalHold[] = [];
    for (const hold of holds) {
      const selector = await this.selectorOf(hold);
      const asked = pages === null ? [selector] : pages.map((ids) => narrowed(selector, ids));
      let holds = false;
      for (const one of asked) {
        const { events } = await this.selected(hold, span, one);
        for (const id of events) held.add(id);
        holds ||= events.length > 0;
      }
      if (holds) holding.push(hold);
    }
    return { held, holds: holding, version };
  }

  /** What one hold selects. Throws `LEGAL_HOLD` where that is too much to be told: then nothing may go. */
  private async selected(
    { id }: LegalHold,
    span: { readonly ref: string; readonly through: number },
    selector: Selector,
  ): Promise<{ readonly events: readonly string[] }> {
    try {
      return await this.parts.records.select(span, { layers: ['events'], selector });
    } catch (error) {
      if (!(error instanceof StrataError) || error.code !== 'INVALID_BODY') throw error;
      throw new StrataError(
        'LEGAL_HOLD',
        `it cannot be told what the legal hold ${id} keeps here (${error.message}), so nothing may go; say the hold anew`,
        { details: { holds: [id] } },
      );
    }
  }

  private async selectorOf({ selector, tenant, scope }: LegalHold): Promise<Selector> {
    if (selector === null) return {};
    // What lies below is held too, by the names that predicates have there.
    const places = { tenant, paths: [`${scope}/*`], call: null };
    return selectorOf(JSON.parse(selector) as ForgetSelector, places, this.parts.predicates);
  }
}

/** Behind every offset of the log. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** The refusal to let events go that are held; `undone` says what was not done. */
export function underLegalHold({ held, holds }: HeldEvents, undone: string): StrataError {
  return new StrataError('LEGAL_HOLD', `${String(held.size)} of the events are under legal hold; ${undone}`, {
    details: { holds: holds.slice(0, MAX_HOLDS_NAMED).map(({ id }) => id), events_held: held.size },
  });
}

/** The same selector for some events alone. */
function narrowed(selector: Selector, ids: readonly string[]): Selector {
  const { memory_ids: named } = selector;
  return { ...selector, memory_ids: named === undefined ? ids : ids.filter((id) => named.includes(id)) };
}

function pagesOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / HELD_EVENTS_ASKED);
  return Array.from({ length: count }, (_, i) =>
    ids.slice(i * HELD_EVENTS_ASKED, (i + 1) * HELD_EVENTS_ASKED),
  );
}
