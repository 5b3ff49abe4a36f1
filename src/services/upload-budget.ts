import type { Principal } from '../access/principal.ts';
import { BLOB_UPLOAD_STEP_BYTES, MAX_BLOB_BYTES } from '../limits.ts';
import {
  BLOB_UPLOADS_BYTES,
  BLOB_UPLOADS_OF_ACTOR_BYTES,
  BLOB_UPLOADS_OF_SIGNED_UP_BYTES,
  BLOB_UPLOADS_OF_TENANT_BYTES,
} from '../limits/bodies.ts';
import { common, sharesOfCaller } from './body-budget.ts';
import { ByteBudget, type ByteRoom, type Share } from './byte-budget.ts';

/** Bytes that uploads may take: all, those of one actor, of one tenant, of all tenants that signed themselves up. */
export interface UploadShares {
  readonly all: number;
  readonly actor: number;
  readonly tenant: number;
  readonly signedUp: number;
}

const SHARES: UploadShares = {
  all: BLOB_UPLOADS_BYTES,
  actor: BLOB_UPLOADS_OF_ACTOR_BYTES,
  tenant: BLOB_UPLOADS_OF_TENANT_BYTES,
  signedUp: BLOB_UPLOADS_OF_SIGNED_UP_BYTES,
};

/** Bounds the bytes of uploads that this process has in memory at once, and those of every caller among them. */
export class UploadBudget {
  private readonly budget: ByteBudget;
  private readonly limits: UploadShares;

  constructor(limits: Partial<UploadShares> = {}, now?: () => number) {
    this.budget = new ByteBudget({ what: 'uploads', ...(now ? { now } : {}) });
    this.limits = { ...SHARES, ...limits };
  }

  /** Bytes that uploads under way have taken. */
  get bytes(): number {
    return this.budget.bytes;
  }

  /**
   * Opens the room of an upload, empty. Throws `SERVER_BUSY` when the bytes that are announced (null: nobody knows how many)
   * would not fit now beside those of the same actor. What is only announced reserves nothing and takes from nobody.
   */
  enter(caller: Pick<Principal, 'tenant' | 'actor' | 'tier'>, announced: number | null): ByteRoom {
    const shares = this.sharesOf(caller);
    const [own] = shares;
    this.budget.requireRoom(own, inSteps(Math.min(announced ?? 0, MAX_BLOB_BYTES)));
    const room = this.budget.enter(shares);
    let wanted = 0;
    let held = 0;
    return {
      ...room,
      grow: (bytes) => {
        wanted += bytes;
        const more = inSteps(wanted) - held;
        room.grow(more);
        held += more;
      },
      shrink: (bytes) => {
        wanted -= bytes;
        const less = held - inSteps(wanted);
        room.shrink(less);
        held -= less;
      },
    };
  }

  private sharesOf(caller: Pick<Principal, 'tenant' | 'actor' | 'tier'>): [Share, ...Share[]] {
    const { limits } = this;
    return [
      ...sharesOfCaller(caller, { ...limits, suffix: 'uploads' }),
      ...(caller.tier === 'free' ? [common('signed_up_uploads', limits.signedUp)] : []),
      common('uploads', limits.all),
    ];
  }
}

function inSteps(bytes: number): number {
  return Math.ceil(bytes / BLOB_UPLOAD_STEP_BYTES) * BLOB_UPLOAD_STEP_BYTES;
}
