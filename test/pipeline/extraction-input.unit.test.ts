import type { ExtractionInput } from '../../graph/extraction.ts';
import {
  callsOf,
  itemsOf,
  EXTRACTION_PART_CHARACTERS,
  EXTRACTION_CALL_CHARACTERS,
} from '../../src/pipeline/extraction-input.ts';
import fc from '../support/property.ts';

function input(
  more: Partial<ExtractionInput> = {},
  content: object = { kind: 'text', text: 'Ada' },
): ExtractionInput {
  return {
    event_id: 'evt_1',
    tenant: 'default',
    scope: 'user:a',
    scope_ref: 's1',
    observed_actor: 'user:ada',
    subject: 'user:ada',
    modality: 'conversation',
    observed_at: 1_772_359_200_000,
    recorded_at: 1_772_359_200_000,
    envelope: JSON.stringify({ content }),
    answered: false,
    attempts: 0,
    unusable: 0,
    ...more,
  };
}

describe('what is asked about an event', () => {
  it('is its text, with who said it and when', () => {
    const [asked] = itemsOf(input({}, { kind: 'message', role: 'user', text: 'I am Ada' }));
    expect(asked?.item).toMatchObject({
      part: 'I am Ada',
      speaker: 'user:ada',
      role: 'user',
      about: 'user:ada',
      observed_at: '2026-03-01T10:00:00.000Z',
    });
  });

  it.each([
    [
      'its own offset',
      { context: { observed_at: '2026-06-13T01:00:00+08:00' } },
      '2026-06-13T01:00:00.000+08:00',
    ],
    [
      'an offset beside the context',
      { observed_at: '2026-06-13T01:00:00+08:00' },
      '2026-06-13T01:00:00.000+08:00',
    ],
    ['its own time zone', { context: { timezone: 'Asia/Tokyo' } }, '2026-06-13T02:00:00.000+09:00'],
    ['neither', { context: { observed_at: '2026-06-12T17:00:00Z' } }, '2026-06-12T17:00:00.000Z'],
  ])('is shown by the clocks of whoever said it: %s', (_what, circumstances, observed_at) => {
    const content = { kind: 'text', text: 'I moved yesterday' };
    const at = Date.parse('2026-06-12T17:00:00Z');
    const envelope = JSON.stringify({ content, ...circumstances });
    expect(itemsOf(input({ observed_at: at, envelope }))[0]?.item.observed_at).toBe(observed_at);
  });

  it('holds since it was recorded where it was observed by a clock that is ahead, and shows that clock', () => {
    const recorded_at = Date.parse('2026-03-01T09:55:00Z');
    const envelope = { content: { kind: 'text', text: 'x' }, context: { timezone: 'Asia/Tokyo' } };
    const [asked] = itemsOf(input({ recorded_at, envelope: JSON.stringify(envelope) }));
    expect(asked?.item).toMatchObject({
      observed_at: '2026-03-01T19:00:00.000+09:00',
      held_since: '2026-03-01T18:55:00.000+09:00',
    });
  });

  it('names the assistant as the speaker of what it says', () => {
    const [asked] = itemsOf(input({}, { kind: 'message', role: 'assistant', text: 'Noted' }));
    expect(asked?.item.speaker).toBe('assistant');
  });

  it('is the transcript of a blob', () => {
    expect(itemsOf(input({}, { kind: 'blob_ref', blob_id: 'blob_1', transcript: 'hello' }))).toHaveLength(1);
    expect(itemsOf(input({}, { kind: 'blob_ref', blob_id: 'blob_1' }))).toEqual([]);
  });

  it('comes in parts when it is long', () => {
    const text = 'word '.repeat(EXTRACTION_PART_CHARACTERS);
    const items = itemsOf(input({}, { kind: 'text', text }));
    expect(items.map(({ item }) => item.part).join('')).toBe(text);
    expect(items.length).toBeGreaterThanOrEqual(5);
  });
});

describe('calls', () => {
  it('hold items of one scope each, in order, as many as fit; what failed often stands alone', () => {
    const some = fc.record({
      scope: fc.constantFrom('a', 'b', 'c'),
      size: fc.integer({ min: 1, max: 20_000 }),
      unusable: fc.constantFrom(0, 0, 0, 3),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 60 }), fc.integer({ min: 1, max: 8 }), (list, most) => {
        const items = list.flatMap(({ scope, size, unusable }, i) =>
          itemsOf(
            input(
              { event_id: `evt_${i}`, scope_ref: scope, unusable },
              { kind: 'text', text: 'x'.repeat(size) },
            ),
          ),
        );
        const calls = callsOf(items, most);
        expect(calls.flat()).toHaveLength(items.length);
        expect(new Set(calls.flat()).size).toBe(items.length);
        for (const call of calls) {
          expect(call.length).toBeLessThanOrEqual(most);
          expect(new Set(call.map((one) => one.input.scope_ref)).size).toBe(1);
          const characters = call.reduce((sum, { item }) => sum + item.part.length, 0);
          expect(characters).toBeLessThanOrEqual(EXTRACTION_CALL_CHARACTERS);
          const places = call.map((one) => items.indexOf(one));
          expect(places).toEqual([...places].sort((a, b) => a - b));
          if (call.some((one) => one.input.unusable > 2)) expect(call).toHaveLength(1);
        }
      }),
      { numRuns: 200 },
    );
  });
});
