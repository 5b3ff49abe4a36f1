import { MAX_JSON_DEPTH } from '../limits.ts';

/** The first thing in a value that would not be kept as it is. */
export interface ValueFault {
  /** Where it stands, as keys and indices. */
  readonly path: readonly (string | number)[];
  /** A predicate, such as `holds a NUL character`. */
  readonly reason: string;
}

/**
 * Whether a double keeps a number: integers stay what they are, others stay finite and do not become zero. An integer
 * beyond 2^53 is kept when a double equals it, or when it is how that double is written (clients print doubles so).
 */
export function isHeld(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (/^-?\d+$/.test(token)) return String(value) === token || BigInt(token) === BigInt(value);
  const [digits = ''] = token.split(/e/i, 1);
  return value !== 0 || !/[1-9]/.test(digits);
}

/**
 * Looks through a value that did not come as JSON text for what the reader of bodies refuses: NUL characters and lone
 * surrogates in texts and keys, numbers that are not finite, nesting beyond 64 levels. `null` when there is none.
 */
export function valueFault(value: unknown): ValueFault | null {
  return faultWithin(value, 1);
}

function faultWithin(value: unknown, level: number): ValueFault | null {
  if (typeof value === 'string') return textFault(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : { path: [], reason: 'holds a number, which no IEEE double holds' };
  if (typeof value !== 'object' || value === null) return null;
  if (level > MAX_JSON_DEPTH) return { path: [], reason: `is nested deeper than ${MAX_JSON_DEPTH} levels` };
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    const fault = (isList ? null : textFault(key)) ?? faultWithin(inner, level + 1);
    if (fault !== null) return { path: [isList ? Number(key) : key, ...fault.path], reason: fault.reason };
  }
  return null;
}

function textFault(text: string): ValueFault | null {
  if (text.includes('\0')) return { path: [], reason: 'holds a NUL character' };
  return text.isWellFormed() ? null : { path: [], reason: 'holds a lone surrogate' };
}
