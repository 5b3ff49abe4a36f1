import { StrataError } from '../errors.ts';
import { BODIES_BYTES, BODIES_OF_OWNER_BYTES } from '../limits.ts';

/** The room of one body. */
export interface BodyRoom {
  /** Takes room for bytes that have come. Throws `SERVER_BUSY` when there is none. */
  readonly grow: (bytes: number) => void;
  /** Gives all of it back. */
  readonly leave: () => void;
}

/**
 * Bounds the bytes of JSON bodies, unpacked, that this process reads or works on at once, and those of each owner among them.
 * Room is taken as bytes come, since whoever announces many and sends none takes no memory.
 */
export class BodyBudget {
  private taken = 0;
  private readonly ofOwners = new Map<string, number>();
  private readonly limit: number;
  private readonly limitOfOwner: number;

  constructor(limitBytes = BODIES_BYTES, limitBytesOfOwner = BODIES_OF_OWNER_BYTES) {
    this.limit = limitBytes;
    this.limitOfOwner = limitBytesOfOwner;
  }

  /** Bytes taken now. */
  get bytes(): number {
    return this.taken;
  }

  /** Opens the room of a body, empty. The owner is who may take a share: a tenant, or where strangers come from. */
  enter(owner: string): BodyRoom {
    let held = 0;
    return {
      grow: (bytes) => {
        this.requireRoom(owner, bytes);
        this.take(owner, bytes);
        held += bytes;
      },
      leave: () => {
        if (held > 0) this.take(owner, -held);
        held = 0;
      },
    };
  }

  private take(owner: string, bytes: number): void {
    this.taken += bytes;
    const ofOwner = (this.ofOwners.get(owner) ?? 0) + bytes;
    if (ofOwner > 0) this.ofOwners.set(owner, ofOwner);
    else this.ofOwners.delete(owner);
  }

  private requireRoom(owner: string, bytes: number): void {
    const { limit, limitOfOwner } = this;
    if ((this.ofOwners.get(owner) ?? 0) + bytes > limitOfOwner) throw busy('tenant_bodies', limitOfOwner);
    if (this.taken + bytes > limit) throw busy('bodies', limit);
  }
}

function busy(reason: 'tenant_bodies' | 'bodies', limitBytes: number): StrataError {
  const whose = reason === 'bodies' ? '' : ' of the tenant';
  return new StrataError(
    'SERVER_BUSY',
    `too many bytes of requests${whose} are being worked on; nothing was written. Try again.`,
    { details: { reason, limit_bytes: limitBytes } },
  );
}
