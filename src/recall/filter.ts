import {
  FILTER_TEXT_FIELDS,
  FILTER_TIME_FIELDS,
  type FilterLeaf,
  type FilterNode,
  type FilterTextField,
  type FilterTimeField,
} from '../../schemas/recall-filter.ts';
import { toEpochMs } from '../../schemas/time.ts';

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
