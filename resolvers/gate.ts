import type { GraphQLResolveInfo } from 'graphql';

import type { Capability } from '../schemas/policy.ts';
import { OPERATION_IDS, operationOf } from '../schemas/operation.ts';

const CAPABILITIES: ReadonlyMap<string, Capability | null> = new Map(
  OPERATION_IDS.flatMap((id) => {
    const { access, graphql } = operationOf(id);
    if (!('field' in graphql)) return [];
    return [[`${graphql.kind} ${graphql.field}`, 'capability' in access ? access.capability : null] as const];
  }),
);

/** The capability of the operation that a root field is the counterpart of; null where it needs none. */
export function capabilityOf({ parentType, fieldName }: GraphQLResolveInfo): Capability | null {
  const capability = CAPABILITIES.get(`${parentType.name.toLowerCase()} ${fieldName}`);
  if (capability === undefined) throw new Error(`${parentType.name}.${fieldName} has no operation`);
  return capability;
}
