import { adminReady, health, metricsQuery, metricsReading, ready, version } from '../health.ts';
import type { Operation } from './definition.ts';

const PROBE = 'Asked by load balancers and supervisors, which hold no credentials.';

/** Operations on the state of the server. */
export const HEALTH_OPERATIONS = {
  health: {
    method: 'GET',
    path: '/v1/health',
    noun: 'health',
    probe: true,
    summary: 'Whether the process lives',
    description: 'Answers 200 as long as the process serves requests, whether or not its database does.',
    access: { open: PROBE },
    answers: { 200: { description: 'The process lives.', schema: health } },
    errors: [],
    graphql: { kind: 'query', field: 'health' },
  },
  ready: {
    method: 'GET',
    path: '/v1/ready',
    noun: 'health',
    probe: true,
    summary: 'Whether writes and reads work',
    description: 'Answers 200 when the database takes writes and reads, else 503.',
    access: { open: PROBE },
    answers: { 200: { description: 'Writes and reads work.', schema: ready } },
    errors: ['DATABASE_UNAVAILABLE'],
    graphql: { kind: 'query', field: 'ready' },
  },
  adminHealth: {
    method: 'GET',
    path: '/v1/admin/health',
    noun: 'health',
    probe: true,
    summary: 'Whether the process lives',
    description: 'The same as `/v1/health`, under the path that published clients ask.',
    access: { open: PROBE },
    answers: { 200: { description: 'The process lives.', schema: health } },
    errors: [],
    graphql: { kind: 'query', field: 'adminHealth' },
  },
  adminReady: {
    method: 'GET',
    path: '/v1/admin/ready',
    noun: 'health',
    probe: true,
    summary: 'Readiness, lane by lane',
    description:
      'Which lanes are up, down or off. Always 200; `ready` says whether writes and reads work. Details, and what would mend a lane, are shown to callers with the capability diagnostics.read.',
    access: { open: 'A probe; details are withheld from callers who may not read them.', identifies: true },
    answers: { 200: { description: 'State of every lane.', schema: adminReady } },
    errors: [],
    graphql: { kind: 'query', field: 'adminReady' },
  },
  adminMetrics: {
    method: 'GET',
    path: '/v1/admin/metrics',
    noun: 'health',
    probe: true,
    summary: 'Metrics',
    description:
      'Counters, gauges and histograms of this process: in the text format 0.0.4 of Prometheus, or with `format=json` as JSON. They count over all tenants; no label names a tenant, a scope, an actor or an id.',
    access: { capability: 'diagnostics.read' },
    query: metricsQuery,
    answers: { 200: { description: 'Every metric.', schema: metricsReading, alsoAs: 'text/plain' } },
    errors: [],
    graphql: { reason: 'Asked by monitoring systems, which speak plain HTTP.' },
  },
  adminVersion: {
    method: 'GET',
    path: '/v1/admin/version',
    noun: 'health',
    probe: true,
    summary: 'Version and capabilities',
    description: 'Clients send newer request fields only to servers that list the capability.',
    access: { open: 'Clients ask what the server can do before they hold credentials.' },
    answers: { 200: { description: 'Version and capabilities.', schema: version } },
    errors: [],
    graphql: { kind: 'query', field: 'version' },
  },
} as const satisfies Record<string, Operation>;
