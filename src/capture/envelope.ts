import { envelope, envelopeCode, type Directives, type Envelope } from '../../schemas/envelope.ts';
import { isJsonObject } from '../../schemas/json.ts';
import { parseInput } from '../validation.ts';

/** What a bulk states for items that do not state it themselves. */
export interface EnvelopeDefaults {
  readonly scope?: string | undefined;
  readonly directives?: Directives | undefined;
}

/**
 * Reads an envelope, filling in what a bulk states for all. Throws `INVALID_ENVELOPE` for language, scripts, timezone,
 * refers_to, idempotency_key and text or json out of bounds, `INVALID_BODY` for all else, naming the field.
 */
export function parseEnvelope(input: unknown, defaults: EnvelopeDefaults = {}): Envelope {
  if (!isJsonObject(input)) return parseInput(envelope, input, 'INVALID_BODY', envelopeCode);
  const filled = {
    ...(defaults.scope === undefined ? {} : { scope: defaults.scope }),
    ...(defaults.directives === undefined ? {} : { directives: defaults.directives }),
    ...input,
  };
  return parseInput(envelope, filled, 'INVALID_BODY', envelopeCode);
}
