import type { Driver } from 'neo4j-driver';

import { JobStore, type StoredJob } from '../../graph/job.ts';
import type { Database } from '../../graph/driver.ts';
import { systemIds } from '../../src/ids.ts';
import { query } from './database.ts';
import { DERIVING_PATIENCE_MS } from './patience.ts';
import { eventually } from './wait.ts';

/** Resolves when everything is consolidated, nothing is queued again, every link is applied, and no job or synthesis is left. */
export async function allDerived(driver: Driver): Promise<void> {
  await eventually(
    'everything that does not wait is consolidated',
    async () => {
      const [state] = await query<{ done: boolean }>(
        driver,
        `RETURN NOT EXISTS { MATCH (h:StageRetry) WHERE h.state = 'queued' } AND NOT EXISTS { MATCH (j:Job) WHERE j.state <> 'completed' }
           AND NOT EXISTS { MATCH (y:Synthesis) WHERE y.pending_shard IS NOT NULL }
           AND NOT EXISTS { MATCH (l:LinkEntry) WHERE l.pending_shard IS NOT NULL }
           AND NOT EXISTS { MATCH (d:Deferral) MATCH (wal:Counter {name: 'wal'}) WHERE d.open_shard IS NOT NULL OR d.checked < wal.policy_entries }
           AND NOT EXISTS { MATCH (e:Event) MATCH (s:Shard {number: e.shard}) WHERE s.consolidated < e.wal_offset } AS done`,
      );
      return state?.done;
    },
    DERIVING_PATIENCE_MS,
  );
}

/** Asks for a rebuild of a scope of the default tenant, or (null) of everything. */
export function askForRebuild(database: Database, scope: string | null): Promise<StoredJob> {
  const id = systemIds.job();
  const target = { of_tenant: scope === null ? null : 'default', scope, event_ids: null };
  const by = { tenant: 'default', actor: 'user:local', requested_at: Date.now() };
  return new JobStore(database).ask({ id, active: id, ...by, ...target });
}
