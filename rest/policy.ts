import type { POLICY_OPERATIONS } from '../schemas/operation/policy.ts';
import type { PolicyOperations } from '../src/services/operations.ts';
import type { Routes } from './handler.ts';

/** Routes of policy. */
export function policyRoutes(policy: PolicyOperations): Pick<Routes, keyof typeof POLICY_OPERATIONS> {
  return {
    effectivePolicy: async ({ call, query }) => ({ status: 200, body: await policy.effective(call, query) }),
    deploymentPolicy: async ({ call }) => ({ status: 200, body: await policy.deployment(call) }),
  };
}
