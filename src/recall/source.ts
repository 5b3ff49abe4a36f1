import type { Layer, RecallPack } from '../../schemas/recall.ts';
import { SEPARATOR } from './context-block.ts';

/** What stands in front of the number of a marker: nothing in an answer, S in a document. */
export type MarkerPrefix = '' | 'S';

/** A record of a pack as evidence. */
export interface Source {
  /** From 1, as its marker counts. */
  readonly number: number;
  readonly layer: Layer;
  readonly id: string;
  /** How well it matched, 0 to 1. */
  readonly score: number;
  /** One line: its stamp, its marker, what it says. */
  readonly text: string;
}

/** What a reader of an answer, or a model, may take for a marker, whatever its brackets. */
const MARKER_LIKE = /[[【]([ \t,;–^#sS-]*\d[ \t,;–^#sS\d-]*)[\]】]/gu;

/** The marker of a source. */
export function markerOf(number: number, prefix: MarkerPrefix): string {
  return `[${prefix}${number}]`;
}

/**
 * The records of a pack as evidence, in the order of its context block; none where the pack was made without markers. What a record
 * says never holds anything that looks like a marker: that is shown in the brackets of East Asian type.
 */
export function sourcesOf(
  pack: Pick<RecallPack, 'context_block' | 'layers' | 'provenance'>,
  prefix: MarkerPrefix,
): Source[] {
  const lines = pack.context_block.split(SEPARATOR);
  const scores = new Map(
    Object.values(pack.layers).flatMap((hits) =>
      (hits as readonly { id: string; score: number }[]).map(({ id, score }) => [id, score] as const),
    ),
  );
  return Object.entries(pack.provenance.citations).map(([marker, { layer, id }], i) => {
    const line = lines[i] ?? '';
    const at = line.indexOf(marker);
    const said = line.slice(at + marker.length).replace(MARKER_LIKE, '［$1］');
    const text = `${line.slice(0, at)}${markerOf(i + 1, prefix)}${said}`;
    return { number: i + 1, layer, id, score: scores.get(id) ?? 0, text };
  });
}

/** Sources as one text, as a context block shows them. */
export function shownSources(sources: readonly Source[]): string {
  return sources.map(({ text }) => text).join(SEPARATOR);
}
