import type { ExportFormat } from '../../schemas/graph-export.ts';
import { iri, localName } from '../../src/graph-export/iri.ts';
import { writable } from '../../src/graph-export/text.ts';
import fc from '../support/property.ts';
import { nastyGraph, SMALL, written, type TestGraph } from './graphs.ts';

// Read back with little more than JSON.parse and patterns; graph-export.long reads them back with the tools that the formats are of.

const RUNS = { numRuns: 300 };

function eachGraph(format: ExportFormat, look: (text: string, graph: TestGraph) => void): Promise<void> {
  return fc.assert(
    fc.asyncProperty(nastyGraph, async (graph) => {
      look(await written(format, graph), graph);
    }),
    RUNS,
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** What an XML parser makes of the text of an attribute or element. */
function readXml(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));/gu, (_all, code: string | undefined, name = '') =>
    code === undefined ? (ENTITIES[name] ?? '') : String.fromCodePoint(Number(code)),
  );
}

function allOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => readXml(found));
}

/** Whether a text is XML as far as its characters go: only characters of XML, and no `&` but in references. */
function expectXmlText(text: string): void {
  // oxlint-disable-next-line no-control-regex -- what XML cannot hold is looked for
  expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/u);
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/&(?!#\d+;|amp;|lt;|gt;|quot;)/u);
}

describe('GraphML', () => {
  it('holds any text', async () => {
    await eachGraph('graphml', (text, { nodes, edges }) => {
      expectXmlText(text);
      expect(allOf(text, /<node id="([^"]*)"/gu)).toEqual(nodes.map(({ id }) => writable(id)));
      expect(allOf(text, /<data key="node_summary">([^<]*)</gu)).toEqual(
        nodes.map(({ summary }) => writable(summary)),
      );
      expect(allOf(text, /<edge id="[^"]*" source="([^"]*)"/gu)).toEqual(
        edges.map(({ from }) => writable(from)),
      );
      expect(allOf(text, /<data key="edge_relation">([^<]*)</gu)).toEqual(
        edges.map(({ relation = '' }) => writable(relation)),
      );
    });
  });

  it('says what is said of the graph, and declares all that it says', async () => {
    const text = await written('graphml', SMALL);
    expect(text).toContain('<data key="graph_withheld_scopes">2</data>');
    const declared = new Set(allOf(text, /<key id="([^"]*)"/gu));
    expect(allOf(text, /<data key="([^"]*)"/gu).filter((key) => !declared.has(key))).toEqual([]);
  });
});

describe('GEXF', () => {
  it('holds any text', async () => {
    await eachGraph('gexf', (text, { nodes, edges }) => {
      expectXmlText(text);
      expect(allOf(text, /<node id="([^"]*)"/gu)).toEqual(nodes.map(({ id }) => writable(id)));
      expect(allOf(text, /<attvalue for="summary" value="([^"]*)"/gu)).toEqual(
        nodes.map(({ summary }) => writable(summary)),
      );
      expect(allOf(text, /<edge id="[^"]*" source="[^"]*" target="([^"]*)"/gu)).toEqual(
        edges.map(({ to }) => writable(to)),
      );
    });
  });

  it('has valid times as spells', async () => {
    const text = await written('gexf', SMALL);
    expect(text).toMatch(
      /<node id="fact_1".*<spell start="2026-01-01T00:00:00.000Z" end="2026-03-01T00:00:00.000Z"\/>/u,
    );
    expect(text).toMatch(/kind="SUPERSEDED_BY".*<spell start="2026-03-01T00:00:00.000Z"\/>/u);
    expect(text).not.toMatch(/<node id="ent_ann".*<spell/u);
  });
});

describe('Cytoscape', () => {
  it('holds any text', async () => {
    await eachGraph('cytoscape', (text, { about, nodes, edges }) => {
      const { elements, data } = JSON.parse(text);
      expect(data).toEqual({ ...about, name: about.scope });
      expect(elements.nodes.map((one: any) => [one.data.id, one.data.summary])).toEqual(
        nodes.map(({ id, summary }) => [id, summary]),
      );
      expect(elements.edges.map((one: any) => [one.data.source, one.data.target, one.data.weight])).toEqual(
        edges.map(({ from, to, weight }) => [from, to, weight]),
      );
      expect(new Set(elements.edges.map((one: any) => one.data.id)).size).toBe(edges.length);
    });
  });
});

