import type { CaptureInput } from '../../graph/capture.ts';
import { GroupQueue, type Submission } from '../../src/commit/group-queue.ts';

const LIMITS = { groupEvents: 3, groupBytes: 10, queueEvents: 100, queueBytes: 1000 };

/** Records of so many bytes each, handed in together. */
const submission = (kind: Submission['kind'], ...bytes: number[]): Submission => ({
  inputs: bytes.map((size) => ({ record: { bytes: size }, batch_id: null }) as unknown as CaptureInput),
  kind,
  origin: null,
  resolve: () => undefined,
  reject: () => undefined,
});

/** The kinds and sizes of all groups, in the order in which they are formed. */
function groupsOf(...submissions: Submission[]): string[][] {
  const queue = new GroupQueue(LIMITS);
  for (const one of submissions) queue.push(one);
  const groups: string[][] = [];
  for (let group = queue.next(); group !== null; group = queue.next())
    groups.push(group.map(({ kind, inputs }) => `${kind} ${inputs.length}`));
  return groups;
}

it.each<Submission['kind']>(['bulk', 'all-or-none'])('%s goes alone, before and behind singles', (kind) => {
  const single = submission('single', 1);
  expect(groupsOf(single, submission(kind, 1), single, submission(kind, 1))).toEqual([
    ['single 1'],
    [`${kind} 1`],
    ['single 1'],
    [`${kind} 1`],
  ]);
});

it('singles go together up to the bounds of a group, and a larger one alone', () => {
  const sizes = (...bytes: number[]) =>
    groupsOf(...bytes.map((size) => submission('single', size))).map(({ length }) => length);
  expect(sizes(1, 1, 1, 1)).toEqual([3, 1]);
  expect(sizes(5, 5, 1)).toEqual([2, 1]);
  expect(sizes(5, 6)).toEqual([1, 1]);
  expect(sizes(11, 1)).toEqual([1, 1]);
});
