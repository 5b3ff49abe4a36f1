import { readQuery } from '../../src/services/recall-query.ts';
import { windowOf } from '../../src/recall/window.ts';

const now = Date.parse('2026-02-04T09:00:00Z');

/** The terms that a query is searched by, beside what a request says of time. */
function sought(query: string, temporal?: Parameters<typeof windowOf>[0]): string[] {
  const window = windowOf(temporal, { now, own: [] });
  return readQuery(query, { natural: temporal?.natural, window }).map((terms) => [...terms.keys()][0] ?? '');
}

describe('the words of a query beside a time phrase', () => {
  it('are without those of the phrase, which is the time that is asked for', () => {
    expect(sought('What did I do yesterday?', { natural: 'yesterday' })).toEqual([]);
    expect(sought('Where did I walk yesterday?', { natural: 'yesterday' })).toEqual(['walk']);
    expect(sought('What did I do in the evening yesterday?', { natural: 'yesterday evening' })).toEqual([]);
    const stretch: [string, string] = ['2026-01-01', '2026-03-01'];
    expect(sought('What did I do yesterday?', { natural: 'yesterday', valid_during: stretch })).toEqual([]);
  });

  it('are all there where the phrase has not become a time', () => {
    const natural = 'the day of the picnic';
    expect(sought('Who came on the day of the picnic?', { natural, natural_mode: 'lenient' })).toEqual([
      'came',
      'day',
      'picnic',
    ]);
    expect(sought('What did I do yesterday?', { valid_during: ['2026-01-01', '2026-01-02'] })).toEqual([
      'yesterday',
    ]);
  });

  it('are without the phrase, and not without its words elsewhere, where it stands among them', () => {
    const natural = 'last week';
    expect(sought('Which week did I call the last one last week?', { natural })).toEqual([
      'week',
      'call',
      'last',
      'one',
    ]);
  });
});
