import type { DerivationReader, EventProgress } from '../../graph/derivation.ts';
import { statusQuery, type ExperienceStatus } from '../../schemas/event.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { scopeRef } from '../capture/scope-key.ts';
import { StrataError } from '../errors.ts';
import type { Call } from './access.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import { MAX_KEY_HOLDERS } from '../limits.ts';

/** The stages beyond `captured` that an event has passed; a stage that holds it does not count. */
export function stagesCompleted(progress: EventProgress): string[] {
  const heldAt = new Set(progress.holds.map(({ stage }) => stage));
  const passed = (stage: 'extracted' | 'indexed' | 'consolidated'): boolean =>
    progress[stage] && !heldAt.has(stage);
  return [
    'captured',
    // What no model is asked about passes the stage over, except triples, which need none.
    ...(passed('extracted') && (progress.content_kind === 'triple' || progress.answered)
      ? ['extracted']
      : []),
    ...(passed('indexed') ? ['indexed'] : []),
    ...(passed('consolidated') && heldAt.size === 0 ? ['consolidated'] : []),
  ];
}

/** An id that no event has: a key that nothing holds is looked for like one of a hidden event. */
const NO_EVENT = 'none';

/** Answers where an event stands. */
export class ExperienceStatusReading {
  private readonly gate: RecordGate;
  private readonly derivation: DerivationReader;

  constructor(gate: RecordGate, derivation: DerivationReader) {
    this.gate = gate;
    this.derivation = derivation;
  }

  /** Unknown and unreadable events are `found: false`. Throws `INVALID_QUERY`, `AMBIGUOUS_IDEMPOTENCY_KEY`. */
  async status(call: Call, query: unknown): Promise<ExperienceStatus> {
    const { idempotency_key: key, event_id: id, scope } = parseQuery(statusQuery, query);
    const asked = id ?? (key === undefined ? null : await this.byKey(call, key, scope));
    if (id === undefined && key === undefined) {
      throw new StrataError(
        'INVALID_QUERY',
        'missing required query parameter: idempotency_key or event_id',
        { plainText: true },
      );
    }
    const tenant = call.principal.crossTenantById && id !== undefined ? null : call.principal.tenant;
    const question = { kind: 'event', ids: [asked ?? NO_EVENT], tenant } as const;
    const [progress] = await this.gate.read(call, question, (ids) => this.derivation.progress(ids, tenant));
    const elsewhere = scope !== undefined && progress?.scope !== scope;
    if (!progress || elsewhere) {
      return { found: false, note: 'No such event. Sending it is safe.' };
    }
    return found(progress);
  }

  private async byKey(call: Call, key: string, scope: string | undefined): Promise<string | null> {
    const { tenant } = call.principal;
    if (scope !== undefined) return this.derivation.keyInScope(scopeRef(tenant, scope), key);
    const holders = await this.derivation.keyInTenant(tenant, key, MAX_KEY_HOLDERS);
    const ids = holders.length === 0 ? [NO_EVENT] : holders.map(({ event_id }) => event_id);
    const places = await this.gate.admitted(call, { kind: 'event', ids, tenant });
    const readable = new Map([...places].map(([id, place]) => [id, place.scope]));
    const visible = holders.filter(({ event_id }) => readable.has(event_id));
    const live = visible.filter(({ held }) => held);
    if (live.length > 1) {
      throw new StrataError(
        'AMBIGUOUS_IDEMPOTENCY_KEY',
        'The key is held in several scopes; name one with scope.',
        {
          details: {
            field_path: 'idempotency_key',
            scopes: live.map(({ event_id }) => readable.get(event_id)),
          },
        },
      );
    }
    return live[0]?.event_id ?? visible[0]?.event_id ?? null;
  }
}

function found(progress: EventProgress): ExperienceStatus {
  const stages = stagesCompleted(progress);
  const failed = progress.holds.find(({ state }) => state === 'failed');
  const failure = excluded(progress) ?? (failed ? failed.reason : null);
  const last = stages.at(-1);
  return {
    found: true,
    event_id: progress.event_id,
    scope: progress.scope,
    ...(progress.idempotency_key === null ? {} : { idempotency_key: progress.idempotency_key }),
    status: failure !== null ? 'failed' : stages.includes('indexed') ? 'indexed' : 'captured',
    stage: progress.holds.some(({ state }) => state !== 'deferred')
      ? 'held'
      : ((last ?? 'captured') as 'captured' | 'extracted' | 'indexed' | 'consolidated'),
    stages_completed: stages,
    wal_offset: progress.wal_offset,
    recorded_at: toRfc3339(progress.recorded_at),
    note: noteOf(progress, failure),
    ...(failure === null ? {} : { failure_reason: failure }),
    lifecycle_stream: `/v1/lifecycle/stream?event_id=${progress.event_id}`,
  };
}

function noteOf(progress: EventProgress, failure: string | null): string {
  if (progress.replaced_by !== null) return `Its key is held by ${progress.replaced_by} now.`;
  if (failure !== null) return 'Sending it again with the same key is safe.';
  return progress.holds.some(({ state }) => state === 'deferred')
    ? 'The event is durable; the policy of its scope says that it is consolidated later.'
    : 'The event is durable.';
}

function excluded(progress: EventProgress): string | null {
  if (progress.cancelled) return 'cancelled: excluded from every reading, still in the log';
  if (progress.replaced_by !== null)
    return `replaced by ${progress.replaced_by}: excluded from every reading, still in the log`;
  return null;
}
