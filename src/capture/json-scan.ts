import { MAX_JSON_DEPTH } from '../limits.ts';
import { JSON_STEP_BYTES } from '../limits/bodies.ts';
import { isHeld } from '../validation/json-value.ts';
import { hexUnit, latin1, textStart } from './json-bytes.ts';

/**
 * Values of JSON that is taken apart at once, names of fields counted too: three bytes make an object of sixty. The largest event
 * has fewer: two bytes of its JSON (1 MiB), source (256 KiB), metadata and location (16 KiB each) make a value at most. Then 413.
 */
export const MAX_JSON_VALUES = 688_128;

/** The same of a bulk and of the variables of GraphQL, whose items are taken apart one by one: a thousand for each of a thousand items. Each item has the former. */
export const MAX_BULK_JSON_VALUES = 1_048_576;

/** Why a JSON text is refused, and the byte (from 0) that shows it. */
export interface JsonFault {
  readonly at: number;
  /** True when the text is no JSON; everything before `at` is well formed either way. */
  readonly malformed: boolean;
  readonly reason: string;
  /** Where there are too many values: how many there may be. */
  readonly limit?: number;
}

/** What a text is held to. */
export interface JsonBounds {
  /** Nesting at most, levels; default 64. */
  readonly maxDepth?: number;
  /**
   * How many objects stand around lists whose items are taken apart one by one, where those are the values of fields; so many
   * more values are allowed. Default: of none.
   */
  readonly listDepths?: readonly number[];
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const BRACE = 0x7b;
const UNBRACE = 0x7d;
/** What may come next. */
const VALUE = 0;
const VALUE_OR_CLOSE = 1;
const KEY = 2;
const KEY_OR_CLOSE = 3;
const AFTER_KEY = 4;
const AFTER_VALUE = 5;

/** Digits that an integer may have and surely be held; longer ones are looked at closely. */
const SAFE_DIGITS = 15;
/** Digits that a decimal number without an exponent may have and surely be neither infinite nor zero. */
const SAFE_PLACES = 300;
/** The letters of one-letter escapes. */
const ESCAPES = new Set(Array.from('"\\/bfnrt', (letter) => letter.charCodeAt(0)));

/**
 * Walks the bytes of a JSON text once, without recursion, and finds the first thing that makes it malformed (RFC 8259)
 * or that would not survive being read: nesting beyond so many levels, numbers that no IEEE double holds, escapes that make a
 * lone surrogate or a NUL character; and more values than are taken apart at once. Bytes are taken to be valid UTF-8.
 */
export class JsonScan {
  private readonly bytes: Uint8Array;
  private readonly arrays: Uint8Array;
  private readonly listDepths: readonly number[];
  private readonly maxValues: number;
  private depth = 0;
  private at: number;
  /** Where the step ends; only strings look at it while they are walked. */
  private pause = 0;
  private next = VALUE;
  /** Where the string began that is being walked; -1 outside of strings. */
  private quoted = -1;
  /** The list that is being walked, with the values counted before it, all and those that are taken apart at once. */
  private list: { cuts: number[]; counted: number; countedBefore: number } | null = null;
  /** How deep its items are. */
  private itemDepth = 0;
  private counted = 0;
  /** Values counted that are not taken apart at once with the next. */
  private countedBefore = 0;
  private found: JsonFault | null = null;
  /** Of each list whose items are worth taking apart one by one, the bytes between which they stand: bracket, commas, bracket. */
  readonly lists: (readonly number[])[] = [];

  constructor(bytes: Uint8Array, { maxDepth = MAX_JSON_DEPTH, listDepths = [] }: JsonBounds = {}) {
    this.bytes = bytes;
    this.arrays = new Uint8Array(maxDepth);
    this.listDepths = listDepths;
    this.maxValues = listDepths.length === 0 ? MAX_JSON_VALUES : MAX_BULK_JSON_VALUES;
    this.at = textStart(bytes);
  }

  /** What was found so far; null when there is nothing. */
  get fault(): JsonFault | null {
    return this.found;
  }

  /** Values so far; the names of fields count too. */
  get values(): number {
    return this.counted;
  }

