import { StrataError } from '../errors.ts';

/** Values of `wait`; the first two mean the same: answer after the commit. */
export const WAITS = ['accepted', 'captured', 'indexed', 'consolidated', 'settled'] as const;
export type Wait = (typeof WAITS)[number];

/** Reads the query of a capture. An unknown or repeated parameter is `INVALID_QUERY`, a bad `wait` `INVALID_BODY`. */
export function parseWait(query: unknown): Wait {
  const given = (query ?? {}) as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    if (name === 'wait') continue;
    throw new StrataError('INVALID_QUERY', `unknown query parameter: ${name}`, {
      details: { field_path: name, allowed: ['wait'] },
    });
  }
  const wait = given['wait'] ?? 'captured';
  if (Array.isArray(wait)) {
    throw new StrataError('INVALID_QUERY', 'the query parameter wait may be given once', {
      details: { field_path: 'wait', reason: 'repeated' },
    });
  }
  const known = WAITS.find((value) => value === wait);
  if (known) return known;
  throw new StrataError('INVALID_BODY', `wait: has to be one of ${WAITS.join(', ')}`, {
    details: { field_path: 'wait', allowed: [...WAITS] },
  });
}
