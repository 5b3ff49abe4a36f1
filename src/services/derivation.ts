import type { AssumedPredicateReader } from '../../graph/assumed-predicate.ts';
import type { DerivationReader, ScopeLag, ScopeProgress } from '../../graph/derivation.ts';
import type { LayerStatsReader } from '../../graph/layer-stats.ts';
import type { PremiseReader } from '../../graph/premise.ts';
import { derivationStatusQuery, type DerivationStatus } from '../../schemas/derivation.ts';
import type { AdminReady } from '../../schemas/health.ts';
import type { LayerStats } from '../../schemas/layer-stats.ts';
import { NO_SCOPE, scopeRef, shardOf } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { AccessService, Call } from './access.ts';
import { parseQuery } from './query-input.ts';
import { MAX_COUNTED_LAG } from '../limits.ts';

/** Facts looked at in one step for predicates that nothing knows: the next step begins behind the predicates that were found. */
const ASSUMED_SCAN = 1_000;

/** Steps of such a search at most: a scope of many facts with many such predicates is counted in part. */
const ASSUMED_STEPS = 20;

/** Predicates that nothing knows which are told by name at most. */
const MAX_SHOWN_ASSUMED = 100;

type CallSiteCheck = AdminReady['checks'][string];
type StageLag = DerivationStatus['stages']['indexed'];

/** Tells how far derivation is. */
export class DerivationService {
  private readonly access: AccessService;
  private readonly reader: DerivationReader;
  private readonly layers: Pick<LayerStatsReader, 'counts' | 'lag'>;
  private readonly assumed: Pick<AssumedPredicateReader, 'behind'>;
  private readonly premises: Pick<PremiseReader, 'rulesAt'>;
  private readonly clock: Clock;
  private readonly modelCallSites: () => Record<string, CallSiteCheck>;

  constructor(parts: {
    access: AccessService;
    reader: DerivationReader;
    layers: Pick<LayerStatsReader, 'counts' | 'lag'>;
    assumed: Pick<AssumedPredicateReader, 'behind'>;
    premises: Pick<PremiseReader, 'rulesAt'>;
    clock: Clock;
    /** How the call sites of models are, by name. */
    modelCallSites: () => Record<string, CallSiteCheck>;
  }) {
    this.access = parts.access;
    this.reader = parts.reader;
    this.layers = parts.layers;
    this.assumed = parts.assumed;
    this.premises = parts.premises;
    this.clock = parts.clock;
    this.modelCallSites = parts.modelCallSites;
  }

  /** How far every stage is for a scope; zeros for one without events. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async status(call: Call, query: unknown): Promise<DerivationStatus> {
    const { scope } = parseQuery(derivationStatusQuery, query);
    const seen = await this.access.sees(call, 'scope.read', scope);
    // A scope that the caller may not know of is read as one that nobody has written to.
    const own = scopeRef(call.principal.tenant, scope);
    const ref = seen ? own : NO_SCOPE;
    const [progress, assumed_predicates] = await Promise.all([
      this.reader.scopeProgress(ref, shardOf(own), MAX_COUNTED_LAG),
      this.assumedPredicates(ref, { tenant: call.principal.tenant, scope }),
    ]);
    const marks = [progress.extracted, progress.indexed, progress.consolidated];
    const behind = marks.filter((watermark) => watermark < progress.head_offset);
    const lags = await this.reader.scopeLag(ref, behind, MAX_COUNTED_LAG);
    const [extracted, indexed, consolidated] = [
      this.lag(lags, progress, progress.extracted),
      this.lag(lags, progress, progress.indexed),
      this.lag(lags, progress, progress.consolidated),
    ];
    const caughtUp =
      [extracted, indexed, consolidated].every(({ lag_events }) => lag_events === 0) &&
      progress.held === 0 &&
      progress.deferred === 0 &&
      !progress.rebuilding;
    return {
      scope,
      caught_up: caughtUp,
      dirty: !caughtUp,
      rebuilding: progress.rebuilding,
      idle_seconds:
        progress.newest_at === null
          ? 0
          : Math.max(0, Math.floor((this.clock.now() - progress.newest_at) / 1000)),
      built: { episodes: progress.episodes, beliefs: progress.beliefs, concepts: progress.concepts },
      head_offset: progress.head_offset,
      stages: { extracted, indexed, consolidated },
      held: progress.held,
      deferred: progress.deferred,
      lanes: this.lanes(),
      enrichment: {
        open: progress.enriching,
        held: progress.enrichment_held,
        failed: progress.enrichment_failed,
      },
      embeddings: {
        due: progress.embedding_due,
        lag_ms:
          progress.embedding_oldest === null ? 0 : Math.max(0, this.clock.now() - progress.embedding_oldest),
        refused: progress.embedding_refused,
      },
      assumed_predicates,
      failed: progress.failed,
    };
  }

  /** How much each layer of the deployment holds, and how many events it still waits for. Throws `POLICY_DENIED`. */
  async layerStats(call: Call): Promise<LayerStats> {
    await this.access.authorize(call, 'admin.layers.stats', null);
    const [counts, lag] = await Promise.all([this.layers.counts(), this.layers.lag(MAX_COUNTED_LAG)]);
    const derived = (count: number): LayerStats['layers']['facts'] => ({ count, lag: lag.consolidated });
    return {
      layers: {
        events: { count: counts.events, lag: lag.indexed },
        episodes: derived(counts.episodes),
        facts: derived(counts.facts),
        beliefs: derived(counts.beliefs),
        understanding: derived(counts.concepts),
      },
    };
  }

  /** The predicates of facts of a scope of which one value at once is assumed, as far as the rules of now do not know them. */
  private async assumedPredicates(
    ref: string,
    place: { readonly tenant: string; readonly scope: string },
  ): Promise<DerivationStatus['assumed_predicates']> {
    const found: string[] = [];
    for (let step = 0; step < ASSUMED_STEPS; step += 1) {
      const { predicates, complete } = await this.assumed.behind(ref, found.at(-1) ?? '', ASSUMED_SCAN);
      found.push(...predicates);
      if (complete) break;
    }
    if (found.length === 0) return { count: 0, names: [] };
    const [rules] = await this.premises.rulesAt([
      { ...place, position: Number.MAX_SAFE_INTEGER, recorded_at: this.clock.now() },
    ]);
    const unknown = found.filter((name) => rules?.states(rules.canonical(name)) !== true);
    return { count: unknown.length, names: unknown.slice(0, MAX_SHOWN_ASSUMED) };
  }

  private lanes(): DerivationStatus['lanes'] {
    const checks = this.modelCallSites();
    return (['extraction', 'enrichment', 'embeddings'] as const).map((name) => ({
      name,
      status: checks[name]?.status ?? 'off',
      fix: checks[name]?.fix ?? null,
    }));
  }

  private lag(lags: readonly ScopeLag[], { head_offset }: ScopeProgress, watermark: number): StageLag {
    if (watermark >= head_offset) return { offset: head_offset, lag_events: 0, lag_ms: 0 };
    const found = lags.find(({ after }) => after === watermark);
    const oldest = found?.oldest_at ?? null;
    return {
      offset: watermark,
      lag_events: found?.events ?? 0,
      lag_ms: oldest === null ? 0 : Math.max(0, this.clock.now() - oldest),
    };
  }
}