  /** Goes on by some bytes, or to the first fault. True when it is through. */
  step(bytes: number): boolean {
    const { length } = this.bytes;
    this.pause = Math.min(length, this.at + bytes);
    while (this.at < this.pause && this.found === null) this.one(this.bytes[this.at] ?? 0);
    if (this.at < length && this.found === null) return false;
    if (this.quoted >= 0) this.malformed('ends within a string');
    else if (this.depth > 0 || this.next !== AFTER_VALUE) this.malformed('ends too early');
    return true;
  }

  private one(byte: number): void {
    if (this.quoted >= 0) this.string();
    else if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) this.at += 1;
    else if (this.next === AFTER_VALUE) this.afterValue(byte);
    else if (this.next === AFTER_KEY) this.afterKey(byte);
    else if (byte === UNBRACE && this.next === KEY_OR_CLOSE) this.close();
    else if (this.next === KEY || this.next === KEY_OR_CLOSE) this.key(byte);
    else if (byte === CLOSE && this.next === VALUE_OR_CLOSE) this.close();
    else this.value(byte);
  }

  private value(byte: number): void {
    this.next = AFTER_VALUE;
    this.count();
    if (byte === QUOTE) this.quote();
    else if (byte === BRACE || byte === OPEN) this.open(byte === OPEN);
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) this.number();
    else if (byte === 0x74) this.literal('true');
    else if (byte === 0x66) this.literal('false');
    else if (byte === 0x6e) this.literal('null');
    else this.malformed('needs a value');
  }

  private key(byte: number): void {
    if (byte !== QUOTE) {
      this.malformed('needs a key in double quotes');
      return;
    }
    this.next = AFTER_KEY;
    this.count();
    this.quote();
  }

  private count(): void {
    this.counted += 1;
    if (this.counted - this.countedBefore > MAX_JSON_VALUES) this.tooMany(MAX_JSON_VALUES);
    else if (this.counted > this.maxValues) this.tooMany(this.maxValues);
  }

  private tooMany(limit: number): void {
    const reason = `holds more than ${limit} values, names of fields included`;
    this.found ??= { at: this.at, malformed: false, reason, limit };
  }

  private openList(): void {
    const { counted, countedBefore } = this;
    this.list = { cuts: [], counted, countedBefore };
    this.itemDepth = this.depth + 1;
    this.cut(this.list.cuts);
  }

  /** Here ends what is taken apart at once. */
  private cut(cuts: number[]): void {
    cuts.push(this.at);
    this.countedBefore = this.counted;
  }

  private closeList({ cuts, counted, countedBefore }: NonNullable<JsonScan['list']>): void {
    this.list = null;
    cuts.push(this.at);
    // What is between two brackets may be nothing, which is no item.
    const isWorthIt = cuts.length > 2 && this.at - (cuts[0] ?? 0) >= JSON_STEP_BYTES;
    if (isWorthIt) this.lists.push(cuts);
    this.countedBefore = countedBefore + (isWorthIt ? this.counted - counted : 0);
  }

  /** Whether an array that opens here is such a list: nothing but objects stand around it. */
  private opensList(): boolean {
    return (
      this.list === null &&
      this.listDepths.includes(this.depth) &&
      !this.arrays.subarray(0, this.depth).includes(1)
    );
  }

  private afterKey(byte: number): void {
    if (byte !== COLON) this.malformed('needs a colon');
    this.at += 1;
    this.next = VALUE;
  }

  private afterValue(byte: number): void {
    const inArray = this.depth > 0 && this.arrays[this.depth - 1] === 1;
    if (this.depth === 0) this.malformed('goes on after its value');
    else if (byte === COMMA) {
      if (this.list !== null && this.depth === this.itemDepth) this.cut(this.list.cuts);
      this.at += 1;
      this.next = inArray ? VALUE : KEY;
    } else if (byte === (inArray ? CLOSE : UNBRACE)) this.close();
    else this.malformed(inArray ? 'needs a comma or ]' : 'needs a comma or }');
  }

  private open(array: boolean): void {
    if (this.depth === this.arrays.length) {
      this.refuse(this.at, `is nested deeper than ${this.arrays.length} levels`);
      return;
    }
    if (array && this.opensList()) this.openList();
    this.arrays[this.depth] = array ? 1 : 0;
    this.depth += 1;
    this.at += 1;
    this.next = array ? VALUE_OR_CLOSE : KEY_OR_CLOSE;
  }

  private close(): void {
    if (this.list !== null && this.depth === this.itemDepth) this.closeList(this.list);
    this.depth -= 1;
    this.at += 1;
    this.next = AFTER_VALUE;
  }

  private literal(word: string): void {
    for (let i = 0; i < word.length; i += 1) {
      if (this.bytes[this.at + i] !== word.charCodeAt(i)) {
        this.malformed('needs a value');
        return;
      }
    }
    this.at += word.length;
  }

  private quote(): void {
    this.quoted = this.at;
    this.at += 1;
    this.string();
  }

  /** Walks a string to its end, or to that of the step. */
  private string(): void {
    const { bytes, pause } = this;
    let i = this.at;
    while (i < pause) {
      const byte = bytes[i] ?? 0;
      if (byte === QUOTE) {
        this.at = i + 1;
        this.quoted = -1;
        return;
      }
      if (byte < 0x20) {
        this.at = i;
        this.malformed('holds a bare control character');
        return;
      }
      i = byte === BACKSLASH ? this.escape(this.quoted, i) : i + 1;
      if (this.found !== null) return;
    }
    this.at = Math.min(i, bytes.length);
  }

  /** Checks the escape at `i`; the index after it. */
  private escape(start: number, i: number): number {
    const letter = this.bytes[i + 1] ?? 0;
    if (letter !== 0x75) {
      if (!ESCAPES.has(letter)) {
        this.at = i;
        this.malformed('holds an unknown escape');
      }
      return i + 2;
    }
    const unit = hexUnit(this.bytes, i + 2);
    if (unit < 0) {
      this.at = i;
      this.malformed('holds a \\u without four hex digits');
    } else if (unit === 0) this.refuse(start, 'holds a NUL character');
    else if (unit >= 0xdc00 && unit <= 0xdfff) this.refuse(start, 'holds a lone surrogate');
    else if (unit >= 0xd800 && unit <= 0xdbff) {
      const paired = this.bytes[i + 6] === BACKSLASH && this.bytes[i + 7] === 0x75;
      const low = paired ? hexUnit(this.bytes, i + 8) : -1;
      if (low < 0xdc00 || low > 0xdfff) this.refuse(start, 'holds a lone surrogate');
      return i + 12;
    }
    return i + 6;
  }

  private number(): void {
    const start = this.at;
    if (this.bytes[this.at] === 0x2d) this.at += 1;
    const leading = this.bytes[this.at];
    let digits = this.digits();
    if (leading === 0x30 && digits > 1) this.malformed('has a number with a leading zero', start);
    let exponent = false;
    let doubtful = digits > SAFE_DIGITS;
    if (this.bytes[this.at] === 0x2e) {
      this.at += 1;
      doubtful = false;
      digits += this.digits();
    }
    if (this.bytes[this.at] === 0x65 || this.bytes[this.at] === 0x45) {
      exponent = true;
      this.at += 1;
      if (this.bytes[this.at] === 0x2b || this.bytes[this.at] === 0x2d) this.at += 1;
      this.digits();
    }
    if (this.found !== null || !(exponent || doubtful || digits > SAFE_PLACES)) return;
    const token = latin1(this.bytes, start, this.at);
    if (!isHeld(token))
      this.refuse(start, `holds the number ${token.slice(0, 40)}, which no IEEE double holds`);
  }

  /** Passes at least one digit; their count. */
  private digits(): number {
    const { bytes } = this;
    const start = this.at;
    let i = start;
    for (let byte = bytes[i] ?? 0; byte >= 0x30 && byte <= 0x39; byte = bytes[i] ?? 0) i += 1;
    this.at = i;
    if (i === start) this.malformed('has a number without a digit where one is needed');
    return i - start;
  }

  private malformed(reason: string, at = this.at): void {
    this.found ??= { at, malformed: true, reason };
  }

  private refuse(at: number, reason: string): void {
    this.found ??= { at, malformed: false, reason };
  }
}
