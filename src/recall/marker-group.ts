/** Characters from an opening bracket on within which a list of markers ends: room for two hundred of them. */
const LONGEST_GROUP = 1024;

const OPENING = /[[【]/u;
const CLOSING = /[\]】]/u;
const BRACKETS = /[[\]【】]/gu;
/** What may stand between the brackets of markers beside words: digits of whatever script, signs of lists and ranges, blanks of all kinds. */
const MARKER_RUN = /[\s\p{Nd}\p{Cf}⁰¹²³⁴-⁹₀-₉sS^#,;:&|/\\\u2010-\u2015\u2212-]+/uy;
const DIGIT = /[\p{Nd}⁰¹²³⁴-⁹₀-₉]/u;
const AND = 'and';
/** Behind it stands what some models say of a source, up to the bracket. */
const DAGGER = '†';
const DAGGER_PART = /†[^[\]【】]*/gu;
const BLANKS = /\s+/gu;
const DASH = / ?[\u2010-\u2015\u2212-] ?/gu;
const BETWEEN = /(?:[\s,;&|]|and)+/iu;
const NUMBERS = /^(\d+)(?:-(\d+))?$/u;

/** What begins with an opening bracket. */
export type Begun =
  /** Brackets, perhaps nested, with nothing in them that markers have not; `end` is behind them. */
  | { readonly is: 'closed'; readonly end: number }
  /** Not known before more of the text is there. */
  | { readonly is: 'undecided'; readonly nested: boolean }
  /** A text in brackets. `nested`: what stands right behind the bracket may be taken out. */
  | { readonly is: 'plain'; readonly nested: boolean };

/** Where the first opening bracket of a text stands; -1 for none. */
export function openingIn(text: string): number {
  return text.search(OPENING);
}

/** What the bracket at a place of a text begins. `isLast`: nothing follows the text. */
export function begunAt(text: string, open: number, isLast: boolean): Begun {
  const most = Math.min(text.length, open + LONGEST_GROUP);
  let depth = 1;
  let nested = false;
  let inDagger = false;
  for (let at = open + 1; at < most;) {
    const char = text[at] ?? '';
    if (OPENING.test(char)) {
      depth += 1;
      nested = true;
      at += 1;
    } else if (CLOSING.test(char)) {
      depth -= 1;
      inDagger = false;
      at += 1;
      if (depth === 0) return { is: 'closed', end: at };
    } else if (inDagger || (char === DAGGER && DIGIT.test(text.slice(open, at)))) {
      inDagger = true;
      at += 1;
    } else {
      const length = runAt(text, at);
      if (length === 0 && !isLast && isBeginningOfAnd(text.slice(at))) return { is: 'undecided', nested };
      if (length === 0) return { is: 'plain', nested };
      at += length;
    }
  }
  return most < open + LONGEST_GROUP ? { is: 'undecided', nested } : { is: 'plain', nested: true };
}

/** Whether a text has a digit that a marker could have. */
export function hasDigit(text: string): boolean {
  return DIGIT.test(text);
}

/** Markers of brackets that are closed. */
export interface MarkerList {
  /** Numbers and ranges of them, as they are written; NaN for what is none. */
  readonly ranges: readonly { readonly text: string; readonly from: number; readonly to: number }[];
  /** Whether there is more in it than numbers, ranges and lists: dates, times of day. */
  readonly hasOther: boolean;
}

/** What stands in brackets that are closed. */
export function markersIn(group: string): MarkerList {
  const whole = group.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const items = whole
    .replace(DAGGER_PART, '')
    .replace(BRACKETS, ' ')
    .replace(/[sS^#\\]/gu, '')
    .replace(BLANKS, ' ')
    .replace(DASH, '-')
    .split(BETWEEN)
    .filter((item) => item !== '');
  const ranges = items.map((text) => {
    const [, from, to = from] = NUMBERS.exec(text) ?? [];
    return { text, from: Number(from), to: Number(to) };
  });
  const isNumbers = ranges.every(({ from }) => !Number.isNaN(from));
  return { ranges, hasOther: !isNumbers && !whole.includes(DAGGER) };
}

/** A text with all brackets of markers shown as brackets that no marker has. */
export function withoutBrackets(text: string): string {
  return text.replace(BRACKETS, (bracket) => (OPENING.test(bracket) ? '［' : '］'));
}

/** Length of what stands at a place and may stand in a list of markers. */
function runAt(text: string, at: number): number {
  MARKER_RUN.lastIndex = at;
  const run = MARKER_RUN.exec(text)?.[0].length ?? 0;
  if (run > 0) return run;
  return text.slice(at, at + AND.length).toLowerCase() === AND ? AND.length : 0;
}

function isBeginningOfAnd(rest: string): boolean {
  return rest.length < AND.length && AND.startsWith(rest.toLowerCase());
}
