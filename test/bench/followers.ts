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
  /** Why nothing can arrive any more; null while all is well. */
  fault: string | null = null;

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

  /** Connects; what cannot be followed is a fault of the reader. */
  static async open({ url, key, scope, event }: Following): Promise<StreamReader> {
    const path = `/v1/lifecycle/stream?scope=${encodeURIComponent(scope)}&events=${event}`;
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${key}` };
    const request = get(`${url}${path}`, { headers });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    const reader = new StreamReader(request);
    if (response.statusCode !== 200) {
      reader.fault = `the stream is answered ${response.statusCode ?? 0}`;
      request.destroy();
      return reader;
    }
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
    response.on('error', (error) => {
      reader.fault = error.message;
    });
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

  /** Connects; what cannot be followed is a fault of the subscriber. */
  static async open({ url, key, scope, event }: Following): Promise<Subscriber> {
    let ready: () => void = () => undefined;
    const settled = new Promise<void>((resolve) => {
      ready = resolve;
    });
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${key}` },
      retryAttempts: 0,
      lazy: false,
      onNonLazyError: ready,
      on: { connected: ready, closed: ready },
    });
    await settled;
    const subscriber = new Subscriber(client);
    client.subscribe<{ lifecycle: { ts: string; data: { event_id?: string } } }>(
      { query: SUBSCRIPTION, variables: { scope, events: [event] } },
      {
        next: ({ data, errors }) => {
          if (errors !== undefined) subscriber.fault = JSON.stringify(errors);
          const frame = data?.lifecycle;
          if (frame?.data.event_id !== undefined) subscriber.arrived(frame.data.event_id, frame.ts);
        },
        error: (error) => {
          subscriber.fault = `the subscription is refused: ${told(error)}`;
        },
        complete: () => {
          subscriber.fault = 'the subscription ended';
        },
      },
    );
    return subscriber;
  }

  override close(): void {
    void this.client.dispose();
  }
}

/** What a client of graphql-ws hands out: GraphQL errors, an error, or the event of a closed socket. */
export function told(error: unknown): string {
  const { message, code, reason } = error as { message?: string; code?: number; reason?: string };
  if (message !== undefined) return message;
  return code === undefined ? JSON.stringify(error) : `${code} ${reason ?? ''}`;
}
