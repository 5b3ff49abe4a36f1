import type { DerivationReader } from '../../graph/derivation.ts';
import type { FrameRange, LifecycleReader, StoredFrame } from '../../graph/lifecycle.ts';
import type { HeadSettler } from '../../graph/shard.ts';
import {
  lifecycleId,
  lifecycleListQuery,
  lifecycleSequence,
  type LifecycleItem,
  type LifecyclePage,
  type MemoryEventTrace,
} from '../../schemas/lifecycle.ts';
import { scopeFault } from '../../schemas/scope.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { MAX_SCANNED_ROWS } from '../limits.ts';
import type { AccessService, Call } from './access.ts';
import { stagesCompleted } from './experience-status.ts';
import { parseQuery } from './query-input.ts';

/** What the service needs. */
export interface LifecycleParts {
  readonly access: AccessService;
  readonly frames: LifecycleReader;
  readonly derivation: DerivationReader;
  readonly settler: HeadSettler;
  readonly clock: Clock;
}

type Filter = (frame: StoredFrame) => boolean;

/** Tells what happened to events. */
export class LifecycleService {
  private readonly parts: LifecycleParts;

  constructor(parts: LifecycleParts) {
    this.parts = parts;
  }

  /** A page of frames, oldest first, from `offset` or after `since_lifecycle_id`. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<LifecyclePage> {
    const parsed = parseQuery(lifecycleListQuery, query);
    const { filter, scope } = filterOf(parsed);
    this.parts.access.authorize(call, 'lifecycle.subscribe', scope);
    const head = await this.parts.settler.frames(this.parts.clock.now());
    const since = parsed.since_lifecycle_id === undefined ? 0 : sequenceOf(parsed.since_lifecycle_id, head);
    const start = Math.max(Number(parsed.offset ?? 0), since);
    const exact =
      scope !== null && parsed.scope === scope ? scopeRef(call.principal.tenant, scope) : undefined;
    const range = {
      tenant: call.principal.tenant,
      event_id: parsed.event_id,
      batch_id: parsed.batch_id,
      scope_ref: exact,
    };
    return this.page(call, { range, start, head, limit: parsed.limit, filter });
  }

  /** The stages and frames of one event. Throws `NOT_FOUND`. */
  async memoryEvent(call: Call, id: string): Promise<MemoryEventTrace> {
    const tenant = call.principal.crossTenantById ? null : call.principal.tenant;
    const [progress] = await this.parts.derivation.progress([id], tenant);
    if (!progress || !this.parts.access.decide(call, 'scope.read', progress.scope).allowed) {
      throw new StrataError('NOT_FOUND', 'event not found');
    }
    const frames = await this.parts.frames.ofEvent(id, tenant);
    return {
      event_id: id,
      stages_completed: stagesCompleted(progress),
      lifecycle_event_ids: frames.map(({ sequence }) => lifecycleId(sequence)),
      derived: {},
    };
  }

  private async page(
    call: Call,
    walk: { range: FrameRange; start: number; head: number; limit: number; filter: Filter },
  ): Promise<LifecyclePage> {
    const items: LifecycleItem[] = [];
    let position = walk.start;
    let scanned = 0;
    for (;;) {
      const size = Math.min(1_000, Math.max(walk.limit + 1, 200));
      const frames = await this.parts.frames.scan(walk.range, position + 1, walk.head, size);
      for (const frame of frames) {
        const matches =
          walk.filter(frame) && this.parts.access.decide(call, 'scope.read', frame.scope).allowed;
        if (matches && items.length === walk.limit) return { items, next_offset: position, has_more: true };
        if (matches) items.push(toItem(frame));
        position = frame.sequence;
        scanned += 1;
      }
      if (frames.length < size)
        return { items, next_offset: Math.max(walk.head, walk.start), has_more: false };
      if (scanned >= MAX_SCANNED_ROWS) return { items, next_offset: position, has_more: true };
    }
  }
}

/** The wire form of a stored frame. */
export function toItem(frame: StoredFrame): LifecycleItem {
  const captured =
    frame.type === 'captured'
      ? {
          wal_offset: frame.wal_offset,
          actor: frame.actor,
          modality: frame.modality,
          ts: toRfc3339(frame.ts),
        }
      : {};
  const extra = frame.data === null ? {} : (JSON.parse(frame.data) as Record<string, unknown>);
  return {
    lifecycle_id: lifecycleId(frame.sequence),
    ts: toRfc3339(frame.ts),
    scope: frame.scope,
    event: frame.type,
    data: {
      ...(frame.event_id === null ? {} : { event_id: frame.event_id }),
      ...captured,
      ...(frame.batch_id === null ? {} : { batch_id: frame.batch_id }),
      ...extra,
    },
  };
}

function sequenceOf(id: string, head: number): number {
  const sequence = lifecycleSequence(id);
  if (sequence !== null && sequence <= head) return sequence;
  const reason = sequence === null ? 'is not a lifecycle id' : 'lies in the future';
  throw new StrataError('INVALID_QUERY', `since_lifecycle_id: ${reason}`, {
    details: { field_path: 'since_lifecycle_id', reason },
  });
}

function filterOf(query: ReturnType<typeof parseQuery<typeof lifecycleListQuery>>): {
  filter: Filter;
  scope: string | null;
} {
  const subtree = query.scope?.endsWith('/*') ?? false;
  const scope = query.scope === undefined ? null : subtree ? query.scope.slice(0, -2) : query.scope;
  const fault = scope === null ? null : scopeFault(scope);
  if (fault !== null)
    throw new StrataError('INVALID_QUERY', `scope: ${fault}`, {
      details: { field_path: 'scope', reason: fault },
    });
  const names = query.events === undefined ? null : new Set(query.events);
  const filter: Filter = (frame) =>
    (scope === null || frame.scope === scope || (subtree && frame.scope.startsWith(`${scope}/`))) &&
    (names?.has(frame.type) ?? true) &&
    (query.event_id === undefined || frame.event_id === query.event_id) &&
    (query.batch_id === undefined || frame.batch_id === query.batch_id) &&
    (query.job_id === undefined || frame.job_id === query.job_id) &&
    (query.actor === undefined || frame.actor === query.actor);
  return { filter, scope };
}
