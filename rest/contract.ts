import { StrataError } from '../src/errors.ts';
import type { Routes } from './handler.ts';
import { jsonSchema, schemaNames, type JsonObject } from './json-schema.ts';
import { openapiDocument } from './openapi.ts';

/** Routes that hand out the contract. */
export function contractRoutes(version: string): Pick<Routes, 'openapi' | 'schema'> {
  // A fifth of a second of work, which hardly any process is asked for.
  let document: JsonObject | undefined;
  return {
    openapi: () => ({ status: 200, body: (document ??= openapiDocument(version)) }),
    schema: ({ params }) => {
      const schema = jsonSchema(params.name);
      if (schema === null) {
        throw new StrataError('NOT_FOUND', 'there is no schema of this name', {
          details: { names: schemaNames() },
        });
      }
      return { status: 200, body: schema };
    },
  };
}
