import { planAudit } from './audit.ts';
import { planCapture } from './capture.ts';
import { planConsolidation } from './consolidation.ts';
import type { Writer } from './driver.ts';
import { planPassageRemoval } from './passage-removal.ts';
import { planRebuild } from './rebuild.ts';
import { StageStore } from './stage.ts';

/**
 * Has the server plan the statements of the write path before they are needed: on a cold server that takes seconds, which
 * the first caller would wait. They are run on nothing and change nothing. Once `signal` has fired no further statement is
 * sent. Errors are the driver's own.
 */
export async function planAhead(writer: Writer, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await planCapture(writer);
  const isWanted = (): boolean => !signal.aborted;
  const whileWanted: Writer = {
    read: (statement, params) => writer.read(statement, params),
    write: (statement, params, extraMs) =>
      isWanted() ? writer.write(statement, params, extraMs) : Promise.resolve([]),
    writeRepeatable: (statement, params) => writer.writeRepeatable(statement, params),
    transaction: (work, extraMs) => writer.transaction(work, extraMs),
  };
  await new StageStore(whileWanted, '').plan();
  if (isWanted()) await planPassageRemoval(writer);
  await planConsolidation(whileWanted, isWanted);
  await planAudit(whileWanted);
  if (isWanted()) await planRebuild(whileWanted);
}
