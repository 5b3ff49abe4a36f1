import type { PackStore, StoredPack } from '../../graph/pack.ts';
import { exceedsBytes } from '../../schemas/json.ts';
import type { RecallPack } from '../../schemas/recall.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import { MAX_PACK_BYTES, MAX_WAITING_PACKS, PACK_TTL_MS } from '../limits/recall.ts';
import type { Log } from '../log.ts';
import type { Call } from './access.ts';

/** What the keeping of packs needs. */
export interface RecallPacksParts {
  readonly store: PackStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Keeps what recalls brought for a minute, for every process. They are written beside the answers, those that come while some are
 * being written together with the next; this process finds its own at once.
 */
export class RecallPacks {
  private readonly parts: RecallPacksParts;
  private waiting = new Map<string, StoredPack>();
  private written: ReadonlyMap<string, StoredPack> = new Map();
  private writing: Promise<void> | null = null;

  constructor(parts: RecallPacksParts) {
    this.parts = parts;
  }

  /** Keeps a pack from now on. */
  keep({ principal }: Call, scope: string, pack: RecallPack): void {
    // A database that is slow must not fill memory: what then finds no place has to be recalled again.
    const body = JSON.stringify(pack);
    if (this.waiting.size >= MAX_WAITING_PACKS || exceedsBytes(body, MAX_PACK_BYTES)) return;
    const expires = this.parts.clock.now() + PACK_TTL_MS;
    const { tenant, actor } = principal;
    this.waiting.set(pack.pack_id, {
      id: pack.pack_id,
      tenant,
      scope,
      actor,
      expires_at: expires,
      body,
    });
    this.writing ??= this.write();
  }

  /** A pack that this caller recalled from this scope, as it was; null where there is none any more. */
  async find({ principal }: Call, id: string, scope: string): Promise<RecallPack | null> {
    const now = this.parts.clock.now();
    const { tenant, actor } = principal;
    const own = this.waiting.get(id) ?? this.written.get(id);
    const pack = own ?? (await this.parts.store.byId(id, tenant, now));
    if (pack === null || pack.expires_at <= now) return null;
    if (pack.tenant !== tenant || pack.actor !== actor || pack.scope !== scope) return null;
    return JSON.parse(pack.body) as RecallPack;
  }

  /** Resolves when nothing waits to be written. */
  async stop(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    while (this.waiting.size > 0) {
      this.written = this.waiting;
      this.waiting = new Map();
      try {
        await this.parts.store.keep([...this.written.values()], this.parts.clock.now());
      } catch (error) {
        this.parts.log.warn('packs were not kept', { packs: this.written.size, error: errorText(error) });
      }
    }
    this.written = new Map();
    this.writing = null;
  }
}
