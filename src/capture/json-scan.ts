import { MAX_JSON_DEPTH } from '../limits.ts';

/** The first thing in a JSON text that would not survive being read; `path` is the field that it stands in. */
export interface JsonFault {
  readonly path: string;
  readonly reason: string;
}

const BYTE = {
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  colon: 0x3a,
  backslash: 0x5c,
  open: 0x5b,
  close: 0x5d,
  brace: 0x7b,
  unbrace: 0x7d,
};

interface Level {
  readonly array: boolean;
  index: number;
  /** Bytes of the last key, quotes excluded. */
  keyStart: number;
  keyEnd: number;
  /** The next string of an object is a key. */
  expectKey: boolean;
}

/**
 * One pass over the bytes of a JSON text, before it is parsed: nesting, numbers that no IEEE double holds, and escapes
 * that make a lone surrogate or a NUL. What is no JSON at all is left to the parser. Returns null when nothing is found.
 */
export function scanJson(bytes: Uint8Array): JsonFault | null {
  const levels: Level[] = [];
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    const level = levels.at(-1);
    if (byte === BYTE.quote) {
      const string = scanString(bytes, i + 1);
      if (level?.expectKey === true) {
        level.keyStart = i + 1;
        level.keyEnd = string.end;
        level.expectKey = false;
      }
      if (string.fault !== null) return { path: pathOf(bytes, levels), reason: string.fault };
      i = string.end;
    } else if (byte === BYTE.open || byte === BYTE.brace) {
      if (levels.length === MAX_JSON_DEPTH)
        return { path: pathOf(bytes, levels), reason: `is nested deeper than ${MAX_JSON_DEPTH} levels` };
      levels.push({
        array: byte === BYTE.open,
        index: 0,
        keyStart: 0,
        keyEnd: 0,
        expectKey: byte === BYTE.brace,
      });
    } else if (byte === BYTE.close || byte === BYTE.unbrace) {
      levels.pop();
    } else if (byte === BYTE.comma && level) {
      level.index += 1;
      level.expectKey = !level.array;
    } else if (byte === BYTE.minus || isDigit(byte)) {
      const end = numberEnd(bytes, i);
      const token = end - i < 16 && !hasExponent(bytes, i, end) ? null : ascii(bytes, i, end);
      if (token !== null && !isHeld(token))
        return {
          path: pathOf(bytes, levels),
          reason: `the number ${token.slice(0, 40)} is not held by an IEEE double`,
        };
      i = end - 1;
    }
  }
  return null;
}

/** Where a string ends (its closing quote, or the end of the text), and what is wrong with its escapes. */
function scanString(bytes: Uint8Array, start: number): { end: number; fault: string | null } {
  let fault: string | null = null;
  let i = start;
  for (; i < bytes.length && bytes[i] !== BYTE.quote; i += 1) {
    if (bytes[i] !== BYTE.backslash) continue;
    i += 1;
    if (bytes[i] !== 0x75) continue;
    const unit = hexUnit(bytes, i + 1);
    i += 4;
    if (unit === 0) fault ??= 'holds a NUL character';
    if (unit >= 0xdc00 && unit <= 0xdfff) fault ??= 'holds a lone surrogate';
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const low = bytes[i + 1] === BYTE.backslash && bytes[i + 2] === 0x75 ? hexUnit(bytes, i + 3) : -1;
      if (low >= 0xdc00 && low <= 0xdfff) i += 6;
      else fault ??= 'holds a lone surrogate';
    }
  }
  return { end: i, fault };
}

function hexUnit(bytes: Uint8Array, start: number): number {
  const digits = ascii(bytes, start, start + 4);
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : -1;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while (end < bytes.length && /[-+.eE0-9]/.test(String.fromCharCode(bytes[end] ?? 0))) end += 1;
  return end;
}

function hasExponent(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (bytes[i] === 0x65 || bytes[i] === 0x45) return true;
  return false;
}

/** Integers have to stay what they are; other numbers have to stay finite and, unless they are zero, not become zero. */
function isHeld(token: string): boolean {
  const value = Number(token);
  if (Number.isNaN(value)) return true;
  if (!Number.isFinite(value)) return false;
  if (/^-?\d+$/.test(token)) return BigInt(token) === BigInt(value);
  return value !== 0 || !/[1-9]/.test(token.replace(/[eE].*$/, ''));
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(
    bytes.buffer,
    bytes.byteOffset + start,
    Math.max(0, Math.min(end, bytes.length) - start),
  ).toString('latin1');
}

function pathOf(bytes: Uint8Array, levels: readonly Level[]): string {
  let path = '';
  for (const level of levels) {
    if (level.array) path += `[${level.index}]`;
    else if (level.keyEnd > 0) {
      const key = Buffer.from(bytes.buffer, bytes.byteOffset + level.keyStart, level.keyEnd - level.keyStart)
        .toString('utf8')
        .slice(0, 100);
      path += path === '' ? key : `.${key}`;
    }
  }
  return path.slice(0, 1000);
}
