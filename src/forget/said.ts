/**
 * The first of all ids, in their order, that are ids of one thing said, by id. Each group is of ids that have something in common; groups
 * that share an id are one.
 */
export function firstIds(groups: Iterable<readonly string[]>): ReadonlyMap<string, string> {
  const before = new Map<string, string>();
  const firstOf = (id: string): string => {
    let first = id;
    for (let next = before.get(first); next !== undefined && next !== first; next = before.get(first))
      first = next;
    return first;
  };
  for (const group of groups) {
    const firsts = group.map(firstOf).sort();
    for (const id of [...group, ...firsts]) before.set(id, firsts[0] ?? id);
  }
  return new Map([...before.keys()].map((id) => [id, firstOf(id)]));
}