describe('DOT', () => {
  /** What Graphviz makes of a quoted string: only quotes are unescaped, here the doubled backslashes too. */
  const read = (text: string): string =>
    text.replace(/\\(["\\n])/gu, (_all, sign) => (sign === 'n' ? '\n' : sign));

  it('holds any text', async () => {
    await eachGraph('dot', (text, { nodes, edges }) => {
      expect(text.isWellFormed()).toBe(true);
      const lines = text.split('\n');
      const quoted = /"((?:[^"\\]|\\.)*)"/gu;
      // Whatever stands outside of quotes was written here.
      for (const line of lines) expect(line.replaceAll(quoted, 'q')).toMatch(/^[\w\s[\]=,;{}>-]*$/u);
      const ids = lines.flatMap((line) => [...(/^"((?:[^"\\]|\\.)*)" \[/u.exec(line) ?? [])].slice(1));
      const lineFeeds = (id: string): string => writable(id).replaceAll(/\r\n?/gu, '\n');
      expect(ids.map(read)).toEqual(nodes.map(({ id }) => lineFeeds(id)));
      expect(lines.filter((line) => line.includes(' -> '))).toHaveLength(edges.length);
    });
  });
});

describe('Mermaid', () => {
  it('holds any text, in quotes that nothing in it can end', async () => {
    await eachGraph('mermaid', (text, { nodes, edges }) => {
      const lines = text.split('\n');
      expect(lines[0]).toBe('flowchart LR');
      expect(lines.slice(1, 1 + nodes.length).join('\n')).toMatch(
        /^(?: {2}n\d+[([{/]+"(?:[\p{L}\p{M}\p{N} _,.…]|#\d+;)+"[)\]}/]+\n?)*$/u,
      );
      expect(lines.slice(1 + nodes.length, -1)).toHaveLength(edges.length);
    });
  });

  it('shortens what nodes say before it is too long to be drawn', async () => {
    const long = 'long words '.repeat(20);
    const many = Array.from({ length: 400 }, (_, i) => ({
      ...SMALL.nodes[1]!,
      id: `fact_${i}`,
      summary: long,
    }));
    const text = await written('mermaid', { ...SMALL, nodes: many, edges: [] });
    expect(text.length).toBeLessThanOrEqual(50_000);
    expect(text).toContain('…');
  });

  it('is refused beyond 500 edges, and beyond 50,000 characters', async () => {
    const edge = { from: 'fact_1', to: 'evt_1', type: 'DERIVED_FROM' } as const;
    const refused = (nodes: number, edges: number): Promise<string> =>
      written('mermaid', {
        ...SMALL,
        nodes: Array.from({ length: nodes }, (_, i) => ({
          ...SMALL.nodes[0]!,
          id: `evt_${i}`,
          summary: '::'.repeat(40),
        })),
        edges: Array.from({ length: edges }, () => edge),
      });
    await expect(refused(2, 501)).rejects.toMatchObject({ code: 'INVALID_QUERY', status: 422 });
    await expect(refused(2000, 1)).rejects.toMatchObject({ code: 'INVALID_QUERY', status: 422 });
    expect((await refused(2, 500)).split('\n').filter((line) => line.includes('-->'))).toHaveLength(500);
  });
});

describe('JSON-LD', () => {
  it('holds any text', async () => {
    await eachGraph('jsonld', (text, { nodes, edges }) => {
      const { '@graph': items } = JSON.parse(text);
      const [, ...rest] = items;
      const found = rest.filter((one: any) => one['@type'] !== 'rdf:Statement');
      expect(found.map((one: any) => [one['@id'], one.summary])).toEqual(
        nodes.map(({ id, summary }) => [iri('node', id), writable(summary)]),
      );
      const said = rest.filter((one: any) => one['@type'] === 'rdf:Statement');
      expect(said.map((one: any) => one['rdf:subject'][one.type]['@id'])).toEqual(
        edges.map(({ to }) => iri('node', to)),
      );
    });
  });

  it('makes different names of different ids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        expect(localName(a)).toMatch(/^[\w%]*$/u);
        expect(localName(a) === localName(b)).toBe(a.toWellFormed() === b.toWellFormed());
      }),
    );
  });
});
