import type { KeyedBlobStore, KeyOfBlob } from '../../graph/keyed-blob.ts';
import {
  KEYED_BLOB_PROTOCOL,
  type KeyedBlobRetired,
  type KeyedBlobStatus,
  type KeyedBlobUploaded,
} from '../../schemas/keyed-blob.ts';
import type { UploadKeyHash } from '../capture/upload-key.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { BLOB_CHUNK_BYTES, MAX_BLOB_KEY_LENGTH, MAX_BLOB_SCOPES } from '../limits.ts';
import type { Metrics } from '../metrics.ts';
import type { AccessService, Call } from './access.ts';
import type { BlobAccess } from './blob-access.ts';
import { uploadLost, type BlobIntake, type ReceivedBytes } from './blob-intake.ts';
import type { BlobRemoval } from './blob-removal.ts';
import type { IncomingBytes } from './blob-operations.ts';

const protocol = KEYED_BLOB_PROTOCOL;

/** What the service needs. */
export interface KeyedBlobParts {
  readonly access: AccessService;
  readonly blobs: BlobAccess;
  readonly keys: KeyedBlobStore;
  readonly uploadKeyHash: UploadKeyHash;
  readonly removal: BlobRemoval;
  readonly intake: BlobIntake;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/**
 * Keeps blobs under keys that their uploader chooses, so that an upload whose answer was lost can be sent again and taken back. A key is
 * of one tenant and actor; those of others are not there. A key that was retired is not used again.
 */
export class KeyedBlobService {
  private readonly parts: KeyedBlobParts;

  constructor(parts: KeyedBlobParts) {
    this.parts = parts;
  }

  /** How the upload under a key stands. Throws `POLICY_DENIED`, `INVALID_IDEMPOTENCY_KEY`. */
  async status(call: Call, key: string | null): Promise<KeyedBlobStatus> {
    const { access, blobs, keys, clock } = this.parts;
    await access.authorize(call, 'blob.upload', null);
    const found = await keys.find(this.ofCaller(call, key), clock.now(), MAX_BLOB_SCOPES);
    const reaches = await blobs.reaches(call, found?.scopes ?? []);
    if (found === null || !reaches || found.state === 'abandoned')
      return { protocol, found: false, blob_id: null, status: 'unknown' };
    const { blob_id, state: status, bytes } = found;
    return { protocol, found: true, blob_id, status, ...bytes };
  }

  /**
   * Stores 1 byte to 32 MiB under a key, as a blob of its own. The same bytes under the same key are the same blob, whose media type is
   * that of its first upload. Throws `IDEMPOTENCY_CONFLICT` for other bytes, and, whatever the bytes, for a key that was retired or whose blob
   * lies where the token of the caller does not reach; else what the upload of a blob throws, and `INVALID_IDEMPOTENCY_KEY`.
   */
  async upload(call: Call, key: string | null, bytes: IncomingBytes): Promise<KeyedBlobUploaded> {
    await this.parts.access.authorize(call, 'blob.upload', null);
    const of = this.ofCaller(call, key);
    return this.parts.intake.receive(call, bytes, (received) => this.store(call, of, received));
  }

  /**
   * Retires a key: its uploader holds the blob no longer. `bytes_deleted` says whether it is gone, now or before; else live events still
   * refer to it, and its bytes go with the last of them. Throws `NOT_FOUND` for a key that was never used, or whose blob lies where the token
   * of the caller does not reach; `POLICY_DENIED`, `INVALID_IDEMPOTENCY_KEY`.
   */
  async retire(call: Call, key: string | null): Promise<KeyedBlobRetired> {
    const { access, blobs, keys, removal, clock, metrics } = this.parts;
    await access.authorize(call, 'blob.upload', null);
    const of = this.ofCaller(call, key);
    const found = await keys.find(of, clock.now(), MAX_BLOB_SCOPES);
    const reaches = await blobs.reaches(call, found?.scopes ?? []);
    const retired = found !== null && reaches ? await keys.retire(of, clock.now()) : null;
    if (retired === null)
      throw new StrataError('NOT_FOUND', 'nothing was uploaded under this key', { protocol });
    metrics.count('strata_keyed_blobs_total', 'retired');
    if (retired.gone) removal.wake();
    return { protocol, blob_id: retired.blob_id, status: 'retired', bytes_deleted: retired.gone };
  }

  private ofCaller({ principal: { tenant, actor } }: Call, key: string | null): KeyOfBlob {
    return { ...this.parts.uploadKeyHash(tenant, actor, validKey(key)) };
  }

  private async store(
    call: Call,
    of: KeyOfBlob,
    { content, ...bytes }: ReceivedBytes,
  ): Promise<KeyedBlobUploaded> {
    const { blobs, keys, intake, ids, clock } = this.parts;
    if (call.principal.grants !== null) {
      const found = await keys.find(of, clock.now(), MAX_BLOB_SCOPES);
      if (!(await blobs.reaches(call, found?.scopes ?? []))) throw this.refused(usedUpKey());
    }
    const body = intake.body();
    const begun = await keys.begin(of, { ...bytes, blobId: ids.keyedBlob(), body }, clock.now());
    if (!begun.begins) {
      if (begun.state === 'retired' || begun.state === 'deleting') throw this.refused(usedUpKey());
      return this.answer('repeated', bytes, { ...bytes, ...begun.bytes, id: begun.blob_id });
    }
    await intake.write(body, content);
    const { blob, retired } = await keys.keep(
      of,
      { ...bytes, chunk_bytes: BLOB_CHUNK_BYTES },
      body,
      clock.now(),
    );
    if (blob !== null) return this.answer('stored', bytes, blob);
    throw retired ? this.refused(usedUpKey()) : uploadLost();
  }

  private answer(
    outcome: 'stored' | 'repeated',
    sent: Omit<ReceivedBytes, 'content'>,
    { id, size_bytes, content_type, sha256 }: Omit<ReceivedBytes, 'content'> & { readonly id: string },
  ): KeyedBlobUploaded {
    if (sha256 !== sent.sha256)
      throw this.refused(new StrataError('IDEMPOTENCY_CONFLICT', 'other bytes were uploaded under this key'));
    this.parts.metrics.count('strata_keyed_blobs_total', outcome);
    return { protocol, blob_id: id, size_bytes, content_type, sha256 };
  }

  private refused(error: StrataError): StrataError {
    this.parts.metrics.count('strata_keyed_blobs_total', 'refused');
    return error;
  }
}

function validKey(key: string | null): string {
  if (key !== null && key.length <= MAX_BLOB_KEY_LENGTH && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new StrataError(
    'INVALID_IDEMPOTENCY_KEY',
    `the key of the upload is 1 to ${MAX_BLOB_KEY_LENGTH} characters of visible ASCII without spaces, in the header X-Strata-Idempotency-Key or the argument key`,
    {
      details: {
        header: 'x-strata-idempotency-key',
        reason: key === null || key === '' ? 'missing' : 'malformed',
      },
    },
  );
}

function usedUpKey(): StrataError {
  return new StrataError(
    'IDEMPOTENCY_CONFLICT',
    'this key is used up: it was retired, or its blob was deleted, erased or lies where the caller does not reach; upload under another key',
    { details: { reason: 'retired' } },
  );
}
