import {
  BREAK,
  coerceInputValue,
  getNamedType,
  GraphQLError,
  isInputObjectType,
  isInputType,
  Kind,
  OperationTypeNode,
  typeFromAST,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTVisitFn,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
  type VariableNode,
} from 'graphql';

import { envelopeCode } from '../schemas/envelope.ts';
import type { ErrorCode } from '../schemas/error.ts';
import { forgetCode } from '../schemas/forget.ts';
import { StrataError } from '../src/errors.ts';
import { MAX_FIELD_PATH_LENGTH, MAX_REASON_LENGTH } from '../src/limits.ts';
import { fieldPath } from '../src/validation.ts';
import { isAsOf } from './as-of.ts';
import { isWrapped } from './input.ts';
import { NAMES } from './names.ts';

type Path = readonly (string | number)[];

/** Arguments of connections by the names that errors of services have for them. */
const CONNECTION_NAMES: Readonly<Record<string, string>> = { first: 'limit', after: 'cursor' };
const UNKNOWN = 'unknown field';

/** What was executed. */
export interface Executed {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly variables: unknown;
}

/** The variable that an error is about because it does not fit its type; `null` for other errors. */
export function faultyVariable(error: unknown): VariableDefinitionNode | null {
  const node = error instanceof GraphQLError ? error.nodes?.[0] : undefined;
  return node?.kind === Kind.VARIABLE_DEFINITION ? node : null;
}

/** Whether an error only says that the library told no further faults of variables. */
export function endsFaults(error: unknown): boolean {
  return error instanceof GraphQLError && error.message.startsWith('Too many errors processing variables');
}

/**
 * An error about a variable that does not fit its type, as the error of REST about the same field: `INVALID_BODY` (or the
 * code of the field of an envelope) in a mutation, `INVALID_QUERY` elsewhere. `null` for other errors.
 */
export function coercionProblem(error: unknown, executed: Executed): StrataError | null {
  const node = faultyVariable(error);
  if (node === null) return null;
  const operation = executed.document.definitions.find(
    (definition): definition is OperationDefinitionNode =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      definition.variableDefinitions?.includes(node) === true,
  );
  if (operation === undefined) return null;
  const fault = innerFault(node, executed, (error as GraphQLError).message);
  return variableProblem({ node, operation, executed, ...fault });
}

/** The error that {@link coercionProblem} is, about a place in the value of a variable. */
export function variableProblem(fault: {
  readonly node: VariableDefinitionNode;
  readonly operation: OperationDefinitionNode;
  readonly executed: Executed;
  /** Where in the value, by names of GraphQL. */
  readonly inner: Path;
  readonly reason: string;
}): StrataError {
  const { node, operation, executed, inner, reason } = fault;
  const place = variableUse(node.variable.name.value, executed);
  const path = [...place.path, ...wirePath(place.type, inner, place.field)];
  const relative = path[0] === 'input' ? path.slice(1) : path;
  const inBody = reason === UNKNOWN ? 'INVALID_BODY' : (codeOf(relative) ?? 'INVALID_BODY');
  const code = operation.operation === OperationTypeNode.MUTATION ? inBody : 'INVALID_QUERY';
  const field = fieldPath(relative).slice(0, MAX_FIELD_PATH_LENGTH);
  const shortened = reason.slice(0, MAX_REASON_LENGTH);
  return new StrataError(
    code,
    field === '' ? `the input is refused: ${shortened}` : `${field}: ${shortened}`,
    {
      details: { field_path: field, reason: shortened },
    },
  );
}

/** The code that REST has for what is wrong with a field, where that is one of its own. */
function codeOf(path: Path): ErrorCode | null {
  return envelopeCode(path) ?? forgetCode(path);
}

function innerFault(
  node: VariableDefinitionNode,
  { schema, variables }: Executed,
  otherwise: string,
): { inner: Path; reason: string } {
  const value = (variables as Record<string, unknown> | null | undefined)?.[node.variable.name.value];
  const type = typeFromAST(schema, node.type);
  if (value !== undefined && value !== null && isInputType(type)) {
    const fault = firstFault(value, type);
    if (fault !== null) return fault;
  }
  return { inner: [], reason: reasonOf(otherwise) };
}

