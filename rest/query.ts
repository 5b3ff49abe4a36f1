import { StrataError } from '../src/errors.ts';

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

/** The query parameters of a request target. */
export function readQuery(target: string): Query {
  const mark = target.indexOf('?');
  if (mark < 0) return {};
  const parameters = new URLSearchParams(target.slice(mark + 1));
  const names = new Set(parameters.keys());
  const entries = [...names].map((name) => {
    const values = parameters.getAll(name);
    return [name, values.length === 1 ? (values[0] ?? '') : values] as const;
  });
  return Object.fromEntries(entries);
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
