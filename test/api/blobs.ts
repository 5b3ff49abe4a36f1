import { createHash } from 'node:crypto';

import { tenant, type Answer, type Client, type RequestOptions } from '../support/client.ts';

/** Uploads bytes with the operator key. */
export function upload(
  service: Client,
  bytes: string | Uint8Array<ArrayBuffer>,
  headers: RequestOptions['headers'] = {},
): Promise<Answer> {
  return service.request('POST', '/v1/blobs', {
    raw: bytes,
    headers: { 'content-type': 'text/plain', ...headers },
  });
}

/** Uploads bytes under a key with the operator key. */
export function uploadKeyed(
  service: Client,
  key: string,
  bytes: string | Uint8Array<ArrayBuffer>,
  headers: RequestOptions['headers'] = {},
): Promise<Answer> {
  return service.request('POST', '/v1/blobs/idempotent', {
    raw: bytes,
    headers: { 'content-type': 'text/plain', 'x-strata-idempotency-key': key, ...headers },
  });
}

/** The id of a blob of these bytes, uploaded by the default actor. */
export async function blobOf(service: Client, bytes: string): Promise<string> {
  const { status, json, text } = await upload(service, bytes);
  if (status !== 201) throw new Error(`the upload was answered ${status}: ${text}`);
  return json.blob_id as string;
}

/** The id that {@link blobOf} gives bytes in the tenant of this file, before they are uploaded. */
export function blobIdOf(bytes: string): string {
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  return `blob_${hash(JSON.stringify([tenant(), 'user:local', hash(bytes)]))}`;
}
