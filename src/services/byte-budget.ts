import { StrataError } from '../errors.ts';
import { BODY_CROWDED_BYTES_A_SECOND, SMALL_BODIES_BYTES, SMALL_BODY_BYTES } from '../limits/bodies.ts';
import type { ReadingRoom } from './reading-room.ts';
import { RecentBytes } from './recent-bytes.ts';

/** Where others want its room, a body that is still coming is looked at after so long, milliseconds. */
export const BODY_CROWDED_PACE_MS = 1000;

/** What the bodies of one caller, or of many together, may take. */
export interface Share {
  /** Whose it is; bodies that name it alike take of it together. */
  readonly key: string;
  readonly limitBytes: number;
  /** What a refusal says in `details.reason`. */
  readonly reason: string;
  /** Whether it is of many callers, so that small bodies have some room of their own beyond it. */
  readonly common: boolean;
}

/** The room of one body. */
export interface ByteRoom extends ReadingRoom {
  /** Gives all of it back. */
  leave(): void;
}

interface Holder {
  readonly shares: readonly Share[];
  /** What came over the wire. */
  readonly came: RecentBytes;
  held: number;
  lost: StrataError | null;
  end: (refusal: StrataError) => void;
}

/** Options of {@link ByteBudget}. */
export interface ByteBudgetOptions {
  /** A clock of milliseconds that never goes back. */
  readonly now?: () => number;
  /** What is to be said beside: what there is too much of. */
  readonly what: string;
}

/**
 * Bounds the bytes that this process holds of what it is sent, and those of every share among them. Room is taken as bytes come,
 * since whoever announces many and sends none takes no memory. Where there is none, what still comes and comes slowly is given up
 * first, the slowest of those who have a part in the share that is full; only then is it refused.
 */
export class ByteBudget {
  private taken = 0;
  private readonly ofShares = new Map<string, number>();
  /** What is still on its way. */
  private readonly coming = new Set<Holder>();
  private readonly now: () => number;
  private readonly what: string;

  constructor({ now = () => performance.now(), what }: ByteBudgetOptions) {
    this.now = now;
    this.what = what;
  }

  /** Bytes taken now. */
  get bytes(): number {
    return this.taken;
  }

  /** Opens a room, empty, that takes of these shares. */
  enter(shares: readonly Share[]): ByteRoom {
    const holder = this.holderOf(shares);
    let arrived = false;
    return {
      grow: (bytes) => {
        if (holder.lost !== null) throw holder.lost;
        this.makeRoom(holder, bytes);
        if (!arrived) this.coming.add(holder);
        this.take(holder, bytes);
      },
      shrink: (bytes) => {
        this.take(holder, -Math.min(bytes, holder.held));
      },
      came: (bytes) => {
        holder.came.add(bytes, this.now());
      },
      whenLost: (end) => {
        holder.end = end;
      },
      arrived: () => {
        arrived = true;
        this.coming.delete(holder);
      },
      leave: () => {
        arrived = true;
        this.coming.delete(holder);
        this.take(holder, -holder.held);
      },
    };
  }

  /** Throws `SERVER_BUSY` when so many bytes would not fit into a share beside what it holds; takes none, and from nobody. */
  requireRoom(share: Share, bytes: number): void {
    if (this.takenOf(share) + bytes > share.limitBytes) throw this.busy(share);
  }

  private holderOf(shares: readonly Share[]): Holder {
    return { shares, came: new RecentBytes(this.now()), held: 0, lost: null, end: noted };
  }

  private makeRoom(holder: Holder, bytes: number): void {
    const isSmall = holder.held + bytes <= SMALL_BODY_BYTES;
    for (;;) {
      const full = holder.shares.find((share) => {
        const beyond = isSmall && share.common ? SMALL_BODIES_BYTES : 0;
        return this.takenOf(share) + bytes > share.limitBytes + beyond;
      });
      if (full === undefined) return;
      const slowest = this.slowestOf(full, holder);
      if (slowest === null) throw this.busy(full);
      this.giveUp(slowest);
    }
  }

  private slowestOf(full: Share, wanting: Holder): Holder | null {
    const now = this.now();
    let slowest: Holder | null = null;
    let least = BODY_CROWDED_BYTES_A_SECOND;
    for (const holder of this.coming) {
      if (holder === wanting || holder.came.ageMs(now) < BODY_CROWDED_PACE_MS) continue;
      const bytesASecond = holder.came.bytesASecond(now);
      if (bytesASecond >= least || !holder.shares.some(({ key }) => key === full.key)) continue;
      slowest = holder;
      least = bytesASecond;
    }
    return slowest;
  }

  private giveUp(holder: Holder): void {
    this.coming.delete(holder);
    this.take(holder, -holder.held);
    holder.lost = new StrataError(
      'REQUEST_TIMEOUT',
      'the body came so slowly that others were given its room; nothing was written. Send it again.',
      { details: { reason: 'pace', least_bytes_per_second: BODY_CROWDED_BYTES_A_SECOND } },
    );
    holder.end(holder.lost);
  }

  private takenOf({ key }: Share): number {
    return this.ofShares.get(key) ?? 0;
  }

  private take(holder: Holder, bytes: number): void {
    holder.held += bytes;
    this.taken += bytes;
    for (const { key } of holder.shares) {
      const ofShare = (this.ofShares.get(key) ?? 0) + bytes;
      if (ofShare > 0) this.ofShares.set(key, ofShare);
      else this.ofShares.delete(key);
    }
  }

  private busy({ reason, limitBytes }: Share): StrataError {
    return new StrataError(
      'SERVER_BUSY',
      `too many bytes of ${this.what} are being worked on (${reason}); nothing was written. Try again.`,
      { details: { reason, limit_bytes: limitBytes } },
    );
  }
}

const noted = (): undefined => undefined;
