import { Graph, layout } from '@dagrejs/dagre';

import { isDeriving, nameOf, signOf, type WhyGraph, type WhyLink } from './graph.ts';
import type { RecordKind } from './queries.ts';
import { cut, shortNumber } from './words.ts';

/** Size of what stands for a record, and how far apart they are. */
export const CARD = { width: 190, height: 70, beside: 22, between: 54 } as const;
/** Characters of a summary that fit into a card. */
const CARD_TEXT = 54;

/** A record, or words of an event, in its place. */
export interface Card {
  readonly id: string;
  /** The record that it stands for; of words the event that they stand in. */
  readonly record: string;
  readonly kind: RecordKind | 'words';
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** A line from what rests to what it rests on. */
export interface Line {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** How it is drawn: what speaks against is dashed, what belongs together dotted, what stands beside thin. */
  readonly look: 'for' | 'against' | 'rests' | 'part' | 'beside';
  readonly text: string;
  /** 0 to 1: how much the evidence weighs. */
  readonly strength: number;
}

/** A drawing: what stands where. */
export interface Drawing {
  readonly cards: readonly Card[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

/** Which way a drawing goes: what rests at the top, or at the left. */
export type Way = 'down' | 'across';

/** The words that spans of links name, by the names of the links; undefined where they have not been read. */
export type WordsOf = (link: WhyLink) => string | undefined;

/** Puts the records of a graph into layers: above what rests on others, below what they rest on, with the quoted words in between. */
export function drawn(graph: WhyGraph, way: Way, wordsOf: WordsOf): Drawing {
  const cards = graph.nodes.map(({ id, kind, summary, confidence }) => ({
    id,
    record: id,
    kind,
    text: `${kind}${confidence === null ? '' : ` · ${shortNumber(confidence)}`}\n${cut(summary, CARD_TEXT)}`,
  }));
  const quoted = graph.links.filter(({ span }) => span !== null);
  const words = quoted.map((link) => ({
    id: nameOf(link),
    record: link.to,
    kind: 'words' as const,
    text: `“${cut(wordsOf(link) ?? '…', CARD_TEXT)}”`,
  }));
  const lines = graph.links.flatMap(linesOf);
  return placed([...cards, ...words], lines, way);
}

function linesOf(link: WhyLink): Line[] {
  const { from, to, span } = link;
  const id = nameOf(link);
  if (span === null)
    return [{ id, from, to, look: lookOf(link), text: textOf(link), strength: strengthOf(link) }];
  const rests = { look: 'rests', text: '', strength: 0 } as const;
  return [
    { id: `${id} words`, from, to: id, ...rests },
    { id: `${id} event`, from: id, to, ...rests, look: 'part' },
  ];
}

function lookOf(link: WhyLink): Line['look'] {
  const sign = signOf(link);
  if (sign === '−') return 'against';
  if (sign === '+') return 'for';
  if (link.relation === 'contains') return 'part';
  return isDeriving(link) ? 'rests' : 'beside';
}

function textOf(link: WhyLink): string {
  const { relation, weight } = link;
  if (weight !== null && signOf(link) !== '') return `${signOf(link)} ${shortNumber(weight)}`;
  if (relation === 'concluded_from') return 'premise';
  if (relation === 'supersedes') return 'took its place';
  return isDeriving(link) ? signOf(link) : relation;
}

/** Evidence adds up, so that a weight has no end; a certain source weighs 1, and twice as much is drawn no thicker. */
function strengthOf({ weight }: WhyLink): number {
  return weight === null ? 0 : Math.min(1, Math.max(0, weight));
}

type Unplaced = Omit<Card, 'x' | 'y'>;

function placed(cards: readonly Unplaced[], lines: readonly Line[], way: Way): Drawing {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: way === 'down' ? 'TB' : 'LR',
    nodesep: CARD.beside,
    ranksep: CARD.between,
    marginx: CARD.beside,
    marginy: CARD.beside,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of cards) graph.setNode(id, { width: CARD.width, height: CARD.height });
  for (const { id, from, to } of lines) graph.setEdge(from, to, {}, id);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const at = (id: string): { x: number; y: number } => {
    const { x = 0, y = 0 } = graph.node(id) as { x?: number; y?: number };
    return { x, y };
  };
  return { cards: cards.map((card) => ({ ...card, ...at(card.id) })), lines, width, height };
}

/** The way in which a graph can be drawn larger in a frame. */
export function betterWay(graph: WhyGraph, frame: { readonly width: number; readonly height: number }): Way {
  const scale = (way: Way): number => {
    const { width, height } = drawn(graph, way, () => undefined);
    return Math.min(frame.width / width, frame.height / height);
  };
  return scale('across') > scale('down') * 1.1 ? 'across' : 'down';
}
