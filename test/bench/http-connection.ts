import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** An answer as it came. */
export interface Reply {
  readonly status: number;
  readonly body: Buffer;
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * One kept HTTP/1.1 connection that sends requests made beforehand, one at a time. It does as little as possible, so that
 * the load generator takes no time from what it measures; it knows answers with a length only.
 */
export class HttpConnection {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      this.take(chunk);
    });
    socket.on('error', (error) => {
      this.fail(error);
    });
    socket.on('close', () => {
      this.fail(new Error('the service closed a connection in the middle of an answer'));
    });
  }

  /** Opens a connection; fails when it is refused. */
  static async open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new HttpConnection(socket);
  }

  /** Sends one request and resolves with its answer. */
  send(request: Buffer): Promise<Reply> {
    if (this.socket.destroyed) return Promise.reject(new Error('the service closed the connection'));
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.waiting = null;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const headEnd = this.received.indexOf(END_OF_HEAD);
    if (headEnd < 0) return;
    const head = this.received.toString('latin1', 0, headEnd);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) {
      this.fail(new Error(`an answer without a length: ${head.slice(0, 200)}`));
      return;
    }
    const start = headEnd + END_OF_HEAD.length;
    const end = start + Number(length);
    if (this.received.length < end) return;
    const reply = { status: Number(head.slice(9, 12)), body: this.received.subarray(start, end) };
    this.received = this.received.subarray(end);
    const { waiting } = this;
    this.waiting = null;
    waiting?.resolve(reply);
  }

  private fail(error: Error): void {
    const { waiting } = this;
    this.waiting = null;
    waiting?.reject(error);
  }
}

/** Makes the bytes of requests to one service with one key. */
export class Requests {
  private readonly common: string;

  /** With an actor, `key` is a token of that actor. */
  constructor(url: string, key: string, actor?: string) {
    const named = actor === undefined ? '' : `X-Strata-Actor: ${actor}\r\n`;
    this.common = `Host: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n${named}`;
  }

  get(path: string): Buffer {
    return Buffer.from(`GET ${path} HTTP/1.1\r\n${this.common}\r\n`);
  }

  post(path: string, body: unknown): Buffer {
    const bytes = Buffer.from(JSON.stringify(body));
    const head = `POST ${path} HTTP/1.1\r\n${this.common}Content-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), bytes]);
  }
}
