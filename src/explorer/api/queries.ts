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

/** What the caller may do in a scope, capability by capability. */
export interface RightsData {
  readonly effectivePolicy: {
    readonly actor: string;
    readonly naturalLevel: string;
    readonly decisions: Readonly<
      Record<string, { readonly decision: 'allow' | 'deny'; readonly decided_by_tier: string }>
    >;
  } | null;
}

export const RIGHTS = query<RightsData, { readonly scope: string | null }>(`
  query Rights($scope: String) {
    effectivePolicy(scope: $scope) { actor naturalLevel decisions }
  }
`);
