import { StrataError } from '../src/errors.ts';
import { MAX_QUERY_PARAMETERS } from '../src/limits.ts';

/** Query parameters as sent; a repeated one is a list. */
export type Query = Readonly<Record<string, string | string[]>>;

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if ((error as { name?: string }).name === 'URIError') return false;
    throw error;
  }
}

/** Refuses a request target whose percent-encoding is broken or hides bytes that are no UTF-8: `INVALID_QUERY`. */
export function requireDecodable(target: string): void {
  if (isDecodable(target)) return;
  throw new StrataError('INVALID_QUERY', 'the path or the query string has broken percent-encoding', {
    details: { reason: 'percent_encoding' },
  });
}

/** The query parameters of a request target, as sent, one after the other. Throws `INVALID_QUERY` for too many. */
export function readParameters(target: string): [name: string, value: string][] {
  const mark = target.indexOf('?');
  if (mark < 0) return [];
  const parameters = [...new URLSearchParams(target.slice(mark + 1))];
  if (parameters.length <= MAX_QUERY_PARAMETERS) return parameters;
  throw new StrataError('INVALID_QUERY', `a request has at most ${MAX_QUERY_PARAMETERS} query parameters`, {
    details: { reason: 'parameters', limit: MAX_QUERY_PARAMETERS },
  });
}

/** The query parameters of a request target. Throws `INVALID_QUERY` for too many. */
export function readQuery(target: string): Query {
  const query = new Map<string, string | string[]>();
  for (const [name, value] of readParameters(target)) {
    const before = query.get(name);
    if (Array.isArray(before)) before.push(value);
    else query.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(query);
}

/** Refuses any parameter, for operations that take none. */
export function requireNoQuery(query: Query): void {
  const [name] = Object.keys(query);
  if (name === undefined) return;
  throw new StrataError(
    'INVALID_QUERY',
    `unknown query parameter ${JSON.stringify(name.slice(0, 100))}; this route takes none`,
    {
      details: { field_path: name.slice(0, 100), reason: 'unknown', allowed: [] },
    },
  );
}
