import type { Integer } from 'neo4j-driver';

import type { Reader, Transaction } from './driver.ts';
import { PENDING_EVENT, type PendingEvent } from './pending-event.ts';
import { int, statement } from './statement.ts';
import { TAKEN_OUT } from './visible.ts';

/** A scope that is being rebuilt. */
export interface RebuiltScope {
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly shard: number;
}

const nextScope = statement<
  { of_tenant: string | null; tenant: string; scope: string },
  { tenant: string; scope: string; scope_ref: string }
>(
  'rebuild.next_scope',
  'index scope_path, walked in order (one row each)',
  `CALL () {
     MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant = $tenant AND s.path > $scope
     WITH s ORDER BY s.tenant, s.path LIMIT 1
     RETURN s
     UNION ALL
     MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant > $tenant AND s.path >= '' AND $of_tenant IS NULL
     WITH s ORDER BY s.tenant, s.path LIMIT 1
     RETURN s
   }
   RETURN s.tenant AS tenant, s.path AS scope, s.ref AS scope_ref LIMIT 1`,
);

const countScopes = statement<{ of_tenant: string | null }, { scopes: number }>(
  'rebuild.count_scopes',
  'index scope_path',
  `CALL () {
     MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant = $of_tenant AND s.path >= '' RETURN count(s) AS scopes
     UNION ALL
     MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE $of_tenant IS NULL AND s.tenant >= '' AND s.path >= '' RETURN count(s) AS scopes
   }
   RETURN sum(scopes) AS scopes`,
);

const countEvents = statement<{ ref: string }, { events: number }>(
  'rebuild.count_events',
  'index event_scope',
  `MATCH (e:Event) WHERE e.scope_ref = $ref AND e.wal_offset > 0 RETURN count(e) AS events`,
);

const events = statement<{ ref: string; after: Integer; to: Integer; limit: Integer }, PendingEvent>(
  'rebuild.events',
  'index event_scope, walked in order',
  `MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > $after AND e.wal_offset <= $to
   WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $limit
   RETURN ${PENDING_EVENT}, null AS retry_id`,
);

const named = statement<{ ids: readonly string[]; ref: string }, PendingEvent>(
  'rebuild.named_events',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.scope_ref = $ref
   RETURN ${PENDING_EVENT}, null AS retry_id`,
);

const eligible = statement<
  { ids: readonly string[]; ref: string; shard: Integer },
  { id: string; wal_offset: number }
>(
  'rebuild.eligible',
  'constraints event_id, shard_number',
  `MATCH (s:Shard {number: $shard})
   UNWIND $ids AS id
   MATCH (e:Event {id: id})
   WHERE e.scope_ref = $ref AND e.wal_offset <= s.consolidated AND NOT ${TAKEN_OUT}
   RETURN e.id AS id, e.wal_offset AS wal_offset`,
);

const countFacts = statement<{ ref: string }, { facts: number }>(
  'rebuild.count_facts',
  'index fact_scope',
  `MATCH (f:Fact) WHERE f.scope_ref = $ref AND f.life_class >= 0 AND f.position > 0 RETURN count(f) AS facts`,
);

/** Reads what a rebuild goes on with, outside of its transactions. */
export class RebuildReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** The scope that comes behind another one, of a tenant or of all; null behind the last. */
  async nextScope(
    of_tenant: string | null,
    { tenant, scope }: Pick<RebuiltScope, 'tenant' | 'scope'>,
  ): Promise<Omit<RebuiltScope, 'shard'> | null> {
    return (await this.reader.read(nextScope, { of_tenant, tenant, scope }))[0] ?? null;
  }

  /** How many scopes a tenant has, or all. */
  async scopes(of_tenant: string | null): Promise<number> {
    return (await this.reader.read(countScopes, { of_tenant }))[0]?.scopes ?? 0;
  }

  /** How many events a scope has. */
  async events(ref: string): Promise<number> {
    return (await this.reader.read(countEvents, { ref }))[0]?.events ?? 0;
  }

  /** The next events of a scope between two offsets (the first exclusive), in the order of the log. */
  next(ref: string, after: number, to: number, limit: number): Promise<PendingEvent[]> {
    return this.reader.read(events, { ref, after: int(after), to: int(to), limit: int(limit) });
  }

  /** Those of the events that are in the scope, were consolidated and not taken out, in the order of the log. */
  async eligible(
    { scope_ref, shard }: Pick<RebuiltScope, 'scope_ref' | 'shard'>,
    ids: readonly string[],
  ): Promise<string[]> {
    const found = await this.reader.read(eligible, { ref: scope_ref, shard: int(shard), ids });
    return found.sort((a, b) => a.wal_offset - b.wal_offset).map(({ id }) => id);
  }

  /** How many facts a scope has. */
  async facts(ref: string): Promise<number> {
    return (await this.reader.read(countFacts, { ref }))[0]?.facts ?? 0;
  }

  /** Those of the events that are in the scope, in the order of their ids. */
  named(ref: string, ids: readonly string[]): Promise<PendingEvent[]> {
    return this.reader.read(named, { ref, ids });
  }
}

/** As {@link RebuildReader.next}, within a transaction that holds the shard of the scope. */
export function nextWithin(
  transaction: Transaction,
  ref: string,
  { after, to, limit }: { readonly after: number; readonly to: number; readonly limit: number },
): Promise<PendingEvent[]> {
  return transaction.run(events, { ref, after: int(after), to: int(to), limit: int(limit) });
}

/** Has the server plan the statement that each batch begins with by running it on nothing. */
export async function planRebuildReads(reader: Reader): Promise<void> {
  await reader.read(events, { ref: '', after: int(0), to: int(0), limit: int(0) });
}
