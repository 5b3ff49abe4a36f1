import { get, type ClientRequest, type IncomingMessage } from 'node:http';

import { createParser } from 'eventsource-parser';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';

/** What a reader is to follow. */
export interface Following {
  readonly url: string;
  readonly key: string;
  readonly scope: string;
  /** Name of the frames. */
  readonly event: string;
}

/** The arrival of a frame. */
export interface Arrival {
  /** By `performance.now()`. */
  readonly at: number;
  /** Milliseconds from the instant that the frame states. */
  readonly afterTs: number;
}

/** Somebody who follows frames, and when the first of each event arrived. */
export abstract class Follower {
  readonly arrivals = new Map<string, Arrival>();

  abstract close(): void;

  protected arrived(eventId: string, ts: string): void {
    const afterTs = Date.now() - Date.parse(ts);
    if (!this.arrivals.has(eventId)) this.arrivals.set(eventId, { at: performance.now(), afterTs });
  }
}

/** A reader of the event stream. */
export class StreamReader extends Follower {
  private readonly request: ClientRequest;

  private constructor(request: ClientRequest) {
    super();
    this.request = request;
  }

  /** Connects; null where the service has no stream. Fails when it answers anything else than a stream. */
  static async open({ url, key, scope, event }: Following): Promise<StreamReader | null> {
    const path = `/v1/lifecycle/stream?scope=${encodeURIComponent(scope)}&events=${event}`;
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` };
    const request = get(`${url}${path}`, { headers });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    if (response.statusCode !== 200) {
      request.destroy();
      if (response.statusCode === 404 || response.statusCode === 405) return null;
      throw new Error(`the stream was answered ${response.statusCode ?? 0}`);
    }
    const reader = new StreamReader(request);
    const parser = createParser({
      onEvent: ({ data }) => {
        const { event_id, ts } = JSON.parse(data) as { event_id?: string; ts: string };
        if (event_id !== undefined) reader.arrived(event_id, ts);
      },
    });
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      parser.feed(text);
    });
    // The end of a connection that is closed here on purpose; frames that miss are counted by who asked for them.
    response.on('error', () => request.destroy());
    return reader;
  }

  override close(): void {
    this.request.destroy();
  }
}

const SUBSCRIPTION = `subscription ($scope: String, $events: [String!]) {
  lifecycle(scope: $scope, events: $events) { ts data }
}`;

/** A subscriber over a socket. */
export class Subscriber extends Follower {
  private readonly client: Client;

  private constructor(client: Client) {
    super();
    this.client = client;
  }

  /** Connects; null where the service takes no sockets. Fails when it refuses the subscription. */
  static async open({ url, key, scope, event }: Following): Promise<Subscriber | null> {
    const connection: { opened: () => void; closed: (event: unknown) => void } = {
      opened: () => undefined,
      closed: () => undefined,
    };
    const open = new Promise<boolean>((resolve) => {
      connection.opened = () => {
        resolve(true);
      };
      connection.closed = () => {
        resolve(false);
      };
    });
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${key}` },
      retryAttempts: 0,
      lazy: false,
      onNonLazyError: connection.closed,
      on: { connected: connection.opened, closed: connection.closed },
    });
    if (!(await open)) return null;
    const subscriber = new Subscriber(client);
    client.subscribe<{ lifecycle: { ts: string; data: { event_id?: string } } }>(
      { query: SUBSCRIPTION, variables: { scope, events: [event] } },
      {
        next: ({ data, errors }) => {
          if (errors !== undefined) throw new Error(JSON.stringify(errors));
          const frame = data?.lifecycle;
          if (frame?.data.event_id !== undefined) subscriber.arrived(frame.data.event_id, frame.ts);
        },
        error: (error) => {
          throw new Error(`the subscription ended: ${JSON.stringify(error)}`);
        },
        complete: () => undefined,
      },
    );
    return subscriber;
  }

  override close(): void {
    void this.client.dispose();
  }
}
