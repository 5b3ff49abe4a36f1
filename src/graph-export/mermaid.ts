import type { GraphEdge, GraphNodeType } from '../../schemas/graph.ts';
import { MAX_MERMAID_CHARS, MAX_MERMAID_EDGES } from '../../schemas/graph-export.ts';
import { StrataError } from '../errors.ts';
import type { ExportGraph, ExportNode } from './graph.ts';

/** Brackets of a node, by what it is. */
const SHAPES: Readonly<Record<GraphNodeType, readonly [string, string]>> = {
  event: ['[', ']'],
  fact: ['(', ')'],
  belief: ['{{', '}}'],
  episode: ['[[', ']]'],
  concept: ['[/', '/]'],
  entity: ['([', '])'],
};

/** Characters of what nodes say, most first: as many as let the whole be drawn. */
const LABEL_CHARS = [160, 80, 40, 20];

/**
 * A flowchart of Mermaid. Throws `INVALID_QUERY` (422) where renderers would not draw it: for more than 500 edges, and for what is longer
 * than 50,000 characters however short the labels are.
 */
export async function* writeMermaid(graph: ExportGraph): AsyncGenerator<string> {
  const nodes: ExportNode[] = [];
  for await (const batch of graph.nodes()) nodes.push(...batch);
  const edges: GraphEdge[] = [];
  for await (const batch of graph.edges()) edges.push(...batch);
  if (edges.length > MAX_MERMAID_EDGES)
    throw tooLarge(`the graph has ${edges.length} edges; Mermaid draws at most ${MAX_MERMAID_EDGES}`);
  for (const chars of LABEL_CHARS) {
    const text = flowchart(nodes, edges, chars);
    if (text.length > MAX_MERMAID_CHARS) continue;
    yield text;
    return;
  }
  throw tooLarge(`the graph is longer than the ${MAX_MERMAID_CHARS} characters that Mermaid draws at most`);
}

function flowchart(nodes: readonly ExportNode[], edges: readonly GraphEdge[], chars: number): string {
  const names = new Map(nodes.map(({ id }, i) => [id, `n${i}`]));
  const nameOf = (id: string): string => names.get(id) ?? '';
  const drawn = nodes.map(({ id, type, summary }) => {
    const [open, close] = SHAPES[type];
    // It takes no empty label.
    const said = label(summary, chars) || label(id, chars) || '…';
    return `  ${nameOf(id)}${open}"${said}"${close}\n`;
  });
  const led = edges.map(({ from, to, type, polarity }) => {
    const arrow = polarity === 'against' ? '-.->' : '-->';
    return `  ${nameOf(from)} ${arrow}|${type}| ${nameOf(to)}\n`;
  });
  return `flowchart LR\n${drawn.join('')}${led.join('')}`;
}

/** A text of at most so many characters in which nothing is left that Mermaid could take for anything else. */
function label(text: string, chars: number): string {
  const all = Array.from(
    text
      .toWellFormed()
      .replaceAll(/[\s\p{C}]+/gu, ' ')
      .trim(),
  );
  const shown = all.length > chars ? [...all.slice(0, chars - 1), '…'] : all;
  return shown.join('').replace(/[^\p{L}\p{M}\p{N} _,.…]/gu, (sign) => `#${sign.codePointAt(0) ?? 0};`);
}

function tooLarge(message: string): StrataError {
  const reason = 'too large to be drawn; ask for less depth, or in another format';
  return new StrataError('INVALID_QUERY', `format: ${message}; ask for less depth, or in another format`, {
    status: 422,
    details: { field_path: 'format', reason },
  });
}
