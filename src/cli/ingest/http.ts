import { request as plainRequest, type IncomingMessage } from 'node:http';
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

/** Asks for a file: what answers well is handed on while it comes, anything else is read to its end. */
export async function getFile(get: JsonGet): Promise<IncomingMessage | HttpAnswer> {
  const answer = await send('GET', get, null);
  return answer.statusCode === 200 ? answer : wholeOf(answer);
}

interface Asked extends Omit<JsonGet, 'headers'> {
  readonly headers: Readonly<Record<string, string | number>>;
}

async function ask(method: string, asked: Asked, body: Buffer | null): Promise<HttpAnswer> {
  return wholeOf(await send(method, asked, body));
}

function send(
  method: string,
  { url, headers, timeoutMs }: Asked,
  body: Buffer | null,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, timeout: timeoutMs });
    sent.on('timeout', () => {
      sent.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' }));
    });
    sent.on('error', reject);
    sent.on('response', resolve);
    if (body === null) sent.end();
    else sent.end(body);
  });
}

function wholeOf(answer: IncomingMessage): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
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
}
