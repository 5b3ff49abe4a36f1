import type { Integer } from 'neo4j-driver';

import type { Writer } from './driver.ts';
import { jobProps, type NewJob } from './job.ts';
import type { LeasedShard } from './shard.ts';
import { int, statement, type Param } from './statement.ts';

interface AskParams {
  number: Integer;
  epoch: Integer;
  worker: string;
  ref: string;
  tenant: string;
  scope: string;
  active: string;
  props: Param;
  [name: string]: Param;
}

// The job is there with the scope in it from the first, so that events of the scope are left to it from here on.
const ask = statement<AskParams, { asked: boolean }>(
  'rebuild.ask',
  'constraints shard_number, scope_ref, rebuild_scope, job_active, event_id, index retry_scope',
  `MATCH (s:Shard {number: $number})
   SET s.touched = $worker
   WITH s
   WHERE s.owner = $worker AND s.epoch = $epoch
     AND head(COLLECT { MATCH (scope:Scope {ref: $ref}) RETURN scope.deleting_through }) IS NULL
     AND NOT EXISTS { MATCH (:Rebuild {scope_ref: $ref}) }
   CREATE (j:Job {active: $active})
   SET j += $props
   CREATE (:Rebuild {scope_ref: $ref, job_id: j.id, tenant: $tenant, scope: $scope, shard: $number, phase: 'dropping', dropped: 0,
     cursor: 0, head: s.consolidated})
   WITH j
   CALL () {
     MATCH (h:StageRetry) WHERE h.scope_ref = $ref AND h.state = 'queued' AND h.stage = 'consolidated'
     MATCH (e:Event {id: h.event_id}) WHERE e.scope_ref = $ref
     DELETE h
   }
   RETURN true AS asked`,
);

/** Has scopes rebuilt of which a batch of the stage cannot be derived as it is. */
export class RebuildAsker {
  private readonly writer: Writer;
  private readonly worker: string;

  constructor(writer: Writer, worker: string) {
    this.writer = writer;
    this.worker = worker;
  }

  /**
   * Asks for the rebuild of the scope that a job names. Events of it that wait to be consolidated again wait no more: the rebuild takes
   * them in the order of the log. False where the lease of its shard is lost, its events are being erased, or it is being rebuilt.
   */
  async ask(
    shard: LeasedShard,
    place: { readonly tenant: string; readonly scope: string; readonly scope_ref: string },
    job: NewJob,
  ): Promise<boolean> {
    const { tenant, scope, scope_ref: ref } = place;
    const rows = await this.writer.write(ask, {
      number: int(shard.number),
      epoch: int(shard.epoch),
      worker: this.worker,
      ref,
      tenant,
      scope,
      active: job.active,
      props: jobProps(job),
    });
    return rows.length > 0;
  }
}
