import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  EXPORT_FORMATS,
  GRAPH_EXPORT_FORMATS,
  PROVENANCE_EXPORT_FORMATS,
  type ExportFormat,
} from '../../schemas/graph-export.ts';
import { ingest } from '../drill/talk.ts';
import { nastyGraph, written } from '../graph-export/graphs.ts';
import { GraphTools, requirePython, type ReadBack } from '../graph-export/tools.ts';
import { readEnvelopes } from '../support/envelope-file.ts';
import { query } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import { ownService } from '../support/own-service.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';
import fc from '../support/property.ts';
import { allDerived } from '../support/rebuild.ts';
import { allOf, graphOf } from './graph-pages.ts';

// The exports read back by the tools that they are for: networkx, prov and an XML schema (Python), ProvToolbox (Java), jsonld, Graphviz and
// Mermaid (JavaScript). Where STRATA_TALK names the talk of Apollo 13 its graph is exported, else a small one.

const SCOPE = 'org:nasa/project:apollo-13';
const TALK = process.env.STRATA_TALK ?? '';
const NASTY_GRAPHS = 10;

const own = ownService();
let scratch = '';
let tools: GraphTools;

/** A node or edge as the files of the tools name it. */
interface Expected {
  readonly nodes: readonly { readonly id: string; readonly summary: string }[];
  readonly edges: readonly Edge[];
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

async function capture(): Promise<void> {
  const file = join(TALK, 'apollo-13.jsonl');
  if (TALK === '' || !existsSync(file)) {
    for (const [subject, predicate, object] of [
      ['ent_fuel_cell_1', 'status', 'ent_on_the_line'],
      ['ent_fuel_cell_1', 'status', 'ent_open_circuit'],
      ['ent_main_bus_b', 'fed_by', 'ent_fuel_cell_3'],
    ] as const)
      await own.service.post(
        '/v1/experience?wait=consolidated',
        statement(SCOPE, [subject, predicate, object]),
      );
    return;
  }
  const talk = [...readEnvelopes(file), ...readEnvelopes(join(TALK, 'apollo-13.triples.jsonl'))];
  await ingest([own.service.url], talk, () => Promise.resolve());
  await allDerived(own.driver);
}

beforeAll(async () => {
  requirePython();
  scratch = mkdtempSync(join(tmpdir(), 'strata-graph-export-'));
  tools = new GraphTools(join(scratch, 'tools'));
  mkdirSync(join(scratch, 'tools'));
  await tools.install();
  await capture();
});
afterAll(() => {
  if (scratch !== '') rmSync(scratch, { recursive: true, force: true });
});

/** Has the tools read files of all formats. */
async function readBack(
  expected: Expected,
  formats: readonly ExportFormat[],
  textOf: (format: ExportFormat) => Promise<string>,
): Promise<ReadBack> {
  const folder = mkdtempSync(join(scratch, 'files-'));
  writeFileSync(join(folder, 'expected.json'), JSON.stringify(expected));
  for (const format of formats)
    writeFileSync(join(folder, `graph.${EXPORT_FORMATS[format].extension}`), await textOf(format));
  return tools.readBack(folder);
}

/** Expects that the tools found a graph whole. */
function expectWhole({ python, node, provToolbox }: ReadBack, { nodes, edges }: Expected): void {
  expect(python.faults).toEqual([]);
  expect(node.dot).toEqual({ errors: [], nodes: nodes.length, edges: edges.length });
  expect(node.jsonld).toEqual({
    summaries: nodes.map(({ summary }) => summary).sort(),
    edges: edges.length,
  });
  const countOf = (...types: string[]): number => edges.filter(({ type }) => types.includes(type)).length;
  const evidence = countOf('DERIVED_FROM', 'CONCLUDED_FROM', 'SUPPORTED_BY');
  // One more entity tells of the export itself.
  expect(provToolbox.PROV_ENTITY).toBe(nodes.length + 1);
  expect(provToolbox.PROV_DERIVATION ?? 0).toBe(evidence + countOf('SUPERSEDED_BY'));
  expect(provToolbox.PROV_USAGE ?? 0).toBe(evidence + countOf('CONTAINS'));
  expect(provToolbox.PROV_MEMBERSHIP ?? 0).toBe(countOf('CONTAINS'));
}

async function fileOf(path: string): Promise<string> {
  const { status, text } = await own.service.get(path);
  if (status !== 200) throw new Error(text);
  return text;
}

describe('the tools that exports are for', () => {
  it(
    'read the graph of a scope back whole, and as the interface has it',
    readScope,
    DERIVING_PATIENCE_MS * 10,
  );
  it('read the graph around a record back whole', readRecord);
  it('read any text back', readNasty);
});

async function readScope(): Promise<void> {
  const now = new Date().toISOString();
  const asked = `scope=${SCOPE}&include_superseded=true&as_of_valid=${now}&as_of_recorded=${now}`;
  const pages = await graphOf(own.service, `${asked}&limit=200`);
  // Of an episode the interface shows the newest events alone, and of 10,000 not all.
  const contains =
    "MATCH (p:Episode)-[:CONTAINS]->(e:Event) WHERE p.scope = $scope RETURN p.id AS from, e.id AS to, 'CONTAINS' AS type";
  const contained = await query<Edge>(own.driver, contains, { scope: SCOPE });
  const others = pages.edges.filter(({ type }) => type !== 'CONTAINS');
  const expected: Expected = {
    nodes: pages.nodes.map(({ id, summary }) => ({ id, summary })),
    edges: [...others.map(({ from, to, type }) => ({ from, to, type })), ...contained],
  };
  const found = await readBack(expected, GRAPH_EXPORT_FORMATS, (format) =>
    fileOf(`/v1/graph/export?format=${format}&${asked}`),
  );
  expectWhole(found, expected);
}

async function readRecord(): Promise<void> {
  const [{ id }] = (await allOf(own.service, `/v1/facts?scope=${SCOPE}`)) as [{ id: string }];
  const asked = `direction=both&depth=2&as_of_recorded=${new Date().toISOString()}`;
  const graph = (await own.service.get(`/v1/provenance/${id}?${asked}`)).json;
  const file = JSON.parse(await fileOf(`/v1/provenance/${id}/export?format=cytoscape&${asked}`));
  const expected: Expected = {
    nodes: graph.nodes.map((node: any) => ({ id: node.id, summary: node.summary })),
    edges: file.elements.edges.map(({ data }: any) => ({
      from: data.source,
      to: data.target,
      type: data.type,
    })),
  };
  expect(expected.edges).toHaveLength(graph.edges.length);
  const found = await readBack(expected, PROVENANCE_EXPORT_FORMATS, (format) =>
    fileOf(`/v1/provenance/${id}/export?format=${format}&${asked}`),
  );
  expectWhole(found, expected);
  expect(found.node.mermaid).toEqual({ nodes: expected.nodes.length, edges: expected.edges.length });
}

async function readNasty(): Promise<void> {
  // What not all formats can hold, and what Graphviz and XML fold, is put to the test by writers.unit.
  const plain = (text: string): string =>
    text
      .replaceAll(/[\p{C}\ufffd\\]|\s+/gu, ' ')
      .replaceAll(/ +/gu, ' ')
      .trim();
  const graphs = fc.sample(nastyGraph, NASTY_GRAPHS).map(({ nodes, edges }, i) => {
    const ids = new Map(nodes.map(({ id }, k) => [id, plain(`${i}/${k} ${id}`)]));
    const idOf = (id: string): string => ids.get(id) ?? '';
    return {
      nodes: nodes.map((node) => ({ ...node, id: idOf(node.id), summary: plain(node.summary) })),
      edges: edges.map((edge) => ({ ...edge, from: idOf(edge.from), to: idOf(edge.to) })),
    };
  });
  const all = {
    about: { scope: SCOPE },
    nodes: graphs.flatMap(({ nodes }) => nodes),
    edges: graphs.flatMap(({ edges }) => edges),
  };
  const found = await readBack(all, PROVENANCE_EXPORT_FORMATS, (format) => written(format, all));
  expectWhole(found, all);
  expect(found.node.mermaid).toEqual({ nodes: all.nodes.length, edges: all.edges.length });
}
