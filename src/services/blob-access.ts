import type { BlobReader, FoundBlob, StoredBlob } from '../../graph/blob.ts';
import { tenantOfReads } from '../access/principal.ts';
import { MAX_BLOB_SCOPES } from '../limits.ts';
import type { AccessService, Call } from './access.ts';

/**
 * Says which blobs a caller may read: those that he uploaded and still holds, and those that a live event refers to whose scope
 * he may read blobs in. Nobody learns whether there is a blob that he may not read.
 */
export class BlobAccess {
  private readonly access: AccessService;
  private readonly reader: BlobReader;

  constructor(access: AccessService, reader: BlobReader) {
    this.access = access;
    this.reader = reader;
  }

  /** The blob of an id; null where there is none that the caller may read. Throws `POLICY_DENIED`. */
  async find(call: Call, id: string): Promise<StoredBlob | null> {
    await this.access.authorize(call, 'blob.read', null);
    // Reads by id find every tenant, where the caller is known to all of them.
    const tenant = tenantOfReads(call.principal);
    const readable = await this.readableAmong(call, [id], tenant);
    return readable.get(id) ?? null;
  }

  /** Those of the ids that are blobs of the caller's tenant which he may read. */
  async readable(call: Call, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.readableAmong(call, ids, call.principal.tenant)).keys());
  }

  /**
   * Whether the caller holds a blob and may end that: of a token that is confined to scopes, where the blob lies decides, as it does for
   * reading. Two round trips, whatever is found.
   */
  async mayLetGo(call: Call, id: string): Promise<boolean> {
    const found = (await this.reader.byIds([id], call.principal.tenant, MAX_BLOB_SCOPES)).get(id);
    const reaches = await this.reaches(call, found?.scopes ?? []);
    return found !== undefined && isOwn(found, call) && reaches;
  }

  /**
   * Whether the caller reaches what he uploaded, by the scopes that it lies in: a token that is confined to scopes reaches what lies in none
   * and what lies in one of its own. One round trip, whatever the scopes.
   */
  async reaches(call: Call, scopes: FoundBlob['scopes']): Promise<boolean> {
    const mayUpload = await this.access.readableNow(call, scopes, 'blob.upload');
    return call.principal.grants === null || scopes.length === 0 || scopes.some(mayUpload);
  }

  /** Two round trips, whatever is found. */
  private async readableAmong(
    call: Call,
    ids: readonly string[],
    tenant: string | null,
  ): Promise<Map<string, StoredBlob>> {
    const found = [...(await this.reader.byIds(ids, tenant, MAX_BLOB_SCOPES)).values()];
    const scopes = found.flatMap((one) => (isHeldBy(one, call) ? [] : one.scopes));
    const mayRead = await this.access.readableNow(call, scopes, 'blob.read');
    const readable = found.filter((one) => isHeldBy(one, call) || one.scopes.some(mayRead));
    return new Map(readable.map(({ blob }) => [blob.id, blob]));
  }
}

/** A token confined to scopes reads what its actor holds only while it lies in no scope: then where it lies decides. */
function isHeldBy(found: FoundBlob, call: Call): boolean {
  return isOwn(found, call) && (call.principal.grants === null || found.scopes.length === 0);
}

/** Whether the caller's actor uploaded a blob and did not delete it since. */
function isOwn({ blob }: FoundBlob, { principal }: Call): boolean {
  return blob.held && blob.uploader === principal.actor;
}
