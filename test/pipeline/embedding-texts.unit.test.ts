import type { DuePassage } from '../../graph/embedding/work.ts';
import { textsToEmbed, EMBEDDING_NEIGHBOUR_CHARACTERS } from '../../src/pipeline/embedding-texts.ts';

const DUE: DuePassage = {
  event_id: 'b',
  tenant: 'default',
  scope_ref: 'c0',
  shard: 0,
  own: false,
  threaded: true,
  window: ['a', 'b', 'c'],
  bytes: 1,
};
const said = (texts: Record<string, string>): Map<string, string> =>
  new Map(
    Object.entries(texts).map(([id, text]) => [id, JSON.stringify({ content: { kind: 'text', text } })]),
  );
const told = (due: Partial<DuePassage>, texts: Record<string, string>): [readonly string[], string][] =>
  textsToEmbed([{ ...DUE, ...due }], said(texts)).map(({ names, text }) => [names, text]);

describe('the texts of a passage', () => {
  it('are what was said, alone and between its neighbours', () => {
    expect(told({}, { a: 'One.', b: ' Two. ', c: 'Three.' })).toEqual([
      [['vector'], 'Two.'],
      [['windowVector'], 'One.\nTwo.\nThree.'],
    ]);
    expect(told({ own: true }, { a: 'One.', b: 'Two.', c: 'Three.' })).toHaveLength(1);
  });

  it('are one where nobody stands beside it, and none of a window where it stands by itself', () => {
    expect(told({ window: ['b'] }, { b: 'Two.' })).toEqual([[['vector', 'windowVector'], 'Two.']]);
    expect(told({ window: ['b'], own: true }, { b: 'Two.' })).toEqual([[['windowVector'], 'Two.']]);
    expect(told({ window: ['b'], threaded: false }, { b: 'Two.' })).toEqual([[['vector'], 'Two.']]);
  });

  it('hold the beginning of long neighbours, and all of its own', () => {
    const long = 'x'.repeat(EMBEDDING_NEIGHBOUR_CHARACTERS + 1);
    const [, [, window] = [[], '']] = told({ window: ['a', 'b'] }, { a: long, b: long });
    expect(window).toBe(`${long.slice(1)}\n${long}`);
  });

  it('are none while an event of the window is gone', () => {
    expect(told({}, { a: 'One.', b: 'Two.' })).toEqual([]);
  });
});
