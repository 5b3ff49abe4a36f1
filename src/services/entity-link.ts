import {
  entityKey,
  type EntityLinkReader,
  type EntityLinkStore,
  type StoredLink,
} from '../../graph/entity/link.ts';
import { linkEntitiesBody, type EntityLinkRecord } from '../../schemas/entity.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { scopeRef, shardOf } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit } from '../commit/change-audit.ts';
import { toEntityLink } from '../derive/entity-item.ts';
import {
  EntityLinks,
  isMoveTooLong,
  linkDecision,
  type EntityLink,
  type LinkFault,
} from '../derive/entity-links.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { MAX_CONCLUDED_STATEMENTS, WAIT_RETRY_POLL_MS } from '../limits.ts';
import { timeLimit } from '../time-limit.ts';
import { parseInput } from '../validation.ts';
import { Wakeup } from '../wakeup.ts';
import type { AccessService, Call } from './access.ts';
import type { RecordGate } from './record-gate.ts';

/** What linking needs. */
export interface EntityLinkingParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly reader: EntityLinkReader;
  readonly store: EntityLinkStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly changes: ChangeAudit;
  /** Milliseconds that an answer waits for what was derived at most. */
  readonly waitBudgetMs: number;
  /** Told once an entry stands in the log. */
  readonly onLinked: () => void;
}

/** Has entities go by others, and takes that back. */
export class EntityLinking {
  private readonly parts: EntityLinkingParts;

  constructor(parts: EntityLinkingParts) {
    this.parts = parts;
  }

  /**
   * Enters a link into the log, and waits until what was derived goes by it. Throws `INVALID_BODY`, `POLICY_DENIED`, `NOT_A_MEMBER`,
   * `LINK_CONFLICT`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`, and `NOT_FOUND` for a scope into which nobody has written.
   */
  async link(call: Call, body: unknown): Promise<EntityLinkRecord> {
    const { scope, entity, same_as } = parseInput(linkEntitiesBody, body, 'INVALID_BODY');
    if (entity === same_as) throw refused('itself');
    const { access, store, ids, clock, changes } = this.parts;
    await access.authorize(call, 'scope.write', scope);
    const { tenant, actor } = call.principal;
    const scope_ref = scopeRef(tenant, scope);
    const link = { tenant, scope, scope_ref, shard: shardOf(scope_ref), entity, same_as, actor };
    if (await this.isTooMuch(link)) throw refused('long');
    const row = changes.of(call);
    const { outcome, newestAudit } = await store.link(
      { ...link, id: ids.link() },
      (links) => linkDecision(links, link),
      { now: clock.now(), rows: row.batches() },
    );
    row.committed(newestAudit);
    if (outcome === null) throw new StrataError('NOT_FOUND', 'scope not found');
    if (outcome === 'deleting')
      throw new StrataError('DESTRUCTIVE_OPERATION_IN_PROGRESS', 'the scope is being deleted');
    if (typeof outcome === 'string') throw refused(outcome);
    return this.applied(outcome, outcome.id, call.signal);
  }

  /** Takes a link back, and waits until what was derived goes without it. Throws `NOT_FOUND`, `POLICY_DENIED`, `NOT_A_MEMBER`. */
  async unlink(call: Call, id: string): Promise<EntityLinkRecord> {
    const { access, gate, store, ids, clock, changes } = this.parts;
    const { tenant, actor } = call.principal;
    // Only reads by id look into every tenant; a write stays in the caller's own.
    const place = (await gate.admitted(call, { kind: 'link', ids: [id], tenant })).get(id);
    if (place === undefined) throw linkNotFound();
    await access.authorize(call, 'scope.write', place.scope);
    const row = changes.of(call);
    const { outcome, newestAudit } = await store.unlink(
      { id, ref: scopeRef(tenant, place.scope) },
      { id: ids.entry(), actor },
      { now: clock.now(), rows: row.batches() },
    );
    row.committed(newestAudit);
    if (outcome === null) throw linkNotFound();
    return this.applied(outcome, outcome.ended?.id ?? outcome.id, call.signal);
  }

  /** Whether a link that may be entered would bring more together in one claim than is told at once. */
  private async isTooMuch(link: Pick<EntityLink, 'scope_ref' | 'entity' | 'same_as'>): Promise<boolean> {
    const { reader } = this.parts;
    const { scope_ref, entity, same_as } = link;
    const links = await reader.ofKeys([entity, same_as].map((id) => entityKey(scope_ref, id)));
    if (linkDecision(links, link) !== null) return false;
    const group = new Set([entity, same_as, ...links.flatMap((one) => [one.entity, one.same_as])]);
    const most = MAX_CONCLUDED_STATEMENTS;
    const lengths = await reader.claimLengths(scope_ref, [...group], most + 1);
    return isMoveTooLong(new Set(new EntityLinks(links).leadingTo(scope_ref, entity)), lengths, most);
  }

  /** Waits, within bounds, until an entry is applied; it goes on without anybody who waits. */
  private async applied(link: StoredLink, entry: string, signal: AbortSignal): Promise<EntityLinkRecord> {
    const { reader, onLinked, waitBudgetMs } = this.parts;
    onLinked();
    const limit = timeLimit(waitBudgetMs, signal);
    try {
      for (;;) {
        const isApplied = await reader.isApplied(entry);
        if (isApplied || limit.signal.aborted) return toRecord(link, isApplied);
        await new Wakeup().wait(WAIT_RETRY_POLL_MS);
      }
    } finally {
      limit.end();
    }
  }
}

function toRecord(link: StoredLink, isApplied: boolean): EntityLinkRecord {
  const { ended } = link;
  return {
    ...toEntityLink(link),
    unlinked_at: ended && toRfc3339(ended.recorded_at),
    unlinked_by: ended?.actor ?? null,
    status: isApplied ? 'applied' : 'applying',
  };
}

function refused(fault: LinkFault): StrataError {
  if (fault === 'itself') {
    const reason = 'is the entity itself';
    return new StrataError('INVALID_BODY', `same_as: ${reason}`, {
      details: { field_path: 'same_as', reason },
    });
  }
  const message = {
    linked: 'the entity goes by another one already; take that link back first',
    circle: 'same_as goes by the entity itself, over the links that hold',
    many: 'too many entities are linked with one another, or were',
    long: `a claim about the entities has more than ${MAX_CONCLUDED_STATEMENTS} statements, more than a link can bring together`,
  }[fault];
  return new StrataError('LINK_CONFLICT', message);
}

function linkNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'link not found');
}
