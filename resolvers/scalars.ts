import {
  GraphQLError,
  GraphQLScalarType,
  Kind,
  type ValueNode,
  type IntValueNode,
  type FloatValueNode,
} from 'graphql';

import { isHeld } from '../src/validation/json-value.ts';

type Variables = Readonly<Record<string, unknown>> | null | undefined;

/** A JSON value, handed on untouched. Inline numbers that no double holds are refused. */
export const JSON_SCALAR = new GraphQLScalarType<unknown>({
  name: 'JSON',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: jsonOf,
});

function jsonOf(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value;
    case Kind.INT:
    case Kind.FLOAT:
      return numberOf(node);
    case Kind.NULL:
      return null;
    case Kind.VARIABLE:
      return variables?.[node.name.value];
    case Kind.LIST:
      return node.values.map((item) => jsonOf(item, variables));
    case Kind.OBJECT:
      // From entries, so that a field __proto__ becomes a property like any other.
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, jsonOf(value, variables)] as const),
      );
  }
}

function numberOf(node: IntValueNode | FloatValueNode): number {
  if (isHeld(node.value)) return Number(node.value);
  throw new GraphQLError(`the number ${node.value.slice(0, 40)} is held by no IEEE double`, { nodes: node });
}

/**
 * An instant as RFC 3339 text. It is handed on as it is written in both directions: services check it, as they do for REST, and
 * an answer keeps the offset that the caller gave.
 */
export const DATE_TIME = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: text,
  parseValue: text,
  parseLiteral: (node) => {
    if (node.kind === Kind.STRING) return node.value;
    throw new GraphQLError(NO_TEXT, { nodes: node });
  },
});

const NO_TEXT = 'is not a text such as "2026-01-31T12:00:00Z"';

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new GraphQLError(NO_TEXT);
}

/** A whole number that a double holds with certainty. */
export const SAFE_INT = new GraphQLScalarType<number, number>({
  name: 'SafeInt',
  serialize: safeInteger,
  parseValue: safeInteger,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT) return safeInteger(Number(node.value));
    throw new GraphQLError('is not a whole number', { nodes: node });
  },
});

function safeInteger(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new GraphQLError('is not a whole number from -(2^53 - 1) to 2^53 - 1');
}
