import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';

/** A whole answer. */
export interface HttpAnswer {
  readonly status: number;
  /** Seconds of `Retry-After`, where the answer has it as a number. */
  readonly retryAfterSeconds: number | null;
  readonly text: string;
}

/** One request without a body. */
export interface JsonGet {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Patience without a byte from the other side, milliseconds. */
  readonly timeoutMs: number;
}

/** One request with a JSON body. */
export interface JsonPost extends JsonGet {
  /** JSON text. */
  readonly body: string;
}

/** Posts JSON and answers whatever comes back; rejects with the error of Node when nothing does. */
export function postJson({ body: text, ...post }: JsonPost): Promise<HttpAnswer> {
  const body = Buffer.from(text);
  const headers = { ...post.headers, 'content-type': 'application/json', 'content-length': body.length };
  return ask('POST', { ...post, headers }, body);
}

/** Reads JSON and answers whatever comes back; rejects with the error of Node when nothing does. */
export function getJson(get: JsonGet): Promise<HttpAnswer> {
  return ask('GET', get, null);
}

interface Asked extends Omit<JsonGet, 'headers'> {
  readonly headers: Readonly<Record<string, string | number>>;
}

function ask(method: string, { url, headers, timeoutMs }: Asked, body: Buffer | null): Promise<HttpAnswer> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, timeout: timeoutMs });
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
    if (body === null) sent.end();
    else sent.end(body);
  });
}
