const SCRIPTS =
  'Han Hiragana Katakana Bopomofo Yi Hangul Thai Lao Khmer Myanmar Tai_Le New_Tai_Lue Tai_Tham Tai_Viet Javanese Balinese';

/**
 * Pattern of a character, without its marks, of a script that is written without blanks, or whose words carry particles. `ー` is of no
 * script by itself.
 */
export const PAIRED_CHARACTER = `(?:(?=[\\p{L}\\p{N}\\p{So}])[ー${SCRIPTS.split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('')}])`;

const CHARACTER = new RegExp(`${PAIRED_CHARACTER}\\p{M}*`, 'gu');

/** What a run of such characters is found by. */
export interface PairedRun {
  /** Its characters, each with its marks. */
  readonly singles: readonly string[];
  /** Each character with the one behind it. */
  readonly pairs: readonly string[];
}

/** The characters of a run, and its pairs. */
export function pairsOf(run: string): PairedRun {
  const singles: readonly string[] = run.match(CHARACTER) ?? [];
  return { singles, pairs: singles.slice(1).map((character, i) => `${singles[i]}${character}`) };
}
