import { MAX_FIELD_PATH_LENGTH } from '../limits.ts';
import { JSON_STEP_BYTES } from '../limits/bodies.ts';

interface Level {
  readonly array: boolean;
  index: number;
  key: string | null;
}

/**
 * The field that a byte of a JSON text belongs to, such as `items[3].content.text`; empty for the whole. The bytes before
 * it have to be well formed. Walked again from the start, so that a good text never pays for paths; yields where others may have
 * their turn.
 */
export function* jsonPathAt(bytes: Uint8Array, at: number): Generator<void, string, void> {
  const levels: Level[] = [];
  for (let i = 0, pause = JSON_STEP_BYTES; i < at; i += 1) {
    if (i >= pause) {
      pause = i + JSON_STEP_BYTES;
      yield;
    }
    const level = levels.at(-1);
    switch (bytes[i]) {
      case 0x22: {
        const end = stringEnd(bytes, i);
        if (level && !level.array) level.key ??= keyText(bytes, i, end);
        i = end;
        break;
      }
      case 0x5b:
      case 0x7b:
        levels.push({ array: bytes[i] === 0x5b, index: 0, key: null });
        break;
      case 0x5d:
      case 0x7d:
        levels.pop();
        break;
      case 0x2c:
        if (level) {
          level.index += 1;
          level.key = null;
        }
        break;
      case undefined:
      default:
        break;
    }
  }
  return levels.reduce(extend, '').slice(0, MAX_FIELD_PATH_LENGTH);
}

function extend(path: string, level: Level): string {
  if (level.array) return `${path}[${level.index}]`;
  if (level.key === null) return path;
  return path === '' ? level.key : `${path}.${level.key}`;
}

/** The closing quote of the string that opens at `start`. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== 0x22) i += bytes[i] === 0x5c ? 2 : 1;
  return i;
}

function keyText(bytes: Uint8Array, start: number, end: number): string {
  const quoted = new TextDecoder().decode(bytes.subarray(start, end + 1));
  return (JSON.parse(quoted) as string).slice(0, 200);
}
