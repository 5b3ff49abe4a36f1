import {
  getNamedType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
  type DocumentNode,
  type GraphQLInputType,
} from 'graphql';

import type { StrataError } from '../src/errors.ts';
import { MAX_BULK_ITEMS } from '../src/limits.ts';
import { variableProblem, type Executed } from './coercion.ts';

type Path = readonly (string | number)[];

/**
 * The refusal of variables in which a list of input objects has more items than a bulk may have, which no operation takes;
 * null where there is none. The library would go through all of them on end before any resolver could refuse them.
 */
export function longListProblem(executed: Executed, operationName: unknown): StrataError | null {
  const { schema, document, variables } = executed;
  const operation = operationIn(document, operationName);
  if (!operation || typeof variables !== 'object' || variables === null) return null;
  for (const definition of operation.variableDefinitions ?? []) {
    const value = (variables as Record<string, unknown>)[definition.variable.name.value];
    const type = typeFromAST(schema, definition.type);
    const inner = isInputType(type) ? longList(value, type) : null;
    if (inner === null) continue;
    return variableProblem({ node: definition, operation, executed, inner, reason: TOO_LONG });
  }
  return null;
}

const TOO_LONG = `has more than ${MAX_BULK_ITEMS} items`;

function operationIn(document: DocumentNode, operationName: unknown): ReturnType<typeof getOperationAST> {
  return getOperationAST(document, typeof operationName === 'string' ? operationName : null);
}

/** Where in a value the first list is that is too long; null for none. */
function longList(value: unknown, type: GraphQLInputType): Path | null {
  const named = getNamedType(type);
  if (typeof value !== 'object' || value === null || !isInputObjectType(named)) return null;
  const nullable = getNullableType(type);
  if (Array.isArray(value)) {
    if (!isListType(nullable)) return null;
    if (value.length > MAX_BULK_ITEMS) return [];
    return firstOf(value.entries(), (item) => longList(item, nullable.ofType));
  }
  const fields = named.getFields();
  return firstOf(Object.entries(value), (inner, name) => {
    const field = fields[name];
    return field === undefined ? null : longList(inner, field.type);
  });
}

function firstOf<Step extends string | number>(
  parts: Iterable<[Step, unknown]>,
  find: (part: unknown, step: Step) => Path | null,
): Path | null {
  for (const [step, part] of parts) {
    const inner = find(part, step);
    if (inner !== null) return [step, ...inner];
  }
  return null;
}
