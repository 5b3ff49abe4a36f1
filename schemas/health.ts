import { z } from 'zod';

/** That the process lives; says nothing of the database. */
export const health = z.strictObject({
  status: z.literal('ok'),
  version: z.string().describe('Version of the service.'),
});
export type Health = z.infer<typeof health>;

/** Whether writes and reads work now. */
export const ready = z.strictObject({ ready: z.boolean() });
export type Ready = z.infer<typeof ready>;

const check = z.strictObject({
  ok: z.boolean(),
  status: z
    .enum(['up', 'down', 'off', 'unknown'])
    .describe(
      '`off`: not configured, which is no fault. `unknown`: not asked yet, so that nothing is known.',
    ),
  detail: z.string().optional().describe('What it is; for callers who may read diagnostics.'),
  fix: z.string().optional().describe('What would mend it; for callers who may read diagnostics.'),
});

/** Readiness, lane by lane. */
export const adminReady = z.strictObject({
  ready: z.boolean().describe('Writes and reads work.'),
  degraded: z.boolean().describe('A configured lane is down.'),
  embedding_provider: z
    .string()
    .describe('`none` when events are found by their words only, also while the local model is fetched.'),
  checks: z.record(z.string(), check),
});
export type AdminReady = z.infer<typeof adminReady>;

/** The one alternative to the text format. */
export const metricsQuery = z.strictObject({
  format: z
    .enum(['json'])
    .optional()
    .describe('`json` for JSON; left out, the text format 0.0.4 of Prometheus.'),
});

/** Every metric with its values; none tells of a single tenant, scope or actor. */
export const metricsReading = z.strictObject({
  metrics: z.array(
    z.strictObject({
      name: z.string(),
      help: z.string(),
      type: z.enum(['counter', 'gauge', 'histogram', 'summary']),
      values: z.array(
        z.strictObject({
          name: z.string().describe('That of the metric; of a histogram with `_bucket`, `_sum` or `_count`.'),
          labels: z.record(z.string(), z.union([z.string(), z.number()])),
          value: z.number().nullable().describe('`null` when there is no number yet.'),
        }),
      ),
    }),
  ),
});
export type MetricsReading = z.infer<typeof metricsReading>;

/** Version and what the server can do. */
export const version = z.strictObject({
  version: z.string(),
  crate_version: z.string().describe('The same as `version`; published clients read this name.'),
  git_sha: z.string().describe('Commit that was built; `unknown` outside of a built image.'),
  built_at: z.string().describe('RFC 3339 instant of the build; `unknown` outside of a built image.'),
  capabilities: z.array(z.string()).describe('Request features that work on this server.'),
  stability: z.record(z.string(), z.string()).describe('Stability of each surface.'),
});
export type Version = z.infer<typeof version>;
