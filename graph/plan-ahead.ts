import { planCapture } from './capture.ts';
import type { Writer } from './driver.ts';
import { StageStore } from './stage.ts';

/**
 * Has the server plan the statements of the write path before they are needed: on a cold server that takes seconds, which
 * the first caller would wait. They are run on nothing and change nothing. Errors are the driver's own.
 */
export async function planAhead(writer: Writer): Promise<void> {
  await planCapture(writer);
  await new StageStore(writer, '').plan();
}
