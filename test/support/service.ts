import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig } from '../../src/config.ts';
import { startService, type RunningService } from '../../src/main.ts';
import { databaseSettings, wipe } from './database.ts';

/** The operator key of services under test. */
export const TEST_KEY = 'test-operator-key';

/** The signing key of services under test, so that all on one database hold the same. */
export const TEST_TOKEN_KEY =
  'k4.secret.yosL7mNIfPbxm54AHQH_8oTIy10CEDJUipKkyzUy7aEvIOAVctOIUODCAK6GXJuMvODmVmaQZvkB8Ja9901Jlg';

/** What a request may carry. */
export interface RequestOptions {
  readonly body?: unknown;
  /** Sent as it is, instead of a JSON body. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** Replaces or (null) removes a header. */
  readonly headers?: Record<string, string | null>;
}

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body when there is one and it is JSON, else undefined. */
  readonly json: any;
}

/** A service under test on a free port. */
export interface TestService extends RunningService {
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
}

/** Starts a service on the throw-away database; `environment` is its whole environment beside the address of the database. */
export async function startTestService(
  environment: Record<string, string> = {},
  options: { keepData?: boolean } = {},
): Promise<TestService> {
  if (options.keepData !== true) await wipe();
  const directory = mkdtempSync(join(tmpdir(), 'strata-service-'));
  const config = loadConfig({
    directory,
    environment: {
      ...databaseSettings(),
      STRATA_PORT: '0',
      STRATA_DATA_DIR: directory,
      STRATA_API_KEY: TEST_KEY,
      STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
      STRATA_LOG_LEVEL: 'error',
      // A cold server plans for long when it has little of the machine.
      STRATA_CAPTURE_WAIT_BUDGET_MS: '110000',
      ...environment,
    },
  });
  const running = await startService(config, { environment: {}, say: () => undefined });
  const request = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
    send(running.url, method, path, options);
  return {
    ...running,
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    stop: async () => {
      await running.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Sends one request with the operator key. */
export async function send(
  url: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const headers = new Headers({ authorization: `Bearer ${TEST_KEY}` });
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (body !== undefined) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** A message envelope with the given text. */
export function message(
  scope: string,
  text: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { scope, modality: 'conversation', content: { kind: 'message', role: 'user', text }, ...more };
}
