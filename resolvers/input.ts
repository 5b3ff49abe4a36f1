import {
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLResolveInfo,
} from 'graphql';

import { StrataError } from '../src/errors.ts';
import { MAX_FIELD_PATH_LENGTH } from '../src/limits.ts';
import { fieldPath } from '../src/validation.ts';
import { valueFault } from '../src/validation/json-value.ts';
import { isAsOf, wireInstants } from './as-of.ts';
import { NAMES } from './names.ts';

/** Arguments in wire form. */
export type WireArguments = Readonly<Record<string, unknown>>;

/**
 * The arguments of a field in the form in which REST parses them: names in snake case, alternatives of an `@oneOf` told
 * by their discriminator, `null` left out where it is no value; with `nulls`, as where a part of something is changed, it is one
 * everywhere within the arguments. Throws `INVALID_BODY` (`INVALID_QUERY` outside of mutations) for texts and values that JSON bodies may
 * not hold either.
 */
export function wireArguments(
  args: object,
  info: GraphQLResolveInfo,
  { nulls = false }: { readonly nulls?: boolean } = {},
): WireArguments {
  const definitions = info.parentType.getFields()[info.fieldName]?.args ?? [];
  const wire = wireFields(args, definitions, nulls);
  for (const [name, value] of Object.entries(wire)) refuseFaults(name, value, info.operation.operation);
  return wire;
}

function refuseFaults(name: string, value: unknown, operation: string): void {
  const fault = valueFault(value);
  if (fault === null) return;
  const path = fieldPath(name === 'input' ? fault.path : [name, ...fault.path]).slice(
    0,
    MAX_FIELD_PATH_LENGTH,
  );
  throw new StrataError(
    operation === 'mutation' || name === 'input' ? 'INVALID_BODY' : 'INVALID_QUERY',
    path === '' ? `the input ${fault.reason}` : `${path}: ${fault.reason}`,
    { details: { field_path: path, reason: fault.reason } },
  );
}

function wireFields(
  values: object,
  definitions: readonly Pick<GraphQLArgument, 'name' | 'type'>[],
  nulls: boolean,
): Record<string, unknown> {
  const given = values as Readonly<Record<string, unknown>>;
  const wire: Record<string, unknown> = {};
  for (const { name, type } of definitions) {
    const value = given[name];
    const field = NAMES.wire(name);
    if (value === undefined || (value === null && !nulls && !NAMES.takesNull(field))) continue;
    if (isAsOf(type)) Object.assign(wire, wireInstants(value as object));
    else wire[field] = wireValue(type, value, { field, nulls });
  }
  return wire;
}

/** Where a value stands: its wire field, and whether null is a value there. */
interface Place {
  readonly field: string;
  readonly nulls: boolean;
}

function wireValue(type: GraphQLInputType, value: unknown, place: Place): unknown {
  if (isNonNullType(type)) return wireValue(type.ofType, value, place);
  if (value === null) return null;
  if (isListType(type)) {
    const items = (value as readonly unknown[]).map((item) => wireValue(type.ofType, item, place));
    return NAMES.isOneOrMany(place.field) && items.length === 1 ? items[0] : items;
  }
  if (!isInputObjectType(type)) return value;
  return type.isOneOf
    ? wireAlternative(type, value as object, place)
    : wireFields(value as object, Object.values(type.getFields()), place.nulls);
}

function wireAlternative(type: GraphQLInputObjectType, value: object, { field, nulls }: Place): unknown {
  const [name = ''] = Object.keys(value);
  const content = (value as Readonly<Record<string, unknown>>)[name];
  const definition = type.getFields()[name];
  if (definition === undefined) throw new Error(`${type.name} has no alternative ${name}`);
  const alternative = NAMES.wire(name);
  const fields = wireValue(definition.type, content, { field: alternative, nulls }) as object;
  const discriminator = NAMES.discriminator(field)?.field ?? 'kind';
  return isWrapped(field, alternative, definition.type)
    ? { [discriminator]: alternative, [alternative]: fields }
    : { [discriminator]: alternative, ...fields };
}

/**
 * Whether the alternative of an `@oneOf` is the one field of its own name that REST has around it (`triple: {…}` for
 * `kind: triple, triple: {…}`): GraphQL leaves that level out.
 */
export function isWrapped(field: string, alternative: string, type: GraphQLInputType): boolean {
  const fields = NAMES.discriminator(field)?.alternatives.get(alternative);
  const named = getNamedType(type);
  const hasField = isInputObjectType(named) && named.getFields()[NAMES.camel(alternative)] !== undefined;
  return fields?.length === 1 && fields[0] === alternative && !hasField;
}
