import { PassageReader } from '../../graph/passage/write.ts';
import { boltParameters } from '../../graph/statement.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { query } from './database.ts';
import type { SharedService } from './shared-service.ts';

/** Ids of the events that hold words of a text, in a scope of this file's tenant and below it, as the full-text index finds them. */
export async function passagesFound(service: SharedService, scope: string, text: string): Promise<string[]> {
  const driver = service.driver();
  const reader = new PassageReader({
    read: (statement, params) => query(driver, statement.text, boltParameters(params)),
  });
  try {
    const found = await reader.search(scopeRef(service.tenant, scope), text, 10);
    return found.map(({ event_id: id }) => id);
  } finally {
    await driver.close();
  }
}
