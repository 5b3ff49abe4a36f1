import { GRAPHQL_PATH } from './graphql-path.ts';
import type { IncomingMessage } from 'node:http';

import express, { type Express, type Request } from 'express';

import type { Clock } from '../src/clock.ts';
import { StrataError } from '../src/errors.ts';
import type { Ids } from '../src/ids.ts';
import { STREAM_HEARTBEAT_MS } from '../src/limits.ts';
import type { Log } from '../src/log.ts';
import type { Metrics } from '../src/metrics.ts';
import { accessLog } from './access-log.ts';
import { beliefRoutes } from './belief.ts';
import { blobRoutes } from './blob.ts';
import { auditRoutes } from './audit.ts';
import { contractRoutes } from './contract.ts';
import { BODY_LIMITS, type BodyLimits } from './body.ts';
import { cors } from './cors.ts';
import { claimRoutes } from './claim.ts';
import { conceptRoutes } from './concept.ts';
import { answerRoutes } from './answer.ts';
import { recallRoutes } from './recall.ts';
import { conflictRoutes } from './conflict.ts';
import { derivationRoutes } from './derivation.ts';
import type { Drain } from './drain.ts';
import { entityRoutes } from './entity.ts';
import { episodeRoutes } from './episode.ts';
import { graphRoutes } from './graph.ts';
import { provenanceRoutes } from './provenance.ts';
import { eventRoutes } from './event.ts';
import { explorerRoutes } from './explorer.ts';
import { EXPLORER_PATH, type ExplorerFiles } from './explorer-files.ts';
import { erasureRoutes } from './erasure.ts';
import { experienceRoutes } from './experience.ts';
import { factRoutes } from './fact.ts';
import { forgetRoutes } from './forget.ts';
import { keyedBlobRoutes } from './keyed-blob.ts';
import { legalHoldRoutes } from './legal-hold.ts';
import { graphqlRoutes, type GraphqlEndpoint } from './graphql.ts';
import type { Routes } from './handler.ts';
import { HeaderFamilies, headerMiddleware, requireHost } from './headers.ts';
import { healthRoutes } from './health.ts';
import { usageRoutes } from './usage.ts';
import { lifecycleRoutes } from './lifecycle.ts';
import { mountRoutes, type MountOptions } from './mount.ts';
import { refuseForeignPages, type OpenDoor } from './origin.ts';
import { policyRoutes } from './policy.ts';
import { problemMiddleware } from './problem.ts';
import { requireDecodable } from './query.ts';
import { requestMetrics } from './request-metrics.ts';
import { rebuildRoutes } from './rebuild.ts';
import { scopeRoutes } from './scope.ts';
import { retentionRoutes } from './retention.ts';
import { suppressionRoutes } from './suppression.ts';
import { temporalPhraseRoutes } from './temporal-phrase.ts';
import { tokenRoutes } from './token.ts';
import { vocabularyRoutes } from './vocabulary.ts';
import type { Authenticator } from '../src/services/authenticator.ts';
import type { Services } from '../src/services/operations.ts';

/** What people open in a browser, from wherever they come. */
const PAGES = [GRAPHQL_PATH, EXPLORER_PATH];

/** What the REST adapter is built from. */
export interface AppDependencies {
  readonly services: Services;
  readonly access: Authenticator;
  /** Counts what callers send. */
  readonly rates: MountOptions['rates'];
  /** Bounds the bytes of bodies. */
  readonly bodies: MountOptions['bodies'];
  /** Refuses new work while the process is overloaded. */
  readonly shedder: MountOptions['shedder'];
  readonly log: Log;
  readonly metrics: Metrics;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly readJson: MountOptions['readJson'];
  readonly drain: Drain;
  /** Version of the service, for the OpenAPI document. */
  readonly version: string;
  /** GraphQL under `/graphql`; without it there is none. */
  readonly graphql?: GraphqlEndpoint;
  /** The explorer under `/`; without it there is nothing. */
  readonly explorer?: ExplorerFiles | undefined;
  readonly options?: AppOptions;
}

