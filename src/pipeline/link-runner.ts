import type { Transaction, Writer } from '../../graph/driver.ts';
import { failureOf, isAway } from '../../graph/errors.ts';
import { entityKey, linksWithin } from '../../graph/entity-link.ts';
import { LinkApplication, pendingLinks, type PendingLink } from '../../graph/entity-link-apply.ts';
import type { EventReader } from '../../graph/event.ts';
import { parkWithin } from '../../graph/rebuild.ts';
import type { RebuildReader } from '../../graph/rebuild-read.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import type { Clock } from '../clock.ts';
import { EntityLinks } from '../derive/entity-links.ts';
import { errorText } from '../errors.ts';
import { STAGE_TRIES } from '../limits.ts';
import type { Log } from '../log.ts';
import type { ClaimRebuilds } from './claim-rebuilds.ts';
import type { Consolidator } from './consolidator.ts';
import { LongClaim } from './long-claim.ts';
import type { EventWithEnvelope } from './stated-events.ts';

/** What applies links. */
export interface LinkRunnerParts {
  readonly writer: Writer;
  /** Id of the worker that holds the leases. */
  readonly worker: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly consolidator: Pick<Consolidator, 'consolidate'>;
  readonly reader: Pick<RebuildReader, 'named'>;
  readonly events: Pick<EventReader, 'envelopes'>;
  /** Has the scope rebuilt where a claim of it is too long to be told anew. */
  readonly rebuilds: Pick<ClaimRebuilds, 'leave'>;
  /** Events in one transaction at most. */
  readonly batchEvents: number;
  /** Bytes of envelopes in one transaction at most; one larger event goes alone. */
  readonly batchBytes: number;
}

/** An entry that is to be applied, and the shard that it lies in. */
export interface DueLink {
  readonly id: string;
  readonly scope_ref: string;
  readonly shard: LeasedShard;
}

/** How much is tried at a time, and how often that failed. */
interface Tries {
  readonly batch: number;
  readonly failures: number;
}

/**
 * Applies links, and that they were taken back, to what was derived before they stood in the log: the events that name a linked entity
 * are derived again where they are. Each transaction says how far it is, so that whoever holds the shard next goes on there.
 */
export class LinkRunner {
  private readonly parts: LinkRunnerParts;
  private readonly tries = new Map<string, Tries>();

  constructor(parts: LinkRunnerParts) {
    this.parts = parts;
  }

  /** The first entry of each of the shards that has one to be applied; all are held by the worker. */
  async due(shards: readonly LeasedShard[]): Promise<DueLink[]> {
    if (shards.length === 0) return [];
    const held = new Map(shards.map((shard) => [shard.number, shard]));
    const found = await pendingLinks(this.parts.writer, [...held.keys()]);
    return found.flatMap(({ id, scope_ref, shard: number }) => {
      const shard = held.get(number);
      return shard === undefined ? [] : [{ id, scope_ref, shard }];
    });
  }

  /**
   * Applies a part of an entry; `false` when nothing of it can be done now. While the database is away it throws; where its answer was
   * overdue, less is tried at a time from then on, since it may have been too much for the time that it has.
   */
  async part(due: DueLink): Promise<boolean> {
    const tries = this.tries.get(due.id) ?? { batch: this.parts.batchEvents, failures: 0 };
    try {
      const done = await this.parts.writer.transaction((transaction) =>
        this.advance(transaction, due, tries),
      );
      this.tries.delete(due.id);
      return done;
    } catch (error) {
      if (error instanceof LongClaim && (await this.leave(error, due))) return true;
      const failure = failureOf(error);
      if (isAway(failure)) {
        if (failure === 'overdue' && tries.batch > 1)
          this.tries.set(due.id, { batch: Math.ceil(tries.batch / 2), failures: 0 });
        throw error;
      }
      const next =
        tries.batch > 1
          ? { batch: Math.ceil(tries.batch / 2), failures: 0 }
          : { batch: 1, failures: tries.failures + 1 };
      this.tries.set(due.id, next);
      this.parts.log.warn('a link is applied later', { link_id: due.id, error: errorText(error) });
      return true;
    }
  }

  /** Leaves the scope to a rebuild, which goes by the links that it finds: so nothing of the entry is left to be applied. False where that cannot be now. */
  private async leave({ place }: LongClaim, { id, scope_ref, shard }: DueLink): Promise<boolean> {
    if (place.scope_ref !== scope_ref) return false;
    if (!(await this.parts.rebuilds.leave(place, new Map([[shard.number, shard]])))) return false;
    await this.parts.writer.transaction((transaction) => new LinkApplication(transaction).leave(id));
    return true;
  }

  /** One transaction; an event that fails alone as often as a stage would try it is left to whoever sends it again. */
  private async advance(
    transaction: Transaction,
    { id, shard }: DueLink,
    { batch, failures }: Tries,
  ): Promise<boolean> {
    const store = new LinkApplication(transaction);
    const { worker, clock, log, consolidator } = this.parts;
    const entry = await store.begin(shard, worker, id);
    if (entry === null) return false;
    const found = await store.eventsNaming(entry, await namesOf(transaction, entry), batch);
    const events = await this.withEnvelopes(
      entry,
      found.map(({ event_id }) => event_id),
    );
    const through = events.at(-1)?.wal_offset ?? found.at(-1)?.position ?? entry.cursor;
    if (failures >= STAGE_TRIES) {
      for (const { event_id } of events) {
        log.error('a link gave an event up', { link_id: id, event_id });
        const reason = `consolidated failed ${STAGE_TRIES} times when a link was applied`;
        await parkWithin(transaction, event_id, { reason, attempts: STAGE_TRIES, now: clock.now() });
      }
    } else if (events.length > 0) {
      await consolidator.consolidate(transaction, {
        events,
        shards: [shard.number],
        now: clock.now(),
        mode: 'repeated',
        toldThrough: Number.MAX_SAFE_INTEGER,
      });
    }
    await store.advance(id, through, found.length < batch && through === (found.at(-1)?.position ?? through));
    return true;
  }

  /** The longest head of events whose envelopes fit into one transaction. */
  private async withEnvelopes(
    { scope_ref }: PendingLink,
    ids: readonly string[],
  ): Promise<EventWithEnvelope[]> {
    if (ids.length === 0) return [];
    const { reader, events, batchBytes } = this.parts;
    const found = (await reader.named(scope_ref, ids)).sort((a, b) => a.wal_offset - b.wal_offset);
    let bytes = 0;
    const end = found.findIndex((event, i) => (bytes += event.bytes) > batchBytes && i > 0);
    const head = end < 0 ? found : found.slice(0, end);
    const envelopes = await events.envelopes(head.map(({ event_id }) => event_id));
    return head.map((event) => ({ ...event, envelope: envelopes.get(event.event_id) ?? '{}' }));
  }
}

/** The entities whose events an entry may change: those that ever went by the one that it is about; and all that hang together with it. */
async function namesOf(
  transaction: Transaction,
  { scope_ref, entity }: PendingLink,
): Promise<{ entities: string[]; group: string[] }> {
  const links = await linksWithin(transaction, [entityKey(scope_ref, entity)]);
  const group = new Set(links.flatMap((link) => [link.entity, link.same_as]));
  return { entities: new EntityLinks(links).leadingTo(scope_ref, entity), group: [...group].sort() };
}
