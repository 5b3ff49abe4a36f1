import type { z } from 'zod';

import { envelope } from '../schemas/envelope.ts';
import { OPERATION_IDS, operationOf } from '../schemas/operation.ts';

/** How the alternatives of a union are told apart on the wire. */
export interface Discriminator {
  /** The field that names the alternative, such as `kind`. */
  readonly field: string;
  /** The further fields of each alternative, by its name. */
  readonly alternatives: ReadonlyMap<string, readonly string[]>;
}

/** The names of the contract, in the spelling of REST (the wire) and of GraphQL. */
export interface Names {
  /** The wire name of a GraphQL name; names that only GraphQL has stay as they are. */
  wire(name: string): string;
  /** The GraphQL name of a wire name. */
  camel(name: string): string;
  /** How the union that stands in a wire field is told apart. */
  discriminator(field: string): Discriminator | undefined;
  /** Whether a wire field of an input takes `null` as a value; elsewhere, but in a change of a part, `null` means left out. */
  takesNull(field: string): boolean;
  /** Whether a wire field holds one thing or a list of them. */
  isOneOrMany(field: string): boolean;
}

interface Def {
  readonly type: string;
  readonly shape?: Record<string, z.ZodType>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
}

/** What a zod schema is made of. */
export function definitionOf(schema: z.ZodType): Def {
  return schema._zod.def;
}

/** The schema within wrappers: optional, nullable, default, preprocessing. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  const def = definitionOf(schema);
  if (def.innerType) return unwrapped(def.innerType);
  if (def.type === 'pipe' && def.out)
    return unwrapped(definitionOf(def.out).type === 'transform' && def.in ? def.in : def.out);
  return schema;
}

function camelOf(name: string): string {
  // One in front says that a field is about the record rather than of it, on both transports.
  return name.replaceAll(/(?<!^)_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Where a schema stands: `patch` is an input that changes a part of something. */
type Side = 'input' | 'patch' | 'output';

class Table implements Names {
  private readonly toWire = new Map<string, string>();
  private readonly toCamel = new Map<string, string>();
  private readonly discriminators = new Map<string, Discriminator>();
  private readonly nullable = new Set<string>();
  private readonly oneOrMany = new Set<string>();

  wire(name: string): string {
    return this.toWire.get(name) ?? name;
  }

  camel(name: string): string {
    return this.toCamel.get(name) ?? name;
  }

  discriminator(field: string): Discriminator | undefined {
    return this.discriminators.get(field);
  }

  takesNull(field: string): boolean {
    return this.nullable.has(field);
  }

  isOneOrMany(field: string): boolean {
    return this.oneOrMany.has(field);
  }

  /** Takes up every name within a schema. What a schema leaves open (records, JSON), or says lazily since it holds itself, is not looked into. */
  add(schema: z.ZodType, side: Side): void {
    const inner = unwrapped(schema);
    const { type, shape, element, options } = definitionOf(inner);
    if (type === 'object' && shape) {
      for (const [name, field] of Object.entries(shape)) this.addField(name, field, side);
    }
    if (type === 'array' && element) this.add(element, side);
    if (type === 'union') for (const option of options ?? []) this.add(option, side);
  }

  private addField(name: string, field: z.ZodType, side: Side): void {
    this.addName(name);
    if (side === 'input' && field.safeParse(null).success) this.nullable.add(name);
    this.addUnion(name, unwrapped(field));
    this.add(field, side);
  }

  private addName(wire: string): void {
    const camel = camelOf(wire);
    if ((this.toWire.get(camel) ?? wire) !== wire) throw new Error(`two fields are called ${camel}`);
    this.toWire.set(camel, wire);
    this.toCamel.set(wire, camel);
  }

  private addUnion(name: string, union: z.ZodType): void {
    const { type, options = [], discriminator } = definitionOf(union);
    if (type !== 'union') return;
    if (discriminator === undefined) {
      const many = options.find((option) => definitionOf(option).type === 'array');
      if (many && options.some((option) => option === definitionOf(many).element)) this.oneOrMany.add(name);
      return;
    }
    const alternatives = options.flatMap((option) => {
      const { [discriminator]: value, ...rest } = definitionOf(unwrapped(option)).shape ?? {};
      const names = value ? [...(value._zod.values ?? [])] : [];
      return names.map((alternative) => [String(alternative), Object.keys(rest)] as const);
    });
    for (const [alternative] of alternatives) this.addName(alternative);
    this.discriminators.set(name, { field: discriminator, alternatives: new Map(alternatives) });
  }
}

/** The names of every schema of the operation table. */
function namesOfOperations(): Names {
  const table = new Table();
  for (const id of OPERATION_IDS) {
    const { method, query, body, answers, graphql } = operationOf(id);
    if (query) table.add(query, 'input');
    // In a change of a part every null is a value, and says nothing of other inputs.
    if (body) table.add(body.schema, method === 'PATCH' ? 'patch' : 'input');
    for (const { schema } of Object.values(answers)) if (schema) table.add(schema, 'output');
    if ('field' in graphql && graphql.answer) table.add(graphql.answer, 'output');
  }
  // The items of a bulk are checked one by one, so that its own schema does not name their fields.
  table.add(envelope, 'input');
  return table;
}

/** The one name table of the process. */
export const NAMES: Names = namesOfOperations();
