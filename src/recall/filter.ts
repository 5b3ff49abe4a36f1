import {
  FILTER_TEXT_FIELDS,
  FILTER_TIME_FIELDS,
  type FilterLeaf,
  type FilterNode,
  type FilterTextField,
  type FilterTimeField,
} from '../../schemas/recall-filter.ts';
import { FIRST_INSTANT, OPEN_END, toEpochMs } from '../../schemas/time.ts';
import { intersection, isEmpty, type Interval } from '../time/interval.ts';

/** What of an event filters look at. */
export type Filterable = Readonly<Record<FilterTextField, readonly string[]>> &
  Readonly<Record<FilterTimeField, number>>;

/** The comparison of one field. */
type TextTest = NonNullable<FilterLeaf[FilterTextField]>;
type TimeTest = NonNullable<FilterLeaf[FilterTimeField]>;

/** A comparison of a leaf with the field that it is of. */
export type FieldTest =
  | { readonly field: FilterTextField; readonly test: TextTest }
  | { readonly field: FilterTimeField; readonly test: TimeTest };

/** The comparisons of a leaf, of which all have to hold. */
export function testsOf(leaf: FilterLeaf): FieldTest[] {
  const texts = FILTER_TEXT_FIELDS.flatMap((field) => {
    const test = leaf[field];
    return test === undefined ? [] : [{ field, test }];
  });
  const times = FILTER_TIME_FIELDS.flatMap((field) => {
    const test = leaf[field];
    return test === undefined ? [] : [{ field, test }];
  });
  return [...texts, ...times];
}

/** Whether an event is what a filter wants. */
export function matchesFilter(tree: FilterNode, event: Filterable): boolean {
  if ('AND' in tree) return tree.AND.every((node) => matchesFilter(node, event));
  if ('OR' in tree) return tree.OR.some((node) => matchesFilter(node, event));
  return testsOf(tree).every((one) =>
    isTime(one) ? holdsAt(one.test, event[one.field]) : holds(one.test, event[one.field]),
  );
}

/**
 * The stretch of time in which everything lies that a filter wants, by one of its fields; null where that may be any time. Exact where
 * the times of the filter are joined by AND alone.
 */
export function stretchOfFilter(tree: FilterNode, field: FilterTimeField): Interval | null {
  if ('AND' in tree) return tree.AND.map((node) => stretchOfFilter(node, field)).reduce(inBoth, null);
  if ('OR' in tree) {
    const stretches = tree.OR.map((node) => stretchOfFilter(node, field));
    if (stretches.some((one) => one === null)) return null;
    const some = stretches.filter((one) => one !== null).filter((one) => !isEmpty(one));
    return some.reduce(around, some[0] ?? NEVER);
  }
  const { gte, lte } = tree[field] ?? {};
  if (gte === undefined && lte === undefined) return null;
  return {
    from: gte === undefined ? FIRST_INSTANT : toEpochMs(gte),
    to: lte === undefined ? OPEN_END : toEpochMs(lte) + 1,
  };
}

/** Whether the index tells what a filter wants: it knows days, and instants only where AND alone joins them to the rest. */
export function isExactInIndex(tree: FilterNode): boolean {
  if ('AND' in tree) return tree.AND.every(isExactInIndex);
  return 'OR' in tree ? !tree.OR.some(namesTime) : true;
}

function namesTime(tree: FilterNode): boolean {
  if ('AND' in tree) return tree.AND.some(namesTime);
  if ('OR' in tree) return tree.OR.some(namesTime);
  return testsOf(tree).some(isTime);
}

/** What lies in both of two stretches, either of which may be any time. */
export function inBoth(one: Interval | null, other: Interval | null): Interval | null {
  return one === null || other === null ? (one ?? other) : intersection(one, other);
}

const NEVER: Interval = { from: 0, to: 0 };

function around(one: Interval, other: Interval): Interval {
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}

/** Whether a comparison is of an instant. */
export function isTime(
  one: FieldTest,
): one is Extract<FieldTest, { readonly test: TimeTest; readonly field: FilterTimeField }> {
  return FILTER_TIME_FIELDS.some((name) => name === one.field);
}

function holds({ eq, in: any, exists }: TextTest, values: readonly string[]): boolean {
  if (eq !== undefined && !values.includes(eq)) return false;
  if (any !== undefined && !any.some((value) => values.includes(value))) return false;
  return exists === undefined || exists === values.length > 0;
}

function holdsAt({ gte, lte }: TimeTest, at: number): boolean {
  return (gte === undefined || at >= toEpochMs(gte)) && (lte === undefined || at <= toEpochMs(lte));
}
