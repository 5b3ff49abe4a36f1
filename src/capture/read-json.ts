import { isUtf8 } from 'node:buffer';

import { StrataError } from '../errors.ts';
import { JSON_STEP_BYTES } from '../limits/bodies.ts';
import type { JsonReading } from '../validation/json-reading.ts';
import { textStart } from './json-bytes.ts';
import { jsonPathAt } from './json-path.ts';
import { JsonScan, type JsonFault } from './json-scan.ts';

/**
 * Reads a JSON body. Throws `INVALID_BODY`, naming field or place: bytes that are not UTF-8, malformed JSON, nesting beyond
 * `maxDepth` levels (64), numbers that no IEEE double holds, lone surrogates and NUL characters; and `PAYLOAD_TOO_LARGE` for
 * more values than are taken apart. A key `__proto__` becomes an ordinary property and changes no prototype.
 */
export function readJson(bytes: Uint8Array, reading: JsonReading = {}): unknown {
  const work = readingJson(bytes, reading);
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/**
 * {@link readJson} in steps: it yields wherever others may have their turn. The items of large lists at `listDepths` are taken
 * apart one by one.
 */
export function* readingJson(bytes: Uint8Array, reading: JsonReading = {}): Generator<void, unknown, void> {
  if (!isUtf8(bytes)) throw notUtf8();
  const scan = new JsonScan(bytes, reading);
  while (!scan.step(JSON_STEP_BYTES)) yield;
  if (scan.fault !== null) throw yield* refusalOf(bytes, scan.fault);
  reading.counted?.(scan.values);
  if (scan.lists.length === 0) return parsed(bytes, textStart(bytes), bytes.length);
  return yield* apart(bytes, scan.lists, Math.max(...(reading.listDepths ?? [])));
}

/**
 * Takes the items of lists apart one by one, then what is around them, in which `[1e999, index]` stands for each list: no text
 * holds that number, since what no double holds was refused.
 */
function* apart(
  bytes: Uint8Array,
  cutLists: readonly (readonly number[])[],
  levels: number,
): Generator<void, unknown, void> {
  const lists: unknown[][] = [];
  const around: Uint8Array[] = [];
  let from = textStart(bytes);
  for (const cuts of cutLists) {
    around.push(bytes.subarray(from, cuts[0]), Buffer.from(`[1e999,${lists.length}]`));
    lists.push(yield* itemsOf(bytes, cuts));
    from = (cuts.at(-1) ?? 0) + 1;
  }
  const text = Buffer.concat([...around, bytes.subarray(from)]);
  return filled(parsed(text, 0, text.length), lists, levels);
}

function* itemsOf(bytes: Uint8Array, cuts: readonly number[]): Generator<void, unknown[], void> {
  const items: unknown[] = [];
  let from = cuts[0] ?? 0;
  for (const to of cuts.slice(1)) {
    items.push(parsed(bytes, from + 1, to));
    from = to;
    yield;
  }
  return items;
}

/** A value in which the lists stand again, so many objects deep at most. */
function filled(value: unknown, lists: readonly unknown[][], levels: number): unknown {
  if (Array.isArray(value)) return value[0] === Infinity ? lists[value[1] as number] : value;
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const [name, inner] of Object.entries(fields)) {
    const whole = filled(inner, lists, levels - 1);
    if (whole !== inner) fields[name] = whole;
  }
  return fields;
}

function parsed(bytes: Uint8Array, from: number, to: number): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
  return JSON.parse(text) as unknown;
}

function notUtf8(): StrataError {
  return new StrataError('INVALID_BODY', 'the body is not valid UTF-8', {
    details: { field_path: '', reason: 'is not valid UTF-8' },
  });
}

function* refusalOf(bytes: Uint8Array, fault: JsonFault): Generator<void, StrataError, void> {
  const { at, reason, limit } = fault;
  if (limit !== undefined) {
    return new StrataError('PAYLOAD_TOO_LARGE', `the body ${reason}; send it in parts`, {
      details: { reason: 'json_values', limit },
    });
  }
  if (fault.malformed) {
    const line = yield* lineAt(bytes, at);
    const explanation = `malformed at line ${line}, byte ${at + 1}: it ${reason}`;
    return new StrataError('INVALID_BODY', `the body is not JSON: ${explanation}`, {
      details: { field_path: '', reason: explanation, line, byte: at + 1 },
    });
  }
  const path = yield* jsonPathAt(bytes, at);
  return new StrataError('INVALID_BODY', path === '' ? `the body ${reason}` : `${path}: ${reason}`, {
    details: { field_path: path, reason },
  });
}

/** The line of a byte, from 1. */
function* lineAt(bytes: Uint8Array, at: number): Generator<void, number, void> {
  let line = 1;
  for (let from = 0; from < at; from += JSON_STEP_BYTES) {
    for (const byte of bytes.subarray(from, Math.min(at, from + JSON_STEP_BYTES))) {
      if (byte === 0x0a) line += 1;
    }
    yield;
  }
  return line;
}
