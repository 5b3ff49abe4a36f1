import { keptDays } from '../../src/access/retention.ts';
import { RetentionProgress, scansOf } from '../../src/services/retention-scan.ts';

const DAY_MS = 86_400_000;
const KEPT = keptDays([{ events: 'P30D', 'source:jira': 'P90D', facts: 'P7D' }], null);

describe('the walks that rules take', () => {
  it('are one for each age and layer, and each event goes in one of them', () => {
    const scans = scansOf(KEPT);
    expect(scans.map(({ key, ageMs }) => [key, ageMs / DAY_MS])).toEqual([
      ['events/30', 30],
      ['events/90', 90],
      ['facts/7', 7],
    ]);
    const taking = (sources: readonly string[]) =>
      scans.filter(({ layer, takes }) => layer === 'events' && takes(sources)).map(({ key }) => key);
    expect(taking([])).toEqual(['events/30']);
    expect(taking(['source:jira'])).toEqual(['events/90']);
    expect(taking(['source:jira', 'source:other'])).toEqual(['events/30']);
  });

  it('are none where everything is kept', () => {
    expect(scansOf(keptDays([{ events: null }, { events: 'P1D' }], 1))).toEqual([]);
  });

  it('count what is kept for ever once', () => {
    const kept = keptDays([{ events: null, 'source:a': 'P1D', 'source:b': 'P2D' }], null);
    expect(scansOf(kept).filter(({ keeps }) => keeps([]))).toHaveLength(1);
  });
});

describe('how far walks are', () => {
  const noted = (pass: number, stored: string | null, held: number | null): string => {
    const progress = new RetentionProgress(stored, { kept: KEPT, pass, since: 0 });
    progress.note('events/30', { through: 50, held });
    return progress.text;
  };
  const behind = (stored: string, pass: number, { kept = KEPT, since = 0 } = {}): number =>
    new RetentionProgress(stored, { kept, pass, since }).behind('events/30');

  it('is gone on with by the same pass, and by the next one', () => {
    const stored = noted(1, null, null);
    expect([behind(stored, 1), behind(stored, 2)]).toEqual([50, 50]);
  });

  it('goes back to what was held in another pass alone', () => {
    const stored = noted(1, null, 20);
    expect([behind(stored, 1), behind(stored, 2)]).toEqual([50, 19]);
    expect(behind(noted(1, stored, 40), 2)).toBe(19);
    expect(behind(noted(2, stored, 40), 3)).toBe(39);
    expect(behind(noted(2, stored, null), 3)).toBe(50);
  });

  it('is forgotten where the rules are others', () => {
    const stored = noted(1, null, null);
    expect(behind(stored, 1, { kept: keptDays([{ events: 'P30D' }], null) })).toBe(0);
  });

  it('counts for nothing where a later pass looks at everything again, until that has come by', () => {
    const stored = noted(1, null, null);
    expect([behind(stored, 2, { since: 2 }), behind(stored, 3, { since: 2 })]).toEqual([0, 0]);
    expect(behind(noted(2, stored, null), 3, { since: 2 })).toBe(50);
  });
});
