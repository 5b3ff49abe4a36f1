import { query } from './document.ts';

/** Who calls. */
export interface Whoami {
  readonly caller: string;
  readonly tenantId: string;
  readonly tier: string;
  readonly deploymentPreset: string;
  readonly expiresAt: string;
  readonly effectiveCapabilities: readonly string[];
  readonly token: { readonly iss: string };
}

export const WHOAMI = query<{ readonly whoami: Whoami }>(`
  query Whoami {
    whoami { caller tenantId tier deploymentPreset expiresAt effectiveCapabilities token { iss } }
  }
`);
