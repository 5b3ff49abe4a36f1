import { GRAPHQL_PATH } from '../../rest/graphql-path.ts';
import type { Server } from 'node:http';

import { graphqlContext } from '../../resolvers/context.ts';
import { Documents } from '../../resolvers/document.ts';
import { GraphqlHttp } from '../../resolvers/http.ts';
import { createIde } from '../../resolvers/ide/ide.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import { GraphqlSockets } from '../../resolvers/socket.ts';
import { errorFormatter } from '../../resolvers/error-formatter.ts';
import { addressOf, type createApp } from '../../rest/app.ts';
import type { Drain } from '../../rest/drain.ts';
import { type GraphqlEndpoint } from '../../rest/graphql.ts';
import type { OpenDoor } from '../../rest/origin.ts';
import { BROWSER_HEADERS, HeaderFamilies } from '../../rest/headers.ts';
import { recogniseSocket } from '../../rest/socket-credentials.ts';
import { serveUpgrades } from '../../rest/upgrade.ts';
import { readJson } from '../capture/read-json.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { MAX_GRAPHQL_JSON_DEPTH } from '../limits.ts';
import type { Log } from '../log.ts';

/** GraphQL of this process: one schema, one store of documents and one mapping of errors for all its transports. */
export interface Graphql {
  /** Over HTTP, with the IDE. */
  readonly endpoint: GraphqlEndpoint;
  readonly sockets: GraphqlSockets;
  /** Ends the execution; requests in flight were drained and sockets closed before. */
  stop(): Promise<void>;
}

/** Builds GraphQL on the services of a context. */
export async function startGraphql(config: Config, context: Context, log: Log): Promise<Graphql> {
  const { services, authenticator: access, callers, rates, bodies, shedder, metrics, ids } = context;
  const schema = executableSchema();
  const documents = new Documents(schema, config.graphql);
  const tell = errorFormatter(schema, log);
  const http = new GraphqlHttp({ schema, documents, services, rates, tell, log });
  await http.start();
  const families = new HeaderFamilies(config.http.headerAliases);
  const sockets = new GraphqlSockets({
    rules: {
      schema,
      read: (text) => documents.read(text),
      context: (call, origin, cut) => graphqlContext(call, services, origin, cut),
      tell,
    },
    rates,
    bodies,
    shedder,
    recognise: (request, payload, attempt) =>
      recogniseSocket(request, payload, { access, families, attempt }),
    callers,
    upgradeHeaders: BROWSER_HEADERS,
    // A message has one level more than a body: its payload.
    readJson: (bytes, counted) => readJson(bytes, { maxDepth: MAX_GRAPHQL_JSON_DEPTH + 1, counted }),
    onAnswered: (answered) => {
      metrics.requestAnswered({ ...answered, transport: 'websocket' });
    },
    ids,
    log,
  });
  metrics.gauge('strata_graphql_sockets', () => sockets.size);
  metrics.gauge('strata_graphql_subscriptions', () => sockets.subscriptions);
  const ide = createIde();
  const endpoint = {
    execute: (...request: Parameters<GraphqlHttp['execute']>) => http.execute(...request),
    ide,
  };
  return { endpoint, sockets, stop: () => http.stop() };
}

/** From where a service without a key may be called; null where it asks for one. */
export function openDoorOf({ host, access }: Config): OpenDoor | null {
  return access.open ? { host, anyHost: access.bindAll } : null;
}

/** Lets a server take the upgrades of GraphQL's sockets. */
export function serveSockets(
  server: Server,
  parts: {
    app: ReturnType<typeof createApp>;
    config: Config;
    context: Context;
    graphql: Graphql;
    drain: Drain;
    log: Log;
  },
): void {
  const { app, config, context, graphql, drain, log } = parts;
  serveUpgrades(server, {
    addressOf: (request) => addressOf(app, request),
    families: new HeaderFamilies(config.http.headerAliases),
    ids: context.ids,
    drain,
    shedder: context.shedder,
    log,
    corsOrigins: config.http.corsOrigins,
    open: openDoorOf(config),
    targets: new Map([[GRAPHQL_PATH, graphql.sockets]]),
  });
}
