import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

/** A whole answer. */
export interface HttpAnswer {
  readonly status: number;
  /** Seconds of `Retry-After`, where the answer has it as a number. */
  readonly retryAfterSeconds: number | null;
  readonly text: string;
}

/** One request with a JSON body. */
export interface JsonPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** Patience without a byte from the other side, milliseconds. */
  readonly timeoutMs: number;
}

/** Posts JSON and answers whatever comes back; rejects with the error of Node when nothing does. */
export function postJson(post: JsonPost): Promise<HttpAnswer> {
  const body = Buffer.from(post.body);
  const request = post.url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sent = request(post.url, {
      method: 'POST',
      headers: { ...post.headers, 'content-type': 'application/json', 'content-length': body.length },
      timeout: post.timeoutMs,
    });
    sent.on('timeout', () => {
      sent.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }));
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const seconds = Number.parseInt(answer.headers['retry-after'] ?? '', 10);
        resolve({
          status: answer.statusCode ?? 0,
          retryAfterSeconds: Number.isNaN(seconds) ? null : seconds,
          text: Buffer.concat(parts).toString('utf8'),
        });
      });
    });
    sent.end(body);
  });
}
