import { createHash } from 'node:crypto';

import { GraphQLError, type DocumentNode, type GraphQLSchema } from 'graphql';

import { GRAPHQL_CACHED_BYTES, GRAPHQL_CACHED_DOCUMENTS } from '../src/limits.ts';
import { parseDocument, validateDocument, type ValidationOptions } from './limits.ts';
import type { ReadDocument } from './socket-execution.ts';

interface Kept {
  readonly document: DocumentNode;
  readonly bytes: number;
}

/** Reads documents and keeps the good ones that were used last, bounded in number and bytes. One for all transports. */
export class Documents {
  private readonly schema: GraphQLSchema;
  private readonly options: ValidationOptions;
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;

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
      this.keep(key, { document, bytes: Buffer.byteLength(text) });
      return { document, errors: null };
    } catch (error) {
      if (error instanceof GraphQLError) return { document: null, errors: [error] };
      throw error;
    }
  }

  /** The kept document whose text has this SHA-256, in hex. */
  get(key: string): DocumentNode | undefined {
    const known = this.kept.get(key);
    if (known === undefined) return undefined;
    // The order of a map is that of insertion: what is used goes to its end.
    this.kept.delete(key);
    this.kept.set(key, known);
    return known.document;
  }

  private keep(key: string, entry: Kept): void {
    this.kept.set(key, entry);
    this.bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.kept) {
      if (this.kept.size <= GRAPHQL_CACHED_DOCUMENTS && this.bytes <= GRAPHQL_CACHED_BYTES) return;
      this.kept.delete(oldest);
      this.bytes -= bytes;
    }
  }
}
