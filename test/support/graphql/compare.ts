import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
} from 'graphql';
import { z } from 'zod';

import { definitionOf, NAMES, unwrapped } from '../../../resolvers/names.ts';
import { splitInstants } from './as-of.ts';

type Side = 'input' | 'output';
type Fields = Readonly<Record<string, z.ZodType>>;

/**
 * Every difference between a zod schema and a GraphQL type: fields, nullability, kinds of values, values of enums. One
 * line each, with the path in the spelling of GraphQL.
 */
export class Comparison {
  private readonly schema: GraphQLSchema;
  private readonly side: Side;
  readonly differences: string[] = [];
  /** Names of the types that were looked at. */
  readonly seen = new Set<string>();

  constructor(schema: GraphQLSchema, side: Side) {
    this.schema = schema;
    this.side = side;
  }

  /** Compares a value that may have to be there. */
  field(path: string, zod: z.ZodType, type: GraphQLType): void {
    if (definitionOf(unwrapped(zod)).type === 'never') return;
    const needed = this.side === 'input' ? !zod.safeParse(undefined).success : !isOptional(zod);
    const found = isNonNullType(type);
    if (needed !== found) this.differences.push(`${path}: ${needed ? 'is' : 'is not'} needed on REST`);
    this.value(path, unwrapped(zod), getNullableType(type));
  }

  /** Compares a value that is there. */
  value(path: string, zod: z.ZodType, type: GraphQLType): void {
    const { type: kind, element, options = [], shape, discriminator } = definitionOf(zod);
    const many = options.find((option) => definitionOf(option).type === 'array');
    if (kind === 'array' && isListType(type) && element)
      this.field(`${path}[]`, element, type.ofType as GraphQLType);
    else if (kind === 'object' && shape && (isObjectType(type) || isInputObjectType(type)))
      this.fields(path, shape, type);
    else if (discriminator !== undefined) this.alternatives(path, zod, type);
    else if (kind === 'union' && many && isListType(type)) this.value(path, many, type);
    else this.leaf(path, zod, type);
  }

  private fields(path: string, shape: Fields, type: GraphQLObjectType | GraphQLInputObjectType): void {
    this.seen.add(type.name);
    this.fieldsOf(path, this.side === 'input' ? asOfFolded(shape) : shape, type.getFields());
  }

  private fieldsOf(
    path: string,
    shape: Fields,
    found: Readonly<Record<string, { type: GraphQLType }>>,
  ): void {
    const names = new Map(Object.entries(shape).map(([name, zod]) => [NAMES.camel(name), zod]));
    for (const [name, zod] of names) {
      const field = found[name];
      if (field) this.field(`${path}.${name}`, zod, field.type);
      else if (definitionOf(unwrapped(zod)).type !== 'never')
        this.differences.push(`${path}.${name}: missing`);
    }
    for (const name of Object.keys(found)) {
      if (!names.has(name)) this.differences.push(`${path}.${name}: only in GraphQL`);
    }
  }

  private alternatives(path: string, zod: z.ZodType, type: GraphQLType): void {
    const options = optionsOf(zod);
    if (isInterfaceType(type)) this.interface(path, options, type);
    else if (isInputObjectType(type) && type.isOneOf) this.oneOf(path, options, type);
    else if (isObjectType(type)) this.merged(path, options, type);
    else this.differences.push(`${path}: a union is ${String(type)}`);
  }

  private interface(path: string, options: Options, type: GraphQLInterfaceType): void {
    this.seen.add(type.name);
    const names = [...options.keys()];
    const possible = this.schema.getPossibleTypes(type);
    const discriminator = Object.values(type.getFields())[0];
    this.enumeration(path, names, discriminator?.type);
    if (possible.length !== names.length) this.differences.push(`${path}: ${possible.length} alternatives`);
    for (const [name, shape] of options) {
      const camel = NAMES.camel(name);
      const typeName = camel.charAt(0).toUpperCase() + camel.slice(1) + type.name;
      const found = possible.find((candidate) => candidate.name === typeName);
      const { [discriminator?.name ?? '']: _same, ...own } = found?.getFields() ?? {};
      if (found) this.fieldsOf(`${path}.${camel}`, withoutDiscriminator(shape), own);
      else this.differences.push(`${path}.${camel}: missing`);
    }
  }

