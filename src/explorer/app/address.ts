/** What an address says: which view, of what in it, and the parameters behind the question mark. */
export interface Address {
  /** First part of the path; empty for the start. */
  readonly view: string;
  /** The other parts. */
  readonly rest: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parameters that all views share; they stay when another view is opened. */
export const SHARED = ['scope', 'valid', 'recorded'] as const;

/** What the part of an address behind the `#` says. */
export function readAddress(hash: string): Address {
  const text = hash.replace(/^#?\/?/, '');
  const mark = text.indexOf('?');
  const [path, query] = mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)];
  const [view = '', ...rest] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  return { view, rest, parameters: Object.fromEntries(new URLSearchParams(query)) };
}

/** The address as it stands behind the `#`, with it. */
export function writeAddress({ view, rest, parameters }: Address): string {
  const path = [view, ...rest].map(encodeURIComponent).join('/');
  const entries = Object.entries(parameters).filter(([, value]) => value !== '');
  // Scopes are read by people: their slashes and colons may stand as they are.
  const query = entries
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':')}`,
    )
    .join('&');
  return `#/${path}${query === '' ? '' : `?${query}`}`;
}

/** The parameters that stay when another view is opened. */
export function sharedOf({ parameters }: Address): Record<string, string> {
  return Object.fromEntries(
    SHARED.flatMap((name) => {
      const value = parameters[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** A part that is not encoded well is taken as it stands. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return part;
    throw error;
  }
}
