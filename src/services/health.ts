import {
  metricsQuery,
  type AdminReady,
  type Health,
  type MetricsReading,
  type Ready,
  type Version,
} from '../../schemas/health.ts';
import { StrataError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import type { BuildInfo } from '../version.ts';
import type { AccessService, Call } from './access.ts';
import type { MetricsText } from './operations.ts';
import { parseQuery } from './query-input.ts';
import { SharedRun } from './shared-run.ts';

/** What the health readings look at. */
export interface HealthParts {
  readonly access: AccessService;
  readonly metrics: Metrics;
  readonly version: string;
  readonly build: BuildInfo;
  /** Resolves when the database answers. */
  readonly pingDatabase: () => Promise<unknown>;
  /** Whether the database took the latest writes of this process, and one at all; leases are renewed every few seconds at least. */
  readonly takesWrites: () => boolean;
  /** Whether the derivation workers of this process do their work. */
  readonly pipelineHealthy: () => boolean;
  /** Whether consolidation does its work, and how many events of the log it has not come to. */
  readonly consolidation: () => { readonly works: boolean; readonly waiting: number };
  /** How the call sites of models are, by name. */
  readonly modelCallSites: () => Record<string, Check>;
  /** What makes vectors now; `none` where words serve. */
  readonly embeddingProvider: () => string;
  /** Milliseconds that a ping may take. */
  readonly pingTimeoutMs: number;
}

/** Request features that work, by the names that published clients look for, then our own. */
const CAPABILITIES = [
  'capture_language_v1',
  'recall_language_v1',
  'query_variants_v1',
  'temporal_lenient_v1',
  'refers_to_v1',
  'recall_diagnostics_v1',
  'matched_fragments_v1',
  'budget_excerpt_v1',
  'event_scope_filter_v1',
  'on_conflict_replace_v1',
  'metadata_v1',
  'scores_v1',
  'as_of_axes_v1',
  'graphql_v1',
];

type Check = AdminReady['checks'][string];

const UP: Check = { ok: true, status: 'up' };
const DOWN = {
  database: {
    ok: false,
    status: 'down',
    detail: 'The database does not answer.',
    fix: 'A managed database is restarted by the service; for an external one check NEO4J_URI and the server.',
  },
  writes: {
    ok: false,
    status: 'down',
    detail: 'The database answers reads, but refused the latest writes or left them without an answer.',
    fix: 'Look for a full disk, a read-only database, or a transaction that holds locks; the log of the service names the code.',
  },
  pipeline: {
    ok: false,
    status: 'down',
    detail: 'Derivation pauses; the log tells why.',
    fix: 'It goes on by itself when the database answers and takes writes.',
  },
} as const satisfies Record<string, Check>;

const OFF: Record<string, Check> = {
  content_processors: {
    ok: true,
    status: 'off',
    detail: 'Not part of this release: a blob_ref is kept, found by its transcript only.',
  },
};

/** Says whether the service lives, whether it works, and what it is. */
export class HealthService {
  private readonly parts: HealthParts;
  /** Whoever asks shares them, since anybody may ask; one that hangs holds up nobody for longer than a ping may take. */
  private readonly pings = new SharedRun(async () => {
    if (!(await this.inTime(this.parts.pingDatabase()))) throw new Error('the database does not answer');
  });

  constructor(parts: HealthParts) {
    this.parts = parts;
  }

  /** The process lives. */
  health(): Health {
    return { status: 'ok', version: this.parts.version };
  }

  /** The same for clients that look under `/v1/admin`. */
  adminHealth(): Health {
    return this.health();
  }

  /** Writes and reads work now, and one was written since the start; else `DATABASE_UNAVAILABLE`. */
  async ready(): Promise<Ready> {
    if ((await this.databaseAnswers()) && this.parts.takesWrites()) return { ready: true };
    throw new StrataError('DATABASE_UNAVAILABLE', 'the database takes no work now');
  }

  /** Readiness lane by lane; details only for callers who may read diagnostics. */
  async adminReady(call: Call | null): Promise<AdminReady> {
    const mayReadDetails =
      call !== null && (await this.parts.access.decide(call, 'diagnostics.read', null)).outcome === 'allowed';
    const database = await this.databaseAnswers();
    const writes = database && this.parts.takesWrites();
    const pipeline = this.parts.pipelineHealthy();
    const lanes = this.parts.modelCallSites();
    const checks: Record<string, Check> = {
      database: database ? UP : DOWN.database,
      writes: writes ? UP : database ? DOWN.writes : DOWN.database,
      pipeline: pipeline ? UP : DOWN.pipeline,
      consolidation: this.consolidation(),
      ...OFF,
      ...lanes,
    };
    const shown = Object.entries(checks).map(([name, { detail, fix, ...check }]) => [
      name,
      mayReadDetails
        ? { ...check, ...(detail === undefined ? {} : { detail }), ...(fix === undefined ? {} : { fix }) }
        : check,
    ]);
    return {
      ready: writes,
      degraded: !writes || !pipeline || Object.values(lanes).some(({ ok }) => !ok),
      embedding_provider: this.parts.embeddingProvider(),
      checks: Object.fromEntries(shown) as AdminReady['checks'],
    };
  }

  private consolidation(): Check {
    const { works, waiting } = this.parts.consolidation();
    if (!works) return { ...DOWN.pipeline, detail: 'Consolidation pauses; the log tells why.' };
    const behind = waiting === 0 ? '' : ` ${waiting} events of the log are still to come to it.`;
    return {
      ok: true,
      status: 'up',
      detail: `Facts, beliefs, episodes and concepts are derived from what is captured.${behind}`,
    };
  }

  /** Version and capabilities. */
  version(): Version {
    return {
      version: this.parts.version,
      crate_version: this.parts.version,
      git_sha: this.parts.build.git_sha,
      built_at: this.parts.build.built_at,
      capabilities: CAPABILITIES,
      stability: { rest: 'stable', graphql: 'stable' },
    };
  }

  /**
   * The metrics of this process, as text of Prometheus or, with `format=json`, as JSON. Asks no database.
   * Throws `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async metrics(call: Call, query: unknown): Promise<MetricsText | { readonly body: MetricsReading }> {
    const { format } = parseQuery(metricsQuery, query);
    const { access, metrics } = this.parts;
    await access.authorize(call, 'diagnostics.read', null);
    if (format === 'json') return { body: await metrics.json() };
    return { contentType: metrics.contentType, text: await metrics.text() };
  }

  private databaseAnswers(): Promise<boolean> {
    return this.inTime(this.pings.run());
  }

  /** Whether work succeeds in the time that a ping may take. */
  private async inTime(work: Promise<unknown>): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, this.parts.pingTimeoutMs, false);
    });
    const success = work.then(
      () => true,
      () => false,
    );
    const answered = await Promise.race([success, patience]);
    clearTimeout(timer);
    return answered;
  }
}
