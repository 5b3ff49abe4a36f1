import { StrataError } from '../errors.ts';
import {
  BLOB_UPLOAD_STEP_BYTES,
  BLOB_UPLOADS_BYTES,
  BLOB_UPLOADS_BYTES_OF_TENANT,
  MAX_BLOB_BYTES,
} from '../limits.ts';

/** The room of one upload. */
export interface UploadRoom {
  /** Takes room for bytes that have come. Throws `SERVER_BUSY` when there is none. */
  grow(bytes: number): void;
  /** Gives all of it back. */
  leave(): void;
}

/**
 * Bounds the bytes of uploads that this process has in memory at once, and those of each tenant among them. Room is taken as
 * bytes come, since whoever announces many and sends none takes no memory.
 */
export class UploadBudget {
  private taken = 0;
  private readonly ofTenants = new Map<string, number>();
  private readonly limit: number;
  private readonly limitOfTenant: number;

  constructor(limitBytes = BLOB_UPLOADS_BYTES, limitBytesOfTenant = BLOB_UPLOADS_BYTES_OF_TENANT) {
    this.limit = limitBytes;
    this.limitOfTenant = limitBytesOfTenant;
  }

  /** Bytes that uploads under way have taken. */
  get bytes(): number {
    return this.taken;
  }

  /**
   * Opens the room of an upload, empty. Throws `SERVER_BUSY` when the bytes that are announced (null: nobody knows how many)
   * would not fit now; that they do reserves nothing.
   */
  enter(tenant: string, announced: number | null): UploadRoom {
    this.requireRoom(tenant, inSteps(Math.min(announced ?? 0, MAX_BLOB_BYTES)));
    let came = 0;
    let held = 0;
    return {
      grow: (bytes) => {
        came += bytes;
        const more = inSteps(came) - held;
        this.requireRoom(tenant, more);
        this.take(tenant, more);
        held += more;
      },
      leave: () => {
        this.take(tenant, -held);
        held = 0;
      },
    };
  }

  private take(tenant: string, bytes: number): void {
    this.taken += bytes;
    const ofTenant = (this.ofTenants.get(tenant) ?? 0) + bytes;
    if (ofTenant > 0) this.ofTenants.set(tenant, ofTenant);
    else this.ofTenants.delete(tenant);
  }

  private requireRoom(tenant: string, bytes: number): void {
    const { limit, limitOfTenant } = this;
    if ((this.ofTenants.get(tenant) ?? 0) + bytes > limitOfTenant)
      throw busy('tenant_uploads', limitOfTenant);
    if (this.taken + bytes > limit) throw busy('uploads', limit);
  }
}

function inSteps(bytes: number): number {
  return Math.ceil(bytes / BLOB_UPLOAD_STEP_BYTES) * BLOB_UPLOAD_STEP_BYTES;
}

function busy(reason: 'tenant_uploads' | 'uploads', limitBytes: number): StrataError {
  const whose = reason === 'uploads' ? '' : ' of the tenant';
  return new StrataError(
    'SERVER_BUSY',
    `too many uploads${whose} are under way; nothing was written. Try again.`,
    { details: { reason, limit_bytes: limitBytes } },
  );
}
