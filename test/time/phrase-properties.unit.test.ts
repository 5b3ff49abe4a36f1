import { FIRST_INSTANT, OPEN_END } from '../../schemas/time.ts';
import { readPhrase, type PhraseReading } from '../../src/time/phrase.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';
import { ASKED_ON_WEDNESDAY } from './phrase-table.ts';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** A phrase takes a millisecond or so; this leaves room for its first run. */
const BOUND_MS = 1000;

/** Whether each of three tries takes long: of the processor, so that a busy machine says the same, and of which other threads take theirs meanwhile. */
function isSlow(work: () => void): boolean {
  return [1, 2, 3].every(() => {
    const since = process.cpuUsage();
    work();
    return process.cpuUsage(since).user / 1000 >= BOUND_MS;
  });
}

const reference = fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2100-01-01') });
const zone = fc.constantFrom(
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Havana',
);
const word = fc.constantFrom(
  ...new Set(ASKED_ON_WEDNESDAY.flatMap(({ phrase }) => phrase.split(' '))),
  'of',
  'the',
  'and',
  'to',
  '-',
  'between',
  'from',
  'before',
  'after',
  'ago',
  'second',
  '1',
  '31',
  '999999999',
  '/',
  'end',
);
const text = fc.oneof(
  { weight: 5, arbitrary: fc.array(word, { maxLength: 40 }).map((words) => words.join(' ').slice(0, 200)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9a-z/:.' -]{0,200}$/) },
  {
    weight: 1,
    arbitrary: fc.tuple(word, fc.nat(200)).map(([each, many]) => `${each} `.repeat(many).slice(0, 200)),
  },
);

function interval(found: PhraseReading): { from: number; to: number } {
  if (!found.ok) throw new Error(found.failure.reason);
  return found.interval;
}

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

describe('whatever is asked', () => {
  it('has an answer in bounded time: an interval with a length within the instants, or why not', () => {
    fc.assert(
      fc.property(
        text,
        fc.oneof(reference, fc.constantFrom(FIRST_INSTANT, OPEN_END)),
        zone,
        (phrase, at, timezone) => {
          const read = (): PhraseReading => readPhrase(phrase, { reference: at, timezone });
          expect(isSlow(read)).toBe(false);
          const found = read();
          if (!found.ok) return;
          expect(found.interval.from).toBeLessThan(found.interval.to);
          expect(found.interval.from).toBeGreaterThanOrEqual(FIRST_INSTANT);
          expect(found.interval.to).toBeLessThanOrEqual(OPEN_END);
          expect([found.interval.from, found.interval.to].every(Number.isInteger)).toBe(true);
        },
      ),
      { numRuns: inDepth(200, 3000) },
    );
  });

  it.each([
    'now',
    'today',
    'yesterday',
    'last week',
    'two Saturdays ago',
    'last Friday',
    'on Monday',
    'next weekend',
    '3 days ago',
    'last 30 days',
    'past two hours',
    'the week before last',
    'yesterday evening',
    'Friday at 5pm',
    'earlier this week',
    'from Monday to Wednesday',
    'a fortnight ago',
    'in the next week',
    'half an hour ago',
    'the Friday before yesterday',
  ])('moves with the reference: %s', (phrase) => {
    fc.assert(
      fc.property(reference, fc.integer({ min: -500, max: 500 }), (at, weeks) => {
        const [here, there] = [at, at + weeks * WEEK].map((moment) =>
          readPhrase(phrase, { reference: moment }),
        );
        // A week begins with no part before the reference, and then both say so.
        if (!here!.ok || !there!.ok) {
          expect(here).toEqual(there);
          return;
        }
        const { from, to } = here!.interval;
        expect(there!.interval).toEqual({ from: from + weeks * WEEK, to: to + weeks * WEEK });
      }),
      { numRuns: inDepth(8, 30) },
    );
  });

  it('a date of UTC is its day', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: FIRST_INSTANT / DAY, max: Math.floor(OPEN_END / DAY) - 1 }),
        reference,
        (day, at) => {
          const found = readPhrase(isoDay(day * DAY), { reference: at });
          expect(interval(found)).toEqual({ from: day * DAY, to: (day + 1) * DAY });
        },
      ),
    );
  });

  it.each(['Europe/Berlin', 'America/New_York', 'America/Havana', 'America/Sao_Paulo', 'Asia/Tehran'])(
    'a day of %s is as long as its clocks make it, and the next one follows at once',
    (timezone) => {
      const lengths = new Set<number>();
      const first = Date.UTC(2015, 0, 1);
      for (let day = 0; day < 730; day++) {
        const [today, next] = [day, day + 1].map((each) =>
          interval(readPhrase(isoDay(first + each * DAY), { reference: first, timezone })),
        );
        lengths.add((today!.to - today!.from) / 3_600_000);
        expect(next!.from).toBe(today!.to);
      }
      expect([...lengths].sort()).toEqual([23, 24, 25]);
    },
  );

  it('an instant is read back, whatever the zone', () => {
    fc.assert(
      fc.property(reference, zone, (at, timezone) => {
        const found = readPhrase(new Date(at).toISOString(), { reference: 0, timezone });
        expect(interval(found)).toEqual({ from: at, to: at + 1 });
      }),
    );
  });
});
