import type { Writer } from '../driver.ts';
import { failureOf } from '../errors.ts';
import { INDEXED_LEVELS } from '../schema.ts';
import { statement, type Params, type Statement } from '../statement.ts';

/** The vector of a turn's own text, and of its window; each has an index of its own. */
export const VECTOR_FIELDS = ['vector', 'window_vector'] as const;
export type VectorField = (typeof VECTOR_FIELDS)[number];

/** Name of the index of vectors of a field. */
const indexName = (field: VectorField): string => `passage_${field}`;

/** The first line of servers that narrow a search for vectors within the index; those before have `queryNodes` alone. */
const FIRST_WITH_FILTERS = 2026;

/** Whether a server narrows a search for vectors by other properties within the index. */
export function filtersVectors(serverVersion: string): boolean {
  return Number.parseInt(serverVersion, 10) >= FIRST_WITH_FILTERS;
}

const showVectors = statement<
  Record<string, never>,
  { name: string; state: string; dimensions: number | null; properties: string[] }
>(
  'embedding_index.show',
  'no data is read',
  `SHOW INDEXES YIELD name, type, state, properties, options WHERE type = 'VECTOR'
   RETURN name, state, properties, options.indexConfig['vector.dimensions'] AS dimensions`,
);

const FILTERS = ['scope_ref', ...Array.from({ length: INDEXED_LEVELS }, (_, level) => `a${level}`)];

/** The statement that creates an index; schema texts cannot take parameters. */
function createText(field: VectorField, dimensions: number, filters: boolean): string {
  const config = `\`vector.dimensions\`: ${dimensions}, \`vector.similarity_function\`: 'cosine'`;
  if (!filters)
    return `CREATE VECTOR INDEX ${indexName(field)} IF NOT EXISTS FOR (n:Passage) ON (n.${field}) OPTIONS {indexConfig: {${config}}}`;
  const properties = FILTERS.map((name) => `n.${name}`).join(', ');
  // Binary quantisation, which is the default, finds half of what is nearest in a large scope (measured).
  return `CYPHER 25 CREATE VECTOR INDEX ${indexName(field)} IF NOT EXISTS FOR (n:Passage) ON n.${field} WITH [${properties}]
     OPTIONS {indexConfig: {${config}, \`vector.quantization.type\`: 'scalar'}}`;
}

/** Keeps the indexes of vectors. */
export class VectorIndexes {
  private readonly writer: Writer;
  private readonly filters: boolean;

  constructor(writer: Writer, serverVersion: string) {
    this.writer = writer;
    this.filters = filtersVectors(serverVersion);
  }

  /** Creates what is missing, and anew what is of another length or kind; the server fills them in its own time. */
  async ensure(dimensions: number): Promise<void> {
    const rows = await this.writer.read(showVectors, {});
    for (const field of VECTOR_FIELDS) {
      const found = rows.find(({ name }) => name === indexName(field));
      const fits =
        found?.dimensions === dimensions &&
        found.properties.length === (this.filters ? FILTERS.length : 0) + 1;
      if (found !== undefined && !fits) await this.drop(field);
      if (!fits) await this.run(`create_${field}`, createText(field, dimensions, this.filters));
    }
  }

  /** Drops both indexes, where they are there. */
  async dropAll(): Promise<void> {
    for (const field of VECTOR_FIELDS) await this.drop(field);
  }

  private async drop(field: VectorField): Promise<void> {
    await this.run(`drop_${field}`, `DROP INDEX ${indexName(field)} IF EXISTS`);
  }

  private async run(name: string, text: string): Promise<void> {
    const command: Statement<Params, unknown> = {
      name: `embedding_index.${name}`,
      reliesOn: 'none',
      patient: true,
      text,
    };
    try {
      await this.writer.writeRepeatable(command, {});
    } catch (error) {
      // Two processes that start at once may both find it missing; whoever comes second is told that it is there now.
      if (
        failureOf(error) !== 'permanent' ||
        !String((error as { code?: unknown }).code).includes('AlreadyExists')
      )
        throw error;
    }
  }
}
