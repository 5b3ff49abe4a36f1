import type { Statement } from '../../src/derive/claim/statement.ts';
import { maxLayerOf, seenBy } from '../../src/derive/claim/max-layer.ts';
import type { ClaimChange } from '../../src/derive/claim/change.ts';

const said = (id: string, max_layer?: Statement['max_layer']): Statement => ({
  id,
  event_id: `evt_${id}`,
  position: 1,
  recorded_at: 1,
  value: 'v',
  kind: 'asserted',
  valid: { from: 1, to: 9 },
  confidence: 1,
  ...(max_layer === undefined ? {} : { max_layer }),
});

const changeOf = (supports: Statement[], denials: Statement[] = []): ClaimChange => ({
  claim: 'c',
  place: { tenant: 't', scope: 's', scope_ref: 'r' },
  replayed: true,
  before: { activeFacts: [], denials: [] },
  snapshots: [
    {
      recorded_at: 1,
      event_id: 'evt',
      activeFacts: [{ id: 'f', value: 'v', valid: { from: 1, to: 9 }, supports }],
      denials,
    },
  ],
  terms: new Map(),
});

describe('how far what an event states counts', () => {
  it.each([
    [undefined, undefined],
    [['facts', 'entities', 'beliefs', 'understanding', 'episodes'], undefined],
    [['understanding'], undefined],
    [['facts', 'beliefs'], 'beliefs'],
    [['beliefs'], 'beliefs'],
    [['facts', 'entities'], 'facts'],
    [['entities'], null],
    [['episodes'], null],
    [[], null],
  ] as const)('is, with %j, %s', (extract, reach) => {
    expect(maxLayerOf(extract === undefined ? {} : { extract: [...extract] })).toBe(reach);
  });

  it('is nowhere limited without directives', () => {
    expect(maxLayerOf(undefined)).toBeUndefined();
  });
});

describe('a change of a claim, as a layer sees it', () => {
  it('is the change itself where everything counts', () => {
    const change = changeOf([said('a'), said('b', 'beliefs')]);
    expect(seenBy('beliefs', change)).toBe(change);
  });

  it('is without what does not count there', () => {
    const change = changeOf([said('a'), said('b', 'beliefs'), said('c', 'facts')], [said('d', 'facts')]);
    const supports = (layer: 'beliefs' | 'understanding'): string[] =>
      seenBy(layer, change).snapshots.flatMap(({ activeFacts }) =>
        activeFacts.flatMap((fact) => fact.supports.map(({ id }) => id)),
      );
    expect(supports('beliefs')).toEqual(['a', 'b']);
    expect(supports('understanding')).toEqual(['a']);
    expect(seenBy('beliefs', change).snapshots[0]?.denials).toEqual([]);
  });

  it('is without a fact that nothing carries there', () => {
    const [snapshot] = seenBy('understanding', changeOf([said('b', 'beliefs')])).snapshots;
    expect(snapshot?.activeFacts).toEqual([]);
  });
});
