import { getOperationAST, Kind, OperationTypeNode, type DocumentNode, type SelectionSetNode } from 'graphql';

import type { Principal } from '../src/services/access.ts';
import type { RateState, RequestKind } from '../src/services/rate-limit.ts';

/** Counts requests of callers; throws `RATE_LIMITED`. */
export interface RateGate {
  take(
    principal: Principal,
    kind: RequestKind,
    tell: (state: RateState | null) => void,
    requests?: number,
  ): Promise<void>;
}

/**
 * What an operation counts as: a write for each top-level field of a mutation, a read for each of a query, those of fragments
 * included and whether or not they are skipped in the end; a subscription and a document that is refused are one read.
 */
export function rateOf(
  document: DocumentNode | null,
  operationName: unknown,
): { readonly kind: RequestKind; readonly requests: number } {
  const name = typeof operationName === 'string' ? operationName : null;
  const operation = document && getOperationAST(document, name);
  if (document === null || !operation) return { kind: 'read', requests: 1 };
  const kind = operation.operation === OperationTypeNode.MUTATION ? 'write' : 'read';
  return { kind, requests: Math.max(1, fieldsOf(operation.selectionSet, document)) };
}

/** Fragments of a valid document do not contain themselves. */
function fieldsOf({ selections }: SelectionSetNode, document: DocumentNode): number {
  return selections.reduce((sum, selection) => {
    if (selection.kind === Kind.FIELD) return sum + 1;
    if (selection.kind === Kind.INLINE_FRAGMENT) return sum + fieldsOf(selection.selectionSet, document);
    const fragment = document.definitions.find(
      (definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION
      ? sum + fieldsOf(fragment.selectionSet, document)
      : sum;
  }, 0);
}
