import type { Transaction, Writer } from '../../graph/driver.ts';
import { entityKey, linksWithin } from '../../graph/entity/link.ts';
import { drawLinksWithin } from '../../graph/entity/same-as.ts';
import { LinkApplication, pendingLinks, type PendingLink } from '../../graph/entity/apply-link.ts';
import type { EventReader } from '../../graph/event.ts';
import { parkWithin } from '../../graph/rebuild.ts';
import type { RebuildReader } from '../../graph/rebuild-read.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import type { Clock } from '../clock.ts';
import { EntityLinks } from '../derive/entity-links.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ClaimRebuilds } from './claim-rebuilds.ts';
import type { Consolidator } from './consolidator.ts';
import { LongClaim } from './long-claim.ts';
import { Portions, type Portion } from './portions.ts';
import type { ReplaySize } from './replay-size.ts';
import { withEnvelopes, type EventWithEnvelope } from './stated-events.ts';
import { Suspicion } from './suspicion.ts';

/** What applies links. */
export interface LinkRunnerParts {
  readonly writer: Writer;
  /** Id of the worker that holds the leases. */
  readonly worker: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly consolidator: Pick<Consolidator, 'consolidate'>;
  /** How many of the events that are derived again go in one transaction. */
  readonly replaySize: Pick<ReplaySize, 'head'>;
  readonly reader: Pick<RebuildReader, 'named'>;
  readonly events: Pick<EventReader, 'envelopes'>;
  /** Has the scope rebuilt where a claim of it is too long to be replayed. */
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

/**
 * Applies links, and that they were taken back, to what was derived before they stood in the log: the events that name a linked entity
 * are derived again where they are. Each transaction says how far it is, so that whoever holds the shard next goes on there.
 */
export class LinkRunner {
  private readonly parts: LinkRunnerParts;
  private readonly portions: Portions;

  constructor(parts: LinkRunnerParts) {
    this.parts = parts;
    this.portions = new Portions(
      parts.batchEvents,
      'consolidated, when a link was applied,',
      new Suspicion(),
    );
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

  /** Applies a part of an entry; `false` when nothing of it can be done now. Throws what nothing of it is to blame for. */
  async part(due: DueLink): Promise<boolean> {
    const { writer, worker, log, metrics } = this.parts;
    const portion = this.portions.of(due.id);
    try {
      const done = await writer.transaction((transaction) => this.advance(transaction, due, portion));
      if (done && portion.givenUp !== null) metrics.count('strata_stage_parked_total', 'consolidated');
      if (done) this.portions.done(due.id);
      else this.portions.over(due.id);
      return done;
    } catch (error) {
      if (error instanceof LongClaim && (await this.leave(error, due))) return true;
      const probe = (): Promise<unknown> =>
        writer.transaction((transaction) =>
          new LinkApplication(transaction).begin(due.shard, worker, due.id),
        );
      if (!(await this.portions.failed(due.id, error, probe))) throw error;
      log.warn('a link is applied later', { link_id: due.id, error: errorText(error) });
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

  /** One transaction; an event that is given up is left to whoever sends it again. */
  private async advance(
    transaction: Transaction,
    { id, shard }: DueLink,
    { size, givenUp }: Portion,
  ): Promise<boolean> {
    const store = new LinkApplication(transaction);
    const { worker, clock, log, consolidator } = this.parts;
    const entry = await store.begin(shard, worker, id);
    if (entry === null) return false;
    const { links, ...names } = await namesOf(transaction, entry);
    const found = await store.eventsNaming(entry, names, size);
    const ids = found.map(({ event_id }) => event_id);
    let through = found.at(-1)?.position ?? entry.cursor;
    if (givenUp !== null) {
      for (const event_id of ids) {
        log.error('a link gave an event up', { link_id: id, event_id });
        await parkWithin(transaction, event_id, { ...givenUp, now: clock.now() });
      }
    } else {
      const events = await this.opened(entry, ids);
      through = events.at(-1)?.wal_offset ?? through;
      if (events.length > 0)
        await consolidator.consolidate(transaction, {
          events,
          shards: [shard.number],
          now: clock.now(),
          mode: 'repeated',
          replayedThrough: Number.MAX_SAFE_INTEGER,
        });
    }
    const over = found.length < size && through === (found.at(-1)?.position ?? through);
    if (over) drawLinksWithin(transaction, links);
    await store.advance(id, through, over);
    return true;
  }

  /** The longest head of events whose envelopes fit into one transaction. */
  private async opened({ scope_ref }: PendingLink, ids: readonly string[]): Promise<EventWithEnvelope[]> {
    if (ids.length === 0) return [];
    const { reader, events, replaySize, batchBytes } = this.parts;
    const found = (await reader.named(scope_ref, ids)).sort((a, b) => a.wal_offset - b.wal_offset);
    let bytes = 0;
    const end = found.findIndex((event, i) => (bytes += event.bytes) > batchBytes && i > 0);
    const head = await replaySize.head(end < 0 ? found : found.slice(0, end));
    const envelopes = await events.envelopes(head.map(({ event_id }) => event_id));
    return withEnvelopes(head, envelopes);
  }
}

/** The entities whose events an entry may change: those that ever went by the one that it is about; all that hang together with it, and by which links. */
async function namesOf(
  transaction: Transaction,
  { scope_ref, entity }: PendingLink,
): Promise<{ entities: string[]; group: string[]; links: string[] }> {
  const links = await linksWithin(transaction, [entityKey(scope_ref, entity)]);
  const group = new Set(links.flatMap((link) => [link.entity, link.same_as]));
  return {
    entities: new EntityLinks(links).leadingTo(scope_ref, entity),
    group: [...group].sort(),
    links: links.map(({ id }) => id),
  };
}
