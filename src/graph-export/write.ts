import type { ExportFormat } from '../../schemas/graph-export.ts';
import { writeCytoscape } from './cytoscape.ts';
import { writeDot } from './dot.ts';
import { writeGexf } from './gexf.ts';
import type { ExportGraph, GraphWriter } from './graph.ts';
import { writeGraphml } from './graphml.ts';
import { writeJsonld } from './jsonld.ts';
import { writeMermaid } from './mermaid.ts';
import { writeProvJson } from './prov-json.ts';
import { writeProvN } from './prov-n.ts';
import { inBlocks } from './text.ts';

const WRITERS: Readonly<Record<ExportFormat, GraphWriter>> = {
  cytoscape: writeCytoscape,
  graphml: writeGraphml,
  gexf: writeGexf,
  'prov-json': writeProvJson,
  'prov-n': writeProvN,
  jsonld: writeJsonld,
  dot: writeDot,
  mermaid: writeMermaid,
};

/** The format that says every interval of a fact which others interrupted. */
export const INTERVALS_FORMAT: ExportFormat = 'gexf';

/** The format whose writer goes over the nodes several times. */
export const REPEATING_FORMAT: ExportFormat = 'prov-json';

/** A graph in a format, in blocks of some ten thousand characters. Throws what the graph throws, and of Mermaid `INVALID_QUERY`. */
export function writeGraph(format: ExportFormat, graph: ExportGraph): AsyncGenerator<string> {
  return inBlocks(WRITERS[format](graph));
}
