/*
 * How the database keeps a short text inside of a property record: a head of 39 bits (24 of the property's key, 4 of the type, which is 11, 5
 * of the alphabet, 6 of the length), then each character in as many bits as the alphabet takes, the lowest bit of the stream first. The
 * facts are of the public source of Neo4j 5 (LongerShortString); the code is our own.
 */

/** Bits in front of the first character. */
export const HEAD_BITS = 39;

/** An alphabet of packed texts. */
export interface Alphabet {
  /** Its number in the head. */
  readonly number: number;
  /** Bits of a character. */
  readonly bits: number;
  /** The characters by their code; undefined where a code means none. */
  readonly characters: readonly (string | undefined)[];
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const NOTHING = Array.from({ length: 5 }, () => undefined);

/** Letters of Latin-1 from À on, where the signs of multiplication and division give way to a dot and a dash. */
const ACCENTED = Array.from({ length: 64 }, (_, at) => {
  if (at === 0x17) return '.';
  return at === 0x37 ? '-' : String.fromCharCode(0xc0 + at);
});
const LETTERS_AND_DIGITS = Array.from(` ${UPPER}01234_${LOWER}56789`);

const alphabet = (number: number, bits: number, characters: Iterable<string | undefined>): Alphabet => ({
  number,
  bits,
  characters: [...characters],
});

/** The alphabets whose characters are packed; where a text fits several, any of them may have been taken. */
export const ALPHABETS: readonly Alphabet[] = [
  alphabet(1, 4, "0123456789 .-+,'"),
  alphabet(2, 4, '0123456789 -:/+,'),
  alphabet(3, 5, ` ${UPPER}_.-:/`),
  alphabet(4, 5, ` ${LOWER}_.-:/`),
  alphabet(5, 5, `,${LOWER}_.-+@`),
  alphabet(6, 6, [Array.from(` ${LOWER}`), NOTHING, Array.from("0123456789_.-:/+,'@|;*?&%#()$<>=")].flat()),
  alphabet(7, 6, LETTERS_AND_DIGITS),
  alphabet(8, 6, ` ${UPPER}_.-:/;${LOWER}+,'@|`),
  alphabet(9, 7, [...ACCENTED, ...LETTERS_AND_DIGITS]),
  alphabet(11, 4, '0123456789abcdef'),
  alphabet(12, 4, '0123456789ABCDEF'),
];

/** The number of the texts whose characters are bytes of Latin-1, and of those that are bytes of UTF-8. */
export const LATIN1_NUMBER = 10;
export const UTF8_NUMBER = 0;

const BY_NUMBER = new Map(ALPHABETS.map((one) => [one.number, one]));

/** The alphabet of a number; undefined where the characters are bytes, or the number means none. */
export function alphabetOf(number: number): Alphabet | undefined {
  return BY_NUMBER.get(number);
}

/** The codes of a text; null when a character is not of the alphabet. */
export function codesOf(text: string, { characters }: Alphabet): number[] | null {
  const codes = Array.from(text, (character) => characters.indexOf(character));
  return codes.includes(-1) ? null : codes;
}
