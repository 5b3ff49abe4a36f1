import type { FactItem, Stretch, Term } from './queries.ts';

/** What was known from one instant of recorded time on. Instants are epoch milliseconds. */
export interface Known {
  readonly at: number;
  readonly stretches: readonly Stretch[];
}

/**
 * A value that was known from `since` until `until` to be true from `from` until `to`; null for no end, and of `since` where it was known
 * before the first instant that was read.
 */
export interface Rectangle {
  readonly fact: string;
  readonly value: string;
  readonly from: number;
  readonly to: number | null;
  readonly since: number | null;
  readonly until: number | null;
}

/** A term as people read it. */
export function termText({ type, id, name, value }: Term): string {
  if (type === 'entity') return name ?? id ?? '';
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** The instants at which what is known of facts changes, oldest first: one begins to be known, or is the newest no longer. */
export function instantsOf(facts: readonly FactItem[], until: number): readonly number[] {
  const instants = facts.flatMap(({ recordedFrom, recordedTo }) => [
    Date.parse(recordedFrom),
    ...(recordedTo === null ? [] : [Date.parse(recordedTo)]),
  ]);
  return [...new Set(instants)].filter((at) => at <= until).sort((a, b) => a - b);
}

/** The instants of recorded time that are drawn. */
export interface DrawnInstants {
  /** Oldest first. */
  readonly instants: readonly number[];
  /** The instant just before them, to read what was known already; null where nothing was. */
  readonly before: number | null;
  /** How many earlier ones of the facts are not drawn. */
  readonly left: number;
}

/** The newest `most` of the instants at which what is known changes. `isWhole` says whether no older facts are missing. */
export function drawnInstants(
  facts: readonly FactItem[],
  { until, most, isWhole }: { readonly until: number; readonly most: number; readonly isWhole: boolean },
): DrawnInstants {
  const all = instantsOf(facts, until);
  const instants = all.slice(-most);
  const left = all.length - instants.length;
  const [first] = instants;
  const isFirst = isWhole && left === 0;
  return { instants, before: first === undefined || isFirst ? null : first - 1, left };
}

/**
 * What was known from instant to instant, as rectangles: a stretch that stays the same is one, however many instants pass. `before` is what
 * was known just before the first instant.
 */
export function rectanglesOf(
  knowns: readonly Known[],
  before: readonly Stretch[] = [],
): readonly Rectangle[] {
  const earlier = new Set(before.map(nameOf));
  const first = knowns[0]?.at;
  const done: Rectangle[] = [];
  let open = new Map<string, Rectangle>();
  for (const { at, stretches } of knowns) {
    const next = new Map<string, Rectangle>();
    for (const stretch of stretches) {
      const { factId, validFrom, validTo, object } = stretch;
      // What was displaced, or denied from its beginning on, is true at no time.
      if (validFrom === validTo) continue;
      const name = nameOf(stretch);
      next.set(
        name,
        open.get(name) ?? {
          fact: factId,
          value: termText(object),
          from: Date.parse(validFrom),
          to: validTo === null ? null : Date.parse(validTo),
          since: at === first && earlier.has(name) ? null : at,
          until: null,
        },
      );
    }
    for (const [name, rectangle] of open) if (!next.has(name)) done.push({ ...rectangle, until: at });
    open = next;
  }
  return [...done, ...open.values()].sort((a, b) => sinceOf(a) - sinceOf(b) || a.from - b.from);
}

/** What makes a stretch the same one at two instants. */
function nameOf({ factId, validFrom, validTo }: Stretch): string {
  return `${factId} ${validFrom} ${validTo ?? ''}`;
}

/** Where a rectangle begins among others. */
function sinceOf({ since }: Rectangle): number {
  return since ?? 0;
}

/** Values of rectangles, each once, in the order in which they were learned. */
export function valuesOf(rectangles: readonly Rectangle[]): readonly string[] {
  return [...new Set(rectangles.map(({ value }) => value))];
}

/** Whether two values were known at once to be true at once: then each needs a band of its own. */
export function isOverlapping(rectangles: readonly Rectangle[]): boolean {
  return rectangles.some((a, i) =>
    rectangles.some(
      (b, j) => j > i && meet(a.from, a.to, b.from, b.to) && meet(sinceOf(a), a.until, sinceOf(b), b.until),
    ),
  );
}

function meet(a: number, aEnd: number | null, b: number, bEnd: number | null): boolean {
  return a < (bEnd ?? Infinity) && b < (aEnd ?? Infinity);
}
