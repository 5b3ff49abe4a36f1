import { z } from 'zod';

/** What a text without control characters looks like; spelt out, as not every reader of JSON schemas knows `\p{Cc}`. */
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const NO_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/u;

/** Whether a text has from `minimum` (0 or 1) to `maximum` characters, counted as JSON schema counts them: code points. */
function hasLength(text: string, minimum: number, maximum: number): boolean {
  if (text.length < minimum || text.length > 2 * maximum) return false;
  return text.length <= maximum || Array.from(text).length <= maximum;
}

/** A text of `minimum` (0 or 1) to `maximum` characters. */
export function characters(minimum: 0 | 1, maximum: number) {
  return z
    .string()
    .refine(
      (text) => hasLength(text, minimum, maximum),
      `is not ${String(minimum)} to ${String(maximum)} characters long`,
    )
    .meta({ ...(minimum === 0 ? {} : { minLength: minimum }), maxLength: maximum });
}

/** Text of a name-like field: 1 to `maximum` characters, none of them a control character. */
export function nameText(maximum: number) {
  return characters(1, maximum).regex(NO_CONTROLS, 'holds a control character');
}

/** A text without control characters and not blank. */
export function visibleName() {
  return z
    .string()
    .regex(NO_CONTROLS, 'holds a control character')
    .refine((text) => text.trim() !== '', 'is blank')
    .meta({ allOf: [{ pattern: '\\S' }] });
}

/** Characters of a text that a summary quotes at most. */
const QUOTED_CHARS = 160;

/** A text on one line, cut at a word where it is longer than `most` characters. */
export function quoted(text: string, most = QUOTED_CHARS): string {
  // Of a long text only the beginning is looked at; runs of blanks count as one, so that it is some times as much.
  const line = text
    .slice(0, most * 8)
    .replace(/\s+/gu, ' ')
    .trim();
  if (line.length <= most) return line;
  const head = line.slice(0, most);
  const end = head.lastIndexOf(' ');
  return `${(end > most / 2 ? head.slice(0, end) : head).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** Characters of a caption at most, before the sign that it was cut. */
const CAPTION_CHARS = 279;

/** What stands on a node for whoever looks at the graph: a text on one line, of 280 characters at most. */
export function captioned(text: string): string {
  return quoted(text, CAPTION_CHARS);
}
