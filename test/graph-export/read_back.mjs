// Reads the exports of a folder back with the JavaScript tools that they are for, which are installed beside this file's copy; prints what
// was found as JSON.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { instance } from '@viz-js/viz';
import { JSDOM } from 'jsdom';
import jsonld from 'jsonld';

const [folder] = process.argv.slice(2);
const textOf = (name) => readFileSync(join(folder, name), 'utf8');
const found = {};

const flat = await jsonld.flatten(JSON.parse(textOf('graph.jsonld')));
const typeOf = (node) => node['@type']?.[0] ?? '';
const statements = flat.filter((node) => typeOf(node).endsWith('#Statement'));
const summary = 'urn:strata:term:summary';
found.jsonld = {
  summaries: flat.flatMap((node) => node[summary]?.map((value) => value['@value']) ?? []).sort(),
  edges: statements.length,
};

// Arranged without looking at edges, since only what was read is asked.
const viz = await instance();
const drawn = viz.render(textOf('graph.dot'), {
  format: 'dot_json',
  engine: 'osage',
  graphAttributes: { splines: 'false' },
});
const dot = drawn.status === 'success' ? JSON.parse(drawn.output) : { objects: [], edges: [] };
found.dot = {
  errors: drawn.errors.filter(({ level }) => level === 'error'),
  nodes: (dot.objects ?? []).length,
  edges: (dot.edges ?? []).length,
};

if (existsSync(join(folder, 'graph.mmd'))) {
  const { window } = new JSDOM('');
  Object.assign(globalThis, { window, document: window.document });
  const { default: mermaid } = await import('mermaid');
  // This one knows the kinds of diagrams only when one was read.
  await mermaid.parse(textOf('graph.mmd'));
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(textOf('graph.mmd'));
  found.mermaid = { nodes: db.getVertices().size, edges: db.getEdges().length };
}
process.stdout.write(`${JSON.stringify(found)}\n`);
