import type { RecallDiagnostics, RecalledEvent, RecallPhase } from '../../schemas/recall.ts';
import type { FusedHit } from '../recall/fusion.ts';
import type { Refused } from './event-post-filter.ts';
import type { Searched } from './recall-search.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** Candidates that full diagnostics tell of. */
const RECALL_DIAGNOSED = 500;

/** Scopes that diagnostics name. */
const RECALL_NAMED_SCOPES = 100;

/** Notes what is done, step by step, and how long it takes. */
export class Trail {
  readonly #began = performance.now();
  readonly phases: RecallPhase[] = [];

  /** Milliseconds since the beginning. */
  get elapsed(): number {
    return rounded(performance.now() - this.#began);
  }

  /** Milliseconds that the steps of a phase took together. */
  took(phase: string): number {
    const steps = this.phases.filter((one) => one.phase === phase);
    return steps.reduce((sum, { elapsed_ms: ms }) => sum + ms, 0);
  }

  /** Does a step; `found` says what it came to. */
  async step<T>(phase: string, work: () => Promise<T>, found: (made: T) => object): Promise<T> {
    const began = performance.now();
    const made = await work();
    this.#note(phase, began, found(made));
    return made;
  }

  /** The same of a step that waits for nothing. */
  sync<T>(phase: string, work: () => T, found: (made: T) => object): T {
    const began = performance.now();
    const made = work();
    this.#note(phase, began, found(made));
    return made;
  }

  #note(phase: string, began: number, values: object): void {
    this.phases.push({ phase, ...values, elapsed_ms: rounded(performance.now() - began) });
  }
}

/** Milliseconds as answers tell them. */
export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** The scopes that a recall looked at, by name, as far as they are few: the nearest ones. */
export function scopesOf({ paths }: ReadableSelection): string[] {
  return paths.slice(-RECALL_NAMED_SCOPES);
}

/** What full diagnostics say of a search. */
export function diagnosticsOf(
  { hits, lists, outside, unwanted }: Searched & { readonly unwanted: readonly Refused[] },
  shown: readonly Pick<RecalledEvent, 'id'>[],
): Required<Pick<RecallDiagnostics, 'items' | 'drops' | 'channel_lists' | 'items_truncated'>> {
  const places = new Map(shown.map(({ id }, place) => [id, place]));
  return {
    items: hits.slice(0, RECALL_DIAGNOSED).map((hit, rank) => ({
      event_id: hit.id,
      final_rank: places.get(hit.id) ?? null,
      fused_rank: rank,
      ...formulationsOf(hit),
    })),
    drops: [
      ...outside.map((id) => ({ event_id: id, reason: 'time_range' as const })),
      ...unwanted.map(({ id, reason }) => ({ event_id: id, reason })),
    ].slice(0, RECALL_DIAGNOSED),
    channel_lists: lists.flatMap((list, index) =>
      Object.entries(list).map(([channel, found]) => ({
        channel,
        ...(index === 0 ? {} : { variant: index - 1 }),
        len: found.length,
      })),
    ),
    items_truncated: hits.length > RECALL_DIAGNOSED,
  };
}

function formulationsOf({ queries, matched_by: signals }: FusedHit) {
  const own = queries.find(({ index }) => index === 0);
  const variants = queries.filter(({ index }) => index > 0);
  const ranks = variants.map(({ rank }) => rank);
  return {
    variant_fused_rank: ranks.length === 0 ? null : Math.min(...ranks),
    channels: Object.fromEntries(
      Object.entries(own?.channels ?? {}).map(([channel, { rank, score }]) => [channel, { rank, score }]),
    ),
    variants: variants.map(({ index, channels, rank }) => ({
      index: index - 1,
      vector_rank: channels.vector?.rank ?? null,
      bm25_rank: channels.bm25?.rank ?? null,
      fused_rank: rank,
    })),
    matched_via: [
      ...(own === undefined ? [] : ['primary']),
      ...variants.map(({ index }) => `variant:${index - 1}`),
      ...signals.filter((signal) => signal === 'graph' || signal === 'recency'),
    ],
  };
}