/** What a deployment may choose. */
export interface AppOptions {
  /** Further header families; default `Cortex`. */
  readonly headerAliases?: readonly string[];
  /** Origins whose pages may call the service, `*` for all; default none. */
  readonly corsOrigins?: readonly string[];
  /** Whose `X-Forwarded-For` is believed: nobody (default), so many hops, or named networks. */
  readonly trustProxy?: false | number | readonly string[];
  /** Bytes of a body at most, in place of {@link BODY_LIMITS}. */
  readonly bodyLimits?: Partial<BodyLimits>;
  /** Given where no key is asked for: from where the service may be called then. */
  readonly open?: OpenDoor | null;
  /** Milliseconds between the comments that keep a quiet stream open; default 15,000. */
  readonly heartbeatMs?: number;
}

/** The REST adapter: every operation of the table under `/v1`, ready to be served. */
export function createApp(dependencies: AppDependencies): Express {
  const {
    services,
    access,
    rates,
    bodies,
    shedder,
    log,
    metrics,
    ids,
    clock,
    readJson,
    drain,
    version,
    graphql,
    explorer,
    options = {},
  } = dependencies;
  const families = new HeaderFamilies(options.headerAliases ?? ['Cortex']);
  const app = bareApp(options.trustProxy ?? false);
  app.use(accessLog(log));
  app.use(requestMetrics(metrics));
  app.use(headerMiddleware(families, ids));
  app.use((request, _response, next) => {
    requireHost(request);
    next();
  });
  app.use(cors(families, options.corsOrigins ?? []));
  if (options.open) app.use(refuseForeignPages(options.open, options.corsOrigins ?? [], PAGES));
  app.use(drain.middleware);
  app.use((request, _response, next) => {
    requireDecodable(request.url);
    next();
  });
  const bodyLimits = { ...BODY_LIMITS, ...options.bodyLimits };
  const streams = { heartbeatMs: options.heartbeatMs ?? STREAM_HEARTBEAT_MS, ending: drain.ending };
  const { auditing } = services;
  const mounting = {
    access,
    auditing,
    rates,
    families,
    clock,
    readJson,
    bodyLimits,
    bodies,
    streams,
    shedder,
  };
  app.use(mountRoutes(routesOf(services, version), mounting));
  if (graphql !== undefined) app.use(graphqlRoutes(graphql, mounting));
  if (explorer !== undefined) app.use(explorerRoutes(explorer));
  app.use(() => {
    throw new StrataError('NOT_FOUND', 'there is nothing at this path');
  });
  app.use(problemMiddleware(families, log));
  return app;
}

/** Where a request comes from that the app does not serve itself, by the proxies that the app believes. */
export function addressOf(app: Express, request: IncomingMessage): string {
  return (Object.setPrototypeOf(request, app.request) as Request).ip ?? '';
}

/** The handler of every operation. */
export function routesOf(services: Services, version: string): Routes {
  return {
    ...experienceRoutes(services.experience),
    ...eventRoutes(services.event),
    ...factRoutes(services.fact),
    ...entityRoutes(services.entity),
    ...beliefRoutes(services.belief),
    ...conceptRoutes(services.concept),
    ...recallRoutes(services.recall),
    ...answerRoutes(services.answer, services.compose),
    ...episodeRoutes(services.episode),
    ...provenanceRoutes(services.provenance, services.graphExport),
    ...graphRoutes(services.graph, services.graphExport),
    ...lifecycleRoutes(services.lifecycle),
    ...derivationRoutes(services.derivation),
    ...claimRoutes(services.claim),
    ...rebuildRoutes(services.rebuild),
    ...forgetRoutes(services.forget),
    ...erasureRoutes(services.erasure),
    ...legalHoldRoutes(services.legalHold),
    ...suppressionRoutes(services.suppression),
    ...retentionRoutes(services.retention),
    ...conflictRoutes(services.conflict),
    ...blobRoutes(services.blob),
    ...keyedBlobRoutes(services.keyedBlob),
    ...temporalPhraseRoutes(services.temporalPhrase),
    ...vocabularyRoutes(services.vocabulary),
    ...scopeRoutes(services.scope),
    ...policyRoutes(services.policy),
    ...tokenRoutes(services.token),
    ...auditRoutes(services.audit),
    ...healthRoutes(services.health),
    ...usageRoutes(services.usage),
    ...contractRoutes(version),
  };
}

function bareApp(trustProxy: false | number | readonly string[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('trust proxy', trustProxy);
  return app;
}
