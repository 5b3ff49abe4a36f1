import { possibleNames } from './query-words.ts';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * The formulations of a query that call what it names by another of its names, at most so many: the longest names first, of which one
 * within a longer one does not count.
 */
export function renamedQueries(
  query: string,
  otherNames: (name: string) => readonly string[],
  most: number,
): string[] {
  const line = query.replaceAll(/\s+/gu, ' ');
  const named: string[] = [];
  const found = new Set<string>();
  for (const run of possibleNames(query)) {
    const others = otherNames(run);
    if (others.length === 0 || named.some((longer) => ` ${longer} `.includes(` ${run} `))) continue;
    named.push(run);
    for (const other of others) found.add(renamed(line, run, other));
    if (found.size >= most) break;
  }
  return [...found].slice(0, most);
}

/** A line with a name in place of another where that stands as words of its own, else behind it. */
function renamed(line: string, name: string, other: string): string {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line[at - 1] ?? ' ', line[at + name.length] ?? ' '];
    if (LETTER_OR_DIGIT.test(before) || LETTER_OR_DIGIT.test(after)) continue;
    return `${line.slice(0, at)}${other}${line.slice(at + name.length)}`;
  }
  return `${line} ${other}`;
}
