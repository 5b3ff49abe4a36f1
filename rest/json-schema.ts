import { z } from 'zod';

import { NAMED_SCHEMAS } from '../schemas/catalogue.ts';

/** A JSON schema or a part of one. */
export type JsonObject = Record<string, unknown>;

/** The JSON schema, draft 2020-12, of what a zod schema takes (`input`) or gives (`output`). */
export function toJsonSchema(schema: z.ZodType, side: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: side, unrepresentable: 'any' }) as JsonObject;
  return rest;
}

/** The names under which schemas are served, in the order of the documentation. */
export function schemaNames(): string[] {
  return Object.keys(NAMED_SCHEMAS);
}

/** The served schema of a name; `null` when there is none. */
export function jsonSchema(name: string): JsonObject | null {
  const named = Object.hasOwn(NAMED_SCHEMAS, name) ? NAMED_SCHEMAS[name] : undefined;
  if (named === undefined) return null;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `/v1/schemas/${name}`,
    title: name,
    ...toJsonSchema(named.schema, named.side),
  };
}

/** The named schemas as components of one document: references within a schema are turned to where it stands there. */
export function schemaComponents(prefix: string): JsonObject {
  const entries = Object.entries(NAMED_SCHEMAS).map(([name, { schema, side }]) => {
    const place = `${prefix}${name}`;
    return [name, moveReferences(toJsonSchema(schema, side), place)] as const;
  });
  return Object.fromEntries(entries);
}

function moveReferences(part: unknown, place: string): unknown {
  if (Array.isArray(part)) return part.map((item) => moveReferences(item, place));
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]) => {
    const isReference = key === '$ref' && typeof value === 'string' && value.startsWith('#');
    return [key, isReference ? place + value.slice(1) : moveReferences(value, place)] as const;
  });
  return Object.fromEntries(entries);
}

/** The name of a schema that is served; `null` for others. */
export function nameOf(schema: z.ZodType): string | null {
  return Object.entries(NAMED_SCHEMAS).find(([, named]) => named.schema === schema)?.[0] ?? null;
}
