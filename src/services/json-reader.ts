import { readingJson } from '../capture/read-json.ts';
import type { JsonReader } from '../validation/json-reading.ts';
import { inTurns } from '../wakeup.ts';

/** Reads bodies of requests, while others have their turn in between. */
export const readInTurns: JsonReader = (bytes, reading) => inTurns(readingJson(bytes, reading));
