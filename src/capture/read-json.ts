import { StrataError } from '../errors.ts';
import { scanJson } from './json-scan.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body. Throws `INVALID_BODY`, naming field or place: bytes that are not UTF-8, malformed JSON, nesting beyond 64
 * levels, numbers that no IEEE double holds, lone surrogates, NUL characters, and the key `__proto__`.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const fault = scanJson(bytes);
  if (fault?.reason.startsWith('is nested')) throw refusal(fault.path, fault.reason);
  const value = parse(text);
  if (fault !== null) throw refusal(fault.path, fault.reason);
  if (/__proto__|\\u00[57]/i.test(text)) refusePrototypeKeys(value, '');
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new StrataError('INVALID_BODY', 'the body is not valid UTF-8', {
      details: { field_path: '', reason: 'invalid UTF-8' },
      cause: error,
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const position = /position (\d+)/.exec(String((error as { message?: unknown }).message))?.[1];
    const place = position === undefined ? 'at its end' : placeOf(text, Number(position));
    throw new StrataError('INVALID_BODY', `the body is not JSON: malformed ${place}`, {
      details: { field_path: '', reason: `malformed JSON ${place}` },
      cause: error,
    });
  }
}

function placeOf(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return `at line ${line}, column ${position - before.lastIndexOf('\n')}`;
}

function refusePrototypeKeys(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') throw refusal(here, 'the key __proto__ is not accepted');
    refusePrototypeKeys(inner, here);
  }
}

function refusal(path: string, reason: string): StrataError {
  return new StrataError('INVALID_BODY', path === '' ? `the body ${reason}` : `${path}: ${reason}`, {
    details: { field_path: path, reason },
  });
}
