import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig } from '../../src/config.ts';
import type { DatabaseAddress } from '../../src/context.ts';
import { startService, type RunningService } from '../../src/main.ts';
import { clientOf, message, TEST_KEY, TEST_TOKEN_KEY, type Client } from './client.ts';
import { embeddingSetting } from './embedding-setting.ts';
import { databaseSettings, testDatabase, wipe } from './database.ts';
import { eventually } from './wait.ts';
import { BUSY_MACHINE } from './patience.ts';

/** A service of a test's own, in its process. */
export interface TestService extends RunningService, Client {
  readonly url: string;
}

/** Starts a service on the throw-away database; `environment` is its whole environment beside the address of the database. */
export async function startTestService(
  environment: Record<string, string> = {},
  options: { keepData?: boolean; database?: DatabaseAddress; acceptKey?: boolean } = {},
): Promise<TestService> {
  const { keepData = false, database = testDatabase(), acceptKey = false } = options;
  if (!keepData) await wipe(database);
  const directory = mkdtempSync(join(tmpdir(), 'strata-service-'));
  const config = loadConfig({
    directory,
    environment: {
      ...databaseSettings(database),
      STRATA_PORT: '0',
      STRATA_DATA_DIR: directory,
      STRATA_API_KEY: TEST_KEY,
      STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
      STRATA_LOG_LEVEL: 'error',
      // All tests come from one address, and many show wrong keys.
      STRATA_RATE_LIMIT_WRONG_KEYS: '0',
      ...BUSY_MACHINE,
      ...embeddingSetting(environment),
      ...environment,
    },
  });
  const running = await startService(config, { environment: {}, say: () => undefined, acceptKey });
  return {
    ...running,
    ...clientOf(running.url),
    stop: async () => {
      await running.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Starts a service as {@link startTestService} does, and waits until it has taken a capture: on a cold server the first may take longer than it is waited for. */
export async function startWarmService(environment: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService(environment);
  await eventually(
    'a capture',
    async () => (await service.post('/v1/experience', message('user:warm', 'up'))).status === 202,
  );
  return service;
}
