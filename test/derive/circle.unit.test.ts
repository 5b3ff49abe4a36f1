import { circularPremise, type Conclusions } from '../../src/derive/circle.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const conclusions = (...edges: [string, string][]): Conclusions => {
  const found = new Map<string, Set<string>>();
  for (const [on, claim] of edges) found.set(on, (found.get(on) ?? new Set()).add(claim));
  return found;
};

describe('a conclusion', () => {
  it('does not rest on what it is about', () => {
    expect(circularPremise('a', ['a'], new Map())).toBe(0);
    expect(circularPremise('a', [null, 'b', 'a'], new Map())).toBe(2);
    expect(circularPremise('a', [null, 'b'], new Map())).toBe(-1);
  });

  it('does not rest on what was concluded from it, over any number of steps', () => {
    const chain = conclusions(['a', 'b'], ['b', 'c'], ['b', 'd'], ['c', 'd']);
    expect(circularPremise('a', ['d'], chain)).toBe(0);
    expect(circularPremise('d', ['a', 'b', 'c'], chain)).toBe(-1);
  });

  const claim = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  it('keeps what rests on what free of circles, and only then is refused', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(claim, claim), { maxLength: 15 }), (wanted) => {
        const kept: [string, string][] = [];
        const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
          from === to ||
          (!seen.has(from) &&
            kept.some(([on, next]) => on === from && reaches(next, to, new Set([...seen, from]))));
        for (const [on, about] of wanted) {
          const refused = circularPremise(about, [on], conclusions(...kept)) >= 0;
          expect(refused).toBe(reaches(about, on));
          if (!refused) kept.push([on, about]);
        }
      }),
      { numRuns: inDepth(400, 2000) },
    );
  });
});
