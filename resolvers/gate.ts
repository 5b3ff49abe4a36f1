import type { GraphQLResolveInfo } from 'graphql';

import type { Operation } from '../schemas/operation/definition.ts';
import { OPERATION_IDS, operationOf } from '../schemas/operation.ts';

const BY_FIELD: ReadonlyMap<string, Operation> = new Map(
  OPERATION_IDS.flatMap((id) => {
    const operation = operationOf(id);
    const { graphql } = operation;
    return 'field' in graphql ? [[`${graphql.kind} ${graphql.field}`, operation] as const] : [];
  }),
);

/** The operation that a root field is the counterpart of. */
export function operationBehind({ parentType, fieldName }: GraphQLResolveInfo): Operation {
  const operation = BY_FIELD.get(`${parentType.name.toLowerCase()} ${fieldName}`);
  if (operation === undefined) throw new Error(`${parentType.name}.${fieldName} has no operation`);
  return operation;
}
