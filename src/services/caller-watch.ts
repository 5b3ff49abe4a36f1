import type { Principal } from '../access/principal.ts';
import type { Clock } from '../clock.ts';
import { errorText, StrataError } from '../errors.ts';
import type { Log } from '../log.ts';
import { isExpired } from '../tokens/paseto.ts';
import type { Revocations } from '../tokens/revocations.ts';

/** How often open streams and sockets are looked at for tokens that have expired, milliseconds: they end within five seconds. */
const TOKEN_WATCH_MS = 1000;

/** What the watch rests on. */
export interface CallerWatchParts {
  readonly revocations: Revocations;
  readonly clock: Clock;
  readonly log: Log;
}

interface Watched {
  readonly principal: Principal;
  readonly onEnd: (end: StrataError) => void;
}

/** Tells streams and sockets, which outlive the moment at which their caller was recognised, when its token is no longer good. */
export class CallerWatch {
  private readonly parts: CallerWatchParts;
  private readonly watched = new Set<Watched>();
  private timer: NodeJS.Timeout | null = null;

  constructor(parts: CallerWatchParts) {
    this.parts = parts;
  }

  /** What a caller would be refused with now: `TOKEN_EXPIRED`, `REVOKED_TOKEN`; null while it is good. */
  refusalOf({ jti, lineage, tenant, expires_at }: Principal): StrataError | null {
    if (jti === null) return null;
    const { revocations, clock } = this.parts;
    if (isExpired(expires_at, clock)) return new StrataError('TOKEN_EXPIRED', 'the token has expired');
    return revocations.has(tenant, { jti, lineage })
      ? new StrataError('REVOKED_TOKEN', 'the token was revoked')
      : null;
  }

  /** Calls `onEnd` once, within a second after the token of the caller has ended; until the answered function is called. */
  watch(principal: Principal, onEnd: (end: StrataError) => void): () => void {
    if (principal.jti === null) return () => undefined;
    const watched = { principal, onEnd };
    this.watched.add(watched);
    this.timer ??= setInterval(() => {
      this.look();
    }, TOKEN_WATCH_MS).unref();
    return () => {
      this.watched.delete(watched);
      this.rest();
    };
  }

  /** Looks now: something was revoked. */
  look(): void {
    for (const watched of [...this.watched]) {
      const end = this.refusalOf(watched.principal);
      if (end === null) continue;
      this.watched.delete(watched);
      try {
        watched.onEnd(end);
      } catch (error) {
        this.parts.log.error('a stream or socket did not take the end of its token', {
          error: errorText(error),
        });
      }
    }
    this.rest();
  }

  private rest(): void {
    if (this.watched.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
