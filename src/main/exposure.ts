import type { Config } from '../config.ts';
import { isLoopback } from '../config/resolve.ts';

/** What the log warns of at each start: a policy for one machine on an address that others reach. Null where there is nothing. */
export function exposureWarning({ host, access }: Pick<Config, 'host' | 'access'>): string | null {
  if (access.preset !== 'dev_local' || isLoopback(host)) return null;
  return (
    `The policy dev_local lets every token of a tenant into each of its scopes that no roster governs, and ${host} is not a loopback ` +
    'address: set STRATA_DEPLOYMENT_PRESET=cloud_shared_saas, or listen on 127.0.0.1 (STRATA_HOST).'
  );
}
