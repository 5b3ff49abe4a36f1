import type { ExtractionInput } from '../../graph/extraction.ts';
import type { Checked } from '../derive/extraction.ts';
import { ModelFailure } from '../models/failure.ts';
import { byItem, extractionQuestion } from '../models/extraction.ts';
import type { ModelCallSite } from '../models/call-site.ts';
import { callsOf, itemsOf, type AskedItem } from './extraction-input.ts';
import type { UsageLedger } from './usage-ledger.ts';

/** What became of one item. */
type ItemAnswer =
  | { readonly ok: true; readonly model: string; readonly checked: readonly Checked[] }
  | { readonly ok: false; readonly failure: ModelFailure };

/** What a model said of one event: of all of its parts, or why of one it did not. */
export type EventAnswer =
  | { readonly ok: true; readonly model: string; readonly checked: readonly Checked[] }
  | { readonly ok: false; readonly failure: ModelFailure };

/** What is needed to ask. */
export interface ExtractionCallsParts {
  readonly lane: ModelCallSite;
  readonly usage: UsageLedger;
  /** Items of one call at most. */
  readonly batchEvents: number;
  /** Calls under way at once. */
  readonly calls: number;
}

/** Asks a model what events state. */
export class ExtractionCalls {
  private readonly parts: ExtractionCallsParts;

  constructor(parts: ExtractionCallsParts) {
    this.parts = parts;
  }

  /**
   * The answers for events, by id; one about which nothing is to be asked has none. Several calls go at once; of a call whose answer is
   * unusable each event is asked about alone, so that one does not take the others with it. Throws the reason of `signal` when that fires.
   */
  async ask(
    inputs: readonly ExtractionInput[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, EventAnswer>> {
    const calls = callsOf(inputs.flatMap(itemsOf), this.parts.batchEvents);
    const answers = new Map<AskedItem, ItemAnswer>();
    const waiting = calls.values();
    const lines = Array.from({ length: Math.min(this.parts.calls, calls.length) }, async () => {
      for (const call of waiting) await this.call(call, answers, signal);
    });
    try {
      await Promise.all(lines);
    } finally {
      await this.parts.usage.flush();
    }
    return byEvent(answers);
  }

  private async call(
    items: readonly AskedItem[],
    answers: Map<AskedItem, ItemAnswer>,
    signal: AbortSignal,
  ): Promise<void> {
    const failure = await this.once(items, answers, signal);
    if (failure === null) return;
    const several = new Set(items.map(({ input }) => input.event_id)).size > 1;
    for (const one of items) {
      const alone = several && failure.kind === 'answer' ? await this.once([one], answers, signal) : failure;
      if (alone !== null) answers.set(one, { ok: false, failure: alone });
    }
  }

  /** Asks once; null when there is an answer for all, else why there is none. */
  private async once(
    items: readonly AskedItem[],
    answers: Map<AskedItem, ItemAnswer>,
    signal: AbortSignal,
  ): Promise<ModelFailure | null> {
    const [first] = items;
    if (!first) return null;
    const asked = items.map(({ item }) => item);
    try {
      const { value, model } = await this.parts.lane.ask(extractionQuestion(asked), {
        signal,
        spent: (cost) => {
          this.parts.usage.spent(first.input, cost);
        },
      });
      const checked = byItem(value, asked);
      for (const [i, one] of items.entries())
        answers.set(one, { ok: true, model, checked: checked[i] ?? [] });
      return null;
    } catch (error) {
      if (error instanceof ModelFailure) return error;
      throw error;
    }
  }
}

/** The answers of events, of all their parts; one part that failed fails the event. */
function byEvent(answers: ReadonlyMap<AskedItem, ItemAnswer>): ReadonlyMap<string, EventAnswer> {
  const found = new Map<string, EventAnswer>();
  const inOrder = [...answers].sort(([a], [b]) => a.item.from - b.item.from);
  for (const [{ input }, answer] of inOrder) {
    const before = found.get(input.event_id);
    if (before?.ok === false) continue;
    const whole =
      answer.ok && before?.ok === true
        ? { ...answer, checked: [...before.checked, ...answer.checked] }
        : answer;
    found.set(input.event_id, whole);
  }
  return found;
}
