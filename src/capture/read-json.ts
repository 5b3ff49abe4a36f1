import { StrataError } from '../errors.ts';
import { MAX_JSON_DEPTH } from '../limits.ts';
import { jsonPathAt } from './json-path.ts';
import { scanJson, type JsonFault } from './json-scan.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body. Throws `INVALID_BODY`, naming field or place: bytes that are not UTF-8, malformed JSON, nesting beyond
 * `maxDepth` levels (64), numbers that no IEEE double holds, lone surrogates and NUL characters. A key `__proto__` becomes an ordinary
 * property and changes no prototype.
 */
export function readJson(bytes: Uint8Array, maxDepth = MAX_JSON_DEPTH): unknown {
  const text = decode(bytes);
  const fault = scanJson(bytes, maxDepth);
  if (fault !== null) throw refusal(bytes, fault);
  return JSON.parse(text) as unknown;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new StrataError('INVALID_BODY', 'the body is not valid UTF-8', {
      details: { field_path: '', reason: 'is not valid UTF-8' },
      cause: error,
    });
  }
}

function refusal(bytes: Uint8Array, fault: JsonFault): StrataError {
  if (fault.malformed) {
    const line = bytes.subarray(0, fault.at).reduce((lines, byte) => (byte === 0x0a ? lines + 1 : lines), 1);
    const reason = `malformed at line ${line}, byte ${fault.at + 1}: it ${fault.reason}`;
    return new StrataError('INVALID_BODY', `the body is not JSON: ${reason}`, {
      details: { field_path: '', reason, line, byte: fault.at + 1 },
    });
  }
  const path = jsonPathAt(bytes, fault.at);
  return new StrataError(
    'INVALID_BODY',
    path === '' ? `the body ${fault.reason}` : `${path}: ${fault.reason}`,
    {
      details: { field_path: path, reason: fault.reason },
    },
  );
}
