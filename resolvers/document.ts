import { createHash } from 'node:crypto';

import { GraphQLError, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import { GRAPHQL_CACHED_BYTES, GRAPHQL_CACHED_DOCUMENTS } from '../src/limits.ts';
import { parseDocument, validateDocument, type ValidationOptions } from './limits.ts';
import type { ReadDocument } from './socket-execution.ts';

/** Reads documents and keeps the good ones that were used last, bounded in number and bytes. One for all transports. */
export class Documents {
  private readonly schema: GraphQLSchema;
  private readonly options: ValidationOptions;
  private readonly kept = new LRUCache<string, DocumentNode>({
    max: GRAPHQL_CACHED_DOCUMENTS,
    maxSize: GRAPHQL_CACHED_BYTES,
  });

  constructor(schema: GraphQLSchema, options: ValidationOptions) {
    this.schema = schema;
    this.options = options;
  }

  /** The document of a text, parsed and validated. Never throws for what a caller sends. */
  read(text: string): ReadDocument {
    const key = createHash('sha256').update(text).digest('hex');
    const known = this.get(key);
    if (known !== undefined) return { document: known, errors: null };
    try {
      const document = parseDocument(text);
      const errors = validateDocument(this.schema, document, this.options);
      if (errors.length > 0) return { document: null, errors };
      this.kept.set(key, document, { size: Buffer.byteLength(text) });
      return { document, errors: null };
    } catch (error) {
      if (error instanceof GraphQLError) return { document: null, errors: [error] };
      throw error;
    }
  }

  /** The kept document whose text has this SHA-256, in hex. */
  get(key: string): DocumentNode | undefined {
    return this.kept.get(key);
  }
}