/** Ends a coercion at its first fault: the library would go on through all that is left of the value. */
class FirstFault extends Error {
  readonly inner: Path;
  readonly reason: string;

  constructor(inner: Path, reason: string) {
    super(reason);
    this.inner = inner;
    this.reason = reason;
  }
}

function firstFault(value: unknown, type: GraphQLInputType): FirstFault | null {
  try {
    coerceInputValue(value, type, (path, _value, { message }) => {
      // A missing or an unknown field is reported of the object around it.
      const name = fieldIn(message);
      throw new FirstFault(name === null ? path : [...path, name], reasonOf(message));
    });
    return null;
  } catch (error) {
    if (error instanceof FirstFault) return error;
    throw error;
  }
}

// Messages of the library about a field begin with its name in quotation marks and end with words of its own; what a caller wrote
// stands between the two. They are told by their ends, for a pattern would be matched against text of any length.
const FIELD = 'Field "';
const MISSING = ' was not provided.';
const UNDEFINED = '" is not defined by type "';

/** The field that a message of the library is about; null where it is about a value. */
function fieldIn(message: string): string | null {
  if (!message.startsWith(FIELD)) return null;
  const end = message.endsWith(MISSING) ? message.indexOf('"', FIELD.length) : message.lastIndexOf(UNDEFINED);
  const name = message.slice(FIELD.length, Math.max(end, FIELD.length));
  return name === '' ? null : name.slice(0, MAX_FIELD_PATH_LENGTH);
}

function reasonOf(message: string): string {
  if (message.endsWith(MISSING)) return 'is required';
  return message.startsWith(FIELD) && message.includes(UNDEFINED) ? UNKNOWN : message;
}

interface VariableUse {
  /** Argument and input fields around the variable, in wire form. */
  readonly path: Path;
  readonly type: GraphQLInputType | undefined;
  /** The wire field that the variable fills. */
  readonly field: string;
}

/** Where a variable is used first, as the path of a field of REST. */
function variableUse(name: string, { schema, document }: Executed): VariableUse {
  const types = new TypeInfo(schema);
  let use: VariableUse = { path: [name], type: undefined, field: name };
  const Variable: ASTVisitFn<VariableNode> = (node, _key, parent, _path, ancestors) => {
    const around = [...ancestors, parent].flatMap((part) => (part && 'kind' in part ? [part] : []));
    if (node.name.value !== name || around.at(-1)?.kind === Kind.VARIABLE_DEFINITION) return undefined;
    const [argument = name, ...fields] = around.flatMap((part) =>
      part.kind === Kind.ARGUMENT || part.kind === Kind.OBJECT_FIELD ? [part.name.value] : [],
    );
    const type = types.getArgument()?.type;
    const wire = CONNECTION_NAMES[argument] ?? wireName(argument, type);
    use = {
      path: [wire, ...wirePath(type, fields, wire)],
      type: types.getInputType() ?? undefined,
      field: NAMES.wire(fields.at(-1) ?? argument),
    };
    return BREAK;
  };
  visit(document, visitWithTypeInfo(types, { Variable }));
  return use;
}

/** What an error calls an argument or a field of an input: an `AsOf`, of which REST knows nothing, as it is written. */
function wireName(name: string, type: GraphQLInputType | undefined): string {
  return isAsOf(type) ? name : NAMES.wire(name);
}

/** A path within an input in wire form: the level that an `@oneOf` adds is left out. */
function wirePath(outer: GraphQLInputType | undefined, path: Path, field: string): Path {
  const [step, ...rest] = path;
  if (step === undefined) return [];
  if (typeof step === 'number') return [step, ...wirePath(outer, rest, field)];
  const named = getNamedType(outer);
  if (!isInputObjectType(named)) return [step, ...wirePath(undefined, rest, step)];
  const type = named.getFields()[step]?.type;
  const wire = wireName(step, type);
  const inner = wirePath(type, rest, wire);
  const isLevelOfOneOf = named.isOneOf && type !== undefined && !isWrapped(field, wire, type);
  return isLevelOfOneOf ? inner : [wire, ...inner];
}
