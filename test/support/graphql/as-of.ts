/** The fields of the input `AsOf` of GraphQL by the names that REST has for them. */
const FIELDS: Readonly<Record<string, string>> = {
  as_of: 'at',
  as_of_valid: 'valid',
  as_of_recorded: 'recorded',
};

/** What belongs to names of REST, apart: that of instants by the names of `AsOf`, and the rest by their own. */
export function splitInstants<T>(named: Readonly<Record<string, T>>): {
  readonly instants: Readonly<Record<string, T>>;
  readonly rest: Readonly<Record<string, T>>;
} {
  const entries = Object.entries(named);
  return {
    instants: Object.fromEntries(
      entries.flatMap(([name, value]) => {
        const field = FIELDS[name];
        return field === undefined ? [] : [[field, value] as const];
      }),
    ),
    rest: Object.fromEntries(entries.filter(([name]) => FIELDS[name] === undefined)),
  };
}

/** What belongs to names of REST with the instants in one `as_of`, as GraphQL has them. */
export function withAsOf<T>(
  named: Readonly<Record<string, T>>,
): Record<string, T | Readonly<Record<string, T>>> {
  const { instants, rest } = splitInstants(named);
  return Object.keys(instants).length === 0 ? { ...rest } : { ...rest, as_of: instants };
}

/** The argument of GraphQL, as text in a document, for instants by their names of REST. */
export function asOfText(named: Readonly<Record<string, string>>): string {
  const fields = Object.entries(splitInstants(named).instants);
  return `asOf: {${fields.map(([field, at]) => `${field}: "${at}"`).join(', ')}}`;
}

/** How an error of GraphQL names the field that REST calls by a path. */
export function pathInGraphql(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const field = FIELDS[name];
  return field === undefined ? path : `${path.slice(0, -name.length)}asOf.${field}`;
}
