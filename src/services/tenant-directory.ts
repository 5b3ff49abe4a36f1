import { LRUCache } from 'lru-cache';

import type { TenantStore } from '../../graph/token.ts';
import type { TenantDirectory } from './access.ts';

/** Tenants that a process remembers to be there; others are asked for. */
const TENANTS_REMEMBERED = 10_000;

/** Knows the tenants that signed up; one that is there stays, so that it is asked for once. */
export class SignedUpTenants implements TenantDirectory {
  private readonly store: Pick<TenantStore, 'knows'>;
  private readonly known = new LRUCache<string, true>({ max: TENANTS_REMEMBERED });

  constructor(store: Pick<TenantStore, 'knows'>) {
    this.store = store;
  }

  /** Whether somebody signed up for the tenant. Throws `DATABASE_UNAVAILABLE`. */
  async knows(tenant: string): Promise<boolean> {
    if (this.known.has(tenant)) return true;
    const found = await this.store.knows(tenant);
    if (found) this.known.set(tenant, true);
    return found;
  }
}
