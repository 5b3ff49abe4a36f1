/** The operator key of services under test. */
export const TEST_KEY = 'test-operator-key-of-all-tests';

/** The suppression key of services under test, for the same reason as their signing key. */
export const TEST_SUPPRESSION_KEY = 'suppression-key-of-all-the-tests-here';

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

/** A service as its callers see it; requests carry the operator key unless their headers say otherwise. */
export interface Client {
  readonly url: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
}

let ownTenant = 'default';

/** The tenant that requests with the operator key go to: `default`, or the one that this test file was given of the shared service. */
export function tenant(): string {
  return ownTenant;
}

/** Leads all further requests with the operator key to a tenant. */
export function useTenant(name: string): void {
  ownTenant = name;
}

/** The headers of the operator in the tenant of this test file. */
export function operatorHeaders(): Record<string, string> {
  return {
    authorization: `Bearer ${TEST_KEY}`,
    ...(ownTenant === 'default' ? {} : { 'x-strata-tenant': ownTenant }),
  };
}

/** The client of a service. */
export function clientOf(url: string): Client {
  const request: Client['request'] = (method, path, options) => send(url, method, path, options);
  return {
    url,
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
  };
}

/** Sends one request with the operator key. */
export async function send(
  url: string,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const headers = headersOf(options.headers ?? {});
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  if (options.headers?.['content-type'] === null) headers.delete('content-type');
  const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

/** The operator's headers with what a request replaces or removes; whoever shows other credentials is sent to no tenant. */
function headersOf(given: Record<string, string | null>): Headers {
  const names = Object.keys(given).map((name) => name.toLowerCase());
  const authorization = Object.entries(given).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const asOperator = !names.includes('authorization') || authorization === `Bearer ${TEST_KEY}`;
  const headers = new Headers(asOperator ? operatorHeaders() : {});
  for (const [name, value] of Object.entries(given)) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  return headers;
}

/** A message envelope with the given text. */
export function message(
  scope: string,
  text: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { scope, modality: 'conversation', content: { kind: 'message', role: 'user', text }, ...more };
}
