import type { Layer } from '../../schemas/recall.ts';
import { minuteText } from '../time/clocks.ts';

/** How entries are cited: by a marker in the text of the block, or not at all. */
export type CitationMode = 'inline_with_markers' | 'none';

/** A record as it is shown to a reader. */
export interface ContextEntry {
  readonly layer: Layer;
  readonly id: string;
  /** What its stamp says, epoch milliseconds, years 1 to 9999: when an event was observed, since when a fact holds. */
  readonly at: number;
  /** Milliseconds by which the clocks are ahead of UTC that its stamp goes by; default 0. */
  readonly offsetMs?: number;
  /** Who says it, in front of the text and never cut; null where nobody does. */
  readonly speaker?: string | null;
  readonly text: string;
  /** Until when that held, behind the text and never cut; null or left out where it is not over. */
  readonly ended?: string | null;
  /** The tokens of all that it says, as `tokensOfSaid` counts them, of a record that is not over; left out where they are not known. */
  readonly said_tokens?: number;
}

/** What a marker stands for. */
export interface Citation {
  readonly layer: Layer;
  readonly id: string;
}

/** The records of a recall as one text. */
export interface ContextBlock {
  /** Empty where there is nothing to show. */
  readonly text: string;
  /** By marker (`[1]`), in the order of the block; empty where nothing is marked. */
  readonly citations: Readonly<Record<string, Citation>>;
}

/** What stands between two entries: a line of its own, which no entry can contain because an entry is one line. */
export const SEPARATOR = '\n---\n';

/** The entries of a block, each but the last with the separator behind it. */
export function entriesIn(block: string): string[] {
  return block === '' ? [] : block.split(AFTER_SEPARATOR);
}

const AFTER_SEPARATOR = new RegExp(`(?<=${SEPARATOR})`, 'u');

/** Whatever a reader of lines, of whatever language, may take for the end of one: every control character but the tab is, or might be. */
const LINE_BREAKS = /(?:(?!\t)\p{Cc}|[\u2028\u2029])+/u;
/** A number in square brackets, or several: what a marker, or a list of markers, looks like. */
const MARKER_LIKE = /\[([\s,;–-]*\d[\d\s,;–-]*)\]/gu;

/**
 * Renders records in the order in which they come, each as one line `[YYYY-MM-DD HH:MM UTC] [n] text` (or `+08:00`, where its clocks are known to
 * be others), counted from 1, with a line `---` between them; without markers the `[n]` is left out.
 *
 * Nothing that a text says can be taken for a part of the block: its line breaks (control characters, too) become blanks, so that a `---` in it is never a
 * line, and `[3]` in it is shown as `［3］`, in the brackets of East Asian type. Those look alike, so that `a[3]` stays readable, but
 * no marker is written with them; in compatibility form (NFKC) they are the plain ones again.
 */
export function renderContext(
  entries: readonly ContextEntry[],
  mode: CitationMode = 'inline_with_markers',
): ContextBlock {
  const marked = mode === 'inline_with_markers';
  const lines = entries.map((entry, i) => entryLine(entry, marked ? i + 1 : null));
  const cited = marked ? entries.map(({ layer, id }, i) => [`[${i + 1}]`, { layer, id }] as const) : [];
  return { text: lines.join(SEPARATOR), citations: Object.fromEntries(cited) };
}

/** The line of one record, with the number of its marker; null for a line without one. */
export function entryLine(entry: ContextEntry, number: number | null): string {
  return `${entryHead(entry, number)}${entrySaid(entry)}`;
}

/** What a line begins with, up to the last bracket. */
export function entryHead(
  { at, offsetMs = 0 }: Pick<ContextEntry, 'at' | 'offsetMs'>,
  number: number | null,
): string {
  const stamp = `[${minuteText(at, offsetMs)}]`;
  return number === null ? stamp : `${stamp} [${number}]`;
}

/** What follows in it: a blank, what is said, and until when that held; empty where nothing is. */
export function entrySaid({
  speaker = null,
  text,
  ended = null,
}: Pick<ContextEntry, 'speaker' | 'text' | 'ended'>): string {
  const said = speaker === null ? shown(text) : `${shown(speaker)}: ${shown(text)}`;
  return ` ${said}${ended === null ? '' : ` (${ended})`}`.trimEnd();
}

/** A text on one line, without anything that looks like a marker. */
function shown(text: string): string {
  const lines = text.split(LINE_BREAKS).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .join(' ')
    .replace(MARKER_LIKE, '［$1］');
}
