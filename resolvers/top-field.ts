import { getOperationAST, Kind, type DocumentNode } from 'graphql';

/** What an operation asks for, to count it by: the name of its one top-level field, `several`; `null` when there is none. */
export function topField(document: DocumentNode, operationName: unknown): string | null {
  const name = typeof operationName === 'string' ? operationName : null;
  const selections = getOperationAST(document, name)?.selectionSet.selections;
  const [first, ...more] = selections ?? [];
  if (first === undefined) return null;
  return first.kind === Kind.FIELD && more.length === 0 ? first.name.value : 'several';
}
