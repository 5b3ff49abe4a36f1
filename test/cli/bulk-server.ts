import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface BulkRequest {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** The text of the body. */
  readonly text: string;
  readonly body: { items: Record<string, any>[]; scope?: string; ordering?: string };
}

/** An answer to be given instead of capturing; `drop` cuts the connection, as does one after the capture. */
export type Reply =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | 'drop'
  | 'capture-and-drop';

/** The bulk route of the service as `strata ingest` sees it: keys are remembered per scope, bad items are refused. */
export class BulkServer {
  readonly requests: BulkRequest[] = [];
  /** Event of each key. */
  readonly stored = new Map<string, string>();
  /** Says what to answer instead of capturing; null captures. */
  intercept: (request: BulkRequest) => Reply | null = () => null;
  readonly #server = createServer((request, response) => {
    void this.#serve(request, response);
  });

  /** Listens on a free port and answers its address. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const seen = { url: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) };
    this.requests.push(seen);
    const reply = this.intercept(seen) ?? { status: 202, body: this.#capture(seen) };
    if (reply === 'capture-and-drop') this.#capture(seen);
    if (typeof reply === 'string') {
      request.socket.destroy();
      return;
    }
    const partial = reply.status === 202 && (reply.body as { failures?: unknown }).failures !== undefined;
    response.writeHead(partial ? 207 : reply.status, {
      'content-type': 'application/json',
      ...reply.headers,
    });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  }

  #capture({ body }: BulkRequest): object {
    const failures: object[] = [];
    const results = body.items.map((item, index) => {
      if (item.content === undefined) {
        failures.push({ index, error_code: 'INVALID_BODY', error: 'content: is required' });
        return { index, event_id: null, status: 'failed' };
      }
      const key = `${item.scope ?? body.scope ?? ''} ${item.idempotency_key as string}`;
      const replayed = this.stored.has(key);
      const id = this.stored.get(key) ?? `evt_${this.stored.size}`;
      this.stored.set(key, id);
      return {
        index,
        event_id: id,
        wal_offset: index,
        status: 'captured',
        replayed_from_idempotency: replayed,
      };
    });
    return {
      accepted: results.length - failures.length,
      results,
      ...(failures.length > 0 ? { partial: true, failures } : {}),
    };
  }
}
