import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { MetricsReading } from '../schemas/health.ts';
import {
  METRICS,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type MetricDefinition,
} from './metrics/catalogue.ts';

/** Operations that requests are measured by, at most; further names count as `several`, so that series stay few. */
const MAX_MEASURED_OPERATIONS = 200;

/** One answered request. */
export interface AnsweredRequest {
  /** Operation id; over GraphQL the name of the top-level field, anything else counts as `several`. */
  readonly operation: string;
  readonly transport: 'rest' | 'graphql' | 'websocket';
  /** HTTP status that was (or, over GraphQL, would be) answered; null when the client left first. */
  readonly status: number | null;
  readonly seconds: number;
}

/** Values of one label, counted apart. */
type Split = Readonly<Record<string, number>>;

const ONE_NAME = /^[A-Za-z]\w{0,63}$/;

let ofProcess: Registry | null = null;

// The observers behind these belong to the process and cannot be taken back, so that services in one process share them.
function processRegistry(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/**
 * The metrics of one service. What happens often holds its own child, so that counting is an addition; nothing here
 * knows of tenants, scopes, actors or ids.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram;
  readonly #operations = new Map<string, Histogram.Internal<string>>();
  readonly #children = new Map<string, Counter.Internal | Histogram.Internal<string>>();

  /** `build`: what runs, for `strata_build_info`. */
  constructor(build: { version: string; git_sha: string; built_at: string }) {
    for (const [name, { type, help, labels = {}, buckets = [] }] of definitions()) {
      const base = { name, help, labelNames: Object.keys(labels), registers: [this.#registry] };
      if (type === 'counter') new Counter(base);
      if (type === 'histogram') new Histogram({ ...base, buckets: [...buckets] });
    }
    this.#requests = this.#registry.getSingleMetric('strata_request_seconds') as Histogram;
    this.gauge('strata_build_info', () => 1, build);
  }

  /** Counts one request that was answered, or given up by its client. */
  requestAnswered({ operation, transport, status, seconds }: AnsweredRequest): void {
    const named = ONE_NAME.test(operation) ? operation : 'several';
    const outcome = status === null ? 'gone' : `${Math.floor(status / 100)}xx`;
    const key = `${transport} ${named} ${outcome}`;
    let child = this.#operations.get(key);
    if (child === undefined) {
      const operationName = this.#operations.size < MAX_MEASURED_OPERATIONS ? named : 'several';
      child = this.#requests.labels({ operation: operationName, transport, status: outcome });
      if (operationName === named) this.#operations.set(key, child);
    }
    child.observe(seconds);
  }

  /** Adds to a counter; `label` is the value of its one label, undefined where it has none. */
  count(name: CounterName, label: string | undefined, by = 1): void {
    (this.#child(name, label) as Counter.Internal).inc(by);
  }

  /** Adds one observation to a histogram without labels or with one. */
  observe(name: Exclude<HistogramName, 'strata_request_seconds'>, value: number, label?: string): void {
    (this.#child(name, label) as Histogram.Internal<string>).observe(value);
  }

  /**
   * Registers a gauge that is read when somebody asks for the metrics: one number, or several by the value of the gauge's
   * one label. `read` has to be cheap and must not throw. `labels`: fixed ones. Throws when the gauge is registered already.
   */
  gauge(name: GaugeName, read: () => number | Split, labels: Readonly<Record<string, string>> = {}): void {
    const { help, labels: meanings = {} } = METRICS[name] as MetricDefinition;
    const labelNames = Object.keys(meanings);
    const [label = ''] = labelNames;
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.#registry],
      collect() {
        const value = read();
        if (typeof value === 'number') this.set(labels, value);
        else for (const [key, part] of Object.entries(value)) this.set({ [label]: key }, part);
      },
    });
  }

  /** Media type of {@link text}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Everything in the text format 0.0.4 of Prometheus. */
  text(): Promise<string> {
    return Registry.merge([this.#registry, processRegistry()]).metrics();
  }

  /** The same values as JSON. */
  async json(): Promise<MetricsReading> {
    const all = await Registry.merge([this.#registry, processRegistry()]).getMetricsAsJSON();
    return {
      metrics: all.map(({ name, help, type, values }) => ({
        name,
        help,
        type: String(type) as MetricsReading['metrics'][number]['type'],
        values: values.map((entry) => ({
          name: (entry as { metricName?: string }).metricName ?? name,
          labels: entry.labels as Record<string, string | number>,
          value: Number.isFinite(entry.value) ? entry.value : null,
        })),
      })),
    };
  }

  #child(
    name: CounterName | HistogramName,
    label: string | undefined,
  ): Counter.Internal | Histogram.Internal<string> {
    const key = `${name} ${label ?? ''}`;
    let child = this.#children.get(key);
    if (child === undefined) {
      const metric = this.#registry.getSingleMetric(name) as Counter | Histogram;
      child = label === undefined ? metric.labels() : metric.labels(label);
      this.#children.set(key, child);
    }
    return child;
  }
}

function definitions(): [string, MetricDefinition][] {
  return Object.entries(METRICS as Readonly<Record<string, MetricDefinition>>);
}
