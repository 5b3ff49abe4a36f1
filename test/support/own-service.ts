import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { patientDatabase, testDriver } from './database.ts';
import { startTestService, startWarmService, type TestService } from './service.ts';

/** A service of a file's own, and its database; from the first `beforeAll` on. */
export interface OwnService {
  readonly service: TestService;
  readonly driver: Driver;
  readonly database: Database;
  /** Has another process take over what there is. */
  readonly restart: () => Promise<void>;
}

/** Starts a service for all tests of a file, and ends it behind them. */
export function ownService(environment: Record<string, string> = {}): OwnService {
  const settings = { STRATA_PIPELINE_POLL_MS: '200', ...environment };
  let own: Pick<OwnService, 'service' | 'driver' | 'database'>;
  beforeAll(async () => {
    const service = await startWarmService(settings);
    own = { service, driver: testDriver(), database: patientDatabase() };
  });
  afterAll(async () => {
    await own.database.close();
    await own.driver.close();
    await own.service.stop();
  });
  return {
    get service() {
      return own.service;
    },
    get driver() {
      return own.driver;
    },
    get database() {
      return own.database;
    },
    restart: async () => {
      await own.service.stop();
      own = { ...own, service: await startTestService(settings, { keepData: true }) };
    },
  };
}
