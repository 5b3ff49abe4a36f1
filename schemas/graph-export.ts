import { z } from 'zod';

import { graphQuery } from './graph.ts';
import { oneOf } from './listing.ts';
import { provenanceQuery } from './provenance.ts';

/** The formats that a graph is exported in, with what an answer in it is labelled as, and what the name of its file ends with. */
export const EXPORT_FORMATS = {
  cytoscape: { mediaType: 'application/json', extension: 'cyjs' },
  graphml: { mediaType: 'application/graphml+xml', extension: 'graphml' },
  gexf: { mediaType: 'application/gexf+xml', extension: 'gexf' },
  'prov-json': { mediaType: 'application/provenance+json', extension: 'provjson' },
  'prov-n': { mediaType: 'text/provenance-notation', extension: 'provn' },
  jsonld: { mediaType: 'application/ld+json', extension: 'jsonld' },
  dot: { mediaType: 'text/vnd.graphviz', extension: 'dot' },
  mermaid: { mediaType: 'text/vnd.mermaid', extension: 'mmd' },
} as const;

/** The name of a format. */
export type ExportFormat = keyof typeof EXPORT_FORMATS;

/** The formats for the graph of a scope: renderers of Mermaid end at a size that such a graph soon has. */
export const GRAPH_EXPORT_FORMATS = [
  'cytoscape',
  'graphml',
  'gexf',
  'prov-json',
  'prov-n',
  'jsonld',
  'dot',
] as const satisfies readonly ExportFormat[];

/** The formats for the graph around one record. */
export const PROVENANCE_EXPORT_FORMATS = [
  ...GRAPH_EXPORT_FORMATS,
  'mermaid',
] as const satisfies readonly ExportFormat[];

/** Edges beyond which renderers of Mermaid draw nothing, unless they are told otherwise. */
export const MAX_MERMAID_EDGES = 500;

/** Characters beyond which they do so. */
export const MAX_MERMAID_CHARS = 50_000;

/** Query of an export of the graph of a scope. */
export const graphExportQuery = z.strictObject({
  format: oneOf(GRAPH_EXPORT_FORMATS, { status: 400 }).describe(
    'cytoscape: JSON for Cytoscape and networkx; graphml; gexf: 1.3, with valid times; prov-json and prov-n: W3C PROV; jsonld: JSON-LD 1.1; dot: Graphviz.',
  ),
  ...graphQuery.omit({ limit: true, cursor: true }).shape,
});
export type GraphExportQuery = z.output<typeof graphExportQuery>;

/** Query of an export of the graph around one record. */
export const provenanceExportQuery = z.strictObject({
  format: oneOf(PROVENANCE_EXPORT_FORMATS, { status: 400 }).describe(
    `As of \`GET /v1/graph/export\`; and mermaid: a flowchart, of at most ${MAX_MERMAID_EDGES} edges.`,
  ),
  ...provenanceQuery.shape,
});
export type ProvenanceExportQuery = z.output<typeof provenanceExportQuery>;
