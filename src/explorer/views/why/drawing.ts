import { isDeriving, nameOf, signOf, type WhyGraph, type WhyLink } from './graph.ts';
import type { RecordKind } from './queries.ts';
import { cut, shortNumber } from './words.ts';

/** Size of what stands for a record, and how far apart they are. */
export const CARD = { width: 190, height: 70, beside: 22, between: 54 } as const;
/** Characters of a summary that fit into a card. */
const CARD_TEXT = 54;

/** What stands for a record, or for words of an event. */
export interface Card {
  readonly id: string;
  /** The record that it stands for; of words the event that they stand in. */
  readonly record: string;
  readonly kind: RecordKind | 'words';
  readonly text: string;
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

/** What is drawn, wherever it stands. All cards are of one size, so that no text moves another card. */
export interface Drawing {
  readonly cards: readonly Card[];
  readonly lines: readonly Line[];
}

/** Which way a drawing goes: what rests at the top, or at the left. */
export type Way = 'down' | 'across';

/** Middles of cards by the ids of the cards. */
export type Places = ReadonlyMap<string, { readonly x: number; readonly y: number }>;

/** Where the cards of a drawing stand. */
export interface Layout {
  /** {@link shapeOf} the drawing. */
  readonly shape: string;
  readonly way: Way;
  readonly places: Places;
}

/** The words that a span of a link names; undefined where they have not been read. */
export type WordsOf = (link: WhyLink) => string | undefined;

/** The records of a graph as cards, those of quoted words between a fact and its event. */
export function drawn(graph: WhyGraph, wordsOf: WordsOf): Drawing {
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
  return { cards: [...cards, ...words], lines: graph.links.flatMap(linesOf) };
}

/** What a layout depends on: the same for drawings of the same records and links, in whatever order, whatever is written in them. */
export function shapeOf({ cards, lines }: Drawing): string {
  return [...cards, ...lines]
    .map(({ id }) => id)
    .sort()
    .join('\n');
}

/** Whether a layout is that of a drawing of a shape in a way; `way` is null where it is still to be chosen. */
export function isLayoutOf(layout: Layout | null, shape: string, way: Way | null): layout is Layout {
  return layout?.shape === shape && layout.way === way;
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
