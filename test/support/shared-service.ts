import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import type { DatabaseAddress } from '../../src/context.ts';
import { clientOf, useTenant, type Client } from './client.ts';
import { testDriver } from './database.ts';

/** What `STRATA_TEST_SHARED` says: the service that API tests share, and where its tenants are given out. */
export interface Shared {
  readonly url: string;
  readonly database: DatabaseAddress;
  /** Tenants that the service knows. */
  readonly tenants: readonly string[];
  /** A folder with one entry for each tenant that was given out. */
  readonly taken: string;
}

/** The service that API tests share, in the tenant of this file. */
export interface SharedService extends Client {
  /** The tenant of this file, in which nothing is but what it writes. */
  readonly tenant: string;
  /** Another empty tenant that nobody else has. */
  anotherTenant(): string;
  /** A driver to look behind the service; the rows of all tenants are there. */
  driver(): Driver;
}

/**
 * The long-lived service of the API tests with an empty tenant for this file; requests with the operator key go there. Other files use
 * it at the same time: positions in the log, counts of metrics and rows of other tenants are not of this file alone.
 */
export function sharedService(): SharedService {
  const shared = sharedParts();
  const tenant = giveOut(shared);
  useTenant(tenant);
  return {
    ...clientOf(shared.url),
    tenant,
    anotherTenant: () => giveOut(shared),
    driver: () => testDriver(shared.database),
  };
}

function sharedParts(): Shared {
  const text = process.env.STRATA_TEST_SHARED;
  if (text === undefined) throw new Error('the API tests are run by npm test, which starts their service');
  return JSON.parse(text) as Shared;
}

/** Takes a tenant that nobody has; making a folder succeeds for one process alone. */
function giveOut({ tenants, taken }: Shared): string {
  for (let i = readdirSync(taken).length; i < tenants.length; i += 1) {
    const tenant = tenants[i] ?? '';
    try {
      mkdirSync(join(taken, tenant));
      return tenant;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    }
  }
  throw new Error('all tenants of the shared service were given out; start it anew');
}
