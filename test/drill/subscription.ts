import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';

import { told } from '../bench/followers.ts';
import { TEST_KEY } from '../support/client.ts';
import { eventually } from '../support/wait.ts';

/** A frame as both transports tell it. */
export interface Frame {
  readonly id: string;
  readonly event: string;
  readonly ts: string;
  /** What is said of it, with the instant: server-sent events tell both as one. */
  readonly data: object;
}

const SUBSCRIPTION = `subscription ($scope: String, $since: ID) {
  lifecycle(scope: $scope, sinceLifecycleId: $since) { lifecycleId event ts data }
}`;

/** Somebody who subscribes with a plain graphql-ws client, and goes on elsewhere where the connection broke. */
export class Subscription {
  readonly frames: Frame[] = [];
  /** What went wrong; empty while all is well. */
  readonly faults: string[] = [];
  private readonly scope: string;
  private client: Client | null = null;

  constructor(scope: string) {
    this.scope = scope;
  }

  /** Subscribes after the last frame that came; resolves when the socket is open. */
  async follow(url: string): Promise<void> {
    let open = false;
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${TEST_KEY}` },
      retryAttempts: 0,
      lazy: false,
      on: { connected: () => (open = true) },
      onNonLazyError: (error) => {
        if (this.client === client) this.faults.push(`the socket failed: ${told(error)}`);
      },
    });
    this.client = client;
    const variables = { scope: this.scope, since: this.frames.at(-1)?.id ?? null };
    client.subscribe<{ lifecycle: { lifecycleId: string; event: string; ts: string; data: object } }>(
      { query: SUBSCRIPTION, variables },
      {
        next: ({ data, errors }) => {
          if (errors !== undefined) this.faults.push(JSON.stringify(errors));
          if (this.client !== client || !data) return;
          const { lifecycleId, event, ts, data: body } = data.lifecycle;
          this.frames.push({ id: lifecycleId, event, ts, data: { ...body, ts } });
        },
        error: (error) => {
          if (this.client === client) this.faults.push(`the subscription failed: ${told(error)}`);
        },
        complete: () => {
          if (this.client === client) this.faults.push('the subscription ended');
        },
      },
    );
    await eventually('the socket to open', () => open);
  }

  /** Breaks the connection off without a farewell; what is still under way is not taken. */
  breakOff(): void {
    const { client } = this;
    this.client = null;
    client?.terminate();
  }
}
