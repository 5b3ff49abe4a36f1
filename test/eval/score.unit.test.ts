import { readFileSync } from 'node:fs';

import { byItem, type ExtractionItem } from '../../src/models/extraction.ts';
import { statement } from '../support/model-endpoint.ts';
import { scoreOf, totalOf, type Score } from './score.ts';
import { transcriptsIn } from './transcripts.ts';

const [TALK] = transcriptsIn(
  JSON.stringify([
    {
      name: 'talk',
      about: 'a test',
      items: [
        { speaker: 'user:a', observed_at: '2026-03-01T00:00:00Z', text: 'Ada lives in Turin.' },
        { speaker: 'user:a', observed_at: '2026-03-02T00:00:00Z', text: 'She left Rome.' },
      ],
      expected: [
        { item: 1, subject: ['Ada', 'user:a'], predicate: ['lives_in'], object: ['Turin'] },
        {
          item: 2,
          subject: ['Ada'],
          predicate: ['lives_in'],
          object: ['Rome'],
          holds: 'ended',
          valid_from: '2026-03-02',
        },
      ],
      forbidden: ['Mallory'],
    },
  ]),
);
if (!TALK) throw new Error('there is a transcript');

const ITEMS: ExtractionItem[] = TALK.items.map(({ text, observed_at, speaker }) => ({
  whole: text,
  from: 0,
  part: text,
  observed_at,
  held_since: observed_at,
  speaker,
  role: null,
  about: speaker,
}));

const scored = (...statements: Record<string, unknown>[]): Score =>
  scoreOf(TALK, byItem({ statements: statements as never }, ITEMS));

const RIGHT = [
  statement(1, { subject: 'user:a', predicate: 'resides in', quote: 'lives in Turin' }),
  statement(2, { object: 'Rome', holds: 'ended' }),
];

describe('the score of an extraction', () => {
  it('is whole for what is expected, in whatever spelling', () => {
    expect(scored(...RIGHT)).toMatchObject({ recall: 1, precision: 1, f1: 1, quoted: 1, faults: [] });
  });

  it('falls with what is missing, what is more, and what is forbidden', () => {
    const score = scored(RIGHT[0] ?? {}, statement(1, { subject: 'Mallory', predicate: 'owns' }));
    expect(score).toMatchObject({ recall: 0.5, precision: 0.5, f1: 0.5, forbidden: 1 });
    expect(score.faults).toEqual([
      'missing: 2: Ada lives_in Rome (ended from 2026-03-02)',
      'forbidden: 1: mallory → turin',
    ]);
  });

  it.each([
    ['of another item', { item: 2 }],
    ['denied', { holds: 'never' }],
    ['of another subject', { subject: 'Ben' }],
    ['of another relation', { predicate: 'likes' }],
  ])('does not count what is %s', (_what, more) => {
    expect(scored(statement(1, more))).toMatchObject({ found: 0, right: 0, statements: 1 });
  });

  it('counts what cannot be used, and adds up', () => {
    const unusable = scored(statement(1, { valid_from: 'soon' }), ...RIGHT);
    expect(unusable).toMatchObject({ unusable: 1, statements: 2 });
    expect(totalOf([unusable, scored()])).toMatchObject({ expected: 4, found: 2, recall: 0.5, precision: 1 });
  });
});

describe('the evaluation set', () => {
  const set = transcriptsIn(readFileSync(new URL('extraction.json', import.meta.url), 'utf8'));

  it('is well-formed, and each expected statement belongs to an item', () => {
    expect(set.length).toBeGreaterThanOrEqual(10);
    expect(new Set(set.map(({ name }) => name)).size).toBe(set.length);
    for (const { items, expected } of set)
      for (const { item } of expected) expect(item).toBeLessThanOrEqual(items.length);
  });
});
