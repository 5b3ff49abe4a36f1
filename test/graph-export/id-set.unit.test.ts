import { IdSet } from '../../src/graph-export/id-set.ts';
import fc from '../support/property.ts';

it('knows what was added, like a set, however much it grows', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 }), (texts) => {
      const [set, model] = [new IdSet(), new Set<string>()];
      for (const text of texts) {
        expect([set.has(text), set.add(text)]).toEqual([model.has(text), !model.has(text)]);
        model.add(text);
      }
      expect(set.size).toBe(model.size);
    }),
  );
  const many = new IdSet();
  const ids = Array.from({ length: 20_000 }, (_, i) => `evt_${i}`);
  expect(ids.filter((id) => many.add(id))).toHaveLength(ids.length);
  expect(ids.filter((id) => many.has(id))).toHaveLength(ids.length);
  expect([many.has('evt_20000'), many.size]).toEqual([false, ids.length]);
});
