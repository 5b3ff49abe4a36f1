import { firstIds } from '../../src/forget/said.ts';
import fc from '../support/property.ts';

const groups = fc.array(
  fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { minLength: 1, maxLength: 3 }),
  {
    maxLength: 6,
  },
);

it('has an id in common exactly for those that groups lead from one to the other', () => {
  fc.assert(
    fc.property(groups, (all) => {
      const firsts = firstIds(all);
      const reach = (from: string): string => {
        const found = new Set([from]);
        for (let size = 0; size < found.size;) {
          size = found.size;
          for (const group of all)
            if (group.some((id) => found.has(id))) for (const id of group) found.add(id);
        }
        return [...found].sort()[0] ?? '';
      };
      const ids = [...new Set(all.flat())];
      expect(Object.fromEntries(firsts)).toEqual(Object.fromEntries(ids.map((id) => [id, reach(id)])));
    }),
  );
});
