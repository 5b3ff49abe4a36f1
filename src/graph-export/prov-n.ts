import { IdSet } from './id-set.ts';
import type { ExportGraph } from './graph.ts';
import { NAMESPACES } from './iri.ts';
import {
  aboutStatement,
  edgeStatements,
  nodeStatements,
  type ProvKind,
  type ProvStatement,
  type ProvValue,
} from './prov.ts';
import { writable } from './text.ts';

/** PROV-N, the notation of W3C PROV: each agent once, before what names it. */
export async function* writeProvN(graph: ExportGraph): AsyncGenerator<string> {
  const { about } = graph;
  const prefixes = Object.entries(NAMESPACES).map(([prefix, iri]) => `  prefix ${prefix} <${iri}>\n`);
  yield `document\n${prefixes.join('')}\n${statementText(aboutStatement(about))}`;
  const agents = new IdSet();
  const isNew = ({ kind, id }: ProvStatement): boolean => kind !== 'agent' || agents.add(id ?? '');
  for await (const nodes of graph.nodes())
    yield nodes.flatMap(nodeStatements).filter(isNew).map(statementText).join('');
  for await (const edges of graph.edges()) yield edges.flatMap(edgeStatements).map(statementText).join('');
  yield 'endDocument\n';
}

/** What statements always say; what may follow is left out as a whole where nothing of it is known. */
const ALWAYS: Partial<Record<ProvKind, number>> = {
  activity: 0,
  wasGeneratedBy: 1,
  used: 1,
  wasDerivedFrom: 2,
  wasAssociatedWith: 1,
};

function statementText({ kind, id, of, attributes }: ProvStatement): string {
  const always = ALWAYS[kind] ?? of.length;
  const isMore = of.slice(always).some((one) => one !== null);
  const shown = (isMore ? of : of.slice(0, always)).map((one) => one ?? '-');
  const pairs = attributes.map(([name, value]) => `${name}=${valueText(value)}`);
  const parts = [
    ...(id === null ? [] : [id]),
    ...shown,
    ...(pairs.length === 0 ? [] : [`[${pairs.join(', ')}]`]),
  ];
  return `  ${kind}(${parts.join(', ')})\n`;
}

function valueText({ is, value }: ProvValue): string {
  switch (is) {
    case 'text':
      return quoted(value);
    case 'instant':
      return `${quoted(value)} %% xsd:dateTime`;
    case 'name':
      return `'${value}'`;
    case 'integer':
      return `"${value}" %% xsd:int`;
    case 'number':
      return `"${value}" %% xsd:double`;
    case 'flag':
      return `"${value}" %% xsd:boolean`;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function quoted(text: string): string {
  return `"${writable(text).replace(/[\\"\n\r\t]/gu, (found) => ESCAPES[found] ?? found)}"`;
}
