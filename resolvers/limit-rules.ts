import {
  GraphQLError,
  Kind,
  visit,
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type ValidationRule,
} from 'graphql';

import { DEFAULT_LIMIT, LIMIT_CEILING } from '../schemas/listing.ts';
import { MAX_GRAPHQL_ALIAS_LENGTH, MAX_GRAPHQL_COST, MAX_GRAPHQL_JSON_DEPTH } from '../src/limits.ts';
import { DEPTH_FACTOR, OBJECT_COST, SCALAR_COST, type IntrospectionCost } from './introspection-cost.ts';

/** Fields that answer a page. */
const CONNECTIONS: ReadonlySet<string> = new Set([
  'events',
  'facts',
  'factTimeline',
  'entities',
  'entityEdges',
  'beliefs',
  'beliefHistory',
  'history',
  'episodes',
  'concepts',
  'conceptHistory',
  'relatedConcepts',
  'lifecycle',
  'conflicts',
]);

/** A limit that a document exceeds: code `INVALID_QUERY`, `details.reason` names the limit. */
export function limitError(reason: string, limit: number, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'INVALID_QUERY', details: { reason, limit } } });
}

/** Bounds the nesting of values and of the types of variables: rules and coercion descend them by recursion. */
export const valueDepthRule: ValidationRule = (context) => {
  let depth = 0;
  const level = {
    enter: (): void => {
      depth += 1;
      if (depth !== MAX_GRAPHQL_JSON_DEPTH + 1) return;
      const message = `a value in a document has at most ${MAX_GRAPHQL_JSON_DEPTH} levels`;
      context.reportError(limitError('value_depth', MAX_GRAPHQL_JSON_DEPTH, message));
    },
    leave: (): void => {
      depth -= 1;
    },
  };
  return { ListValue: level, ObjectValue: level, ListType: level };
};

/** Bounds what an alias adds to every record of an answer. */
export const aliasLengthRule: ValidationRule = (context) => ({
  Field: ({ alias }) => {
    if (alias === undefined || alias.value.length <= MAX_GRAPHQL_ALIAS_LENGTH) return;
    const message = `an alias has at most ${MAX_GRAPHQL_ALIAS_LENGTH} characters`;
    context.reportError(limitError('alias_length', MAX_GRAPHQL_ALIAS_LENGTH, message));
  },
});

/**
 * The document with the rows that each page may come to written out, by which its cost is told: a variable may hold the
 * most, and what is left out or null is the default. A question about the schema, whose cost is handed in, stands there as
 * a page that costs as much.
 */
export function withWorstPages(document: DocumentNode, asked?: IntrospectionCost): DocumentNode {
  return visit(document, {
    Argument: () => false,
    Field: (node) => {
      const cost = asked?.of(node) ?? null;
      if (cost !== null) return pageOfCost(cost);
      if (!CONNECTIONS.has(node.name.value)) return undefined;
      const given = node.arguments?.find(({ name }) => name.value === 'first');
      const others = node.arguments?.filter(({ name }) => name.value !== 'first') ?? [];
      return { ...node, arguments: [...others, worstFirst(given)] };
    },
  });
}

/** A page of rows with one field each, so many that they cost as much as is said. */
function pageOfCost(cost: number): FieldNode {
  const name = { kind: Kind.NAME, value: 'asked' } as const;
  const rows = Math.ceil(Math.min(cost, 2 * MAX_GRAPHQL_COST) / (OBJECT_COST + DEPTH_FACTOR * SCALAR_COST));
  const first = { kind: Kind.NAME, value: 'first' } as const;
  const count = { kind: Kind.INT, value: String(rows) } as const;
  return {
    kind: Kind.FIELD,
    name,
    arguments: [{ kind: Kind.ARGUMENT, name: first, value: count }],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [{ kind: Kind.FIELD, name }] },
  };
}

function worstFirst(given: ArgumentNode | undefined): ArgumentNode {
  const name = { kind: Kind.NAME, value: 'first' } as const;
  return { kind: Kind.ARGUMENT, name, value: { kind: Kind.INT, value: String(rowsOf(given)) } };
}

function rowsOf(given: ArgumentNode | undefined): number {
  if (given?.value.kind === Kind.VARIABLE) return LIMIT_CEILING;
  if (given?.value.kind !== Kind.INT) return DEFAULT_LIMIT;
  return Math.min(Number(given.value.value), LIMIT_CEILING);
}
