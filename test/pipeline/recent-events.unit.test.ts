import type { CaptureInput, CaptureOutcome, CaptureResult } from '../../graph/capture.ts';
import { parseEnvelope } from '../../src/capture/envelope.ts';
import { toEventRecord } from '../../src/capture/event-record.ts';
import { RecentEvents } from '../../src/pipeline/recent-events.ts';
import fc from '../support/property.ts';

const SCOPES = ['org:a', 'org:b', 'org:c'];

function input(offset: number): CaptureInput {
  const envelope = parseEnvelope({
    scope: SCOPES[offset % SCOPES.length],
    modality: 'conversation',
    content: { kind: 'text', text: `event ${offset}` },
  });
  const made = { id: `evt_${offset}`, tenant: 'default', caller: 'user:a' };
  return { record: toEventRecord(envelope, made), batch_id: null };
}

function result(offset: number, outcome: CaptureOutcome = 'captured'): CaptureResult {
  return {
    outcome,
    event_id: `evt_${offset}`,
    wal_offset: offset,
    recorded_at: 1,
    hints_differ: false,
    replaces: null,
  };
}

const numberOf = (offset: number): number => input(offset).record.shard;

/** One step of a history: this process commits so many events, or another one does between. */
const step = fc.record({ own: fc.boolean(), events: fc.integer({ min: 1, max: 6 }) });

describe('the memory of recent events', () => {
  it('keeps the place of a redacted event, and nothing of what it held', () => {
    const recent = new RecentEvents({ events: 10, bytes: 1e9 });
    recent.add([input(1), input(2), input(3)], [result(1), result(2), result(3)]);
    recent.redact(['evt_2', 'evt_9']);
    const spans = [1, 2, 3].map((offset) => ({ number: numberOf(offset), from: 0, to: 3 }));
    const { found, unknown } = recent.take(spans, 10);
    expect(unknown).toEqual([]);
    expect(found.map(({ event_id, excluded }) => [event_id, excluded])).toEqual([
      ['evt_1', false],
      ['evt_2', true],
      ['evt_3', false],
    ]);
    expect(found[1]?.envelope).toBe('{}');
    expect(found[2]?.envelope).toContain('event 3');
  });

  it('knows exactly the newest stretch without a gap, within its bounds', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30, size: 'max' }),
        fc.integer({ min: 1, max: 12 }),
        fc.nat({ max: 90 }),
        fc.nat({ max: 90 }),
        (steps, bound, a, b) => {
          const recent = new RecentEvents({ events: bound, bytes: 1e9 });
          let head = 0;
          let stretch: number[] = [];
          for (const { own, events } of steps) {
            const offsets = Array.from({ length: events }, (_, i) => head + 1 + i);
            head += events;
            if (!own) continue;
            recent.add(
              offsets.map(input),
              offsets.map((offset) => result(offset)),
            );
            const joins = stretch.at(-1) === offsets[0]! - 1;
            stretch = [...(joins ? stretch : []), ...offsets].slice(-bound);
          }
          const [from, to] = a < b ? [a, b] : [b, a];
          const within = stretch.filter((offset) => offset > from && offset <= to).length;
          const counted = recent.count(({ wal_offset }) => wal_offset > from && wal_offset <= to, 4);
          expect(counted).toBe(Math.min(within, 4));
          const known = from < to && from + 1 >= (stretch[0] ?? Infinity) && to <= (stretch.at(-1) ?? -1);
          if (from < to) expect(recent.covers(from, to)).toBe(known);
          if (!known) return;
          const expected = stretch.filter((offset) => offset > from && offset <= to);
          const spans = [...new Set(SCOPES.map((_, i) => numberOf(i)))].map((number, i) => ({
            number,
            // Each shard is somewhere else; the last one begins before anything that is known.
            from: i === SCOPES.length - 1 ? -1 : Math.min(from + i, to),
            to,
          }));
          const { found, unknown } = recent.take(spans, 4);
          const wanted = expected.filter((offset) =>
            spans.some((span) => span.number === numberOf(offset) && span.from >= from && offset > span.from),
          );
          expect(found.map(({ wal_offset }) => wal_offset)).toEqual(wanted.slice(0, 4));
          expect(unknown).toEqual(spans.filter((span) => span.from === -1));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('takes what was replayed or refused for no event of its own', () => {
    const recent = new RecentEvents({ events: 10, bytes: 1e9 });
    recent.add([input(1), input(2), input(3)], [result(1), result(9, 'replayed'), result(8, 'conflict')]);
    expect([recent.covers(0, 1), recent.covers(0, 2), recent.covers(7, 8)]).toEqual([true, false, false]);
  });

  it('passes over a commit that is told twice', () => {
    const recent = new RecentEvents({ events: 10, bytes: 1e9 });
    recent.add([input(1), input(2)], [result(1), result(2)]);
    recent.add([input(2), input(3)], [result(2), result(3)]);
    const spans = SCOPES.map((_, i) => ({ number: numberOf(i), from: 0, to: 3 }));
    expect(recent.take(spans, 10).found.map(({ event_id }) => event_id)).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  it('keeps no more bytes than it may', () => {
    const one = input(1).record.bytes;
    const recent = new RecentEvents({ events: 100, bytes: one * 3 });
    for (let offset = 1; offset <= 9; offset += 1) recent.add([input(offset)], [result(offset)]);
    expect([recent.covers(5, 9), recent.covers(6, 9)]).toEqual([false, true]);
  });
});
