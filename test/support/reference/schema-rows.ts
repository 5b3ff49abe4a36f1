import type { z } from 'zod';

import { toJsonSchema, type JsonObject } from '../../../rest/json-schema.ts';

/** Levels of a body that are told field by field; below them the schema itself says more. */
const LEVELS = 3;
/** Alternatives of a value that are told in words. */
const WORDS = 8;

/** One field of a body or parameter, as a row of a table. */
export interface FieldRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
}

/** The fields that an input takes, those of nested objects with the path to them. */
export function fieldRows(schema: z.ZodType): FieldRow[] {
  return rowsOf(toJsonSchema(schema, 'input'), '', LEVELS);
}

function rowsOf(schema: JsonObject, prefix: string, levels: number): FieldRow[] {
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonObject>>);
  return properties.flatMap(([name, field]) => [
    {
      name: `${prefix}${name}`,
      type: typeOf(field),
      required: required.includes(name),
      meaning: meaningOf(field),
    },
    ...(levels > 1 ? nestedRows(field, `${prefix}${name}`, levels - 1) : []),
  ]);
}

function nestedRows(field: JsonObject, name: string, levels: number): FieldRow[] {
  const items = field.items as JsonObject | undefined;
  if (isObject(items)) return rowsOf(items, `${name}[].`, levels);
  if (isObject(field)) return rowsOf(field, `${name}.`, levels);
  return alternativesOf(field)
    .filter(isObject)
    .flatMap((one) => rowsOf(one, `${name}${kindOf(one)}.`, levels));
}

/** What tells an alternative from the others: `(kind: message)`. */
function kindOf({ properties = {} }: JsonObject): string {
  const tag = Object.entries(properties as Readonly<Record<string, JsonObject>>).find(
    ([, field]) => typeof field.const === 'string',
  );
  return tag === undefined ? '' : `(${tag[0]}: ${String(tag[1].const)})`;
}

function isObject(schema: JsonObject | undefined): schema is JsonObject {
  return schema?.properties !== undefined;
}

function alternativesOf({ anyOf, oneOf }: JsonObject): JsonObject[] {
  return (anyOf ?? oneOf ?? []) as JsonObject[];
}

function typeOf(schema: JsonObject): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return wordsOf(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.prefixItems !== undefined) return 'pair';
  if (schema.type === 'array') return `list of ${typeOf((schema.items ?? {}) as JsonObject)}`;
  if (schema.format === 'date-time') return 'instant';
  if (schema.type !== undefined) return boundsOf(schema);
  const alternatives = [...new Set(alternativesOf(schema).map(typeOf))];
  return alternatives.length === 0 ? 'any' : wordsOf(alternatives);
}

function wordsOf(values: readonly string[]): string {
  return values.length > WORDS ? `${values.slice(0, WORDS).join(' or ')} or others` : values.join(' or ');
}

function boundsOf({ type, minimum, maximum }: JsonObject): string {
  const plain = Array.isArray(type) ? type.join(' or ') : String(type);
  if (typeof minimum !== 'number' || typeof maximum !== 'number' || maximum >= Number.MAX_SAFE_INTEGER)
    return plain;
  return `${plain}, ${minimum} to ${maximum}`;
}

function meaningOf(schema: JsonObject): string {
  if (typeof schema.description === 'string') return schema.description;
  const items = schema.items as JsonObject | undefined;
  if (typeof items?.description === 'string') return items.description;
  const described = alternativesOf(schema).find(({ description }) => typeof description === 'string');
  return typeof described?.description === 'string' ? described.description : '';
}