  private oneOf(path: string, options: Options, type: GraphQLInputObjectType): void {
    this.seen.add(type.name);
    const found = type.getFields();
    const names = new Map([...options].map(([name, shape]) => [NAMES.camel(name), shape]));
    for (const [name, whole] of names) {
      const shape = withoutDiscriminator(whole);
      const alternative = getNullableType(found[name]?.type);
      const inner = Object.keys(shape).length === 1 ? shape[name] : undefined;
      const isFlat = inner && isInputObjectType(alternative) && alternative.getFields()[name] === undefined;
      if (isFlat) this.value(`${path}.${name}`, unwrapped(inner), alternative);
      else if (isInputObjectType(alternative)) this.fields(`${path}.${name}`, shape, alternative);
      else this.differences.push(`${path}.${name}: missing`);
    }
    for (const name of Object.keys(found)) {
      if (!names.has(name)) this.differences.push(`${path}.${name}: only in GraphQL`);
    }
  }

  /** Alternatives told by true and false are one type, whose fields are needed where every alternative needs them. */
  private merged(path: string, options: Options, type: GraphQLObjectType): void {
    const shapes = [...options.values()];
    const names = new Set(shapes.flatMap((shape) => Object.keys(shape)));
    const whole = [...names].map((name) => {
      const held = shapes.flatMap((shape) => shape[name] ?? []);
      const field = held.length === shapes.length ? held[0] : held[0]?.optional();
      return [name, field as z.ZodType] as const;
    });
    this.fields(path, Object.fromEntries(whole), type);
  }

  private enumeration(path: string, values: readonly string[], type: GraphQLType | undefined): void {
    const named = getNullableType(type);
    const found = isEnumType(named) ? named.getValues().map(({ name }) => name) : [String(named)];
    if (isEnumType(named)) this.seen.add(named.name);
    if (JSON.stringify([...found].sort()) !== JSON.stringify([...values].sort()))
      this.differences.push(`${path}: ${values.join('|')} is ${found.join('|')}`);
  }

  private leaf(path: string, zod: z.ZodType, type: GraphQLType): void {
    const json = z.toJSONSchema(zod, { io: this.side, unrepresentable: 'any' }) as Record<string, unknown>;
    const values = (json.enum ?? (typeof json.const === 'string' ? [json.const] : undefined)) as
      | string[]
      | undefined;
    if (values !== undefined) {
      this.enumeration(path, values, type);
      return;
    }
    const kind = json.format === 'date-time' ? json.format : (json.type ?? 'any');
    const allowed = SCALARS[typeof kind === 'string' ? kind : 'any'] ?? [];
    if (!allowed.includes(String(type)))
      this.differences.push(`${path}: ${JSON.stringify(kind)} is ${String(type)}`);
  }
}

const SCALARS: Readonly<Record<string, readonly string[]>> = {
  string: ['String', 'ID'],
  'date-time': ['DateTime'],
  boolean: ['Boolean'],
  integer: ['SafeInt'],
  number: ['Float'],
  object: ['JSON'],
  any: ['JSON'],
};

/** Parameters with the instants, which GraphQL has in the one argument `asOf`, in one too. */
export function asOfFolded(shape: Fields): Fields {
  const { instants, rest } = splitInstants(shape);
  return Object.keys(instants).length === 0 ? rest : { ...rest, as_of: z.object(instants).optional() };
}

type Options = ReadonlyMap<string, Fields>;

function optionsOf(zod: z.ZodType): Options {
  const { options = [], discriminator = '' } = definitionOf(zod);
  return new Map(
    options.map((option) => {
      const shape = definitionOf(unwrapped(option)).shape ?? {};
      const [value] = shape[discriminator]?._zod.values ?? [];
      return [String(value), shape] as const;
    }),
  );
}

/** The fields of an alternative without the one that names it, and without its aliases. */
function withoutDiscriminator(shape: Fields): Fields {
  const named = (zod: z.ZodType): boolean => zod._zod.values?.size === 1;
  return Object.fromEntries(
    Object.entries(shape).filter(([, zod]) => !named(zod) && definitionOf(unwrapped(zod)).type !== 'never'),
  );
}

function isOptional(zod: z.ZodType): boolean {
  const { type, innerType } = definitionOf(zod);
  if (type === 'optional' || type === 'nullable') return true;
  if (type === 'unknown') return true;
  return innerType !== undefined && isOptional(innerType);
}
