import type { EventItem } from '../../schemas/event.ts';
import type { FactItem } from '../../schemas/fact.ts';
import type { Ranked } from '../../src/services/recall-ranking.ts';
import { eventEntry } from '../../src/services/recall-entry.ts';
import { endsOf, holdsAt, withEnds } from '../../src/services/recall-superseded.ts';
import { entryLine } from '../../src/recall/context-block.ts';

const fact = (supports: string[], valid_from: string, valid_to: string | null): FactItem =>
  ({ supports, valid_from, valid_to }) as FactItem;
const NOW = Date.parse('2026-06-01T00:00:00Z');
const BERLIN = fact(['evt_b'], '2020-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');
const HAMBURG = fact(['evt_h'], '2026-01-01T00:00:00.000Z', null);

const stating = (id: string, city: string, valid_from?: string) => ({
  id,
  context: { observed_at: '2026-05-05T10:00:00Z', recorded_at: '2026-05-05T10:00:00Z' },
  observed_actor: { id: 'user:ann' },
  content: {
    kind: 'triple',
    triple: {
      subject: { type: 'entity', id: 'ent_priya', name: 'Priya' },
      predicate: 'lives_in',
      object: { type: 'literal', datatype: 'string', value: city },
      ...(valid_from === undefined ? {} : { valid_from }),
    },
  },
});
const asItem = (event: object): EventItem => event as EventItem;

describe('a statement that holds no more', () => {
  it('ends where the last fact that it supports does, and not while one of them holds', () => {
    expect(endsOf([BERLIN, HAMBURG], NOW)).toEqual(new Map([['evt_b', '2026-01-01T00:00:00.000Z']]));
    expect(endsOf([BERLIN, HAMBURG], Date.parse('2021-01-01T00:00:00Z'))).toEqual(new Map());
    expect(endsOf([BERLIN, fact(['evt_b'], '2026-03-01T00:00:00.000Z', null)], NOW)).toEqual(new Map());
    const twice = [fact(['evt_b'], '2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'), BERLIN];
    expect(endsOf(twice, NOW).get('evt_b')).toBe('2026-04-01T00:00:00.000Z');
  });

  it('holds from its beginning on, without its end', () => {
    const at = (text: string): boolean => holdsAt(BERLIN, Date.parse(text));
    expect(['2019-12-31T23:59:59.999Z', '2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z'].map(at)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('comes behind what holds, and fits no better, unless it is asked for', () => {
    const ranked: Ranked<EventItem>[] = [
      { item: asItem(stating('evt_b', 'Berlin')), score: 1, matched_by: [] },
      { item: asItem(stating('evt_h', 'Hamburg')), score: 0.25, matched_by: [] },
    ];
    const ends = endsOf([BERLIN, HAMBURG], NOW);
    const shown = (isAskedFor: boolean) =>
      withEnds(ranked, ends, isAskedFor).map(({ item, score, ended }) => [item.id, score, ended]);
    expect(shown(false)).toEqual([
      ['evt_h', 0.25, undefined],
      ['evt_b', 0.25, '2026-01-01T00:00:00.000Z'],
    ]);
    expect(shown(true)).toEqual([
      ['evt_b', 1, '2026-01-01T00:00:00.000Z'],
      ['evt_h', 0.25, undefined],
    ]);
    expect(withEnds(ranked.slice(0, 1), ends, false)).toMatchObject([{ score: 1 }]);
  });

  it('says in its line until when, under the time since when it held', () => {
    const berlin = asItem(stating('evt_b', 'Berlin', '2020-01-01'));
    expect(entryLine(eventEntry(berlin, undefined, '2026-01-01T00:00:00.000Z'), 1)).toBe(
      '[2020-01-01 00:00 UTC] [1] Priya lives in Berlin (until 2026-01-01 00:00 UTC)',
    );
    expect(entryLine(eventEntry(asItem(stating('evt_h', 'Hamburg'))), 2)).toBe(
      '[2026-05-05 10:00 UTC] [2] Priya lives in Hamburg',
    );
  });
});
