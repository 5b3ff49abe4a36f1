import { rootField, type ResolverMap } from './field.ts';

/** Fields of policy. */
export const POLICY_RESOLVERS: ResolverMap = {
  Query: {
    effectivePolicy: rootField((query, { services, call }) => services.policy.effective(call, query)),
    deploymentPolicy: rootField((_args, { services, call }) => services.policy.deployment(call)),
  },
};
