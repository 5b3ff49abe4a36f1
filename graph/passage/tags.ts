import type { FilterNode } from '../../schemas/recall-filter.ts';
import { tagOf, type PresentField } from '../../src/capture/search-tags.ts';
import { isTime, testsOf, type FieldTest } from '../../src/recall/filter.ts';
import { tagFieldOf, tagOfPresence, type PassageFilter } from './query.ts';

/** Whether a passage with some tags is what is asked for. */
export type TagTest = (tags: ReadonlySet<string>) => boolean;

/**
 * What the full-text index is asked of tags, for rows that came from elsewhere; null where it is asked nothing of them. Times count as
 * they are wanted: they are no tags, and are looked at on the event.
 */
export function tagTest({ filter, refers }: Pick<PassageFilter, 'filter' | 'refers'>): TagTest | null {
  const tests = [
    ...(filter === null ? [] : [treeTest(filter)]),
    ...(refers ? [has(tagOf('present', 'refers_to' satisfies PresentField))] : []),
  ];
  return tests.length === 0 ? null : all(tests);
}

function treeTest(tree: FilterNode): TagTest {
  if ('AND' in tree) return all(tree.AND.map(treeTest));
  if ('OR' in tree) {
    const any = tree.OR.map(treeTest);
    return (tags) => any.some((fits) => fits(tags));
  }
  return all(testsOf(tree).flatMap(fieldTests));
}

function fieldTests(one: FieldTest): TagTest[] {
  if (isTime(one)) return [];
  const { field, test } = one;
  const any = (values: readonly string[]): TagTest =>
    has(...values.map((value) => tagOf(tagFieldOf(field), value)));
  return [
    ...(test.eq === undefined ? [] : [any([test.eq])]),
    ...(test.in === undefined ? [] : [any(test.in)]),
    ...(test.exists === undefined ? [] : [existence(field, test.exists)]),
  ];
}

/** What every event has is there without a tag. */
function existence(field: string, wanted: boolean): TagTest {
  const tag = tagOfPresence(field);
  return (tags) => wanted === (tag === null || tags.has(tag));
}

/** Any of some tags. */
function has(...wanted: readonly string[]): TagTest {
  return (tags) => wanted.some((tag) => tags.has(tag));
}

function all(tests: readonly TagTest[]): TagTest {
  return (tags) => tests.every((fits) => fits(tags));
}
